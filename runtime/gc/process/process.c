/* SPDX-License-Identifier: MIT */
/* process.c - see process.h.
 *
 * Invariant: `acre_gc_process` is set once, when the heap is whole; `lock` is held whenever the
 * heap is looked at, except that its range of addresses never changes, and that who holds a pointer
 * may look up its object.
 */
#define _GNU_SOURCE
#include "platform/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <acre/collected.h>

#include "gc/cycle/pace.h"
#include "gc/cycle/quarantine.h"
#include "gc/cycle/thread_cache.h"
#include "gc/heap/cell.h"
#include "gc/linux/dirty.h"
#include "gc/linux/stop_world.h"
#include "gc/process/fair_lock.h"
#include "gc/process/process.h"
#include "gc/trace/event.h"
#include "memory/pages.h"
#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/linked.h"
#include "platform/memory_limit.h"
#include "platform/os.h"
#include "platform/procfs.h"
#include "platform/sanitizer.h"

#define LIMIT_DEFAULT_MAX ((size_t)1 << 35)
#define LIMIT_MIN ((size_t)4 << 20)
/* A limited address space is divided: one part for cells, one for big objects, the rest for all
 * else. */
#define SPACE_PARTS 4
/* With a word of header objects are aligned to 16: each of the sizes that runs are of, then no step
   above a quarter and, from 336 on, what divides a page with little left. */
static const uint32_t cell_sizes[] = {16,  32,  48,   64,   80,   96,   112,  128,  144,  160, 176,
                                      192, 208, 224,  240,  256,  272,  336,  400,  464,  544, 624,
                                      736, 896, 1008, 1168, 1360, 1632, 2032, 2720, 4080, 8176};
/* What is allocated at least between two collections.  Where that makes them dearer than
 * BUDGET_PERCENT of the processor time, it is more. */
#define GROWTH_MIN ((size_t)2 << 20)
#define GROWTH_DEFAULT SIZE_MAX
#define BUDGET_PERCENT 12
#define BUDGET_DEFAULT 101
#define PAGE_LEAST 4096 /* of any machine */
#define STATUS_MAX 125  /* of a process; shells use the larger ones */
/* The same where what is freed waits in a quarantine; and bytes allocated between two steps. */
#define QUARANTINE_MIN ((size_t)1 << 20)
#define QUARANTINE_BUDGET_PERCENT 5
#define QUARANTINE_INCREMENT_BYTES (16 << 10)
/* What is allocated while a collection runs comes on top of what it finds: an eighth of that. */
#define GC_RATIO 800
/* Half the steps of other heaps, half as long. */
#define INCREMENT_BYTES 2048
#define INCREMENT_DEFAULT SIZE_MAX
#define INCREMENT_WORDS 3000

/* What may be searched outside the heap at once, in words: it takes 0.1 ms.  What is left of a
 * pause is for the heap: slots that are scanned in a microsecond, half of what is usual. */
#define OUTSIDE_WORDS 100000
#define OUTSIDE_US 200
#define AT_ONCE_WORDS_PER_US 150
/* Microseconds that a collection may take that is one pause; longer ones are done in steps. */
#define PAUSE_US 1000
#define PAUSE_MAX 1000000
#define PAUSE_DEFAULT SIZE_MAX

static pthread_once_t once = PTHREAD_ONCE_INIT;
static acre_gc_fair_lock lock;
heap *acre_gc_process;
unsigned acre_gc_process_report_status;

/* -- Settings ---------------------------------------------------------------------------------- */

typedef struct settings {
  acre_heap_config config;
  size_t limit, growth, increment, pause;
  unsigned budget; /* percent; 0: none; BUDGET_DEFAULT: it was not said */
  bool reports_freed;
  unsigned report_status;
} settings;

static void reject(const char *word, size_t size) {
  acre_os_fatal(
      "ACRE_HEAP has '%.*s'; it may have limit=SIZE, growth=SIZE, budget=PERCENT, increment=SIZE, "
      "pause=MICROSECONDS, whole, report, report=STATUS, check, poison and "
      "stress, with commas between them, and sizes end in K, M or G",
      (int)size, word);
}

static size_t parse_size(const char *word, size_t size, const char *digits) {
  char *end;
  unsigned long long number = strtoull(digits, &end, 10);
  unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  if (*digits < '0' || *digits > '9' || end + (shift != 0) != word + size ||
      number > SIZE_MAX >> shift)
    reject(word, size);
  return (size_t)number << shift;
}

static unsigned parse_up_to(unsigned most, const char *word, size_t size, const char *digits) {
  size_t number = parse_size(word, size, digits);
  if (number > most)
    reject(word, size);
  return (unsigned)number;
}

/* A report needs to know in which word a pointer lies: nothing else runs while it is looked for. */
static void report_freed(settings *s) {
  s->reports_freed = true;
  s->config.is_incremental = false;
}

static void read_report_status(settings *s, const char *word, size_t size) {
  s->report_status = parse_up_to(STATUS_MAX, word, size, word + 7);
  if (s->report_status == 0)
    reject(word, size);
  report_freed(s);
}

static bool is_word(const char *word, size_t size, const char *name) {
  return size == strlen(name) && strncmp(word, name, size) == 0;
}

static void read_word(settings *s, const char *word, size_t size) {
  if (strncmp(word, "limit=", 6) == 0)
    s->limit = parse_size(word, size, word + 6);
  else if (strncmp(word, "growth=", 7) == 0)
    s->growth = parse_size(word, size, word + 7);
  else if (strncmp(word, "budget=", 7) == 0)
    s->budget = parse_up_to(100, word, size, word + 7);
  else if (strncmp(word, "increment=", 10) == 0)
    s->increment = parse_size(word, size, word + 10);
  else if (strncmp(word, "pause=", 6) == 0)
    s->pause = parse_up_to(PAUSE_MAX, word, size, word + 6);
  else if (is_word(word, size, "whole"))
    s->config.is_incremental = false;
  else if (is_word(word, size, "report"))
    report_freed(s);
  else if (strncmp(word, "report=", 7) == 0)
    read_report_status(s, word, size);
  else if (is_word(word, size, "check"))
    s->config.checks_each_increment = true;
  else if (is_word(word, size, "poison"))
    s->config.poisons = true;
  else if (is_word(word, size, "stress"))
    s->config.collects_each_allocation = true;
  else if (size)
    reject(word, size);
}

static bool has_quarantine(void) { return &acre_rt_gc_has_quarantine; }

static settings read_settings(void) {
  settings s = {.config = acre_heap_preset(ACRE_HEAP_ACRE),
                .growth = GROWTH_DEFAULT,
                .budget = BUDGET_DEFAULT,
                .increment = INCREMENT_DEFAULT,
                .pause = PAUSE_DEFAULT};
  s.config.name = "process";
  s.config.scans_memory = true;
  s.config.cell_sizes = cell_sizes;
  s.config.cell_size_count = sizeof cell_sizes / sizeof *cell_sizes;
  s.config.gc_ratio_percent = GC_RATIO;
  s.config.increment_words = INCREMENT_WORDS;
  const char *text = acre_os_setting("ACRE_HEAP");
  for (size_t size; text && *text; text += size + (text[size] == ','))
    read_word(&s, text, size = strcspn(text, ","));
  /* One that sets increment= is to have steps of it, however little there is to do. */
  if (s.pause == PAUSE_DEFAULT)
    s.pause = s.increment != INCREMENT_DEFAULT ? 0 : PAUSE_US;
  if (s.increment == INCREMENT_DEFAULT)
    s.increment = has_quarantine() ? QUARANTINE_INCREMENT_BYTES : INCREMENT_BYTES;
  s.config.increment_bytes = s.increment > UINT32_MAX ? UINT32_MAX : (unsigned)s.increment;
  /* A program that sets growth= is to have its collections there, whatever they cost. */
  if (s.budget == BUDGET_DEFAULT)
    s.budget = s.growth != GROWTH_DEFAULT ? 0
               : has_quarantine()         ? QUARANTINE_BUDGET_PERCENT
                                          : BUDGET_PERCENT;
  if (s.growth == GROWTH_DEFAULT)
    s.growth = has_quarantine() ? QUARANTINE_MIN : GROWTH_MIN;
  if (!s.limit)
    s.limit = acre_memory_limit();
  uint64_t space = acre_address_space_limit() / SPACE_PARTS;
  if (s.limit > space)
    s.limit = space;
  s.limit = s.limit > LIMIT_DEFAULT_MAX ? LIMIT_DEFAULT_MAX
            : s.limit < LIMIT_MIN       ? LIMIT_MIN
                                        : s.limit;
  return s;
}

/* -- Life -------------------------------------------------------------------------------------- */

/* Allocation is no point at which a thread may be cancelled, but what a collection calls is: the
   thread would take the lock with it, and leave the others stopped. */
static bool forbid_cancel(void) {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  return before == PTHREAD_CANCEL_ENABLE;
}

static void allow_cancel(void) { pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL); }

/* The program's own handlers for forks may run between these, and allocate. */
static void before_fork(void) {
  acre_gc_fair_lock_take(&lock);
  acre_self.is_forking = true;
}
static void after_fork(void) {
  acre_self.is_forking = false;
  acre_gc_fair_lock_pass(&lock);
}
static void after_fork_in_child(void) {
  bool forbids_cancel = forbid_cancel();
  acre_self.is_known = false; /* by its number, which is another one */
  if (acre_gc_process)
    acre_gc_dirty_forget(acre_gc_process);
  acre_procfs_hold();
  if (forbids_cancel)
    allow_cancel();
  acre_gc_fair_lock_forget_others(&lock);
  if (acre_gc_process) {
    acre_gc_process->thread = acre_thread_id();
    acre_gc_cache_lose_others(acre_gc_process);
  }
  after_fork();
}

static void watch_forks(void) {
  /* The locks of these are taken while this one is held. */
  acre_pages_prepare_for_forks();
  acre_gc_world_prepare_for_forks();
  pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

void acre_gc_process_prepare_for_forks(void) {
  static pthread_once_t watched = PTHREAD_ONCE_INIT;
  pthread_once(&watched, watch_forks);
}

/* Before the program may have given up its root or the right to open files. */
void acre_rt_gc_prepare(void) {
  acre_procfs_hold();
  acre_gc_process_prepare_for_forks();
}

/* What a lookup needs of the heap, side by side; `bytes` is 0 while there is none, and set last. */
static struct {
  const char *base;
  size_t list_bytes, first_object, header_size;
  const cell_page *pages;
  size_t bytes;
} places;

static void open_places(const heap *h) {
  places.base = h->space.base;
  places.list_bytes = (size_t)h->space.list_pages << ACRE_PAGE_SHIFT;
  places.header_size = h->header_size;
  places.first_object = h->cell_origin + h->header_size;
  places.pages = h->space.pages;
  __atomic_store_n(&places.bytes, h->space.bytes, __ATOMIC_RELEASE);
}

static void start(void) {
  if (!&acre_rt_gc_is_linked)
    acre_os_fatal("code compiled with -facre-malloc=collected is in a program that was linked "
                  "without it; link with "
                  "acre-cc and this option");
  if (__asan_init || __tsan_init || __msan_init)
    acre_os_fatal("-facre-malloc=collected and sanitizers of memory both replace malloc: compile "
                  "with one of them");
  acre_thread_find_stack();
  settings s = read_settings();
  acre_heap *made;
  /* Address space may be limited. */
  do {
    s.config.limit = s.limit;
    made = acre_heap_new(&s.config);
    s.limit /= 2;
  } while (!made && s.limit >= LIMIT_MIN);
  if (!made)
    acre_os_fatal("out of memory for the collected heap");
  heap *h = (heap *)made;
  h->is_free_a_hint = !s.reports_freed;
  h->keeps_freed = s.reports_freed;
  acre_gc_process_report_status = s.report_status;
  h->pace.growth_min = s.growth ? s.growth : 1;
  h->pace.budget_percent = s.budget;
  h->watch.finds_stores = true;
  h->watch.asks_for_filled = acre_gc_dirty_may_ask();
  h->roots.foreign_words = OUTSIDE_WORDS;
  h->pace.at_once_words = s.pause > OUTSIDE_US ? (s.pause - OUTSIDE_US) * AT_ONCE_WORDS_PER_US : 0;
  h->pace.at_once_ns = s.pause * 1000;
  h->pace.last_scanned = SIZE_MAX;
  if (has_quarantine() && !acre_gc_quarantine_open(h))
    acre_os_fatal("out of memory for the collected heap");
  acre_gc_pace_be_idle(h);
  acre_gc_cache_start(h);
  acre_procfs_hold();
  acre_gc_process_prepare_for_forks();
  acre_pages_bound(h->space.base, h->space.bytes);
  __atomic_store_n(&acre_gc_process, h, __ATOMIC_RELEASE);
  open_places(h);
}

static void take_lock(heap *h) {
  if (acre_gc_fair_lock_try_now(&lock))
    return;
  uint64_t begin = event_begin(h);
  acre_gc_fair_lock_wait(&lock);
  event_end(h, ACRE_HEAP_EVENT_WAIT, begin, 0);
}

acre_gc_use acre_gc_process_enter(void) {
  ACRE_ASSERT(!acre_self.is_in_collected);
  acre_gc_use use = {.saved_errno = errno,
                     .is_locked = !acre_is_single_threaded() && !acre_self.is_forking};
  use.forbids_cancel = use.is_locked && forbid_cancel();
  use.heap = __atomic_load_n(&acre_gc_process, __ATOMIC_ACQUIRE);
  if (__builtin_expect(!use.heap, 0)) {
    pthread_once(&once, start);
    use.heap = acre_gc_process;
  }
  /* Threads tell where their stack is, so that a collection knows what part of it is in use. */
  if (__builtin_expect(!acre_self.stack_high, 0))
    acre_thread_find_stack();
  if (__builtin_expect(!acre_self.is_known, 0))
    acre_gc_world_know_thread();
  acre_self.is_in_collected = true;
  if (use.is_locked)
    take_lock(use.heap);
  use.heap->thread = acre_thread_id();
  return use;
}

void acre_gc_process_leave(const acre_gc_use *use) {
  ACRE_ASSERT(acre_self.is_in_collected && use->heap->thread == acre_self.id);
  if (use->is_locked)
    acre_gc_fair_lock_pass(&lock);
  acre_self.is_in_collected = false;
  if (use->forbids_cancel)
    allow_cancel();
  errno = use->saved_errno;
}

void acre_gc_process_end_thread(struct acre_thread *thread) {
  (void)thread;
  if (!acre_gc_process_exists() || acre_self.is_in_collected)
    return;
  acre_gc_use use = acre_gc_process_enter();
  acre_gc_cache_end(use.heap);
  acre_gc_process_leave(&use);
}

/* -- Questions --------------------------------------------------------------------------------- */

bool acre_gc_process_exists(void) {
  return __atomic_load_n(&acre_gc_process, __ATOMIC_ACQUIRE) != NULL;
}

bool acre_collected_owns(const void *p) {
  const heap *h = __atomic_load_n(&acre_gc_process, __ATOMIC_ACQUIRE);
  return h && (size_t)((const char *)p - h->space.base) < h->space.bytes;
}

bool acre_gc_process_is_dead(const void *p) {
  if (!acre_collected_owns(p))
    return false;
  acre_gc_use use = acre_gc_process_enter();
  bool is_dead = !acre_heap_object_of(&use.heap->head, p);
  acre_gc_process_leave(&use);
  return is_dead;
}

const char *acre_gc_process_object(const void *p, size_t *size) {
  /* A signal handler may have come while its thread was in the heap. */
  if (!acre_collected_owns(p) || acre_self.is_in_collected)
    return NULL;
  acre_gc_use use = acre_gc_process_enter();
  const char *start = acre_heap_object_of(&use.heap->head, p);
  *size = start ? acre_heap_object_size(&use.heap->head, start) : 0;
  acre_gc_process_leave(&use);
  return start;
}

static __attribute__((noinline)) acre_rt_range range_of_any(const void *p) {
  const heap *h = acre_gc_process;
  cell c;
  if (find_cell(h, p, &c)) {
    object_view o = cell_object_of_header(h, &c);
    if ((const char *)p <= o.start + o.size)
      return (acre_rt_range){o.start, o.start + o.size};
  }
  return ACRE_RANGE_OF_ALL;
}

/* Finds the big object that p points into.  Needs p to lie behind the cells, on page index. */
static acre_rt_range range_of_big(const void *p, size_t index) {
  const cell_page *page = &places.pages[index];
  if (page->kind == PAGE_INSIDE && page->count <= index) {
    index -= page->count;
    page -= page->count;
  }
  const char *start = places.base + (index << ACRE_PAGE_SHIFT);
  if (page->kind != PAGE_BIG || (const char *)p > start + page->size)
    return range_of_any(p);
  return (acre_rt_range){start, start + page->size};
}

/* What find_cell does, for what most pointers point into: cells that are not larger than a page,
 * and big objects. */
acre_rt_range acre_gc_process_range(const void *p) {
  size_t bytes = __atomic_load_n(&places.bytes, __ATOMIC_ACQUIRE),
         offset = (size_t)((const char *)p - places.base);
  if (offset >= bytes)
    return ACRE_RANGE_OF_ALL;
  if (offset >= places.list_bytes)
    return range_of_big(p, offset >> ACRE_PAGE_SHIFT);
  if (offset < ACRE_PAGE_SIZE)
    return ACRE_RANGE_OF_ALL; /* no object is on the first page */
  offset -= places.first_object;
  const cell_page *page = &places.pages[offset >> ACRE_PAGE_SHIFT];
  size_t in_page = offset % ACRE_PAGE_SIZE;
  uint32_t number = divide_offset(in_page, page->reciprocal);
  if (page->kind != PAGE_CELLS || page->cell_size > CELL_MAX || number >= page->cells)
    return range_of_any(p);
  const char *object =
      places.base + places.first_object + (offset - in_page) + number * page->cell_size;
  uint64_t info = ((const uint64_t *)object)[-1];
  const char *end = object - places.header_size + page->cell_size -
                    (info >> INFO_PADDING_SHIFT & INFO_PADDING_MASK);
  if (info >> INFO_FLAGS_SHIFT & OBJECT_ALIGNED || (const char *)p > end)
    return range_of_any(p);
  return (acre_rt_range){object, end};
}

bool acre_gc_process_is_readable(const void *p) {
  const heap *h = __atomic_load_n(&acre_gc_process, __ATOMIC_ACQUIRE);
  cell c;
  return h && find_cell(h, p, &c) && ((c.size && c.size < PAGE_LEAST) || acre_is_single_threaded());
}

void acre_collected_collect(void) {
  acre_gc_use use = acre_gc_process_enter();
  acre_heap_collect(&use.heap->head);
  acre_gc_process_leave(&use);
}

void acre_collected_get_stats(acre_heap_stats *stats) {
  acre_gc_use use = acre_gc_process_enter();
  acre_heap_get_stats(&use.heap->head, stats);
  acre_gc_cache_discount(stats);
  acre_gc_process_leave(&use);
}

void acre_collected_get_composition(acre_heap_composition *composition) {
  acre_gc_use use = acre_gc_process_enter();
  acre_heap_get_composition(&use.heap->head, composition);
  acre_gc_process_leave(&use);
}

bool acre_collected_check(void) {
  acre_gc_use use = acre_gc_process_enter();
  bool is_sound = acre_heap_check(&use.heap->head);
  acre_gc_process_leave(&use);
  return is_sound;
}

/* SPDX-License-Identifier: MIT */
/* pages.c - runs of pages in the window of region memory.
 *
 * The window is divided in three: runs that are handed out or free, up to `frontier`; one implicit
 * free run, the wilderness, from there on; the part of it up to `committed` has been made
 * accessible.  Invariant, under `lock`:
 *
 *   1. Every page from 1 to frontier-1 is in exactly one run.  The descriptors of the run's first
 *      and last page hold its length and state; those between are not looked at.  Page 0 is never
 *      handed out: index 0 is "none".
 *   2. No two free runs touch each other or the wilderness.
 *   3. Each free run is in the list of its size class, and a class's bit in `nonempty` says if the
 *      list has any.
 *   4. Free pages have owner 0 in the page map.
 *   5. A page's bit in `dirty` is set only if the page is free.  A free page whose bit is clear
 *      reads as zero.
 *
 * Size classes are exact to 31 pages and then 16 to each power of two, so a run of the next class
 * fits for certain: taking, giving back and merging are O(1).  Descriptors and bits live outside
 * the window in lazily backed tables, so a stray write through a dangling pointer cannot damage
 * them.
 */
#include "memory/pages.h"

#include <pthread.h>
#include <string.h>

#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/linked.h"
#include "platform/memory_limit.h"
#include "platform/os.h"
#include "platform/sanitizer.h"

uintptr_t acre_rt_window_tag = UINTPTR_MAX; /* no address has it */
uintptr_t acre_rt_bounded[2];
uintptr_t acre_rt_window_base;
size_t acre_rt_window_pages;
acre_rt_page *acre_rt_page_map;
unsigned char acre_rt_had_region;

enum { STATE_NONE = 0, STATE_FREE = 1, STATE_USED = 2 };

/* The descriptor of the first and the last page of a run; links are valid in the first of a free
 * run. */
typedef struct page_descriptor {
  uint32_t count;
  uint32_t state;
  uint32_t next;
  uint32_t previous;
} page_descriptor;

#define SUBCLASS_SHIFT 4
#define CLASS_COUNT \
  ((ACRE_WINDOW_SHIFT - ACRE_WINDOW_PAGE_SHIFT - SUBCLASS_SHIFT + 2) << SUBCLASS_SHIFT)
#define WORD_BITS 64
/* Runs shorter than this have a class for each length. */
#define EXACT_CLASSES ((size_t)2 << SUBCLASS_SHIFT)
/* How many runs of the request's own class are tried before one of a larger class is split. */
#define FIT_TRIES 8
/* Dirty runs up to this many pages are cleared when zero pages are wanted; larger ones are
 * decommitted. */
#define CLEAR_LIMIT 16
/* Runs above this many pages are decommitted at once when they are freed. */
#define CACHED_RUN_LIMIT 64
/* The wilderness is committed by an eighth of what there is, between these, to keep system calls
 * rare. */
#define COMMIT_PAGES_MIN ((size_t)64)
#define COMMIT_PAGES_MAX ((size_t)4096)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static page_descriptor *pages;
static uint64_t *dirty;
static size_t window_count; /* acre_rt_window_pages, without the need for an atomic load */
static uint32_t frontier, committed;
static uint32_t lists[CLASS_COUNT];
static uint64_t nonempty[(CLASS_COUNT + WORD_BITS - 1) / WORD_BITS];
static size_t used_pages, peak_pages, dirty_pages;

static char *page_address(size_t index) {
  return (char *)acre_rt_window_base + (index << ACRE_WINDOW_PAGE_SHIFT);
}

static size_t page_index(const void *p) {
  return ((uintptr_t)p - acre_rt_window_base) >> ACRE_WINDOW_PAGE_SHIFT;
}

static size_t run_bytes(size_t count) { return count << ACRE_WINDOW_PAGE_SHIFT; }

static void mark_defined(size_t first, size_t count) {
  if (__builtin_expect(acre_is_checked, 0))
    acre_sanitizer_define(page_address(first), run_bytes(count));
}

static void mark_noaccess(size_t first, size_t count) {
  if (__builtin_expect(acre_is_checked, 0))
    acre_sanitizer_forbid(page_address(first), run_bytes(count));
}

/* -- Start ------------------------------------------------------------------------------------- */

void acre_pages_bound(const void *start, size_t size) {
  uintptr_t low = acre_rt_bounded[0], high = low + acre_rt_bounded[1],
            end = (uintptr_t)start + size;
  low = high == low || (uintptr_t)start < low ? (uintptr_t)start : low;
  high = end > high ? end : high;
  /* In this order it is never less than it was. */
  __atomic_store_n(&acre_rt_bounded[1], high - low, __ATOMIC_RELEASE);
  __atomic_store_n(&acre_rt_bounded[0], low, __ATOMIC_RELEASE);
}

static bool start_with(size_t size) {
  size_t count = size >> ACRE_WINDOW_PAGE_SHIFT;
  size_t dirty_size = (count + 7) / 8;
  char *base = acre_os_reserve_within(size, ACRE_WINDOW_PAGE_SIZE, (size_t)1 << ACRE_WINDOW_SHIFT);
  acre_rt_page *map = base ? acre_os_table(count * sizeof *map) : NULL;
  page_descriptor *descriptors = map ? acre_os_table(count * sizeof *descriptors) : NULL;
  uint64_t *bits = descriptors ? acre_os_table(dirty_size) : NULL;
  if (!bits) {
    if (descriptors)
      acre_os_unreserve(descriptors, count * sizeof *descriptors);
    if (map)
      acre_os_unreserve(map, count * sizeof *map);
    if (base)
      acre_os_unreserve(base, size);
    return false;
  }
  acre_sanitizer_add_root(base, size);
  acre_sanitizer_look();
  pages = descriptors;
  dirty = bits;
  frontier = committed = 1;
  window_count = count;
  __atomic_store_n(&acre_rt_window_base, (uintptr_t)base, __ATOMIC_RELAXED);
  acre_rt_page_map = map;
  acre_pages_bound(base, size);
  __atomic_store_n(&acre_rt_window_pages, count, __ATOMIC_RELEASE);
  __atomic_store_n(&acre_rt_window_tag, (uintptr_t)base >> ACRE_WINDOW_SHIFT, __ATOMIC_RELEASE);
  return true;
}

static void lock_for_fork(void) { pthread_mutex_lock(&lock); }

static void unlock_after_fork(void) { pthread_mutex_unlock(&lock); }

/* Reserves the largest window that the system grants.  Needs the lock. */
static bool start(void) {
  static const unsigned char shifts[] = {ACRE_WINDOW_SHIFT - 1, 36, 33, 30, 28, 26, 24};
  if (window_count)
    return true;
  /* Valgrind's own bookkeeping limits and slows large reservations. */
  size_t first = RUNNING_ON_VALGRIND ? 2 : 0;
  /* A collected heap needs more of a limited address space. */
  uint64_t most = &acre_rt_gc_is_linked ? acre_address_space_limit() / 8 : UINT64_MAX;
  for (size_t i = first; i < sizeof shifts; i++)
    if (((uint64_t)1 << shifts[i] <= most || i + 1 == sizeof shifts) &&
        start_with((size_t)1 << shifts[i]))
      return true;
  return false;
}

static void register_fork_handlers(void) {
  pthread_atfork(lock_for_fork, unlock_after_fork, unlock_after_fork);
}

/* Runs before the lock is first taken, so that the child of a fork never finds it held by a thread
   that it does not have.  pthread_atfork may allocate, and malloc may be built on these pages: a
   call from within it must return at once. */
void acre_pages_prepare_for_forks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static __thread bool is_preparing;
  if (is_preparing)
    return;
  is_preparing = true;
  pthread_once(&once, register_fork_handlers);
  is_preparing = false;
}

bool acre_pages_start(void) {
  if (__atomic_load_n(&acre_rt_window_pages, __ATOMIC_ACQUIRE))
    return true;
  acre_pages_prepare_for_forks();
  pthread_mutex_lock(&lock);
  bool is_started = start();
  pthread_mutex_unlock(&lock);
  return is_started;
}

/* -- Free lists -------------------------------------------------------------------------------- */

static size_t class_of(size_t count) {
  if (count < (size_t)1 << SUBCLASS_SHIFT)
    return count;
  unsigned shift = (unsigned)(WORD_BITS - 1 - __builtin_clzl(count)) - SUBCLASS_SHIFT;
  return ((size_t)(shift + 1) << SUBCLASS_SHIFT) + ((count >> shift) & ((1 << SUBCLASS_SHIFT) - 1));
}

static void describe_run(uint32_t first, uint32_t count, uint32_t state) {
  pages[first].count = pages[first + count - 1].count = count;
  pages[first].state = pages[first + count - 1].state = state;
}

static void list_add(uint32_t first, uint32_t count) {
  size_t class = class_of(count);
  describe_run(first, count, STATE_FREE);
  pages[first].previous = 0;
  pages[first].next = lists[class];
  if (lists[class])
    pages[lists[class]].previous = first;
  lists[class] = first;
  nonempty[class / WORD_BITS] |= (uint64_t)1 << class % WORD_BITS;
}

static void list_remove(uint32_t first) {
  page_descriptor *p = &pages[first];
  size_t class = class_of(p->count);
  ACRE_ASSERT(p->state == STATE_FREE && (p->previous || lists[class] == first));
  if (p->previous)
    pages[p->previous].next = p->next;
  else if (!(lists[class] = p->next))
    nonempty[class / WORD_BITS] &= ~((uint64_t)1 << class % WORD_BITS);
  if (p->next)
    pages[p->next].previous = p->previous;
}

/* The first nonempty class from class on; CLASS_COUNT if there is none. */
static size_t next_nonempty(size_t class) {
  size_t word = class / WORD_BITS;
  if (class >= CLASS_COUNT)
    return CLASS_COUNT;
  uint64_t bits = nonempty[word] & ~(uint64_t)0 << class % WORD_BITS;
  while (!bits) {
    if (++word == sizeof nonempty / sizeof *nonempty)
      return CLASS_COUNT;
    bits = nonempty[word];
  }
  return word * WORD_BITS + (size_t)__builtin_ctzl(bits);
}

/* A free run of at least count pages, still in its list; 0 if there is none. */
static uint32_t find_free(size_t count) {
  size_t class = class_of(count);
  if (count < EXACT_CLASSES && lists[class])
    return lists[class];
  uint32_t best = 0;
  unsigned tries = FIT_TRIES;
  for (uint32_t run = lists[class]; run && tries > 0; run = pages[run].next, tries--)
    if (pages[run].count >= count && (!best || pages[run].count < pages[best].count))
      best = run;
  if (best)
    return best;
  class = next_nonempty(class + 1);
  return class < CLASS_COUNT ? lists[class] : 0;
}

/* -- Dirty pages ------------------------------------------------------------------------------- */

/* The bits of up to 64 pages from first on, at most to limit. */
static uint64_t dirty_bits(size_t first, size_t limit) {
  size_t word = first / WORD_BITS, shift = first % WORD_BITS, count = limit - first;
  uint64_t bits = dirty[word] >> shift;
  if (shift && count > WORD_BITS - shift)
    bits |= dirty[word + 1] << (WORD_BITS - shift);
  return count < WORD_BITS ? bits & (((uint64_t)1 << count) - 1) : bits;
}

/* The next word of bits for pages [*first, end), of which it returns the mask; *first moves on. */
static uint64_t *next_dirty_word(size_t *first, size_t end, uint64_t *mask) {
  size_t shift = *first % WORD_BITS;
  size_t chunk = end - *first < WORD_BITS - shift ? end - *first : WORD_BITS - shift;
  uint64_t *word = &dirty[*first / WORD_BITS];
  *mask = (~(uint64_t)0 >> (WORD_BITS - chunk)) << shift;
  *first += chunk;
  return word;
}

/* Marks pages that were in use until now, and therefore have no mark. */
static void set_dirty(size_t first, size_t count) {
  uint64_t mask;
  dirty_pages += count;
  for (size_t end = first + count; first < end;) {
    uint64_t *word = next_dirty_word(&first, end, &mask);
    ACRE_ASSERT(!(*word & mask) && "a page that is in use has no dirty bit");
    *word |= mask;
  }
}

static void set_clean(size_t first, size_t count) {
  uint64_t mask;
  for (size_t end = first + count; first < end;) {
    uint64_t *word = next_dirty_word(&first, end, &mask);
    for (uint64_t found = *word & mask; found; found &= found - 1)
      dirty_pages--;
    *word &= ~mask;
  }
}

/* Takes the dirty marks off a run and returns them: a bit for each of up to 64 pages, and for a
 * longer run anything but 0 if it had some. */
static uint64_t take_dirty(size_t first, size_t count) {
  uint64_t found = 0;
  for (size_t at = first; at < first + count; at += WORD_BITS)
    found |= dirty_bits(at, first + count);
  if (found)
    set_clean(first, count);
  return found;
}

/* Makes a run read as zero, given what take_dirty said of it.  Without the lock: the run is the
 * caller's. */
static void clear_run(size_t first, size_t count, uint64_t found) {
  if (found && count > CLEAR_LIMIT)
    acre_os_decommit(page_address(first), run_bytes(count));
  else
    for (; found; found &= found - 1)
      memset(page_address(first + (size_t)__builtin_ctzl(found)), 0, ACRE_WINDOW_PAGE_SIZE);
}

/* Decommits dirty pages from the highest down until at most keep are left.  Runs are taken from low
   addresses on when the window grows, so the high ones are wanted last.  The cost is amortised by
   the frees that filled the cache. */
static size_t purge(size_t keep) {
  size_t before = dirty_pages;
  for (size_t word = (committed + WORD_BITS - 1) / WORD_BITS; word-- > 0 && dirty_pages > keep;)
    while (dirty[word] && dirty_pages > keep) {
      size_t high = WORD_BITS - 1 - (size_t)__builtin_clzl(dirty[word]);
      uint64_t clean_below = ~dirty[word] & (((uint64_t)1 << high) - 1);
      size_t low = clean_below ? WORD_BITS - (size_t)__builtin_clzl(clean_below) : 0;
      size_t surplus = dirty_pages - keep;
      if (high - low + 1 > surplus)
        low = high + 1 - surplus;
      size_t first = word * WORD_BITS + low, count = high - low + 1;
      acre_os_decommit(page_address(first), run_bytes(count));
      set_clean(first, count);
    }
  return before - dirty_pages;
}

/* -- Taking ------------------------------------------------------------------------------------ */

/* Read first: who asks in other threads shares the line with nobody who writes. */
static void note_region(void) {
  if (!__atomic_load_n(&acre_rt_had_region, __ATOMIC_RELAXED))
    __atomic_store_n(&acre_rt_had_region, 1, __ATOMIC_RELEASE);
}

/* No slot of a page has a record before it is handed out, or after it was given back: unrecorded is
 * the owner then. */
static void set_owner(size_t first, size_t count, uint32_t owner, uint32_t unrecorded) {
  note_region();
  for (size_t i = first; i < first + count; i++) {
    __atomic_store_n(&acre_rt_page_map[i].unrecorded, unrecorded, __ATOMIC_RELAXED);
    __atomic_store_n(&acre_rt_page_map[i].owner, owner, __ATOMIC_RELAXED);
  }
}

static void count_used(size_t more) {
  size_t used = used_pages + more;
  __atomic_store_n(&used_pages, used, __ATOMIC_RELAXED);
  if (used > peak_pages)
    __atomic_store_n(&peak_pages, used, __ATOMIC_RELAXED);
}

/* Moves the frontier over count pages, committing more when needed.  One request, whether committed
 * or not. */
static bool take_wilderness(size_t count) {
  if (count > window_count - frontier)
    return false;
  size_t wanted = frontier + count;
  if (wanted <= committed) {
    if (!acre_os_request())
      return false;
  } else {
    size_t step = committed / 8;
    step = step < COMMIT_PAGES_MIN   ? COMMIT_PAGES_MIN
           : step > COMMIT_PAGES_MAX ? COMMIT_PAGES_MAX
                                     : step;
    size_t end = committed + step > wanted ? committed + step : wanted;
    end = end < window_count ? end : window_count;
    if (!acre_os_commit(page_address(committed), run_bytes(end - committed)))
      return false;
    mark_noaccess(committed, end - committed);
    committed = (uint32_t)end;
  }
  frontier = (uint32_t)wanted;
  return true;
}

/* Takes count pages from the start of the free run at first; what is left of it stays free. */
static bool take_from_free(uint32_t first, uint32_t count) {
  if (!acre_os_request())
    return false;
  uint32_t whole = pages[first].count;
  list_remove(first);
  if (whole > count)
    list_add(first + count, whole - count);
  return true;
}

/* The first of count pages that are in no run now; 0 if there are none. */
static uint32_t take_run(uint32_t count) {
  uint32_t first = find_free(count);
  if (first)
    return take_from_free(first, count) ? first : 0;
  first = frontier;
  return take_wilderness(count) ? first : 0;
}

/* *is_dirty becomes the marks that take_dirty found, for clear_run. */
static void *alloc_run(size_t count, uint32_t owner, uint64_t *is_dirty) {
  if (!acre_pages_start())
    return NULL;
  bool is_locked = acre_lock(&lock);
  uint32_t first = 0;
  uint64_t found = 0;
  if (count != 0 && count < window_count && (first = take_run((uint32_t)count)) != 0) {
    ACRE_ASSERT(!acre_rt_page_map[first].owner && !acre_rt_page_map[first + count - 1].owner &&
                "free pages have owner 0");
    describe_run(first, (uint32_t)count, STATE_USED);
    found = take_dirty(first, count);
    if (owner)
      set_owner(first, count, owner, owner);
    count_used(count);
  }
  acre_unlock(&lock, is_locked);
  if (!first)
    return NULL;
  mark_defined(first, count);
  *is_dirty = found;
  return page_address(first);
}

void *acre_pages_alloc(size_t count, uint32_t owner) {
  uint64_t found;
  void *run = alloc_run(count, owner, &found);
  if (run)
    clear_run(page_index(run), count, found);
  return run;
}

void *acre_pages_alloc_unzeroed(size_t count, uint32_t owner, bool *is_zero) {
  uint64_t found;
  void *run = alloc_run(count, owner, &found);
  if (run && is_zero)
    *is_zero = !found;
  return run;
}

/* The index of a run that is handed out; aborts if there is no such run. */
static uint32_t used_run(const void *run, size_t count) {
  size_t first = page_index(run);
  if (!run || (uintptr_t)run % ACRE_WINDOW_PAGE_SIZE || first == 0 || first >= frontier ||
      count == 0 || count > frontier - first || pages[first].state != STATE_USED ||
      pages[first].count != count || pages[first + count - 1].state != STATE_USED ||
      pages[first + count - 1].count != count)
    acre_os_fatal("%zu pages at %p are not a run in use: given back twice, or page tables damaged",
                  count, run);
  return (uint32_t)first;
}

static bool extend_run(void *run, size_t count, size_t more, uint32_t owner, bool is_zeroed) {
  bool is_locked = acre_lock(&lock);
  uint32_t first = used_run(run, count);
  uint32_t end = first + (uint32_t)count;
  bool is_extended = more != 0 && more < window_count;
  if (end == frontier)
    is_extended = is_extended && take_wilderness(more);
  else
    is_extended = is_extended && pages[end].state == STATE_FREE && pages[end].count >= more &&
                  take_from_free(end, (uint32_t)more);
  uint64_t found = 0;
  if (is_extended) {
    describe_run(first, (uint32_t)(count + more), STATE_USED);
    found = take_dirty(end, more);
    if (owner)
      set_owner(end, more, owner, owner);
    count_used(more);
  }
  acre_unlock(&lock, is_locked);
  if (is_extended) {
    mark_defined(end, more);
    if (is_zeroed)
      clear_run(end, more, found);
  }
  return is_extended;
}

bool acre_pages_extend(void *run, size_t count, size_t more, uint32_t owner) {
  return extend_run(run, count, more, owner, true);
}

bool acre_pages_extend_unzeroed(void *run, size_t count, size_t more, uint32_t owner) {
  return extend_run(run, count, more, owner, false);
}

/* -- Giving back ------------------------------------------------------------------------------- */

/* Merges count pages that are in no run with their free neighbours. */
static void add_free(uint32_t first, uint32_t count) {
  uint32_t end = first + count;
  if (pages[first - 1].state == STATE_FREE) {
    uint32_t before = pages[first - 1].count;
    list_remove(first -= before);
    count += before;
  }
  if (end == frontier) {
    frontier = first;
    return;
  }
  if (pages[end].state == STATE_FREE) {
    list_remove(end);
    count += pages[end].count;
  }
  list_add(first, count);
}

/* Gives back the last count - fewer pages of a run. */
static void free_tail(void *run, size_t count, size_t fewer) {
  bool is_locked = acre_lock(&lock);
  uint32_t run_first = used_run(run, count);
  if (fewer >= count)
    acre_os_fatal("a run of %zu pages cannot shrink to %zu", count, fewer);
  uint32_t first = run_first + (uint32_t)fewer, gone = (uint32_t)(count - fewer);
  if (gone > CACHED_RUN_LIMIT) {
    /* Slow, and the run is still the caller's: others need not wait. */
    acre_unlock(&lock, is_locked);
    acre_os_decommit(page_address(first), run_bytes(gone));
    is_locked = acre_lock(&lock);
  } else {
    set_dirty(first, gone);
  }
  if (fewer)
    describe_run(run_first, (uint32_t)fewer, STATE_USED);
  if (acre_rt_page_map[first].owner)
    set_owner(first, gone, 0, 0);
  note_region(); /* what comes next may be one, and an old frame may name these addresses */
  mark_noaccess(first, gone);
  __atomic_store_n(&used_pages, used_pages - gone, __ATOMIC_RELAXED);
  add_free(first, gone);
  if (run_bytes(dirty_pages) > ACRE_PAGES_CACHE_LIMIT)
    purge((ACRE_PAGES_CACHE_LIMIT >> ACRE_WINDOW_PAGE_SHIFT) / 2);
  acre_unlock(&lock, is_locked);
}

void acre_pages_free(void *run, size_t count) { free_tail(run, count, 0); }

void acre_pages_change_owner(void *run, size_t count, uint32_t owner) {
  const bool is_locked = acre_lock(&lock); /* acre_pages_check looks at all pages of a run */
  set_owner(page_index(run), count, owner, ACRE_PAGE_RECORDED);
  acre_unlock(&lock, is_locked);
}

void acre_pages_shrink(void *run, size_t count, size_t fewer) {
  if (fewer == 0)
    acre_os_fatal("a run cannot shrink to no pages");
  if (fewer != count)
    free_tail(run, count, fewer);
}

size_t acre_pages_trim(size_t keep) {
  pthread_mutex_lock(&lock);
  size_t returned = window_count ? purge(keep >> ACRE_WINDOW_PAGE_SHIFT) : 0;
  pthread_mutex_unlock(&lock);
  return run_bytes(returned);
}

/* -- Questions --------------------------------------------------------------------------------- */

size_t acre_pages_in_use(void) { return run_bytes(__atomic_load_n(&used_pages, __ATOMIC_RELAXED)); }

size_t acre_pages_peak(void) { return run_bytes(__atomic_load_n(&peak_pages, __ATOMIC_RELAXED)); }

size_t acre_pages_cached(void) {
  pthread_mutex_lock(&lock);
  size_t cached = run_bytes(dirty_pages);
  pthread_mutex_unlock(&lock);
  return cached;
}

static bool check_fails(const char *what, size_t index) {
  acre_os_print(2, "acre: page check: %s at page %zu (%p)\n", what, index,
                (void *)page_address(index));
  return false;
}

static size_t count_dirty(size_t first, size_t count) {
  size_t found = 0;
  for (size_t at = first; at < first + count; at += WORD_BITS)
    found += (size_t)__builtin_popcountl(dirty_bits(at, first + count));
  return found;
}

static bool check_run(uint32_t first, bool is_after_free) {
  const page_descriptor *p = &pages[first];
  if (p->state != STATE_FREE && p->state != STATE_USED)
    return check_fails("a run without a state", first);
  if (p->count == 0 || p->count > frontier - first)
    return check_fails("a run past the frontier", first);
  const page_descriptor *last = &pages[first + p->count - 1];
  if (last->state != p->state || last->count != p->count)
    return check_fails("the ends of a run disagree", first);
  for (uint32_t i = first; i < first + p->count; i++)
    if (acre_rt_page_map[i].owner != (p->state == STATE_FREE ? 0 : acre_rt_page_map[first].owner))
      return check_fails("a wrong owner", i);
  if (p->state == STATE_USED)
    return count_dirty(first, p->count) == 0 || check_fails("a dirty page in use", first);
  if (is_after_free || first + p->count == frontier)
    return check_fails("free runs not merged", first);
  return true;
}

/* Checks the lists and returns how many runs are in them in *runs. */
static bool check_lists(size_t *runs) {
  for (size_t class = 0; class < CLASS_COUNT; class++) {
    uint32_t previous = 0;
    if (!lists[class] != !(nonempty[class / WORD_BITS] >> class % WORD_BITS & 1))
      return check_fails("a class bit that is wrong, for the list", lists[class]);
    for (uint32_t run = lists[class]; run; previous = run, run = pages[run].next, ++*runs)
      if (pages[run].state != STATE_FREE || class_of(pages[run].count) != class ||
          pages[run].previous != previous)
        return check_fails("a damaged free list", run);
  }
  return true;
}

static bool check_all(void) {
  size_t free_runs = 0, listed_runs = 0, used = 0;
  bool is_after_free = false;
  for (uint32_t at = 1; at < frontier; at += pages[at].count) {
    if (!check_run(at, is_after_free))
      return false;
    is_after_free = pages[at].state == STATE_FREE;
    free_runs += is_after_free;
    used += is_after_free ? 0 : pages[at].count;
  }
  for (uint32_t at = frontier; at < committed; at++)
    if (acre_rt_page_map[at].owner)
      return check_fails("an owner past the frontier", at);
  if (!check_lists(&listed_runs))
    return false;
  if (listed_runs != free_runs)
    return check_fails("free runs not in a list; frontier", frontier);
  if (used != used_pages || count_dirty(0, committed) != dirty_pages)
    return check_fails("totals that are wrong; frontier", frontier);
  return true;
}

bool acre_pages_check(void) {
  pthread_mutex_lock(&lock);
  bool is_sound = !window_count || check_all();
  pthread_mutex_unlock(&lock);
  return is_sound;
}

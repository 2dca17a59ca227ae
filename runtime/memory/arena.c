/* SPDX-License-Identifier: MIT */
/* arena.c - arenas: a list of blocks of pages, the current one filled by moving a pointer.
 *
 * Invariant:
 *   1. `newest` heads the list of blocks in use, newest first, by `older`; the last of them is
 *      `first`, which holds the arena itself.  `current` is one of them.  `spare` heads a list of
 *      blocks without contents.
 *   2. head.avail lies in the current block and is a multiple of ACRE_ARENA_ALIGN.  head.limit is
 *      the end of the current block; or, while a memory checker is looking, it is head.avail, so
 *      that every allocation comes here and is marked.
 *   3. For each other block in use, `end` is where its contents end.
 *   4. `held` is the size of all blocks in both lists, at most options.limit; `spare_bytes` of
 *      those in `spare`.
 *
 * Hanson keeps the blocks of dead arenas in one global list of unbounded length.  Here an arena
 * keeps spare blocks of its own, up to a bound it is created with, and others go back to the page
 * allocator: it is locked, merges neighbours, and bounds what it caches.  So memory that one arena
 * gave up serves any other arena or region in the process.
 *
 * After a new block is taken, the one with more room becomes current.  An object larger than usual
 * thus gets a block of its own and the rest of the block before it is not lost.
 */
#include <acre/arena.h>

#include "memory/pages.h"
#include "platform/os.h"
#include "platform/sanitizer.h"

typedef struct block {
  _Alignas(16) struct block *older; /* in the spare list: the next */
  size_t page_count;
  char *end;
} block;

typedef struct arena {
  acre_arena head; /* first: an acre_arena * is an arena * */
  uint32_t signature;
  bool is_checked; /* by Valgrind or AddressSanitizer */
  block *first, *newest, *current, *spare;
  char *start; /* avail when the arena is empty */
  size_t initial_pages, next_pages;
  size_t held, peak, spare_bytes;
  size_t taken, extended, reused;
  acre_arena_options options;
} arena;

_Static_assert(offsetof(arena, head) == 0, "the inline functions see the head only");
_Static_assert(sizeof(block) % ACRE_ARENA_ALIGN == 0, "objects follow the block header");

#define SIGNATURE UINT32_C(0x4152454e) /* "AREN"; set last, cleared first */
#define DEFAULT_MAX_BLOCK ((size_t)1 << 20)
#define DEFAULT_GROWTH_PERCENT 200
/* The gap after each object while a memory checker is looking. */
#define CHECKED_GAP ACRE_ARENA_ALIGN
/* Larger requests can never be met, and sums with smaller numbers do not overflow. */
#define REQUEST_MAX ((size_t)1 << ACRE_WINDOW_SHIFT)
/* How many spare blocks are tried for a fit. */
#define SPARE_TRIES 8

static size_t round_up(size_t size, size_t align) { return (size + align - 1) & ~(align - 1); }

static size_t pages_for(size_t bytes) {
  return round_up(bytes, ACRE_WINDOW_PAGE_SIZE) >> ACRE_WINDOW_PAGE_SHIFT;
}

static size_t block_bytes(const block *b) { return b->page_count << ACRE_WINDOW_PAGE_SHIFT; }

static char *block_start(block *b) { return (char *)(b + 1); }

static char *block_limit(block *b) { return (char *)b + block_bytes(b); }

static const char *arena_name(const arena *a) {
  return a->options.name ? a->options.name : "unnamed";
}

/* Every entry point gets at the arena through here. */
static arena *arena_of(const acre_arena *head) {
  arena *a = (arena *)head;
  if (!a || a->signature != SIGNATURE)
    acre_os_fatal("%p is not an arena: deleted, or its memory damaged", (const void *)head);
  return a;
}

/* -- Blocks ------------------------------------------------------------------------------------ */

static size_t bytes_allowed(const arena *a) {
  return a->options.limit == 0        ? SIZE_MAX
         : a->options.limit > a->held ? a->options.limit - a->held
                                      : 0;
}

static void count_held(arena *a, size_t more) {
  a->held += more;
  if (a->held > a->peak)
    a->peak = a->held;
}

static void set_avail(arena *a, block *current, char *avail) {
  a->current = current;
  a->head.avail = avail;
  a->head.limit = a->is_checked ? avail : block_limit(current);
}

/* The size of the block after this one. */
static void grow_next(arena *a) {
  size_t max = pages_for(a->options.max_block), percent = a->options.growth_percent;
  size_t next = a->next_pages < max ? a->next_pages * percent / 100 : a->next_pages;
  if (percent > 100 && next == a->next_pages)
    next++;
  a->next_pages = next > max ? max : next;
}

static void return_block(arena *a, block *b) {
  a->held -= block_bytes(b);
  acre_pages_free(b, b->page_count);
}

/* Returns spare blocks until at most keep bytes are left. */
static void trim_spare(arena *a, size_t keep) {
  while (a->spare_bytes > keep) {
    block *b = a->spare;
    a->spare = b->older;
    a->spare_bytes -= block_bytes(b);
    return_block(a, b);
  }
}

/* Takes the newest block out of use. */
static void drop_newest(arena *a, size_t spare_max) {
  block *b = a->newest;
  a->newest = b->older;
  if (a->spare_bytes + block_bytes(b) > spare_max) {
    return_block(a, b);
    return;
  }
  if (a->is_checked)
    acre_sanitizer_forbid(block_start(b), block_bytes(b) - sizeof *b);
  b->older = a->spare;
  a->spare = b;
  a->spare_bytes += block_bytes(b);
}

/* A spare block with room for size bytes, out of its list; null if none of the first few fits. */
static block *take_spare(arena *a, size_t size) {
  block **link = &a->spare;
  for (unsigned tries = SPARE_TRIES; *link && tries > 0; link = &(*link)->older, tries--) {
    block *b = *link;
    if (block_bytes(b) - sizeof *b >= size) {
      *link = b->older;
      a->spare_bytes -= block_bytes(b);
      a->reused++;
      return b;
    }
  }
  return NULL;
}

/* A block of wanted pages, or of needed pages if the limit or memory does not allow that. */
static block *take_pages(arena *a, size_t needed, size_t wanted) {
  size_t allowed = bytes_allowed(a) >> ACRE_WINDOW_PAGE_SHIFT;
  size_t count = wanted <= allowed ? wanted : needed;
  block *b = count <= allowed ? acre_pages_alloc_unzeroed(count, 0, NULL) : NULL;
  if (!b && count > needed)
    b = acre_pages_alloc_unzeroed(count = needed, 0, NULL);
  if (!b)
    return NULL;
  *b = (block){.page_count = count};
  if (a->is_checked)
    acre_sanitizer_forbid(block_start(b), block_bytes(b) - sizeof *b);
  count_held(a, block_bytes(b));
  a->taken++;
  return b;
}

static bool extend_current_by(arena *a, size_t count) {
  block *b = a->current;
  size_t bytes = count << ACRE_WINDOW_PAGE_SHIFT;
  if (bytes > bytes_allowed(a) || !acre_pages_extend_unzeroed(b, b->page_count, count, 0))
    return false;
  if (a->is_checked)
    acre_sanitizer_forbid(block_limit(b), bytes);
  b->page_count += count;
  count_held(a, bytes);
  a->extended++;
  set_avail(a, b, a->head.avail);
  return true;
}

/* Grows the current block in place so that size more bytes fit after avail. */
static bool extend_current(arena *a, size_t size) {
  size_t room = (size_t)(block_limit(a->current) - a->head.avail);
  size_t needed = pages_for(size - room);
  size_t wanted = needed > a->next_pages ? needed : a->next_pages;
  if (!extend_current_by(a, wanted) && (wanted == needed || !extend_current_by(a, needed)))
    return false;
  grow_next(a);
  return true;
}

/* Makes a block with room for size bytes current. */
static bool add_block(arena *a, size_t size) {
  block *b = take_spare(a, size);
  if (!b) {
    size_t needed = pages_for(size + sizeof *b);
    size_t wanted = needed > a->next_pages ? needed : a->next_pages;
    b = take_pages(a, needed, wanted);
    if (!b && a->spare) {
      trim_spare(a, 0);
      b = take_pages(a, needed, wanted);
    }
    if (!b)
      return false;
    grow_next(a);
  }
  a->current->end = a->head.avail;
  b->older = a->newest;
  a->newest = b;
  set_avail(a, b, block_start(b));
  return true;
}

/* -- Allocation -------------------------------------------------------------------------------- */

/* The object of size bytes at the next aligned place of the current block, if it fits with gap
 * bytes after it. */
static void *bump(arena *a, size_t size, size_t align, size_t gap) {
  uintptr_t limit = (uintptr_t)block_limit(a->current);
  uintptr_t start = round_up((uintptr_t)a->head.avail, align);
  size_t rounded = round_up(size, ACRE_ARENA_ALIGN) + gap;
  if (start > limit || rounded > limit - start)
    return NULL;
  char *object = a->head.avail + (start - (uintptr_t)a->head.avail);
  set_avail(a, a->current, object + rounded);
  if (a->is_checked)
    acre_sanitizer_allow(object, size);
  return object;
}

static void *take(arena *a, size_t size, size_t align) {
  if (align < ACRE_ARENA_ALIGN)
    align = ACRE_ARENA_ALIGN;
  if (size > REQUEST_MAX || align > REQUEST_MAX)
    return NULL;
  size_t gap = a->is_checked ? CHECKED_GAP : 0;
  void *p = bump(a, size, align, gap);
  if (p)
    return p;
  size_t most = round_up(size, ACRE_ARENA_ALIGN) + gap + (align - ACRE_ARENA_ALIGN);
  block *before = a->current;
  if (!extend_current(a, most) && !add_block(a, most))
    return NULL;
  p = bump(a, size, align, gap);
  size_t room_before = before == a->current ? 0 : (size_t)(block_limit(before) - before->end);
  if (room_before > (size_t)(block_limit(a->current) - a->head.avail)) {
    a->current->end = a->head.avail;
    set_avail(a, before, before->end);
  }
  return p;
}

void *acre_arena_try_alloc_slow(acre_arena *head, size_t size, size_t align) {
  arena *a = arena_of(head);
  if (align == 0 || (align & (align - 1)) != 0)
    acre_os_fatal("arena \"%s\": alignment %zu is not a power of two", arena_name(a), align);
  return take(a, size, align);
}

/* Asks the arena's out_of_memory function whether to try again; aborts if it says no. */
static void out_of_memory(arena *a, size_t size) {
  const acre_arena_options *o = &a->options;
  if (o->out_of_memory && o->out_of_memory(&a->head, size, o->context))
    return;
  if (o->limit)
    acre_os_fatal("arena \"%s\": out of memory: %zu bytes wanted, %zu held, limit %zu",
                  arena_name(a), size, a->held, o->limit);
  acre_os_fatal("arena \"%s\": out of memory: %zu bytes wanted, %zu held", arena_name(a), size,
                a->held);
}

void *acre_arena_alloc_slow(acre_arena *head, size_t size, size_t align) {
  for (;;) {
    void *p = acre_arena_try_alloc_slow(head, size, align);
    if (p)
      return p;
    out_of_memory(arena_of(head), size);
  }
}

void *acre_arena_alloc_array_slow(acre_arena *head, size_t count, size_t size, size_t align) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    arena *a = arena_of(head);
    acre_os_fatal("arena \"%s\": out of memory: an array of %zu elements of %zu bytes is larger "
                  "than the address space",
                  arena_name(a), count, size);
  }
  return acre_arena_alloc_slow(head, bytes, align);
}

/* Resizes old where it is, if it is the last object or does not grow.  A memory checker gets a new
   object instead, so that it sees uses of the old one. */
static bool resize_in_place(arena *a, char *old, size_t old_size, size_t new_size) {
  size_t old_rounded = round_up(old_size, ACRE_ARENA_ALIGN),
         new_rounded = round_up(new_size, ACRE_ARENA_ALIGN);
  bool is_last = old + old_rounded == a->head.avail && old >= block_start(a->current);
  if (a->is_checked)
    return false;
  if (new_rounded > old_rounded) {
    size_t more = new_rounded - old_rounded;
    if (!is_last)
      return false;
    if (more > (size_t)(block_limit(a->current) - a->head.avail) && !extend_current(a, more))
      return false;
  }
  if (is_last)
    set_avail(a, a->current, old + new_rounded);
  return true;
}

void *acre_arena_try_resize(acre_arena *head, void *old, size_t old_size, size_t new_size) {
  arena *a = arena_of(head);
  if (new_size > REQUEST_MAX)
    return NULL;
  if (old && resize_in_place(a, old, old_size, new_size))
    return old;
  void *p = take(a, new_size, ACRE_ARENA_ALIGN);
  if (p && old) {
    memcpy(p, old, old_size < new_size ? old_size : new_size);
    if (a->is_checked)
      acre_sanitizer_forbid(old, old_size);
  }
  return p;
}

void *acre_arena_resize(acre_arena *head, void *old, size_t old_size, size_t new_size) {
  for (;;) {
    void *p = acre_arena_try_resize(head, old, old_size, new_size);
    if (p)
      return p;
    out_of_memory(arena_of(head), new_size);
  }
}

char *acre_arena_strdup(acre_arena *head, const char *string) {
  size_t size = strlen(string) + 1;
  return memcpy(acre_arena_alloc(head, size), string, size);
}

/* -- Life -------------------------------------------------------------------------------------- */

static acre_arena_options with_defaults(const acre_arena_options *given) {
  acre_arena_options o = given ? *given : (acre_arena_options){0};
  if (o.growth_percent != 0 && o.growth_percent < 100)
    acre_os_fatal("arena \"%s\": growth_percent %u is less than 100", o.name ? o.name : "unnamed",
                  o.growth_percent);
  o.growth_percent = o.growth_percent ? o.growth_percent : DEFAULT_GROWTH_PERCENT;
  o.max_block = o.max_block ? o.max_block : DEFAULT_MAX_BLOCK;
  o.max_block = o.max_block > o.initial_block ? o.max_block : o.initial_block;
  o.spare = o.spare ? o.spare : o.max_block;
  return o;
}

acre_arena *acre_arena_new(const acre_arena_options *given) {
  acre_arena_options options = with_defaults(given);
  if (options.max_block > REQUEST_MAX)
    return NULL;
  size_t count = pages_for(options.initial_block ? options.initial_block : 1);
  size_t bytes = count << ACRE_WINDOW_PAGE_SHIFT;
  block *b = options.limit == 0 || bytes <= options.limit
                 ? acre_pages_alloc_unzeroed(count, 0, NULL)
                 : NULL;
  if (!b)
    return NULL;
  *b = (block){.page_count = count};
  arena *a = (arena *)block_start(b);
  *a = (arena){.first = b,
               .newest = b,
               .start = (char *)a + round_up(sizeof *a, ACRE_ARENA_ALIGN),
               .initial_pages = count,
               .next_pages = count,
               .held = bytes,
               .peak = bytes,
               .taken = 1,
               .is_checked = acre_memory_is_checked(),
               .options = options};
  grow_next(a);
  set_avail(a, b, a->start);
  if (a->is_checked)
    acre_sanitizer_forbid(a->start, (size_t)(block_limit(b) - a->start));
  a->signature = SIGNATURE;
  return &a->head;
}

void acre_arena_delete(acre_arena *head) {
  if (!head)
    return;
  arena *a = arena_of(head);
  a->signature = 0;
  trim_spare(a, 0);
  while (a->newest != a->first)
    drop_newest(a, 0);
  acre_pages_free(a->first, a->first->page_count);
}

/* b becomes the current block, filled up to avail.  Of the free space behind that about keep bytes
 * stay in the block, and the pages of the rest go back. */
static void cut(arena *a, block *b, char *avail, size_t keep) {
  size_t used = (size_t)(avail - (char *)b);
  size_t count = keep < block_bytes(b) - used ? pages_for(used + keep) : b->page_count;
  if (b == a->first && count < a->initial_pages)
    count = a->initial_pages;
  if (count < b->page_count) {
    acre_pages_shrink(b, b->page_count, count);
    a->held -= (b->page_count - count) << ACRE_WINDOW_PAGE_SHIFT;
    b->page_count = count;
  }
  set_avail(a, b, avail);
  if (a->is_checked)
    acre_sanitizer_forbid(avail, (size_t)(block_limit(b) - avail));
}

void acre_arena_reset(acre_arena *head, size_t keep) {
  arena *a = arena_of(head);
  cut(a, a->first, a->start, keep);
  size_t first_bytes = block_bytes(a->first);
  size_t spare_max = keep > first_bytes ? keep - first_bytes : 0;
  while (a->newest != a->first)
    drop_newest(a, spare_max);
  trim_spare(a, spare_max);
  a->next_pages = a->initial_pages;
  grow_next(a);
}

acre_arena_mark acre_arena_set_mark(const acre_arena *head) {
  arena *a = arena_of(head);
  return (acre_arena_mark){.newest = a->newest, .current = a->current, .avail = a->head.avail};
}

/* Can the arena go back to mark?  Its blocks must still be in use, and its place in them not yet
 * passed again. */
static bool is_mark_valid(const arena *a, acre_arena_mark mark) {
  block *b = a->newest, *current = mark.current;
  while (b && b != mark.newest)
    b = b->older;
  while (b && b != current)
    b = b->older;
  if (!b)
    return false;
  char *end = current == a->current ? a->head.avail : current->end;
  return mark.avail >= (current == a->first ? a->start : block_start(current)) && mark.avail <= end;
}

void acre_arena_rewind(acre_arena *head, acre_arena_mark mark) {
  arena *a = arena_of(head);
  if (!is_mark_valid(a, mark))
    acre_os_fatal("arena \"%s\": rewind to a mark that is not valid: of another arena, or passed "
                  "by an earlier rewind",
                  arena_name(a));
  while (a->newest != mark.newest)
    drop_newest(a, a->options.spare);
  cut(a, mark.current, mark.avail, a->options.spare);
}

/* -- Questions --------------------------------------------------------------------------------- */

void acre_arena_get_stats(const acre_arena *head, acre_arena_stats *stats) {
  const arena *a = arena_of(head);
  *stats = (acre_arena_stats){.name = arena_name(a),
                              .bytes_held = a->held,
                              .bytes_peak = a->peak,
                              .bytes_spare = a->spare_bytes,
                              .taken = a->taken,
                              .extended = a->extended,
                              .reused = a->reused};
  for (block *b = a->newest; b; b = b->older) {
    char *end = b == a->current ? a->head.avail : b->end;
    stats->bytes_used += (size_t)(end - (b == a->first ? a->start : block_start(b)));
    stats->blocks++;
  }
}

static bool check_fails(const arena *a, const char *what) {
  acre_os_print(2, "acre: arena check: \"%s\" (%p): %s\n", arena_name(a), (const void *)a, what);
  return false;
}

bool acre_arena_check(const acre_arena *head) {
  const arena *a = arena_of(head);
  size_t held = 0, spare_bytes = 0;
  bool has_current = false, has_first = false;
  for (block *b = a->newest; b; b = b->older) {
    has_current = has_current || b == a->current;
    has_first = b == a->first && !b->older;
    held += block_bytes(b);
    char *end = b == a->current ? a->head.avail : b->end;
    if (end < (b == a->first ? a->start : block_start(b)) || end > block_limit(b))
      return check_fails(a, "contents that end outside their block");
  }
  for (block *b = a->spare; b; b = b->older)
    spare_bytes += block_bytes(b);
  if (!has_current || !has_first)
    return check_fails(a, "the current or the first block is not in use");
  if ((uintptr_t)a->head.avail % ACRE_ARENA_ALIGN != 0)
    return check_fails(a, "avail is not aligned");
  if (a->head.limit != (a->is_checked ? a->head.avail : block_limit(a->current)))
    return check_fails(a, "limit is not the end of the current block");
  if (held + spare_bytes != a->held || spare_bytes != a->spare_bytes || a->held > a->peak)
    return check_fails(a, "byte totals that are wrong");
  if (a->options.limit && a->held > a->options.limit)
    return check_fails(a, "more is held than the limit allows");
  return true;
}

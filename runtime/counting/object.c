/* object.c - see object.h.
 *
 * From an address in the middle of a block to its header: for each page of the window a word says
 * how many pages before it the block begins (BACK_MAX: at least that many, look again there).  The
 * words are in chunks that are mapped when first needed.
 */
#include "counting/object.h"

#include <limits.h>
#include <string.h>

#include "counting/record.h"
#include "counting/registry.h"
#include "memory/pages.h"
#include "platform/os.h"

#define SITE_MASK (((uint64_t)1 << 48) - 1)
#define BACK_MAX 0xffffu
#define BACK_CHUNK_SHIFT 15
#define BACK_CHUNK_SIZE ((size_t)1 << BACK_CHUNK_SHIFT)

/* A block of pages used before is cleared by as many bytes as are in use already, between these.
   More at a time would not be faster: C libraries have other ways to clear more than about 2 KiB,
   which take longer to start. */
#define CLEAR_MIN ((size_t)512)
#define CLEAR_MAX ((size_t)2048)

static uint16_t
    *acre_back_chunks[(size_t)1 << (ACRE_WINDOW_SHIFT - ACRE_WINDOW_PAGE_SHIFT - BACK_CHUNK_SHIFT)];

/* -- Blocks ------------------------------------------------------------------------------------ */

static size_t page_of(const void *p) {
  return ((uintptr_t)p & (((uintptr_t)1 << ACRE_WINDOW_SHIFT) - 1)) >> ACRE_WINDOW_PAGE_SHIFT;
}

/* Says of pages [first, count) of the block at start where it begins.  False when memory is out. */
static bool mark_pages(const char *start, size_t first, size_t count) {
  for (size_t i = first; i < count; i++) {
    size_t page = page_of(start) + i;
    uint16_t **link = &acre_back_chunks[page >> BACK_CHUNK_SHIFT];
    uint16_t *chunk = __atomic_load_n(link, __ATOMIC_ACQUIRE);
    if (!chunk) {
      uint16_t *fresh = acre_os_table(BACK_CHUNK_SIZE * sizeof *fresh);
      if (!fresh)
        return false;
      if (__atomic_compare_exchange_n(link, &chunk, fresh, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE))
        chunk = fresh;
      else
        acre_os_unreserve(fresh, BACK_CHUNK_SIZE * sizeof *fresh);
    }
    __atomic_store_n(&chunk[page & (BACK_CHUNK_SIZE - 1)], (uint16_t)(i < BACK_MAX ? i : BACK_MAX),
                     __ATOMIC_RELAXED);
  }
  return true;
}

/* The block of p, which is in a page that a region owns. */
static struct acre_block *block_of(const void *p) {
  uintptr_t start = (uintptr_t)p & ~(uintptr_t)(ACRE_WINDOW_PAGE_SIZE - 1);
  for (size_t back = BACK_MAX; back == BACK_MAX; start -= back << ACRE_WINDOW_PAGE_SHIFT) {
    size_t page = page_of((void *)start);
    back =
        __atomic_load_n(&acre_back_chunks[page >> BACK_CHUNK_SHIFT][page & (BACK_CHUNK_SIZE - 1)],
                        __ATOMIC_RELAXED);
  }
  return (struct acre_block *)start;
}

/* Makes the run of pages at start a block; null, and the pages go back, when memory is out. */
static struct acre_block *block_make(struct acre_region_entry *region,
                                     struct acre_allocator *allocator, void *start, size_t pages) {
  if (!mark_pages(start, 0, pages)) {
    acre_pages_free(start, pages);
    return NULL;
  }
  struct acre_block *block = start;
  *block =
      (struct acre_block){ACRE_BLOCK_SIGNATURE, region->index, allocator, NULL, pages, NULL, NULL};
  region->pages += pages;
  return block;
}

static char *first_object(const struct acre_block *block) {
  return (char *)block + ACRE_BLOCK_HEADER;
}
static char *block_limit(const struct acre_block *block) {
  return (char *)block + (block->pages << ACRE_WINDOW_PAGE_SHIFT) - ACRE_BLOCK_SLACK;
}
static bool is_of_many(const struct acre_block *block) {
  return block->pages <= ACRE_BLOCK_PAGES_MAX;
}
static char *objects_end(const struct acre_block *block) {
  return block == block->allocator->blocks ? block->allocator->bump.avail : block->end;
}

/* -- Allocation -------------------------------------------------------------------------------- */

static void write_header(char *start, size_t size, const acre_site *site) {
  uint64_t *word = (uint64_t *)start;
  uint64_t short_size = size < ACRE_HEADER_SIZE_ESCAPE ? size : ACRE_HEADER_SIZE_ESCAPE;
  if (short_size == ACRE_HEADER_SIZE_ESCAPE) {
    word[-2] = short_size << 48 | ((uintptr_t)site & SITE_MASK);
    word[-1] = size;
  } else {
    word[-1] = short_size << 48 | ((uintptr_t)site & SITE_MASK);
  }
}

static void *alloc_large(struct acre_region_entry *region, struct acre_allocator *allocator,
                         size_t size, size_t align, const acre_site *site) {
  if (size > ACRE_OBJECT_MAX || align > ACRE_OBJECT_MAX)
    return NULL;
  size_t bytes = ACRE_BLOCK_HEADER + 2 * ACRE_WORD + align + size + ACRE_WORD + ACRE_BLOCK_SLACK;
  size_t pages = (bytes + ACRE_WINDOW_PAGE_SIZE - 1) >> ACRE_WINDOW_PAGE_SHIFT;
  void *run = acre_pages_alloc(pages, region->index);
  struct acre_block *block = run ? block_make(region, allocator, run, pages) : NULL;
  if (!block)
    return NULL;
  char *start = acre_align_up(first_object(block) + acre_header_bytes(size),
                              align < ACRE_WORD ? ACRE_WORD : align);
  write_header(start, size, site);
  block->end = acre_align_up(start + size, ACRE_WORD);
  block->next = allocator->large;
  allocator->large = block;
  return start;
}

static bool start_block(struct acre_region_entry *region, struct acre_allocator *allocator,
                        size_t need) {
  size_t pages = allocator->next_pages ? allocator->next_pages : 1;
  while (ACRE_BLOCK_HEADER + need + ACRE_BLOCK_SLACK > pages << ACRE_WINDOW_PAGE_SHIFT)
    pages *= 2;
  bool is_zero;
  void *run = acre_pages_alloc_unzeroed(pages, region->index, &is_zero);
  struct acre_block *block = run ? block_make(region, allocator, run, pages) : NULL;
  if (!block)
    return false;
  if (allocator->blocks)
    allocator->blocks->end = allocator->bump.avail;
  block->next = allocator->blocks;
  allocator->blocks = block;
  allocator->objects = acre_allocator_objects(allocator);
  allocator->bytes_requested = acre_allocator_bytes(allocator);
  char *first = first_object(block);
  allocator->bump = (acre_rt_bump){.avail = first, .limit = is_zero ? block_limit(block) : first};
  allocator->next_pages = pages * 2 < ACRE_BLOCK_PAGES_MAX ? pages * 2 : ACRE_BLOCK_PAGES_MAX;
  return true;
}

/* Clears more of the current block, so that limit is at least end; false if the block ends before.
   A block that is little used is cleared little, and what is cleared is still in the cache when
   objects come to lie there. */
static bool clear_more(struct acre_allocator *allocator, const char *end) {
  struct acre_block *block = allocator->blocks;
  char *limit = allocator->bump.limit;
  if (end <= limit)
    return true;
  if (end > block_limit(block))
    return false;
  size_t used = (size_t)(limit - (char *)block), needed = (size_t)(end - limit);
  size_t rest = (size_t)(block_limit(block) - limit);
  size_t step = used < CLEAR_MIN ? CLEAR_MIN : used < CLEAR_MAX ? used : CLEAR_MAX;
  step = step < needed ? needed : step;
  step = step < rest ? step : rest;
  allocator->bump.limit = limit + step;
  for (; step > CLEAR_MAX; step -= CLEAR_MAX, limit += CLEAR_MAX)
    memset(limit, 0, CLEAR_MAX);
  memset(limit, 0, step);
  return true;
}

/* The most that size bytes can take with their header and what aligning them costs. */
static size_t most_for(size_t size) { return size + 16 + 2 * ACRE_WORD; }

bool acre_object_make_room(struct acre_allocator *allocator, size_t size) {
  return allocator->blocks && clear_more(allocator, allocator->bump.avail + most_for(size));
}

void *acre_object_alloc_slow(struct acre_region_entry *region, struct acre_allocator *allocator,
                             size_t size, size_t align, const acre_site *site) {
  if (size > ACRE_OBJECT_LARGE || align > 16)
    return alloc_large(region, allocator, size, align, site);
  if (!acre_object_make_room(allocator, size)) {
    if (!start_block(region, allocator, most_for(size)))
      return NULL;
    acre_object_make_room(allocator, size);
  }
  return acre_bump_take(&allocator->bump, size, align, site);
}

/* -- Index of starts --------------------------------------------------------------------------- */

struct acre_start_index acre_start_index;

static size_t word_of(const char *p) { return ((uintptr_t)p - acre_rt_window_base) / ACRE_WORD; }

/* Notes for the pages of a block from low's to high's that their bits are right up to end. */
static void say_indexed(const char *low, const char *high, const char *end) {
  for (size_t page = word_of(low) / ACRE_PAGE_WORDS; page <= word_of(high) / ACRE_PAGE_WORDS;
       page++) {
    size_t first = page * ACRE_PAGE_WORDS, words = word_of(end) < first ? 0 : word_of(end) - first;
    __atomic_store_n(&acre_start_index.of_page[page],
                     words < ACRE_PAGE_WORDS ? words : ACRE_PAGE_WORDS, __ATOMIC_RELEASE);
  }
}

/* Takes what lies at and behind p out of the index. */
static void forget_starts(struct acre_block *block, char *p) {
  char *indexed = block->indexed;
  if (!indexed || indexed <= p)
    return;
  /* By what the index says: a block may have become one of a large object since it was put there.
   */
  bool has_bits =
      acre_start_index.of_page[word_of((char *)block) / ACRE_PAGE_WORDS] <= ACRE_PAGE_WORDS;
  say_indexed(p, indexed, p);
  __atomic_store_n(&block->indexed, p, __ATOMIC_RELEASE);
  if (!has_bits)
    return;
  uint64_t *bits = acre_start_index.bits;
  size_t first = word_of(p), last = word_of(indexed);
  bits[first / ACRE_START_BITS] &= ((uint64_t)1 << first % ACRE_START_BITS) - 1;
  for (size_t i = first / ACRE_START_BITS + 1; i <= last / ACRE_START_BITS; i++)
    bits[i] = 0;
}

/* -- Resizing ---------------------------------------------------------------------------------- */

static bool is_only_object_of(const struct acre_block *block, const struct acre_object *object) {
  return block->end == acre_align_up(object->start + object->size, ACRE_WORD);
}

static struct acre_block *large_block_of(const struct acre_allocator *allocator,
                                         const struct acre_object *object) {
  struct acre_block *block = block_of(object->start);
  bool is_large = block != allocator->blocks && object->size > ACRE_OBJECT_LARGE;
  return is_large && is_only_object_of(block, object) ? block : NULL;
}

/* The bytes up to which object could grow where it is: its block's, or with pages from behind it.
 */
static char *grow_limit(struct acre_region_entry *region, struct acre_allocator *allocator,
                        struct acre_object *object, size_t size) {
  if (object->start == allocator->bump.last)
    return clear_more(allocator, acre_align_up(object->start + size, ACRE_WORD))
               ? allocator->bump.limit
               : NULL;
  struct acre_block *block = large_block_of(allocator, object);
  if (!block)
    return NULL;
  char *end = acre_align_up(object->start + size, ACRE_WORD);
  if (end <= block_limit(block))
    return block_limit(block);
  size_t more =
      ((size_t)(end - block_limit(block)) + ACRE_WINDOW_PAGE_SIZE - 1) >> ACRE_WINDOW_PAGE_SHIFT;
  if (!acre_pages_extend(block, block->pages, more, region->index))
    return NULL;
  block->pages += more;
  region->pages += more;
  return mark_pages((char *)block, block->pages - more, block->pages) ? block_limit(block) : NULL;
}

static void set_end(struct acre_allocator *allocator, const struct acre_object *object, char *end) {
  if (object->start == allocator->bump.last)
    allocator->bump.avail = end;
  else
    block_of(object->start)->end = end;
}

bool acre_object_resize(struct acre_region_entry *region, struct acre_allocator *allocator,
                        struct acre_object *object, size_t size) {
  /* A header cannot change its length in place. */
  if (size > ACRE_OBJECT_MAX || acre_header_bytes(size) != acre_header_bytes(object->size))
    return false;
  char *end = acre_align_up(object->start + size, ACRE_WORD);
  char *old_end = acre_align_up(object->start + object->size, ACRE_WORD);
  bool is_last = object->start == allocator->bump.last || large_block_of(allocator, object);
  if (size < object->size) {
    uintptr_t low = (uintptr_t)object->start + size;
    acre_record_release(low, (uintptr_t)object->start + object->size);
    memset((char *)low, 0, object->size - size);
  } else if (end > old_end && (!is_last || end > grow_limit(region, allocator, object, size))) {
    return false;
  }
  forget_starts(block_of(object->start), object->start - acre_header_bytes(object->size));
  if (is_last)
    set_end(allocator, object, end);
  object->size = size;
  write_header(object->start, size, object->site);
  return true;
}

/* -- Walks ------------------------------------------------------------------------------------- */

static struct acre_object read_header(char *header) {
  uint64_t word = *(uint64_t *)header;
  struct acre_object object = {header + ACRE_WORD, word >> 48,
                               (const acre_site *)(uintptr_t)(word & SITE_MASK)};
  if (object.size == ACRE_HEADER_SIZE_ESCAPE) {
    object.size = *(uint64_t *)(header + ACRE_WORD);
    object.start += ACRE_WORD;
  }
  return object;
}

/* The first object at or after p; its start is null if there is none before end. */
static struct acre_object next_object(char *p, const char *end) {
  while (p < end && *(uint64_t *)p == 0)
    p += ACRE_WORD;
  return p < end ? read_header(p) : (struct acre_object){0};
}

static char *end_of(const struct acre_object *object) {
  return acre_align_up(object->start + object->size, ACRE_WORD);
}

static struct acre_object walk_to(const struct acre_block *block, const char *end, const char *p) {
  struct acre_object found = {0};
  for (struct acre_object object = next_object(first_object(block), end);
       object.start && object.start <= p; object = next_object(end_of(&object), end))
    found = object;
  return found;
}

/* -- Objects by address ------------------------------------------------------------------------ */

/* Makes the index, if there is none; false when memory is out. */
static bool start_index(void) {
  if (acre_start_index.pages)
    return true;
  size_t pages = acre_rt_window_pages, bytes = pages * (ACRE_PAGE_WORDS / CHAR_BIT);
  char *table = acre_os_table(bytes + pages * sizeof *acre_start_index.of_page);
  if (!table)
    return false;
  acre_start_index.bits = (uint64_t *)table;
  acre_start_index.of_page = (uintptr_t *)(table + bytes);
  __atomic_store_n(&acre_start_index.pages, pages, __ATOMIC_RELEASE);
  return true;
}

/* Puts all objects of block before end into the index. */
static void add_starts(struct acre_block *block, const char *end) {
  char *from = block->indexed ? block->indexed : first_object(block);
  for (struct acre_object object = next_object(from, end); object.start;
       object = next_object(end_of(&object), end)) {
    size_t word = word_of(object.start);
    uint64_t *bits = &acre_start_index.bits[word / ACRE_START_BITS];
    __atomic_store_n(bits, *bits | (uint64_t)1 << word % ACRE_START_BITS, __ATOMIC_RELAXED);
  }
  say_indexed(from, end, end);
}

/* Says of all pages of block where its only object starts. */
static void add_only_start(struct acre_block *block) {
  struct acre_object only = next_object(first_object(block), block_limit(block));
  uintptr_t *of_page = &acre_start_index.of_page[word_of((char *)block) / ACRE_PAGE_WORDS];
  for (size_t i = 0; i < block->pages; i++)
    __atomic_store_n(&of_page[i], (uintptr_t)only.start, __ATOMIC_RELEASE);
}

/* Puts all objects of block before end into the index.  False if that cannot be now: memory is out,
   or another thread, or what this signal handler has interrupted, is just doing such a thing. */
static bool index_block(struct acre_block *block, const char *end) {
  static bool is_taken;
  if (__atomic_exchange_n(&is_taken, true, __ATOMIC_ACQUIRE))
    return false;
  bool has_index = start_index();
  if (has_index) {
    if (is_of_many(block))
      add_starts(block, end);
    else
      add_only_start(block);
    __atomic_store_n(&block->indexed, (char *)(uintptr_t)end, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&is_taken, false, __ATOMIC_RELEASE);
  return has_index;
}

/* The object whose start is the last one at or before p, which is in the indexed part of block. */
static struct acre_object last_start(const struct acre_block *block, const char *p) {
  const uint64_t *starts = acre_start_index.bits;
  size_t word = word_of(p), first = word_of((const char *)block);
  uint64_t bits = starts[word / ACRE_START_BITS] &
                  (UINT64_MAX >> (ACRE_START_BITS - 1 - word % ACRE_START_BITS));
  size_t i = word / ACRE_START_BITS;
  while (!bits && i > first / ACRE_START_BITS)
    bits = starts[--i];
  size_t found =
      bits ? i * ACRE_START_BITS + (ACRE_START_BITS - 1 - (size_t)__builtin_clzll(bits)) : 0;
  if (found < first)
    return (struct acre_object){0};
  char *start = (char *)acre_rt_window_base + found * ACRE_WORD;
  return read_header(start - (((uint64_t *)start)[-1] >> 48
                                  ? ACRE_WORD
                                  : 2 * ACRE_WORD)); /* see acre_object_range_at */
}

static struct acre_object find_in(struct acre_block *block, const void *p) {
  const char *end = objects_end(block), *at = p;
  if (is_of_many(block) &&
      (at < __atomic_load_n(&block->indexed, __ATOMIC_ACQUIRE) || index_block(block, end)))
    return last_start(block, at < end ? at : end - 1);
  return walk_to(block, end, at);
}

struct acre_object acre_object_find(const void *p) {
  return acre_page_owner(p) ? find_in(block_of(p), p) : (struct acre_object){0};
}

acre_rt_range acre_object_range(const void *p) {
  struct acre_block *block = block_of(p);
  if (p == block->allocator->bump.last)
    return acre_object_range_at(block->allocator->bump.last);
  bool is_indexed = (const char *)p < __atomic_load_n(&block->indexed, __ATOMIC_ACQUIRE) ||
                    index_block(block, is_of_many(block) ? objects_end(block) : block_limit(block));
  char *start = is_indexed ? acre_object_known_start(p) : NULL;
  if (start)
    return acre_object_range_at(start);
  struct acre_object object = find_in(block, p);
  return object.size ? (acre_rt_range){object.start, object.start + object.size}
                     : ACRE_RANGE_OF_ALL;
}

struct acre_object acre_object_at(void *p) {
  /* The last object of a current block is small: its header is one word. */
  if (acre_page_owner(p) && block_of(p)->allocator->bump.last == p)
    return read_header((char *)p - ACRE_WORD);
  struct acre_object object = acre_object_find(p);
  return object.start == p ? object : (struct acre_object){0};
}

struct acre_allocator *acre_object_allocator(const void *p) { return block_of(p)->allocator; }

typedef void block_visitor(struct acre_block *block, void *context);

static void each_block(struct acre_region_entry *region, block_visitor *visit, void *context) {
  struct acre_allocator *allocators[] = {&region->normal, &region->pointer_free};
  for (size_t i = 0; i < 2; i++) {
    struct acre_block *lists[] = {allocators[i]->blocks, allocators[i]->large};
    for (size_t j = 0; j < 2; j++)
      for (struct acre_block *block = lists[j], *next; block; block = next) {
        next = block->next;
        visit(block, context);
      }
  }
}

struct object_visit {
  void (*function)(const struct acre_object *object, void *context);
  void *context;
};

static void visit_objects(struct acre_block *block, void *context) {
  const struct object_visit *visit = context;
  char *end = objects_end(block);
  for (struct acre_object object = next_object(first_object(block), end); object.start;
       object = next_object(end_of(&object), end))
    visit->function(&object, visit->context);
}

void acre_object_each(struct acre_region_entry *region,
                      void (*function)(const struct acre_object *, void *), void *context) {
  struct object_visit visit = {function, context};
  each_block(region, visit_objects, &visit);
}

struct block_visit {
  void (*function)(uintptr_t low, uintptr_t high, void *context);
  void *context;
};

static void visit_bytes(struct acre_block *block, void *context) {
  const struct block_visit *visit = context;
  visit->function((uintptr_t)block, (uintptr_t)block + (block->pages << ACRE_WINDOW_PAGE_SHIFT),
                  visit->context);
}

void acre_block_each(struct acre_region_entry *region,
                     void (*function)(uintptr_t, uintptr_t, void *), void *context) {
  struct block_visit visit = {function, context};
  each_block(region, visit_bytes, &visit);
}

static void free_block(struct acre_block *block, void *context) {
  struct acre_region_entry *region = context;
  region->pages -= block->pages;
  block->signature = 0;
  forget_starts(block, (char *)block);
  acre_pages_free(block, block->pages);
}

void acre_object_free_all(struct acre_region_entry *region) {
  each_block(region, free_block, region);
  region->normal = region->pointer_free = (struct acre_allocator){0};
}

/* -- Check ------------------------------------------------------------------------------------- */

struct check {
  const struct acre_region_entry *region;
  size_t pages;
  bool is_sound;
};

static bool is_block_sound(const struct acre_block *block, uint32_t region) {
  const char *end = objects_end(block);
  if (block->signature != ACRE_BLOCK_SIGNATURE || block->region != region ||
      acre_page_owner(block) != region || end < first_object(block) || end > block_limit(block) ||
      acre_page_owner(block_limit(block)) != region)
    return false;
  for (struct acre_object object = next_object(first_object(block), end); object.start;
       object = next_object(end_of(&object), end))
    if (object.size == 0 || object.size > (size_t)(end - object.start) ||
        acre_object_find(object.start).start != object.start)
      return false;
  return true;
}

static void check_block(struct acre_block *block, void *context) {
  struct check *check = context;
  check->is_sound = check->is_sound && is_block_sound(block, check->region->index);
  check->pages += block->pages;
}

bool acre_object_check(struct acre_region_entry *region) {
  struct check check = {region, 0, true};
  each_block(region, check_block, &check);
  return check.is_sound && check.pages == region->pages;
}

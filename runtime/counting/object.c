/* SPDX-License-Identifier: MIT */
/* object.c - see object.h. */
#include "counting/object.h"

#include <limits.h>
#include <string.h>

#include "counting/record.h"
#include "counting/registry.h"
#include "memory/pages.h"
#include "platform/check.h"
#include "platform/os.h"

#define MARK_MASK ((uint64_t)3)
#define SITE_MASK ((((uint64_t)1 << 48) - 1) & ~MARK_MASK)
_Static_assert(_Alignof(acre_site) > MARK_MASK, "a mark fits below a site's address");

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
  struct acre_block *block =
      acre_block_start_large(region, allocator, 2 * ACRE_WORD + align + size + ACRE_WORD);
  if (!block)
    return NULL;
  char *start = acre_align_up(acre_block_first(block) + acre_header_bytes(size),
                              align < ACRE_WORD ? ACRE_WORD : align);
  write_header(start, size, site);
  block->end = acre_align_up(start + size, ACRE_WORD);
  return start;
}

/* The most that size bytes can take with their header and what aligning them costs. */
static size_t most_for(size_t size) { return size + 16 + 2 * ACRE_WORD; }

bool acre_object_make_room(struct acre_allocator *allocator, size_t size) {
  return allocator->blocks &&
         acre_block_clear_to(allocator, allocator->bump.avail + most_for(size));
}

void *acre_object_alloc_slow(struct acre_region_entry *region, struct acre_allocator *allocator,
                             size_t size, size_t align, const acre_site *site) {
  if (size > ACRE_OBJECT_LARGE || align > 16)
    return alloc_large(region, allocator, size, align, site);
  if (!acre_object_make_room(allocator, size)) {
    if (!acre_block_start(region, allocator, most_for(size)))
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
  struct acre_block *block = acre_block_of(object->start);
  bool is_large = block != allocator->blocks && object->size > ACRE_OBJECT_LARGE;
  return is_large && is_only_object_of(block, object) ? block : NULL;
}

/* The bytes up to which object could grow where it is: its block's, or with pages from behind it.
 */
static char *grow_limit(struct acre_region_entry *region, struct acre_allocator *allocator,
                        struct acre_object *object, size_t size) {
  if (object->start == allocator->bump.last)
    return acre_block_clear_to(allocator, acre_align_up(object->start + size, ACRE_WORD))
               ? allocator->bump.limit
               : NULL;
  struct acre_block *block = large_block_of(allocator, object);
  if (!block)
    return NULL;
  return acre_block_extend_to(region, block, acre_align_up(object->start + size, ACRE_WORD))
             ? acre_block_limit(block)
             : NULL;
}

static void set_end(struct acre_allocator *allocator, const struct acre_object *object, char *end) {
  if (object->start == allocator->bump.last)
    allocator->bump.avail = end;
  else
    acre_block_of(object->start)->end = end;
}

bool acre_object_resize(struct acre_region_entry *region, struct acre_allocator *allocator,
                        struct acre_object *object, size_t size) {
  ACRE_ASSERT(size > 0 && acre_block_of(object->start)->allocator == allocator);
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
  forget_starts(acre_block_of(object->start), object->start - acre_header_bytes(object->size));
  if (is_last)
    set_end(allocator, object, end);
  object->size = size;
  write_header(object->start, size, object->site);
  return true;
}

/* -- Giving back ------------------------------------------------------------------------------- */

/* The site of objects that were given back and whose memory stays. */
static const acre_site released_site = {NULL, NULL, NULL, 0};

bool acre_object_is_released(const struct acre_object *object) {
  return object->site == &released_site;
}

void acre_object_set_mark(const struct acre_object *object, enum acre_object_mark mark) {
  uint64_t *header = (uint64_t *)(object->start - acre_header_bytes(object->size));
  *header = (*header & ~MARK_MASK) | mark;
}

void acre_object_use_again(const struct acre_object *object, size_t size, const acre_site *site) {
  ACRE_ASSERT(acre_object_is_released(object) && size <= object->size);
  acre_block_of(object->start)->allocator->bytes_requested += size;
  write_header(object->start, size, site);
}

static void free_block(struct acre_block *block, void *context) {
  forget_starts(block, (char *)block);
  acre_block_free(context, block);
}

static void free_large_block(struct acre_region_entry *region, struct acre_allocator *allocator,
                             struct acre_block *block) {
  struct acre_block **link = &allocator->large;
  while (*link != block)
    link = &(*link)->next;
  *link = block->next;
  free_block(block, region);
}

void acre_object_release(struct acre_region_entry *region, const struct acre_object *object) {
  ACRE_ASSERT(!acre_record_any((uintptr_t)object->start, (uintptr_t)object->start + object->size));
  struct acre_block *block = acre_block_of(object->start);
  struct acre_allocator *allocator = block->allocator;
  char *header = object->start - acre_header_bytes(object->size);
  allocator->bytes_requested -= object->size;
  if (large_block_of(allocator, object)) {
    free_large_block(region, allocator, block);
  } else if (object->start == allocator->bump.last) {
    forget_starts(block, header);
    memset(header, 0, (size_t)(allocator->bump.avail - header));
    allocator->bump.avail = header;
    allocator->bump.last = NULL;
  } else {
    memset(object->start, 0, object->size);
    write_header(object->start, object->size, &released_site);
  }
}

/* -- Walks ------------------------------------------------------------------------------------- */

static struct acre_object read_header(char *header) {
  uint64_t word = *(uint64_t *)header;
  struct acre_object object = {header + ACRE_WORD, word >> 48,
                               (const acre_site *)(uintptr_t)(word & SITE_MASK),
                               (enum acre_object_mark)(word & MARK_MASK)};
  if (object.size == ACRE_HEADER_SIZE_ESCAPE) {
    object.size = *(uint64_t *)(header + ACRE_WORD);
    object.start += ACRE_WORD;
  }
  return object;
}

/* The first object at or after p; its start is null if there is none before end.  Inlined: a call
 * gives its result through memory, which doubles what a walk of small objects costs. */
__attribute__((always_inline)) static inline struct acre_object next_object(char *p,
                                                                            const char *end) {
  while (p < end && *(uint64_t *)p == 0)
    p += ACRE_WORD;
  return p < end ? read_header(p) : (struct acre_object){0};
}

struct acre_object acre_object_next(char *p, const char *end) {
  struct acre_object object = next_object(p, end);
  const bool is_whole = object.start && object.start <= end && object.size != 0 &&
                        object.size <= (size_t)(end - object.start);
  return is_whole ? object : (struct acre_object){0};
}

static struct acre_object walk_to(const struct acre_block *block, const char *end, const char *p) {
  struct acre_object found = {0};
  for (struct acre_object object = next_object(acre_block_first(block), end);
       object.start && object.start <= p; object = next_object(acre_object_end(&object), end))
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
  char *from = block->indexed ? block->indexed : acre_block_first(block);
  for (struct acre_object object = next_object(from, end); object.start;
       object = next_object(acre_object_end(&object), end)) {
    size_t word = word_of(object.start);
    uint64_t *bits = &acre_start_index.bits[word / ACRE_START_BITS];
    __atomic_store_n(bits, *bits | (uint64_t)1 << word % ACRE_START_BITS, __ATOMIC_RELAXED);
  }
  say_indexed(from, end, end);
}

/* Says of all pages of block where its only object starts. */
static void add_only_start(struct acre_block *block) {
  struct acre_object only = next_object(acre_block_first(block), acre_block_limit(block));
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
    if (acre_block_is_of_many(block))
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
  const char *end = acre_block_end(block), *at = p;
  if (acre_block_is_of_many(block) &&
      (at < __atomic_load_n(&block->indexed, __ATOMIC_ACQUIRE) || index_block(block, end)))
    return last_start(block, at < end ? at : end - 1);
  return walk_to(block, end, at);
}

struct acre_object acre_object_find(const void *p) {
  return acre_page_owner(p) ? find_in(acre_block_of(p), p) : (struct acre_object){0};
}

acre_rt_range acre_object_range(const void *p) {
  ACRE_ASSERT(acre_page_owner(p));
  struct acre_block *block = acre_block_of(p);
  if (p == block->allocator->bump.last)
    return acre_object_range_at(block->allocator->bump.last);
  bool is_indexed = (const char *)p < __atomic_load_n(&block->indexed, __ATOMIC_ACQUIRE) ||
                    index_block(block, acre_block_is_of_many(block) ? acre_block_end(block)
                                                                    : acre_block_limit(block));
  char *start = is_indexed ? acre_object_known_start(p) : NULL;
  if (start)
    return acre_object_range_at(start);
  struct acre_object object = find_in(block, p);
  return object.size ? (acre_rt_range){object.start, object.start + object.size}
                     : ACRE_RANGE_OF_ALL;
}

struct acre_object acre_object_at(void *p) {
  /* The last object of a current block is small: its header is one word. */
  if (acre_page_owner(p) && acre_block_of(p)->allocator->bump.last == p)
    return read_header((char *)p - ACRE_WORD);
  struct acre_object object = acre_object_find(p);
  return object.start == p ? object : (struct acre_object){0};
}

struct acre_allocator *acre_object_allocator(const void *p) {
  ACRE_ASSERT(acre_page_owner(p));
  return acre_block_of(p)->allocator;
}

struct object_visit {
  void (*function)(const struct acre_object *object, void *context);
  void *context;
};

static void visit_objects(struct acre_block *block, void *context) {
  const struct object_visit *visit = context;
  char *end = acre_block_end(block);
  for (struct acre_object object = next_object(acre_block_first(block), end); object.start;
       object = next_object(acre_object_end(&object), end))
    visit->function(&object, visit->context);
}

void acre_object_each(struct acre_region_entry *region,
                      void (*function)(const struct acre_object *, void *), void *context) {
  struct object_visit visit = {function, context};
  acre_block_visit(&region->normal, &region->pointer_free, visit_objects, &visit);
}

void acre_object_free_all(struct acre_region_entry *region) {
  acre_block_visit(&region->normal, &region->pointer_free, free_block, region);
  region->normal = region->pointer_free = (struct acre_allocator){0};
  ACRE_ASSERT(region->pages == 0 && "each page of a region is in a block of it");
}

/* -- Check ------------------------------------------------------------------------------------- */

struct check {
  const struct acre_region_entry *region;
  size_t pages;
  bool is_sound;
};

static bool is_block_sound(const struct acre_block *block, uint32_t region) {
  const char *end = acre_block_end(block);
  if (!acre_block_check(block, region))
    return false;
  for (struct acre_object object = next_object(acre_block_first(block), end); object.start;
       object = next_object(acre_object_end(&object), end))
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
  acre_block_visit(&region->normal, &region->pointer_free, check_block, &check);
  return check.is_sound && check.pages == region->pages;
}

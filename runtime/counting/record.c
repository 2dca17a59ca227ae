/* SPDX-License-Identifier: MIT */
/* record.c - see record.h.  A two-level radix tree from filter areas to leaves. */
#include "counting/record.h"

#include "counting/lazy.h"
#include "counting/registry.h"
#include "counting/stored.h"
#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/os.h"
#include "platform/thread.h"

struct acre_counters acre_counters;

#define ADDRESS_BITS 48
#define LEAF_RECORDS ((size_t)1 << (ACRE_FILTER_SHIFT - ACRE_RECORD_SHIFT))
#define FILTER_MASK (((uintptr_t)1 << ACRE_FILTER_SHIFT) - 1)
#define LEAF_BLOCKS ((size_t)1 << (ACRE_FILTER_SHIFT - ACRE_RECORD_BLOCK_SHIFT))
#define MIDDLE_BITS 16
#define MIDDLE_SIZE ((size_t)1 << MIDDLE_BITS)
#define TOP_SIZE ((size_t)1 << (ADDRESS_BITS - ACRE_FILTER_SHIFT - MIDDLE_BITS))
#define LEAF_SIGNATURE 0x6c656166u /* "leaf" */

/* Records that share a bit of `occupied`: those of 128 bytes. */
#define RUN_SHIFT 4
#define RUN_RECORDS ((size_t)1 << RUN_SHIFT)
#define PAGE_RECORDS (LEAF_RECORDS / LEAF_BLOCKS)
_Static_assert(PAGE_RECORDS / RUN_RECORDS == 64, "a page has a word of occupied");

/* What is known of a leaf's records.  A bit of occupied that is zero says that its run has none. */
struct summary {
  uint32_t signature;
  uint32_t page_counts[LEAF_BLOCKS];
  uint64_t occupied[LEAF_BLOCKS];
  uintptr_t area; /* number of the filter area: who looks for its address must not find it */
  struct summary *older, *older_of_kind;
};
#define CACHE_LINE 64
#define COLOURS ((size_t)64)

static uintptr_t base_of(const struct summary *summary) {
  return summary->area << ACRE_FILTER_SHIFT;
}

/* Leaves begin at pages: the summaries of neighbouring leaves lie at different offsets, or they
   would all compete for the same few places in the cache.  Only one of them is used, so only one
   page holds them. */
struct leaf {
  uint32_t records[LEAF_RECORDS]; /* first: what acre_rt_records leads to */
  struct {
    _Alignas(CACHE_LINE) struct summary used;
  } colours[COLOURS];
};

unsigned char acre_rt_filter[65536];
unsigned char acre_rt_lines[ACRE_LINE_COUNTS], acre_rt_eager_lines[ACRE_LINE_COUNTS];
static uint32_t filter_pages[65536]; /* how many pages there have records */
uint32_t **acre_rt_records[TOP_SIZE];

/* Leaves are in a list of all, and in that of their kind: those of a kind have the same bits of
   `areas`. */
#define LEAF_AREAS ((size_t)1 << (ACRE_FILTER_SHIFT - ACRE_RECORD_AREA_SHIFT))
#define KINDS (64 / LEAF_AREAS)
static struct summary *newest, *newest_of_kind[KINDS];

static uint64_t areas_of_kind(size_t kind) {
  return (((uint64_t)1 << LEAF_AREAS) - 1) << kind * LEAF_AREAS;
}

/* -- The tree ---------------------------------------------------------------------------------- */

static uint32_t **middle_of(uintptr_t address) {
  return __atomic_load_n(
      &acre_rt_records[address >> (ACRE_FILTER_SHIFT + MIDDLE_BITS) & (TOP_SIZE - 1)],
      __ATOMIC_ACQUIRE);
}

static inline struct leaf *find_leaf(uintptr_t address) {
  uint32_t **middle = middle_of(address);
  if (!middle)
    return NULL;
  return (struct leaf *)__atomic_load_n(&middle[address >> ACRE_FILTER_SHIFT & (MIDDLE_SIZE - 1)],
                                        __ATOMIC_ACQUIRE);
}

static size_t record_index(uintptr_t slot) {
  return slot >> ACRE_RECORD_SHIFT & (LEAF_RECORDS - 1);
}
static size_t page_index(uintptr_t slot) {
  return slot >> ACRE_RECORD_BLOCK_SHIFT & (LEAF_BLOCKS - 1);
}
static size_t filter_index(uintptr_t slot) { return slot >> ACRE_FILTER_SHIFT & 0xffff; }
static unsigned char *line_of(uintptr_t slot) {
  return &acre_rt_lines[(slot >> ACRE_LINE_SHIFT) % ACRE_LINE_COUNTS];
}
static unsigned char *eager_line_of(uintptr_t slot) {
  return &acre_rt_eager_lines[(slot >> ACRE_LINE_SHIFT) % ACRE_LINE_COUNTS];
}
/* address: any in the leaf's filter area. */
static inline struct summary *summary_of(struct leaf *leaf, uintptr_t address) {
  return &leaf->colours[address >> ACRE_FILTER_SHIFT & (COLOURS - 1)].used;
}
static inline uint32_t *page_count_of(struct leaf *leaf, uintptr_t address) {
  return &summary_of(leaf, address)->page_counts[page_index(address)];
}
static inline uint64_t *occupied_of(struct leaf *leaf, uintptr_t address) {
  return &summary_of(leaf, address)->occupied[page_index(address)];
}
static inline uint64_t run_bit(uintptr_t slot) {
  return (uint64_t)1 << (slot >> (ACRE_RECORD_SHIFT + RUN_SHIFT) & 63);
}
/* The bits of the runs that [low, high), of one page, touches. */
static inline uint64_t run_bits(uintptr_t low, uintptr_t high) {
  uint64_t last = run_bit(high - 1);
  return (last | (last - 1)) & ~(run_bit(low) - 1);
}
static inline uint32_t page_count(struct leaf *leaf, uintptr_t address) {
  return __atomic_load_n(page_count_of(leaf, address), __ATOMIC_RELAXED);
}

/* A record cannot be kept, and without it a region could be deleted under a live pointer. */
_Noreturn static void fail(void) {
  acre_os_fatal("out of memory for the records of counted slots");
}

static void add_to_list(struct summary **list, struct summary *summary, struct summary **older) {
  *older = __atomic_load_n(list, __ATOMIC_RELAXED);
  while (
      !__atomic_compare_exchange_n(list, older, summary, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    ;
}

__attribute__((noinline)) static struct leaf *make_leaf(uintptr_t address) {
  uint32_t ***middle_link =
      &acre_rt_records[address >> (ACRE_FILTER_SHIFT + MIDDLE_BITS) & (TOP_SIZE - 1)];
  if (!middle_of(address)) {
    uint32_t **fresh = acre_os_table(MIDDLE_SIZE * sizeof *fresh), **none = NULL;
    if (!fresh)
      fail();
    if (!__atomic_compare_exchange_n(middle_link, &none, fresh, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
      acre_os_unreserve(fresh, MIDDLE_SIZE * sizeof *fresh);
  }
  uint32_t **link = &middle_of(address)[address >> ACRE_FILTER_SHIFT & (MIDDLE_SIZE - 1)],
           *present = NULL;
  struct leaf *fresh = acre_os_table(sizeof *fresh);
  if (!fresh)
    fail();
  struct summary *summary = summary_of(fresh, address);
  summary->area = address >> ACRE_FILTER_SHIFT;
  summary->signature = LEAF_SIGNATURE;
  /* Whoever finds the leaf may walk the lists at once: it is in them before.  If another thread was
     faster, this one stays there without a record. */
  add_to_list(&newest, summary, &summary->older);
  add_to_list(&newest_of_kind[summary->area % KINDS], summary, &summary->older_of_kind);
  return __atomic_compare_exchange_n(link, &present, fresh->records, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)
             ? fresh
             : (struct leaf *)present;
}

/* -- One record -------------------------------------------------------------------------------- */

/* The region of slot, if it lies in one, has a record.  That of a marked page has been told. */
static inline void note_referring(uintptr_t slot) {
  if (!acre_page_is_recorded(slot))
    __atomic_store_n(&acre_registry_at(acre_page_owner((void *)slot))->is_referring, true,
                     __ATOMIC_RELAXED);
}

/* The first record of a page tells the filter.  Another one that is made between the two additions
   does not: of a thread, hence the first store; of a signal handler, which can miss its record only
   until it returns. */
static inline void acquire_place(bool is_single, struct leaf *leaf, uintptr_t slot) {
  unsigned char *filter = &acre_rt_filter[filter_index(slot)];
  if (!is_single)
    __atomic_store_n(filter, 1, __ATOMIC_RELAXED);
  /* Before the page counts it, so that a signal handler never finds a count without the mark. */
  if (!is_single || page_count(leaf, slot) == 0) {
    note_referring(slot);
    acre_page_set_recorded(slot, true);
  }
  if (acre_add32_before(is_single, page_count_of(leaf, slot), 1) == 0) {
    acre_add32_is_zero(is_single, &filter_pages[filter_index(slot)], 1);
    __atomic_store_n(filter, 1, __ATOMIC_RELAXED);
  }
  acre_or64(is_single, occupied_of(leaf, slot), run_bit(slot));
  acre_count8(is_single, line_of(slot));
  acre_count8(is_single, eager_line_of(slot));
}

/* Tells the page map that the record block of slot has no record, unless the other one of the
 * window page has some.  The second look is for signal handlers, as below. */
static void leave_window_page(struct leaf *leaf, uintptr_t slot) {
  _Static_assert(ACRE_WINDOW_PAGE_SHIFT == ACRE_RECORD_BLOCK_SHIFT + 1,
                 "a window page has two record blocks");
  const uintptr_t other = slot ^ ACRE_RECORD_BLOCK_SIZE;
  if (page_count(leaf, other) != 0)
    return;
  acre_page_set_recorded(slot, false);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (page_count(leaf, slot) != 0 || page_count(leaf, other) != 0)
    acre_page_set_recorded(slot, true);
}

/* The page of slot has lost its last record.  A signal handler may make one between the two stores:
   hence the second looks. Another thread may do so unseen, so with threads bits and bytes that are
   set stay set. */
__attribute__((noinline)) static void leave_page(bool is_single, struct leaf *leaf,
                                                 uintptr_t slot) {
  size_t filter = filter_index(slot);
  bool is_last = acre_add32_is_zero(is_single, &filter_pages[filter], -1);
  if (!is_single)
    return;
  __atomic_store_n(occupied_of(leaf, slot), 0, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (page_count(leaf, slot) != 0)
    __atomic_store_n(occupied_of(leaf, slot), ~(uint64_t)0, __ATOMIC_RELAXED);
  leave_window_page(leaf, slot);
  if (!is_last)
    return;
  __atomic_store_n(&acre_rt_filter[filter], 0, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__atomic_load_n(&filter_pages[filter], __ATOMIC_RELAXED) != 0)
    __atomic_store_n(&acre_rt_filter[filter], 1, __ATOMIC_RELAXED);
}

/* Gives back the places of count records of slot's page, but not of their lines. */
static inline void return_places(bool is_single, struct leaf *leaf, uintptr_t slot,
                                 uint32_t count) {
  ACRE_ASSERT(page_count(leaf, slot) >= count && "a record block counts its records");
  if (acre_add32_is_zero(is_single, page_count_of(leaf, slot), -(int32_t)count))
    leave_page(is_single, leaf, slot);
}

static inline uint32_t region_of(uint32_t record) {
  return (record & ~ACRE_RECORD_LAZY) >> ACRE_RECORD_SHIFT;
}

/* A record of slot names region, or is about to. */
static inline void count_in(bool is_single, uint32_t region, uintptr_t slot) {
  struct acre_region_entry *entry = acre_registry_at(region);
  const uint64_t bit = acre_record_area(slot);
  if (__builtin_expect(!(__atomic_load_n(&entry->areas, __ATOMIC_RELAXED) & bit), 0))
    acre_or64(is_single, &entry->areas, bit);
  acre_add64_if(is_single, &entry->count, 1);
}

static inline void count_out(bool is_single, uint32_t region) {
  acre_add64_if(is_single, &acre_registry_at(region)->count, -1);
}

/* Gives back what one record holds of its region and its line. */
static inline void return_record(bool is_single, uintptr_t slot, uint32_t record) {
  const uint32_t region = region_of(record);
  ACRE_ASSERT(acre_line_has(slot) && "a line counts its records");
  /* Other threads change the count meanwhile. */
  ACRE_ASSERT((!is_single || acre_registry_at(region)->count > 0) &&
              "a region counts the records that name it");
  acre_uncount8(is_single, line_of(slot));
  if (!(record & ACRE_RECORD_LAZY))
    acre_uncount8(is_single, eager_line_of(slot));
  count_out(is_single, region);
}

__attribute__((noinline)) static void return_share(bool is_single, struct leaf *leaf,
                                                   uintptr_t slot, uint32_t record) {
  return_record(is_single, slot, record);
  return_places(is_single, leaf, slot, 1);
}

/* The three ways to replace a record.  Another thread or a signal handler may have done so since it
 * was looked at. */

static inline void insert_record(bool is_single, struct leaf *leaf, uintptr_t slot, uint32_t *place,
                                 uint32_t record) {
  count_in(is_single, region_of(record), slot);
  acquire_place(is_single, leaf, slot);
  uint32_t old = acre_exchange32(is_single, place, record);
  if (__builtin_expect(old != 0, 0))
    return_share(is_single, leaf, slot, old);
}

static inline void drop_record(bool is_single, struct leaf *leaf, uintptr_t slot, uint32_t *place) {
  uint32_t old = acre_exchange32(is_single, place, 0);
  if (__builtin_expect(old != 0, 1)) {
    return_record(is_single, slot, old);
    return_places(is_single, leaf, slot, 1);
  }
}

/* The place stays taken.  False if the record is not the old one any more. */
static inline bool rename_record(bool is_single, uintptr_t slot, uint32_t *place, uint32_t old,
                                 uint32_t record) {
  const bool becomes_eager = (old & ~record & ACRE_RECORD_LAZY) != 0;
  count_in(is_single, region_of(record), slot);
  if (becomes_eager)
    acre_count8(is_single, eager_line_of(slot));
  bool is_done = acre_compare_exchange32(is_single, place, old, record);
  if (becomes_eager && !is_done)
    acre_uncount8(is_single, eager_line_of(slot));
  count_out(is_single, region_of(is_done ? old : record));
  return is_done;
}

static inline uint32_t record_of(uintptr_t slot, uint32_t region) {
  return region ? region << ACRE_RECORD_SHIFT | (uint32_t)(slot & (ACRE_SLOT_SIZE - 1)) : 0;
}

/* Another thread may be deleting a region that code without records still points into. */
static inline bool may_be_named(uint32_t region) {
  return !region || acre_registry_at(region)->signature == ACRE_REGION_SIGNATURE ||
         !acre_is_single_threaded();
}

bool acre_record_set(uintptr_t slot, uint32_t region) {
  ACRE_ASSERT(may_be_named(region) && "a record names a region that lives");
  struct leaf *leaf = find_leaf(slot);
  if (region) {
    if (!leaf)
      leaf = make_leaf(slot);
    acre_thread_note_record(slot);
  }
  if (!leaf)
    return false;
  const bool is_single = acre_is_single_threaded();
  const uint32_t record = record_of(slot, region);
  uint32_t *place = &leaf->records[record_index(slot)], old;
  do {
    old = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (old == record)
      return false;
  } while (old && record && !rename_record(is_single, slot, place, old, record));
  if (!record)
    drop_record(is_single, leaf, slot, place);
  else if (!old)
    insert_record(is_single, leaf, slot, place, record);
  return true;
}

__attribute__((noinline)) static void store_slowly(uintptr_t slot, uint32_t region) {
  if (acre_record_set(slot, region))
    acre_add64(&acre_counters.stores_counted, 1);
}

/* Whether the slot, which holds no pointer any more, may keep its record all the same. */
__attribute__((noinline)) static bool keeps_record(uintptr_t slot, uint32_t *place, uint32_t old) {
  if (slot % ACRE_SLOT_SIZE != 0 || region_of(old) <= ACRE_INDEX_PERMANENT ||
      !acre_lazy_keeps(slot))
    return false;
  if (!acre_compare_exchange32(true, place, old, old | ACRE_RECORD_LAZY))
    return false;
  acre_uncount8(true, eager_line_of(slot));
  return true;
}

/* Computes nothing twice, and saves next to no registers: what needs calls is elsewhere. */
static inline bool store_quickly(uintptr_t slot, uint32_t region) {
  struct leaf *leaf = find_leaf(slot);
  if (__builtin_expect(!leaf || !acre_is_single_threaded(), 0))
    return false;
  const uint32_t record = record_of(slot, region);
  uint32_t *place = &leaf->records[record_index(slot)],
           old = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  /* A slot that has a record has been noted. */
  const uint32_t mark = old & ACRE_RECORD_LAZY;
  if (old == (record | mark) || (!record && (mark || keeps_record(slot, place, old))))
    return true;
  bool is_done = !old ? acre_thread_has_noted(slot)
                      : !record || rename_record(true, slot, place, old, record | mark);
  if (__builtin_expect(!is_done, 0))
    return false;
  acre_add64_if(true, &acre_counters.stores_counted, 1);
  if (!old)
    insert_record(true, leaf, slot, place, record);
  else if (!record)
    drop_record(true, leaf, slot, place);
  return true;
}

void acre_record_store(uintptr_t slot, uint32_t region) {
  if (__builtin_expect(!store_quickly(slot, region), 0))
    store_slowly(slot, region);
}

bool acre_record_try_store(uintptr_t slot, uint32_t region) { return store_quickly(slot, region); }

/* The slot of a record in the granule of address. */
static uintptr_t slot_of(uintptr_t address, size_t index, uint32_t record) {
  return (address & ~FILTER_MASK) + (index << ACRE_RECORD_SHIFT) + (record & (ACRE_SLOT_SIZE - 1));
}

static inline uint32_t *find_place(uintptr_t slot) {
  struct leaf *leaf = find_leaf(slot);
  return leaf ? &leaf->records[record_index(slot)] : NULL;
}

const uint32_t *acre_record_place(uintptr_t slot) { return find_place(slot); }

bool acre_record_is_lazy(uintptr_t slot) {
  const uint32_t *place = find_place(slot);
  return place && (__atomic_load_n(place, __ATOMIC_RELAXED) & ACRE_RECORD_LAZY) != 0;
}

uint32_t acre_record_end_lazy(uintptr_t slot) {
  const bool is_single = acre_is_single_threaded();
  uint32_t *place = find_place(slot), old;
  do {
    old = place ? __atomic_load_n(place, __ATOMIC_ACQUIRE) : 0;
    if (!(old & ACRE_RECORD_LAZY))
      return 0;
  } while (!rename_record(is_single, slot, place, old, old & ~ACRE_RECORD_LAZY));
  return region_of(old);
}

uint32_t acre_record_get(uintptr_t slot, uintptr_t *start) {
  const uint32_t *place = find_place(slot);
  uint32_t record = place ? __atomic_load_n(place, __ATOMIC_ACQUIRE) : 0;
  if (record)
    *start = slot_of(slot, record_index(slot), record);
  return region_of(record);
}

/* -- Ranges ------------------------------------------------------------------------------------ */

bool acre_record_maybe(uintptr_t address) {
  if (!acre_filter_has(address))
    return false;
  struct leaf *leaf = find_leaf(address);
  return leaf && page_count(leaf, address) != 0;
}

/* Two records at once, the first of them with an even index: most are empty. */
typedef uint64_t __attribute__((may_alias)) record_pair;

static inline uint64_t pair_at(const struct leaf *leaf, size_t index) {
  const record_pair *pair = __builtin_assume_aligned(&leaf->records[index], sizeof *pair);
  return __atomic_load_n(pair, __ATOMIC_RELAXED);
}

bool acre_record_is_clear(uintptr_t low, uintptr_t high) {
  ACRE_ASSERT(low < high && (low ^ (high - 1)) < ACRE_RECORD_BLOCK_SIZE);
  const bool is_short = high - low <= (size_t)1 << ACRE_LINE_SHIFT; /* as quickly looked at */
  struct leaf *leaf = is_short || acre_filter_has(low) ? find_leaf(low) : NULL;
  if (!leaf)
    return true;
  if (!is_short &&
      !(__atomic_load_n(occupied_of(leaf, low), __ATOMIC_RELAXED) & run_bits(low, high)))
    return true;
  /* A record more at either end makes pairs. */
  uint64_t found = 0;
  for (size_t i = record_index(low) & ~(size_t)1, end = record_index(high - 1); i <= end; i += 2)
    found |= pair_at(leaf, i);
  return found == 0;
}

struct range {
  uintptr_t low, high, offset;
};

static bool is_in(const struct range *range, uintptr_t slot) {
  return slot - range->low < range->high - range->low;
}

/* Called with the place of each record of a slot that begins in the range; false ends the walk. */
typedef bool record_step(uint32_t *place, uintptr_t slot, uint32_t record, void *context);

/* Calls step, which is known here, for the records of range in the page of [low, high). */
__attribute__((always_inline)) static inline bool each_in_page(struct leaf *leaf, uintptr_t low,
                                                               uintptr_t high,
                                                               const struct range *range,
                                                               record_step *step, void *context) {
  const size_t first = page_index(low) * PAGE_RECORDS, lowest = record_index(low) & ~(size_t)1,
               highest = record_index(high - 1);
  uint64_t runs = __atomic_load_n(occupied_of(leaf, low), __ATOMIC_RELAXED) & run_bits(low, high);
  for (; runs != 0; runs &= runs - 1) {
    const size_t begin = first + (size_t)__builtin_ctzll(runs) * RUN_RECORDS,
                 last = begin + RUN_RECORDS - 1, end = highest < last ? highest : last;
    for (size_t pair = lowest > begin ? lowest : begin; pair <= end; pair += 2) {
      if (pair_at(leaf, pair) == 0)
        continue;
      for (size_t i = pair; i < pair + 2; i++) {
        uint32_t record = __atomic_load_n(&leaf->records[i], __ATOMIC_ACQUIRE);
        uintptr_t slot = slot_of(low, i, record);
        if (record && is_in(range, slot) && !step(&leaf->records[i], slot, record, context))
          return false;
      }
    }
  }
  return true;
}

/* Calls step for the part of each page in range that has records; pages and leaves without any are
   skipped.  Stops early when step returns false. */
typedef bool page_step(struct leaf *leaf, uintptr_t low, uintptr_t high, const struct range *range,
                       void *context);

static bool walk_leaf(struct leaf *leaf, uintptr_t low, uintptr_t high, const struct range *range,
                      page_step *step, void *context) {
  const uint32_t *counts = summary_of(leaf, low)->page_counts;
  while (low < high) {
    uintptr_t page_end = (low | (((uintptr_t)1 << ACRE_RECORD_BLOCK_SHIFT) - 1)) + 1;
    uintptr_t end = page_end < high ? page_end : high;
    if (__atomic_load_n(&counts[page_index(low)], __ATOMIC_RELAXED) != 0 &&
        !step(leaf, low, end, range, context))
      return false;
    low = end;
  }
  return true;
}

__attribute__((noinline)) static bool walk_pages(const struct range *range, page_step *step,
                                                 void *context) {
  const uintptr_t middle_span = (uintptr_t)1 << (ACRE_FILTER_SHIFT + MIDDLE_BITS);
  const uintptr_t leaf_span = FILTER_MASK + 1;
  for (uintptr_t low = range->low, end; low < range->high; low = end) {
    struct leaf *leaf = acre_filter_has(low) ? find_leaf(low) : NULL;
    uintptr_t span = leaf || middle_of(low) ? leaf_span : middle_span;
    end = (low | (span - 1)) + 1;
    if (end > range->high || end == 0)
      end = range->high;
    if (leaf && !walk_leaf(leaf, low, end, range, step, context))
      return false;
  }
  return true;
}

/* Most ranges are objects, or blocks of one page. */
__attribute__((always_inline)) static inline bool walk(const struct range *range, page_step *step,
                                                       void *context) {
  const uintptr_t low = range->low, high = range->high;
  if ((low ^ (high - 1)) >> ACRE_RECORD_BLOCK_SHIFT != 0)
    return walk_pages(range, step, context);
  struct leaf *leaf = acre_filter_has(low) ? find_leaf(low) : NULL;
  return !leaf || page_count(leaf, low) == 0 || step(leaf, low, high, range, context);
}

struct release {
  bool is_single;
  uint32_t present, dropped;
};

static inline bool release_record(uint32_t *place, uintptr_t slot, uint32_t record, void *context) {
  (void)record;
  struct release *release = context;
  uint32_t old = acre_exchange32(release->is_single, place, 0);
  if (old) {
    return_record(release->is_single, slot, old);
    release->dropped++;
  }
  return release->dropped < release->present;
}

/* All records of the page are met once as many as it counts are gone. */
static bool release_page(struct leaf *leaf, uintptr_t low, uintptr_t high,
                         const struct range *range, void *context) {
  (void)context;
  struct release release = {acre_is_single_threaded(), page_count(leaf, low), 0};
  each_in_page(leaf, low, high, range, release_record, &release);
  if (release.dropped)
    return_places(release.is_single, leaf, low, release.dropped);
  return true;
}

void acre_record_release(uintptr_t low, uintptr_t high) {
  struct range range = {low, high, 0};
  walk(&range, release_page, NULL);
}

static inline bool stop_at_record(uint32_t *place, uintptr_t slot, uint32_t record, void *context) {
  (void)place;
  (void)slot;
  (void)record;
  (void)context;
  return false;
}

static bool find_in_page(struct leaf *leaf, uintptr_t low, uintptr_t high,
                         const struct range *range, void *context) {
  return each_in_page(leaf, low, high, range, stop_at_record, context);
}

bool acre_record_any(uintptr_t low, uintptr_t high) {
  struct range range = {low, high, 0};
  return !walk(&range, find_in_page, NULL);
}

static inline bool copy_record(uint32_t *place, uintptr_t slot, uint32_t record, void *context) {
  (void)place;
  const struct range *range = context;
  acre_record_set(slot + range->offset, region_of(record));
  acre_stored_move(slot, slot + range->offset);
  return true;
}

static bool copy_page(struct leaf *leaf, uintptr_t low, uintptr_t high, const struct range *range,
                      void *context) {
  return each_in_page(leaf, low, high, range, copy_record, context);
}

void acre_record_copy(uintptr_t from, uintptr_t to, size_t size) {
  ACRE_ASSERT(to + size <= from || from + size <= to);
  struct range range = {from, from + size, to - from};
  acre_record_release(to, to + size);
  walk(&range, copy_page, &range);
}

/* -- All --------------------------------------------------------------------------------------- */

struct visit {
  acre_record_visitor *function;
  void *context;
};

static inline bool visit_record(uint32_t *place, uintptr_t slot, uint32_t record, void *context) {
  (void)place;
  const struct visit *visit = context;
  visit->function(slot, region_of(record), visit->context);
  return true;
}

static bool visit_page(struct leaf *leaf, uintptr_t low, uintptr_t high, const struct range *range,
                       void *context) {
  return each_in_page(leaf, low, high, range, visit_record, context);
}

void acre_record_each_in(uintptr_t low, uintptr_t high, acre_record_visitor *function,
                         void *context) {
  struct range range = {low, high, 0};
  struct visit visit = {function, context};
  walk(&range, visit_page, &visit);
}

static struct summary *first_of(struct summary **list) {
  return __atomic_load_n(list, __ATOMIC_ACQUIRE);
}

static void visit_areas(const struct summary *in, uint64_t areas, const struct range *range,
                        struct visit *visit) {
  for (size_t page = 0; page < LEAF_BLOCKS; page++) {
    const uintptr_t low = base_of(in) + page * ACRE_RECORD_BLOCK_SIZE;
    if ((areas & acre_record_area(low)) &&
        __atomic_load_n(&in->page_counts[page], __ATOMIC_RELAXED) != 0)
      visit_page(find_leaf(low), low, low + ACRE_RECORD_BLOCK_SIZE, range, visit);
  }
}

void acre_record_each(uint64_t areas, acre_record_visitor *function, void *context) {
  const struct range range = {0, UINTPTR_MAX, 0};
  struct visit visit = {function, context};
  if (areas == ACRE_RECORD_ANYWHERE) {
    for (struct summary *in = first_of(&newest); in; in = in->older)
      visit_areas(in, areas, &range, &visit);
    return;
  }
  for (size_t kind = 0; kind < KINDS; kind++)
    if (areas & areas_of_kind(kind))
      for (struct summary *in = first_of(&newest_of_kind[kind]); in; in = in->older_of_kind)
        visit_areas(in, areas, &range, &visit);
}

static bool check_leaf(const struct summary *summary) {
  struct leaf *leaf = find_leaf(base_of(summary));
  if (summary->signature != LEAF_SIGNATURE)
    return false;
  if (!leaf || summary_of(leaf, base_of(summary)) != summary)
    return true; /* another thread has made the leaf */
  for (size_t page = 0; page < LEAF_BLOCKS; page++) {
    uint32_t found = 0;
    const uint32_t *records = &leaf->records[page * PAGE_RECORDS];
    for (size_t i = 0; i < PAGE_RECORDS; i++)
      if (__atomic_load_n(&records[i], __ATOMIC_RELAXED) != 0) {
        found++;
        const uintptr_t slot = base_of(summary) + ((page * PAGE_RECORDS + i) << ACRE_RECORD_SHIFT);
        if (!(summary->occupied[page] >> i / RUN_RECORDS & 1) || !acre_line_has(slot) ||
            !(acre_record_is_lazy(slot) || acre_line_has_eager(slot)) ||
            !acre_page_is_recorded(slot))
          return false;
      }
    if (found != summary->page_counts[page] || (found != 0 && !acre_filter_has(base_of(summary))))
      return false;
  }
  return true;
}

bool acre_record_check(void) {
  for (const struct summary *in = first_of(&newest); in; in = in->older)
    if (!check_leaf(in)) {
      acre_os_print(2, "acre: verify: the record counters of the filter area at %p are wrong\n",
                    (void *)base_of(in));
      return false;
    }
  return true;
}

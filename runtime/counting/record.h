/* SPDX-License-Identifier: MIT */
/* record.h - the shadow memory of counted slots.  Internal to the runtime.
 *
 * A record is one 32-bit word for each 8-byte granule of address space: the index of the region in
 * which the slot is counted, shifted left by ACRE_RECORD_SHIFT, plus the slot's offset in the
 * granule (packed structs have misaligned slots; at most one slot begins in a granule).  Zero: no
 * record.  The highest bit marks a lazy record (lazy.h), which names a region like any other.
 *
 * Invariant: the count of a region is the number of records that name it, plus its pins.  Each
 * counter of a leaf is the number of records in its record block, a bit of `occupied` is zero only
 * if its record group is empty, a filter byte is zero only if no slot of its filter areas has one,
 * and acre_rt_lines counts those of the lines of its index, up to what a byte holds, as
 * acre_rt_eager_lines does those that are not lazy.  The page map says of a window page that it is
 * recorded unless none of its slots has a record.  Every update
 * acquires the new record's share of all of these before the exchange and gives back the old one's
 * after it, so an interrupted update errs on the high side.  No function here takes a lock or
 * allocates, except that leaves are mapped when first needed; if that fails the program ends,
 * because a store cannot be refused.
 */
#ifndef ACRE_RUNTIME_COUNTING_RECORD_H
#define ACRE_RUNTIME_COUNTING_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/abi.h>

#define ACRE_SLOT_SIZE 8
/* Counted with acre_add64: signal handlers and other threads store too. */
struct acre_counters {
  int64_t stores_counted, stores_checked, records_healed;
};
extern struct acre_counters acre_counters;

/* Records are counted for each of these; they are no pages of regions. */
#define ACRE_RECORD_BLOCK_SHIFT 13
#define ACRE_RECORD_BLOCK_SIZE ((uintptr_t)1 << ACRE_RECORD_BLOCK_SHIFT)

/* Makes the record of slot name region (0: no record).  Returns whether it changed.  Needs a region
 * that lives. */
bool acre_record_set(uintptr_t slot, uint32_t region);
/* The same for a store of the program, which the statistics count. */
void acre_record_store(uintptr_t slot, uint32_t region);
/* The same without vector registers; false, and nothing has been done, where that cannot be. */
bool acre_record_try_store(uintptr_t slot, uint32_t region);
/* The record of the granule of slot: the region's index, or 0.  *start is the recorded slot's own
 * address. */
uint32_t acre_record_get(uintptr_t slot, uintptr_t *start);
/* Is the record of slot lazy? */
bool acre_record_is_lazy(uintptr_t slot);
/* Makes the record of slot an ordinary one if it is lazy, and returns the region that it names; 0
 * if it is not. */
uint32_t acre_record_end_lazy(uintptr_t slot);
/* Where the record of slot is kept, for ever; null as long as its filter area has had none. */
const uint32_t *acre_record_place(uintptr_t slot);
/* Drops the records of slots that begin in [low, high).  O(pages of the range + records in it). */
void acre_record_release(uintptr_t low, uintptr_t high);
/* Is there a record in [low, high)?  Exact. */
bool acre_record_any(uintptr_t low, uintptr_t high);
/* Might there be one in the record block of address?  O(1), never wrong about no. */
bool acre_record_maybe(uintptr_t address);
/* Is there none?  Exact; looks at all of it if there is one in the block.  Needs [low, high) to lie
 * in one record block. */
bool acre_record_is_clear(uintptr_t low, uintptr_t high);
/* Drops the records of [to, to+size), then gives it copies of those of [from, from+size).  Needs
 * ranges that do not overlap. */
void acre_record_copy(uintptr_t from, uintptr_t to, size_t size);

/* Called with each record; may set or drop it. */
typedef void acre_record_visitor(uintptr_t slot, uint32_t region, void *context);
void acre_record_each_in(uintptr_t low, uintptr_t high, acre_record_visitor *visit, void *context);
/* A bit for each area of 16 KiB, modulo 64: where to look for the records of a region whose `areas`
   these are. */
#define ACRE_RECORD_ANYWHERE UINT64_MAX
#define ACRE_RECORD_AREA_SHIFT 14
static inline uint64_t acre_record_area(uintptr_t slot) {
  return (uint64_t)1 << (slot >> ACRE_RECORD_AREA_SHIFT & 63);
}
/* Those in areas, and others perhaps.  Of all, those of the newest memory come first. */
void acre_record_each(uint64_t areas, acre_record_visitor *visit, void *context);

/* Compares page counters and filter with the records; false with a message on stderr if they
 * disagree. */
bool acre_record_check(void);

/* Might there be a record in the filter area of address, or in its line?  Never wrong about no. */
static inline bool acre_filter_has(uintptr_t address) {
  return __atomic_load_n(&acre_rt_filter[(address >> ACRE_FILTER_SHIFT) & 0xffff],
                         __ATOMIC_RELAXED);
}
static inline bool acre_line_has(uintptr_t address) {
  return __atomic_load_n(&acre_rt_lines[(address >> ACRE_LINE_SHIFT) % ACRE_LINE_COUNTS],
                         __ATOMIC_RELAXED) != 0;
}
/* As acre_line_has, of records that are not lazy. */
static inline bool acre_line_has_eager(uintptr_t address) {
  return __atomic_load_n(&acre_rt_eager_lines[(address >> ACRE_LINE_SHIFT) % ACRE_LINE_COUNTS],
                         __ATOMIC_RELAXED) != 0;
}

/* Whether the size bytes at low certainly have no record: asked of the filter, then, of little
   memory, of its lines. False says nothing.  O(1). */
static inline bool acre_record_none_near(uintptr_t low, size_t size) {
  const size_t line = (size_t)1 << ACRE_LINE_SHIFT, few = 16 * line;
  const uintptr_t high = low + size;
  if (size - 1 >= (size_t)1 << ACRE_FILTER_SHIFT)
    return false;
  if (!acre_filter_has(low) && !acre_filter_has(high - 1))
    return true;
  if (size > few)
    return false;
  for (uintptr_t at = low & ~(line - 1); at < high; at += line)
    if (acre_line_has(at))
      return false;
  return true;
}

#endif

/* barrier.h - which region a slot is counted in.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_COUNTING_BARRIER_H
#define ACRE_RUNTIME_COUNTING_BARRIER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <acre/abi.h>

#include "counting/registry.h"
#include "memory/pages.h"
#include "platform/sanitizer.h"

/* Compiled into the runtime only: reads words that may lie in memory that a checker has doubts
   about (padding, the unused part of a stack object), never past the aligned word that holds a byte
   in question. */
#define ACRE_RAW_READ \
  __attribute__((no_sanitize("address"), no_sanitize("thread"), no_sanitize("undefined")))

/* An entry of acre_rt_ancestor_pairs. */
static inline uint64_t acre_relation(uint32_t holder, uint32_t target) {
  return (uint64_t)holder << 32 | target;
}
/* Region holder of this thread goes, or becomes another thread's: its index will be that of another
 * region. */
void acre_forget_relations(uint32_t holder);

/* What is found out of two regions is remembered, of holders that only this thread can delete,
   which then forgets it: in acre_rt_ancestor_pairs, or here.  No ancestor goes before its holder,
   and a region that is made later with the target's index is none of its ancestors either. */
enum { ACRE_UNRELATED_HOLDERS = 8, ACRE_UNRELATED_EACH = 4 };
extern _Thread_local uint64_t acre_unrelated_pairs[ACRE_UNRELATED_HOLDERS][ACRE_UNRELATED_EACH]
    __attribute__((tls_model("initial-exec")));
static inline uint64_t *acre_unrelated_pair(uint32_t holder, uint32_t target) {
  return &acre_unrelated_pairs[holder % ACRE_UNRELATED_HOLDERS][target % ACRE_UNRELATED_EACH];
}
static inline uint64_t *acre_ancestor_pair(uint32_t holder, uint32_t target) {
  return &acre_rt_ancestor_pairs[(holder + target) % ACRE_ANCESTOR_PAIRS];
}

/* Is region holder below region target, which is another one?  No region is below the traditional
   or the permanent one, and these are below none. */
bool acre_find_below(uint32_t holder, uint32_t target);
static inline bool acre_is_known_below(uint32_t holder, uint32_t target) {
  return *acre_ancestor_pair(holder, target) == acre_relation(holder, target);
}
static inline bool acre_is_known_unrelated(uint32_t holder, uint32_t target) {
  return holder <= ACRE_INDEX_PERMANENT ||
         *acre_unrelated_pair(holder, target) == acre_relation(holder, target);
}
static inline bool acre_is_below(uint32_t holder, uint32_t target) {
  return acre_is_known_below(holder, target) ||
         (!acre_is_known_unrelated(holder, target) && acre_find_below(holder, target));
}

/* The region in which a slot held by region holder is counted while it points into region target;
   0: in none.  A region cannot go while there are regions below it: what these hold need not be
   counted. */
static inline uint32_t acre_counted_region(uint32_t target, uint32_t holder) {
  return target <= ACRE_INDEX_PERMANENT || target == holder || acre_is_below(holder, target)
             ? 0
             : target;
}

static inline uint32_t acre_counted_target(const void *slot, const void *value) {
  uint32_t target = acre_page_owner(value);
  return target ? acre_counted_region(target, acre_page_owner(slot)) : 0;
}

/* word, of which a checker believes from now on that it is initialised. */
uintptr_t acre_define(uintptr_t word);
static inline uintptr_t acre_defined(uintptr_t word) {
  return __builtin_expect(acre_is_checked, 0) ? acre_define(word) : word;
}

/* Any bytes may be asked whether they are a pointer, also uninitialised ones: to memcheck the
 * answer is defined. */
ACRE_RAW_READ static inline void *acre_read_slot(uintptr_t slot) {
  typedef void *unaligned __attribute__((aligned(1), may_alias));
  return (void *)acre_defined((uintptr_t)*(const unaligned *)slot);
}

/* May the slot hold value under rule? */
bool acre_rule_allows(acre_slot_rule rule, const void *slot, const void *value);

#endif

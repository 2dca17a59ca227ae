/* runtime.h - what the runtime's modules share: its start, its settings, its statistics.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_RUNTIME_H
#define ACRE_RUNTIME_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <acre/abi.h>
#include <acre/region.h>

struct acre_region_slot;

/* Counted with acre_add64: signal handlers and other threads store too. */
struct acre_counters {
  int64_t stores_counted, stores_checked, records_healed;
};
extern struct acre_counters acre_counters;

extern bool acre_is_verifying; /* ACRE_VERIFY=1 */
extern size_t acre_report_limit;

void acre_runtime_start_slowly(void);
extern bool acre_is_started;
/* Reads the environment, makes the first two regions, sets fork, exit and thread hooks.  Once. */
static inline void acre_runtime_start(void) {
  if (__builtin_expect(!__atomic_load_n(&acre_is_started, __ATOMIC_ACQUIRE), 0))
    acre_runtime_start_slowly();
}

/* Asks the out-of-memory handler; returns if it is worth trying again, else ends the program.  region: null for the table. */
void acre_out_of_memory(size_t bytes, const struct acre_region_slot *region);

/* May the slot hold value under rule? */
bool acre_rule_allows(acre_slot_rule rule, const void *slot, const void *value);

/* Reads the pointer at slot, which may be unmapped; false then. */
bool acre_slot_read(uintptr_t slot, void **value);

/* Registered globals. */
struct acre_global_place {
  const acre_rt_global *global; /* null: none */
  size_t offset;
};
struct acre_global_place acre_global_find(uintptr_t address);
void acre_global_each(void (*visit)(const acre_rt_global *global, void *context), void *context);
void acre_modules_lock(void);
void acre_modules_unlock(void);
void acre_modules_unlock_in_child(void);

#endif

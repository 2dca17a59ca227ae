/* SPDX-License-Identifier: MIT */
/* workloads.h - programs of the shape of the paper's benchmarks, on a collected heap.
 *
 * Each is deterministic and allocates about as much as Table 1 says, with about as much alive, in
 * sizes that its description suggests.  They are not the paper's programs: those ran in SPIN and
 * were written in Modula-3.
 */
#ifndef ACRE_BENCHMARKS_COLLECTOR_WORKLOADS_H
#define ACRE_BENCHMARKS_COLLECTOR_WORKLOADS_H

#include <stddef.h>
#include <stdint.h>

#include <acre/heap.h>

#ifdef USE_BDWGC /* throughput.c: stacks are searched, and nothing is incremental */
#undef ACRE_HEAP_FRAME
/* The variables are in memory while the frame is there: bdwgc finds them on the stack. */
#define ACRE_HEAP_FRAME(heap, name, ...) \
  void *const name[] = {__VA_ARGS__};    \
  acre_heap_pop(heap, &name)
#define acre_heap_pop(heap, frame) __asm__ volatile("" : : "r"(*(frame)) : "memory")
#undef acre_heap_store
#define acre_heap_store(heap, slot, value) ((void)(heap), (void)(*(slot) = (value)))
#endif

/* A site for objects of a type whose pointers are count in a row from first on; and for arrays of
 * pointers. */
#define ARRAY_OF_POINTERS(name)                                                          \
  static const acre_slot name##_slots[] = {{0, 1, sizeof(void *), ACRE_SLOT_PLAIN, ""}}; \
  static const acre_type name##_type = {#name, sizeof(void *), sizeof(void *), 1, 1,     \
                                        0,     name##_slots};                            \
  static const acre_site name##_site = {&name##_type, __FILE__, "", __LINE__}
#define TYPE(name, first, count)                                                \
  static const acre_slot name##_slots[] = {                                     \
      {offsetof(name, first), count, sizeof(void *), ACRE_SLOT_PLAIN, #first}}; \
  static const acre_type name##_type = {                                        \
      #name, sizeof(name), sizeof(void *), 1, 1, 0, name##_slots};              \
  static const acre_site name##_site = {&name##_type, __FILE__, "", __LINE__}

typedef struct workload {
  const char *name, *what;
  void (*run)(acre_heap *heap); /* does not return if memory is out */
} workload;

extern const workload workloads[];
extern const size_t workload_count;

/* Allocates or ends the run. */
void *get(acre_heap *heap, size_t size, const acre_site *site);
void *get_bytes(acre_heap *heap, size_t size);

#endif

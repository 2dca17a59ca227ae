/* workloads.h - programs of the shape of the paper's benchmarks, on a collected heap.
 *
 * Each is deterministic and allocates about as much as Table 1 says, with about as much alive, in sizes that its
 * description suggests.  They are not the paper's programs: those ran in SPIN and were written in Modula-3.
 */
#ifndef ACRE_BENCHMARKS_COLLECTOR_WORKLOADS_H
#define ACRE_BENCHMARKS_COLLECTOR_WORKLOADS_H

#include <stddef.h>
#include <stdint.h>

#include <acre/heap.h>

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

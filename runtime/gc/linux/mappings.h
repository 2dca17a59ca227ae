/* SPDX-License-Identifier: MIT */
/* mappings.h - which memory of this process may hold pointers, by what the system says.  Internal.
 */
#ifndef ACRE_RUNTIME_GC_LINUX_MAPPINGS_H
#define ACRE_RUNTIME_GC_LINUX_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A mapping that may hold pointers. */
typedef struct acre_gc_mapping {
  uintptr_t start, end;
  bool is_anonymous;
  int pagemap;      /* negative: none */
  bool has_swapped; /* without pagemap: the process may have memory that was swapped */
  size_t page_size;
} acre_gc_mapping;

/* Calls visit with mappings that together hold all memory of this process that it can read and that
   it may have written itself: data of the program and of libraries, malloc's memory, stacks,
   thread-local storage, regions.  Not files mapped shared.  Needs no lock and no memory of the C
   library.  False if the system does not say. */
typedef void acre_gc_mapping_visit(const acre_gc_mapping *m, void *context);
bool acre_gc_mappings_each(acre_gc_mapping_visit *visit, void *context);

/* Calls visit with the pages in [start, end), a part of m, that exist and are not as in a file:
   O(pages), each a word to be read, so a sparse mapping costs little but not nothing. */
typedef void acre_gc_range_visit(uintptr_t start, uintptr_t end, void *context);
void acre_gc_mapping_pages(const acre_gc_mapping *m, uintptr_t start, uintptr_t end,
                           acre_gc_range_visit *visit, void *context);

/* One of these at a time: the first of all mappings that ends above address.  Needs Linux 6.11 and
 * maps, /proc/self/maps. */
typedef enum acre_gc_mapping_kind {
  MAPPING_NONE,    /* none there, or the kernel does not say: *m is empty */
  MAPPING_SKIPPED, /* holds no pointer that counts */
  MAPPING_HIDDEN,  /* skipped because it cannot be read now */
  MAPPING_SHARED,  /* others may write it */
  MAPPING_PRIVATE
} acre_gc_mapping_kind;
acre_gc_mapping_kind acre_gc_mapping_next(int maps, uintptr_t address, acre_gc_mapping *m);
/* Without those that are HIDDEN, and some that are SKIPPED. */
acre_gc_mapping_kind acre_gc_mapping_next_readable(int maps, uintptr_t address, acre_gc_mapping *m);
bool acre_gc_mapping_next_works(int maps);

#endif

/* mappings.h - which memory of this process may hold pointers, by what the system says.  Internal. */
#ifndef ACRE_COLLECTOR_MAPPINGS_H
#define ACRE_COLLECTOR_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

/* Calls visit with ranges that together hold all memory of this process that it can read and that it may have written
   itself: data of the program and of libraries, malloc's memory, stacks, thread-local storage, regions.  Not in them: files
   mapped shared; pages that were never touched; pages of a file that are as in the file.  Needs no lock and no memory
   of the C library.  False if the system does not say. */
typedef void acre_gc_mapping_visit(uintptr_t start, uintptr_t end, void *context);
bool acre_gc_mappings_each(acre_gc_mapping_visit *visit, void *context);

#endif

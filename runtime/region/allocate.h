/* SPDX-License-Identifier: MIT */
/* allocate.h - what happens when memory is out.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_REGION_ALLOCATE_H
#define ACRE_RUNTIME_REGION_ALLOCATE_H

#include <stddef.h>

struct acre_region_entry;

/* Asks the program's handler for bytes more in region (null: for the registry).  Returns if the
   handler says that trying again makes sense; else ends the program with a message. */
void acre_out_of_memory(size_t bytes, const struct acre_region_entry *region);

#endif

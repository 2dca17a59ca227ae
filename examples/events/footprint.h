/* SPDX-License-Identifier: MIT */
/* footprint.h - how much memory the program has. */
#ifndef EVENTS_FOOTPRINT_H
#define EVENTS_FOOTPRINT_H

#include <stddef.h>

struct footprint {
  size_t data; /* bytes of objects; of the collected heap, with those that are dead and not found
                  yet */
  size_t reserved; /* bytes that the allocator has from the system */
  size_t resident; /* bytes of the process in memory, its code and libraries too */
};

struct footprint footprint_now(void);
/* "PROGRAM: memory: data N reserved N resident N" on stderr, in bytes. */
void footprint_print(const char *program);

#endif

/* SPDX-License-Identifier: MIT */
/* malloc_block.h - which block of the C library's malloc an address lies in.  Internal.
 *
 * malloc does not say where a block begins, and nobody notes it, because that would cost each
 * program something for a message that few ever print.  glibc keeps the size of each block in front
 * of it, and its heaps are blocks side by side: a walk from the heap's begin that ends exactly at
 * the heap's end has seen all of them.  What does not fit is no answer.
 */
#ifndef ACRE_RUNTIME_PLATFORM_MALLOC_BLOCK_H
#define ACRE_RUNTIME_PLATFORM_MALLOC_BLOCK_H

#include <stddef.h>
#include <stdint.h>

struct acre_malloc_block {
  uintptr_t start;
  size_t size; /* that the program may use, perhaps a little more than it asked for; 0: not known */
};
/* The block in use that address lies in.  O(blocks of its heap); for messages. */
struct acre_malloc_block acre_malloc_block_find(uintptr_t address);

#endif

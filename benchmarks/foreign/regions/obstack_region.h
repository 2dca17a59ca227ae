/* SPDX-License-Identifier: MIT */
/* obstack_region.h - obstacks as regions: what is grown stands in a buffer until it is finished,
 * and then lies in the region of the program's data as bytes without pointers.
 *
 * Stands for <obstack.h> where obstacks hold texts only.  All that the program makes of its input
 * lives until the program ends, so it is in one region.
 */
#ifndef OBSTACK_REGION_H
#define OBSTACK_REGION_H

#include <acre/acre.h>
#include <stdlib.h>
#include <string.h>

extern settled region program_region;

struct obstack {
  char *text;
  size_t size, room;
};

static inline void obstack_init(struct obstack *stack) {
  stack->text = NULL;
  stack->size = stack->room = 0;
}

static inline void obstack_grow(struct obstack *stack, const void *bytes, size_t count) {
  if (stack->size + count > stack->room) {
    stack->room = 2 * (stack->size + count) + 64;
    stack->text = realloc(stack->text, stack->room);
    if (!stack->text)
      abort();
  }
  memcpy(stack->text + stack->size, bytes, count);
  stack->size += count;
}

static inline void obstack_1grow(struct obstack *stack, char byte) {
  obstack_grow(stack, &byte, 1);
}

static inline void *obstack_finish(struct obstack *stack) {
  char *finished = rstralloc(program_region, stack->size + 1);
  memcpy(finished, stack->text, stack->size);
  stack->size = 0;
  return finished;
}

/* In a region nothing is given back by itself. */
#define obstack_free(stack, object) ((void)(object), free((stack)->text))
#define free_in_region(object) ((void)(object))

#endif

/* SPDX-License-Identifier: MIT */
/* plain_arena.c - arenas of malloc's blocks, for the version without Acre. */
#include "memory.h"

#ifdef PLAIN_ARENAS
#include <stdio.h>
#include <string.h>

#ifndef PLAIN_ARENA_BLOCK
#define PLAIN_ARENA_BLOCK (64 << 10)
#endif

struct block {
  struct block *next;
  size_t used, size;
  _Alignas(16) unsigned char bytes[];
};

struct plain_arena {
  struct block *blocks;
  void *root;
};

acre_key *plain_arena_new(void) { return calloc(1, sizeof(struct plain_arena)); }

void plain_arena_free(acre_key *arena) {
  for (struct block *each = arena ? arena->blocks : NULL, *next; each; each = next) {
    next = each->next;
    free(each);
  }
  free(arena);
}

void *plain_arena_alloc(acre_key *arena, size_t size) {
  size_t rounded = (size + 7) & ~(size_t)7;
  struct block *block = arena->blocks;
  if (!block || block->size - block->used < rounded) {
    size_t block_size = rounded > PLAIN_ARENA_BLOCK ? rounded : PLAIN_ARENA_BLOCK;
    block = rounded < size ? NULL : malloc(sizeof *block + block_size);
    if (!block) {
      fputs("scheme: out of memory\n", stderr);
      exit(3);
    }
    block->used = 0;
    block->size = block_size;
    block->next = arena->blocks;
    arena->blocks = block;
  }
  void *place = block->bytes + block->used;
  block->used += rounded;
  return memset(place, 0, size);
}

void *plain_arena_root(acre_key *arena) { return &arena->root; }

#else
typedef int plain_arena_is_not_used;
#endif

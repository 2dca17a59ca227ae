/* SPDX-License-Identifier: MIT */
/* inline_path.c - one function for each way to allocate inline; run.py counts the instructions of
 * their fast paths. */
#include <acre/arena.h>
#include <acre/region.h>

struct node {
  void *next, *left, *right;
};

void *constant_size(acre_arena *arena) { return ACRE_ARENA_NEW(arena, struct node); }
void *constant_size_aligned_to_64(acre_arena *arena) {
  return acre_arena_alloc_aligned(arena, 64, 64);
}
void *variable_size(acre_arena *arena, size_t size) { return acre_arena_alloc(arena, size); }
void *array_of_variable_count(acre_arena *arena, size_t n) {
  return ACRE_ARENA_NEW_ARRAY(arena, n, struct node);
}
void *region_object(region r) { return ralloc(r, struct node); }

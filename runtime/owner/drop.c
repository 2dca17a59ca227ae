/* SPDX-License-Identifier: MIT */
/* drop.c - drops by descriptor: what a dead object owns dies with it (acre/own.h).
 *
 * No stack and no memory is used for the way back from what an object owns: as Deutsch, Schorr and
 * Waite do, the slot through which the walk goes down holds the way up meanwhile.  Invariant of a
 * dead object on the way: its slots before the one that leads down are empty, that one holds the
 * address of the dead object above it with the number of that object's sort in the low bits, or
 * ROOT, and those behind are as the program left them.  So a list of any length is freed in place.
 */
#include "owner/drop.h"

#include <stdbool.h>
#include <stdint.h>

#include <acre/abi.h>
#include <acre/own.h>

#include "gc/process/process.h"
#include "memory/descriptor.h"
#include "owner/refcount.h"
#include "platform/check.h"

/* What malloc returns has this many low bits free. */
#define SORT_BITS 4
#define SORT_MASK (((uintptr_t)1 << SORT_BITS) - 1)
#define ROOT SORT_MASK
#define SORTS_MOST (ROOT - 1) /* numbered from 1 */

typedef uintptr_t __attribute__((__may_alias__)) slot_word;

/* A dead object whose slots are still to be emptied. */
struct sort {
  const acre_owned_type *type;
  bool is_reference;
};
struct dead {
  char *object;
  struct sort sort;
};

/* A place among the slots of one object. */
struct cursor {
  uint32_t run, index;
};

static slot_word *slot_at(const struct dead *dead, struct cursor at) {
  const acre_owned_slot *run = &dead->sort.type->slots[at.run];
  return (slot_word *)(void *)(dead->object + run->offset + (size_t)at.index * run->stride);
}

/* Moves to the first full slot from here on; false if there is none. */
static bool find_full(const struct dead *dead, struct cursor *at) {
  for (; at->run < dead->sort.type->slot_count; at->run++, at->index = 0)
    for (; at->index < dead->sort.type->slots[at->run].count; at->index++)
      if (*slot_at(dead, *at))
        return true;
  return false;
}

static void free_object(void *p) { (acre_gc_process_exists() ? acre_rt_gc_free : acre_rt_free)(p); }

static void finish(const struct dead *dead) {
  if (dead->sort.is_reference)
    acre_ref_finish(dead->object);
  else
    free_object(dead->object);
}

/* Drops value, which was in a slot of this run.  True if it is dead now and owns something in turn.
 */
static bool drop_value(void *value, const acre_owned_slot *run, struct dead *dead) {
  switch ((acre_owned_kind)run->kind) {
  case ACRE_OWNS_WEAK:
    acre_weak_drop(value);
    return false;
  case ACRE_OWNS_REFERENCE:
    if (!acre_ref_lose(value))
      return false;
    *dead = (struct dead){value, {acre_ref_owned(value), true}};
    break;
  case ACRE_OWNS_OBJECT:
    *dead = (struct dead){value, {run->target, false}};
    break;
  }
  if (dead->sort.type)
    return true;
  finish(dead);
  return false;
}

struct sorts {
  struct sort known[SORTS_MOST];
  size_t count;
};

/* The number of wanted among the sorts met so far, which it joins if it is new; 0 if all numbers
 * are taken. */
static uintptr_t number_of(struct sorts *sorts, struct sort wanted) {
  for (size_t i = 0; i < sorts->count; i++)
    if (sorts->known[i].type == wanted.type && sorts->known[i].is_reference == wanted.is_reference)
      return i + 1;
  if (sorts->count == SORTS_MOST)
    return 0;
  sorts->known[sorts->count++] = wanted;
  return sorts->count;
}

/* Frees root and all that it owns, in a loop.  It calls itself only where more sorts of objects
 * hang together than the low bits of a pointer can number. */
static void free_all(struct dead at) {
  struct sorts sorts = {.count = 0};
  uintptr_t up = ROOT;
  struct cursor cursor = {0, 0};
  for (;;) {
    if (find_full(&at, &cursor)) {
      slot_word *slot = slot_at(&at, cursor);
      void *value = (void *)*slot;
      struct dead below;
      *slot = 0;
      if (!drop_value(value, &at.sort.type->slots[cursor.run], &below))
        continue;
      uintptr_t number = number_of(&sorts, at.sort);
      if (number == 0) {
        free_all(below);
        continue;
      }
      *slot = up;
      up = (uintptr_t)at.object | number;
      at = below;
      cursor = (struct cursor){0, 0};
      continue;
    }
    finish(&at);
    if (up == ROOT)
      return;
    at = (struct dead){(char *)(up & ~SORT_MASK), sorts.known[(up & SORT_MASK) - 1]};
    cursor = (struct cursor){0, 0};
    find_full(&at, &cursor);
    up = *slot_at(&at, cursor);
    *slot_at(&at, cursor) = 0;
  }
}

void acre_drop_owned(void *objects, size_t count, const acre_owned_type *type) {
  for (size_t i = 0; i < count; i++) {
    struct dead object = {(char *)objects + i * type->size, {type, false}}, below;
    for (struct cursor at = {0, 0}; find_full(&object, &at);) {
      slot_word *slot = slot_at(&object, at);
      void *value = (void *)*slot;
      *slot = 0;
      if (drop_value(value, &type->slots[at.run], &below))
        free_all(below);
    }
  }
}

void acre_drop_dead_reference(void *p) {
  ACRE_ASSERT(acre_ref_count(p) == 0);
  struct dead dead = {p, {acre_ref_owned(p), true}};
  if (dead.sort.type)
    free_all(dead);
  else
    finish(&dead);
}

/* -- For programs ------------------------------------------------------------------------------ */

void acre_own_drop_array(void *p, size_t count, const acre_site *site) {
  if (p && acre_site_owned(site))
    acre_drop_owned(p, count, acre_site_owned(site));
  free_object(p);
}

void acre_own_drop(void *p, const acre_site *site) {
  if (p && acre_site_owned(site))
    free_all((struct dead){p, {acre_site_owned(site), false}});
  else
    free_object(p);
}

/* SPDX-License-Identifier: MIT */
/* lazy.c - see lazy.h. */
#include "counting/lazy.h"

#include <string.h>

#include "counting/record.h"
#include "platform/atomic.h"
#include "platform/check.h"

enum { SLOTS = 256, TIMES = ACRE_SLOT_SIZE - 1 };
_Static_assert(ACRE_LAZY_PATIENCE <= TIMES, "a count fits the low bits of an aligned address");

/* The slots that lost their pointers last, each at a place of its own, plus how often. */
static uintptr_t losses[SLOTS];
static uintptr_t listed[SLOTS];
static uint32_t listed_count;
/* How many slots found no place since the list was looked through. */
static uint32_t turned_away;

/* Slots without a lazy record leave the list: they were freed, or overwritten from another type. */
static void compact(void) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < listed_count; i++)
    if (acre_record_is_lazy(listed[i]))
      listed[left++] = listed[i];
  listed_count = left;
  turned_away = 0;
}

/* A list that is full of lazy records is not looked through each time. */
static bool list(uintptr_t slot) {
  if (listed_count == SLOTS && ++turned_away >= SLOTS)
    compact();
  if (listed_count == SLOTS)
    return false;
  listed[listed_count++] = slot;
  return true;
}

bool acre_lazy_keeps(uintptr_t slot) {
  ACRE_ASSERT(slot % ACRE_SLOT_SIZE == 0 && acre_is_single_threaded());
  uintptr_t *loss = &losses[(slot >> 3 ^ slot >> 11) % SLOTS];
  if (*loss - slot > TIMES)
    *loss = slot;
  if (*loss - slot == ACRE_LAZY_PATIENCE)
    return list(slot);
  ++*loss;
  return false;
}

bool acre_lazy_is_empty(void) { return listed_count == 0; }

bool acre_lazy_take(uintptr_t *slot) {
  if (listed_count == 0) {
    memset(losses, 0, sizeof losses);
    return false;
  }
  *slot = listed[--listed_count];
  return true;
}

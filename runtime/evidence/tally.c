/* SPDX-License-Identifier: MIT */
/* tally.c - see tally.h. */
#include "evidence/tally.h"

#include <string.h>

#include "platform/os.h"

enum { CAPACITY_MIN = 1024 };

static bool is_key(const struct acre_tally *place, const uint64_t key[ACRE_TALLY_WORDS]) {
  return place->count != 0 && memcmp(place->key, key, sizeof place->key) == 0;
}

static size_t hash_of(const uint64_t key[ACRE_TALLY_WORDS]) {
  uint64_t hash = 0;
  for (size_t i = 0; i < ACRE_TALLY_WORDS; i++) {
    hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return (size_t)hash;
}

/* Where key is, or is to be.  A place is always free. */
static size_t place_of(const struct acre_tallies *tallies, const uint64_t key[ACRE_TALLY_WORDS]) {
  size_t at = hash_of(key) & (tallies->capacity - 1);
  while (tallies->places[at].count != 0 && !is_key(&tallies->places[at], key))
    at = (at + 1) & (tallies->capacity - 1);
  return at;
}

static bool grow(struct acre_tallies *tallies) {
  struct acre_tallies grown = {.capacity = tallies->capacity ? tallies->capacity * 2
                                                             : (size_t)CAPACITY_MIN};
  grown.places = acre_os_table(grown.capacity * sizeof *grown.places);
  if (!grown.places)
    return false;
  for (size_t i = 0; i < tallies->capacity; i++)
    if (tallies->places[i].count != 0)
      grown.places[place_of(&grown, tallies->places[i].key)] = tallies->places[i];
  grown.used = tallies->used;
  acre_tally_end(tallies);
  *tallies = grown;
  return true;
}

struct acre_tally *acre_tally_add(struct acre_tallies *tallies,
                                  const uint64_t key[ACRE_TALLY_WORDS], uint64_t bytes) {
  if (!tallies->capacity || !is_key(&tallies->places[tallies->last], key)) {
    if (tallies->used * 2 >= tallies->capacity && !grow(tallies)) {
      tallies->is_short = true;
      return NULL;
    }
    tallies->last = place_of(tallies, key);
  }
  struct acre_tally *place = &tallies->places[tallies->last];
  if (place->count == 0) {
    memcpy(place->key, key, sizeof place->key);
    tallies->used++;
  }
  place->bytes += bytes;
  place->count++;
  return place;
}

void acre_tally_end(struct acre_tallies *tallies) {
  if (tallies->capacity)
    acre_os_unreserve(tallies->places, tallies->capacity * sizeof *tallies->places);
  *tallies = (struct acre_tallies){0};
}

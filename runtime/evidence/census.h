/* SPDX-License-Identifier: MIT */
/* census.h - what the regions of a process hold, and what points into them, summed up.  Internal to
 * the runtime.
 *
 * Objects are summed up by region and allocation site, references by the region that they lead
 * into and by the field that they are in, so that a census of many objects is small.  The regions
 * are looked at while the world is stopped, names are found when it runs again.  In a stopped world
 * nothing is believed that a thread may have left half done (counting/stopped.h): a site is only
 * ever read by asking the system, and named only if it lies in a program or library.
 *
 * What is not seen: references within a region, and from one to those above it, which are not
 * counted; and what frames hold without a record or a pin.
 */
#ifndef ACRE_RUNTIME_EVIDENCE_CENSUS_H
#define ACRE_RUNTIME_EVIDENCE_CENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/type.h>

#include "evidence/tally.h"

/* What one tally is of, and the words of its key. */
enum acre_census_kind {
  ACRE_CENSUS_OBJECTS,   /* region, site: objects */
  ACRE_CENSUS_REFERENCE, /* region, holder, site of the holding objects, offset there: slots */
  ACRE_CENSUS_OUTSIDE,   /* region, text: slots outside all regions */
  ACRE_CENSUS_UNNAMED,   /* region: more of these */
  ACRE_CENSUS_LOCAL,     /* region, text: pinned locals */
  ACRE_CENSUS_STALE,     /* region: records whose slots hold something else now */
  ACRE_CENSUS_COLLECTED  /* 0, size of the cells, site: objects of the collected heap */
};
/* The first word of a key. */
static inline uint64_t acre_census_word(enum acre_census_kind kind, uint32_t region) {
  return (uint64_t)region << 8 | kind;
}

/* Sites that are none. */
enum { ACRE_CENSUS_NO_SITE, ACRE_CENSUS_POINTER_FREE, ACRE_CENSUS_GIVEN_BACK };

struct acre_census_region {
  uint32_t index, generation, parent, owner; /* parent is 0 of a root */
  uint8_t state, policy;
  bool is_pool, is_zombie;
  int64_t count;
  size_t pages;
  uint64_t objects, bytes;
  const char *created;
  const char *name; /* in the census; null if the region has none */
};

struct acre_census_outside {
  uintptr_t slot;
  void *value;
  uint32_t region;
};
/* Slots outside regions of which each is named; more are only counted. */
#define ACRE_CENSUS_OUTSIDE_MAX ((size_t)1000)
#define ACRE_CENSUS_TEXT_BYTES ((size_t)256)

struct acre_census {
  struct acre_tallies tallies;
  struct acre_tallies sites; /* by site; bytes is what is known of its type (census.c) */
  struct acre_tallies texts; /* by hash; bytes is where the text begins in text */
  struct acre_census_region *regions;
  size_t region_count, region_capacity;
  char *names; /* of regions */
  size_t name_bytes, name_capacity;
  struct acre_census_outside *outside;
  size_t outside_count;
  char *text; /* of slots outside, and locals */
  size_t text_bytes;
  bool has_collected;
  uint64_t collected_limit, collected_useful, collected_headers, collected_padding;
  uint64_t stopped_nanoseconds;
};

/* Fills an empty census.  Returns why that cannot be, or null.  The stack is dead below frame, the
   caller's.  Not from signal handlers. */
const char *acre_census_take(struct acre_census *census, uintptr_t frame);
/* Gives its memory back. */
void acre_census_end(struct acre_census *census);

/* A site and its type, as far as they can be read. */
struct acre_census_site {
  acre_site site;
  acre_type type;
  bool has_site, has_type;
};
struct acre_census_site acre_census_read_site(uint64_t site);
/* Copies a text, of which the end may be missing, to a buffer of size bytes, and ends it there. */
void acre_census_read_text(const char *text, char *to, size_t size);

#endif

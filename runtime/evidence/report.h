/* SPDX-License-Identifier: MIT */
/* report.h - who points into a region.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_EVIDENCE_REPORT_H
#define ACRE_RUNTIME_EVIDENCE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counting/registry.h"
#include "counting/search.h"

/* Writes "local variable 'p' of function f, live across the call at f.c:7"; or, of one that nobody
   uses by its name, "whose address may be held across the call". */
void acre_print_pinned(int fd, const acre_rt_pin_site *site, size_t entry);

/* How many referrers a report of a refused delete names: ACRE_REPORT_LIMIT. */
extern size_t acre_report_limit;

/* Writes a numbered line for each referrer of the condemned regions, or of region alone if it is
   not condemned; at most limit of them.  Returns how many referrers there are. */
size_t acre_report_referrers(int fd, struct acre_region_entry *region, size_t limit);
/* How many referrers target has, but for what frames hold if these are spared.  O(records + bytes
   of its region and those below). */
size_t acre_report_referrers_of(const struct acre_target *target, bool spares_frames);
/* Words of a refusal: verb as in "cannot delete", event as in "deleteregion called at".  target:
   null if it is about a whole region and its children.  spares_frames: what frames hold is no
   referrer. */
struct acre_report_words {
  const char *verb, *event;
  const struct acre_target *target;
  bool spares_frames;
  bool is_given; /* what is refused is no delete, but to give the region away */
};
/* Writes "cannot VERB region", the reason, EVENT at here, the referrers and a hint. */
void acre_report_refusal(int fd, struct acre_region_entry *region, struct acre_report_words words,
                         const char *here);

#endif

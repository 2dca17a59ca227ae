/* SPDX-License-Identifier: MIT */
/* report.h - who points into a region.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_EVIDENCE_REPORT_H
#define ACRE_RUNTIME_EVIDENCE_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "counting/registry.h"

/* How many referrers a report of a refused delete names: ACRE_REPORT_LIMIT. */
extern size_t acre_report_limit;

/* Writes the numbered lines for the referrers of the regions in state condemned (or of the one
   region, if it is not), at most limit of them.  Returns how many referrers there are. */
size_t acre_report_referrers(int fd, struct acre_region_entry *region, size_t limit);
/* What is refused: "delete", "deleteregion called". */
struct acre_report_words {
  const char *verb, *event;
};
/* Writes that this is refused for region at here, and why, with the referrers. */
void acre_report_refusal(int fd, struct acre_region_entry *region, struct acre_report_words words,
                         const char *here);

#endif

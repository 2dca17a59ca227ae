/* SPDX-License-Identifier: MIT */
/* clear.h - all objects of a region go, and it stays.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_REGION_CLEAR_H
#define ACRE_RUNTIME_REGION_CLEAR_H

#include <stdbool.h>

#include <acre/region.h>

#include "evidence/report.h"

struct acre_condemned;
struct acre_region_entry;

/* Deletes all objects of region, and those below it if subregions says so.  False if that was
 * refused.  words: but for the target, of a report.  frame: as acre_delete_decide's. */
bool acre_clear(struct acre_region_entry *region, acre_subregions subregions,
                struct acre_report_words words, const char *here, void *frame);
/* Deletes all objects of region, a member of the set, and all other members with theirs.  False if
 * that was refused.  In both cases none of them is in a set any more. */
bool acre_clear_with(struct acre_condemned *set, struct acre_region_entry *region,
                     struct acre_report_words words, const char *here, void *frame);

#endif

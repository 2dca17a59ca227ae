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
/* The same of region, which is in the set, together with all others of the set, which go whole.  If
 * it is refused they all stay, and are in no set any more. */
bool acre_clear_with(struct acre_condemned *set, struct acre_region_entry *region,
                     struct acre_report_words words, const char *here, void *frame);

#endif

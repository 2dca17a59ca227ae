/* report.h - who points into a region.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_REPORT_H
#define ACRE_RUNTIME_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "table.h"

/* Writes the numbered lines for the referrers of the regions in state condemned (or of the one region, if it is not),
   at most limit of them.  Returns how many referrers there are. */
size_t acre_report_referrers(int fd, struct acre_region_slot *region, size_t limit);
/* Writes that the delete of region at here is refused, and why, with the referrers. */
void acre_report_refusal(int fd, struct acre_region_slot *region, const char *here);

#endif

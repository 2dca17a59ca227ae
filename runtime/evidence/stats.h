/* SPDX-License-Identifier: MIT */
/* stats.h - statistics of the stores that were executed.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_EVIDENCE_STATS_H
#define ACRE_RUNTIME_EVIDENCE_STATS_H

/* In the child of a fork, which writes only what it does itself.  The modules' lock was taken
 * before the fork. */
void acre_stats_forget(void);

#endif

/* SPDX-License-Identifier: MIT */
/* pool.h - the regions that have the memory of a program's own pools (-facre-pools).
 *
 * With a map of an API of pools acre-cc gives each pool a region, and the program is not changed:
 * docs/guide/pools.md.  This is for those who want to look at the regions.
 */
#ifndef ACRE_POOL_H
#define ACRE_POOL_H

#include <acre/region.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* The region that has the memory of pool; null for what is no pool that a mapped function has made,
 * or was ended.  It may be asked about (acre_region_report, acre_region_get_stats, regionof of an
 * object), and be given a policy or a limit by the thread that used the pool last.  To allocate in
 * it, to delete it, or to make subregions of it is left to the pool's functions.  O(1). */
acre_region acre_region_of_pool(const void *pool);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif

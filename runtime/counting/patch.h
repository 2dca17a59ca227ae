/* SPDX-License-Identifier: MIT */
/* patch.h - stores that become barriers when there is a region.  Internal to the runtime.
 *
 * Units that name no region are compiled with plain stores where others have a test, and with a
 * table of where these *patch points* are (acre_rt_patch_points).  When the first region is made,
 * each becomes a jump to code that is written then: the store itself, the tests of an inline
 * barrier, and a call of the runtime where they fail.  It stays so, also if all regions go.
 *
 * Invariant, under the lock of the registry: while acre_rt_active is set, each point of each
 * registered table is a jump.
 */
#ifndef ACRE_RUNTIME_COUNTING_PATCH_H
#define ACRE_RUNTIME_COUNTING_PATCH_H

/* Makes barriers of all points.  Ends the program with a message if the system forbids that.  The
 * registry calls it under its lock. */
void acre_patches_apply(void);

#endif

/* SPDX-License-Identifier: MIT */
/* copy.h - copies and fills of a program's bytes, with the barrier of the range that they
 * overwrite.  Internal to the runtime.
 *
 * Invariant: while acre_rt_active is not set, acre_rt_copy is memmove and acre_rt_fill is memset.
 */
#ifndef ACRE_RUNTIME_COUNTING_COPY_H
#define ACRE_RUNTIME_COUNTING_COPY_H

#include <stdbool.h>

/* Whether copies and fills look at what they have written from now on.  The registry calls it under
 * its lock. */
void acre_copies_count(bool are_counted);

#endif

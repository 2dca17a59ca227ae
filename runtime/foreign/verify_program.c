/* SPDX-License-Identifier: MIT */
/* verify_program.c - linked into a program by -facre-verify: the runtime, which refers to this
 * weakly, then verifies. */
#include <stdbool.h>

extern const bool acre_rt_verify_by_default;
const bool acre_rt_verify_by_default = true;

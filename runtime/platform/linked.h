/* SPDX-License-Identifier: MIT */
/* linked.h - what the program's link has chosen.  Internal to the runtime.
 *
 * These are defined in objects that acre-cc adds to the link of a program, and nowhere else.
 */
#ifndef ACRE_RUNTIME_PLATFORM_LINKED_H
#define ACRE_RUNTIME_PLATFORM_LINKED_H

#include <stdbool.h>

/* -facre-malloc=collected: other code can free what the collected heap allocates
 * (foreign/collected_program.c). */
extern const bool acre_rt_gc_is_linked __attribute__((weak));
/* -facre-malloc=quarantine: that heap reclaims only what was freed (foreign/quarantine_program.c).
 */
extern const bool acre_rt_gc_has_quarantine __attribute__((weak));
/* -facre-verify (foreign/verify_program.c). */
extern const bool acre_rt_verify_by_default __attribute__((weak));

#endif

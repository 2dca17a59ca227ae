/* SPDX-License-Identifier: MIT */
/* quarantine_program.c - linked into a program by -facre-malloc=quarantine, with
 * collected_program.c: its heap reclaims what was freed and that nothing refers to, and only that.
 */
#include <stdbool.h>

extern const bool acre_rt_gc_has_quarantine;
const bool acre_rt_gc_has_quarantine = true;
/* Each unit compiled with the option names this symbol without using it, so that a linker which is
 * given the archive takes this file out of it. */
extern const bool acre_rt_gc_wants_quarantine;
const bool acre_rt_gc_wants_quarantine = true;

/* SPDX-License-Identifier: MIT */
/* staying.h - memory of the process that cannot have gone since the program wrote there.  Internal.
 *
 * What the program has mapped it may have unmapped, so such memory is read through the system. For
 * its static variables, and for what the C library gives while there is one thread, that costs a
 * thousand times what the reading does, and is not needed.
 */
#ifndef ACRE_RUNTIME_PLATFORM_STAYING_H
#define ACRE_RUNTIME_PLATFORM_STAYING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether p lies in what brk has given: at most what is behind the program, and it grows. */
bool acre_memory_is_from_brk(uintptr_t p);
/* Whether the word at p, where the program has written before, can still be read: it is one of the
 * program's own static variables; or there is one thread, and brk has given it.  The program is
 * trusted not to close such pages by mprotect.  Without a system call but for the first time. */
bool acre_memory_stays(uintptr_t p);

#endif

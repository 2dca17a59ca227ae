/* SPDX-License-Identifier: MIT */
/* vdso.h - functions of the kernel that are called without a system call.
 *
 * The kernel maps a small library into each process.  The C library's functions of time call it;
 * so does the runtime, because a program may have functions of their names.
 */
#ifndef ACRE_PLATFORM_VDSO_H
#define ACRE_PLATFORM_VDSO_H

/* The address of the function of this name, or null: without the library, as under Valgrind, or if
 * the library has no such function.  O(symbols), of which there are some ten. */
void *acre_vdso_find(const char *name);

#endif

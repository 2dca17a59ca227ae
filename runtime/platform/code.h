/* SPDX-License-Identifier: MIT */
/* code.h - machine code that the runtime writes.  Internal to the runtime.
 *
 * Memory is never writable and executable at once, but for the code of a process with one thread
 * while that thread changes it.
 */
#ifndef ACRE_RUNTIME_PLATFORM_CODE_H
#define ACRE_RUNTIME_PLATFORM_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writable memory, so near to [low, high) that a jump of 32 bits reaches from any byte of either to
 * any of the other.  Null on failure. */
void *acre_code_near(uintptr_t low, uintptr_t high, size_t size);
/* What acre_code_near gave can be executed from now on, and no longer be written.  False if the
 * system forbids that. */
bool acre_code_seal(void *code, size_t size);
void acre_code_free(void *code, size_t size);

/* Writes the changes to code whose bytes are at `bytes` instead of `address`. */
typedef void acre_code_writer(uintptr_t address, unsigned char *bytes, void *context);
/* Calls write once to change the code of [low, high), which is mapped, and part of one program or
   library.  Other threads that execute it meanwhile find each instruction as it was or as it will
   be.  False, with nothing changed, if the system forbids it or has no memory. */
bool acre_code_change(uintptr_t low, uintptr_t high, acre_code_writer *write, void *context);

#endif

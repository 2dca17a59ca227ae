/* SPDX-License-Identifier: MIT */
/* frame.h - where the frames of callers begin.  Internal to the runtime.
 *
 * All functions that one function calls have the same answers, however large their own frames are:
 * what is below is theirs, and dead when they have returned, what is above is their caller's.
 * __builtin_frame_address says that on x86-64, where a frame's pointer is at its upper end, and not
 * on ARM64, where it is at the lower one.
 */
#ifndef ACRE_RUNTIME_PLATFORM_FRAME_H
#define ACRE_RUNTIME_PLATFORM_FRAME_H

#include <stdint.h>

/* The stack pointer of who calls the function that this is inlined in.  Clang's __builtin_dwarf_cfa
   is right on x86-64 only. */
__attribute__((always_inline)) static inline uintptr_t acre_frame_callers_sp(void) {
#if defined(__aarch64__) && defined(__clang__)
  return (uintptr_t)__builtin_sponentry();
#else
  return (uintptr_t)__builtin_dwarf_cfa();
#endif
}

/* Where the frame of that function ends: at most two words below, where its caller's address is. */
__attribute__((always_inline)) static inline uintptr_t acre_frame_end(void) {
#if defined(__x86_64__)
  return (uintptr_t)__builtin_frame_address(0);
#else
  return acre_frame_callers_sp();
#endif
}

#endif

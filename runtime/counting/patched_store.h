/* SPDX-License-Identifier: MIT */
/* patched_store.h - where the code of patch points calls the runtime.  Internal to the runtime.
 *
 * All are called with the slot and, above it, the value or the size on the stack, which may be
 * aligned in any way.  They change no register but r11, which a patch point names as clobbered, and
 * the flags.  On x86-64 only.
 */
#ifndef ACRE_RUNTIME_COUNTING_PATCHED_STORE_H
#define ACRE_RUNTIME_COUNTING_PATCHED_STORE_H

/* Finds out how the registers of vectors are saved, and where the window is, before any of these
 * is called.  Needs the window to be reserved. */
void acre_patched_prepare(void);

/* acre_rt_store, acre_rt_rescan of one word, and acre_rt_release. */
void acre_patched_pointer(void);
void acre_patched_word(void);
void acre_patched_release(void);

#endif

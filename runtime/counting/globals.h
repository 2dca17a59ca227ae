/* SPDX-License-Identifier: MIT */
/* globals.h - the pointer-holding globals of each translation unit.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_COUNTING_GLOBALS_H
#define ACRE_RUNTIME_COUNTING_GLOBALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/abi.h>

struct acre_global_place {
  const acre_rt_global *global; /* null: none */
  size_t offset;
  bool is_thread_local;
  bool is_of_other_thread;
};
/* The registered global or thread-local variable that address lies in, of this thread or of one
   that is listed.  O(globals + thread-locals * threads). */
struct acre_global_place acre_global_find(uintptr_t address);
/* Calls visit with each registered global, under the lock. */
void acre_global_each(void (*visit)(const acre_rt_global *global, void *context), void *context);

/* The lock is recursive.  For fork handlers, and for what else is listed by module. */
void acre_modules_lock(void);
void acre_modules_unlock(void);
/* In the child of a fork: the lock belongs to a thread that does not exist there. */
void acre_modules_unlock_in_child(void);

#endif

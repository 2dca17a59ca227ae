/* SPDX-License-Identifier: MIT */
/* globals.c - the pointer-holding globals of each translation unit.
 *
 * Invariant, under the lock: `modules` links every module that registered and has not unregistered,
 * each once. Registration happens in constructors, before the runtime's own start if the linker
 * says so.  The lock is recursive, because a walk of the globals may need to name one of them.
 */
#define _GNU_SOURCE
#include <acre/abi.h>

#include <pthread.h>

#include "counting/globals.h"
#include "counting/record.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static acre_rt_module *modules;

void acre_modules_lock(void) { pthread_mutex_lock(&lock); }
void acre_modules_unlock(void) { pthread_mutex_unlock(&lock); }
/* A recursive lock belongs to a thread, and the child's thread is another one. */
void acre_modules_unlock_in_child(void) {
  lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

void acre_rt_register(acre_rt_module *module) {
  acre_modules_lock();
  module->next = modules;
  modules = module;
  acre_modules_unlock();
}

void acre_rt_unregister(acre_rt_module *module) {
  acre_modules_lock();
  for (acre_rt_module **link = &modules; *link; link = &(*link)->next)
    if (*link == module) {
      *link = module->next;
      break;
    }
  acre_modules_unlock();
  for (size_t i = 0; i < module->global_count; i++)
    acre_rt_release(module->globals[i].address, module->globals[i].size);
}

void acre_global_each(void (*visit)(const acre_rt_global *global, void *context), void *context) {
  acre_modules_lock();
  for (const acre_rt_module *module = modules; module; module = module->next)
    for (size_t i = 0; i < module->global_count; i++)
      visit(&module->globals[i], context);
  acre_modules_unlock();
}

struct search {
  uintptr_t address;
  struct acre_global_place found;
};

static void compare(const acre_rt_global *global, void *context) {
  struct search *search = context;
  size_t offset = search->address - (uintptr_t)global->address;
  if (offset < global->size)
    search->found = (struct acre_global_place){global, offset};
}

struct acre_global_place acre_global_find(uintptr_t address) {
  struct search search = {address, {NULL, 0}};
  acre_global_each(compare, &search);
  return search.found;
}

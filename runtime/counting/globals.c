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
#include "platform/os.h"
#include "platform/thread.h"

/* In bytes: those that are farther from acre_self are not looked for in other threads. */
#define THREAD_LOCALS_MOST ((uintptr_t)1 << 16)

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static acre_rt_module *modules;
/* All globals that there were lie in [lowest, highest): most memory of malloc does not. */
static uintptr_t lowest = UINTPTR_MAX, highest;
static bool has_thread_locals; /* any of these, now or before */

void acre_modules_lock(void) { pthread_mutex_lock(&lock); }
void acre_modules_unlock(void) { pthread_mutex_unlock(&lock); }
/* A recursive lock belongs to a thread, and the child's thread is another one. */
void acre_modules_unlock_in_child(void) {
  lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

/* -- Thread-local variables -------------------------------------------------------------------- */

typedef void thread_local_visitor(const acre_rt_global *variable, uintptr_t address, void *context);

/* Calls visit with each thread-local variable of module and where it is for this thread.  The
   addresses need room in the stack: of a module with very many none are known. */
static void each_thread_local(const acre_rt_module *module, thread_local_visitor *visit,
                              void *context) {
  enum { MOST = 4096 };
  size_t count = module->thread_local_count;
  if (count == 0 || count > MOST)
    return;
  void *addresses[count];
  module->locate(addresses);
  for (size_t i = 0; i < count; i++)
    visit(&module->thread_locals[i], (uintptr_t)addresses[i], context);
}

static void release(const acre_rt_global *variable, uintptr_t address, void *context) {
  (void)context;
  acre_rt_release((void *)address, variable->size);
}

/* -- Modules ----------------------------------------------------------------------------------- */

static void widen(const acre_rt_module *module) {
  has_thread_locals |= module->thread_local_count != 0;
  for (size_t i = 0; i < module->global_count; i++) {
    const uintptr_t start = (uintptr_t)module->globals[i].address,
                    end = start + module->globals[i].size;
    lowest = start < lowest ? start : lowest;
    highest = end > highest ? end : highest;
  }
}

void acre_rt_register(acre_rt_module *module) {
  acre_modules_lock();
  module->next = modules;
  modules = module;
  widen(module);
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
  each_thread_local(module, release, NULL);
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
    search->found = (struct acre_global_place){.global = global, .offset = offset};
}

static void compare_thread_local(const acre_rt_global *variable, uintptr_t address, void *context) {
  struct search *search = context;
  size_t offset = search->address - address;
  if (offset < variable->size)
    search->found = (struct acre_global_place){variable, offset, .is_thread_local = true};
}

static void search_thread_locals(struct search *search) {
  acre_modules_lock();
  for (const acre_rt_module *module = modules; has_thread_locals && module; module = module->next)
    each_thread_local(module, compare_thread_local, search);
  acre_modules_unlock();
}

/* Addresses of the acre_self of other threads.  They are not looked at. */
struct others {
  uintptr_t threads[64];
  size_t count;
};

static void note_other(struct acre_thread *thread, void *context) {
  struct others *others = context;
  if (thread != &acre_self && others->count < sizeof others->threads / sizeof *others->threads)
    others->threads[others->count++] = (uintptr_t)thread;
}

/* Variables that a program begins with lie at one distance from acre_self in each thread.  They are
   not searched under the lock of the list, because that of the modules may be held. */
static void search_other_threads(struct search *search) {
  struct others others = {.count = 0};
  acre_thread_each(note_other, &others);
  for (size_t i = 0; i < others.count && !search->found.global; i++) {
    uintptr_t distance = search->address - others.threads[i];
    if (distance + THREAD_LOCALS_MOST > 2 * THREAD_LOCALS_MOST)
      continue;
    struct search here = {(uintptr_t)&acre_self + distance, {0}};
    search_thread_locals(&here);
    search->found = here.found;
    search->found.is_of_other_thread = here.found.global != NULL;
  }
}

/* What is in no library and not in the program is no global: where there are libraries, the heap
   lies between them. */
static void search_globals(struct search *search) {
  acre_modules_lock();
  if (search->address >= lowest && search->address < highest &&
      acre_os_library((const void *)search->address).start)
    acre_global_each(compare, search);
  acre_modules_unlock();
}

struct acre_global_place acre_global_find(uintptr_t address) {
  struct search search = {address, {0}};
  search_globals(&search);
  if (!search.found.global)
    search_thread_locals(&search);
  if (!search.found.global)
    search_other_threads(&search);
  return search.found;
}

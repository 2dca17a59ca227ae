/* SPDX-License-Identifier: MIT */
/* collected_program.c - linked into a program by -facre-malloc=collected: what the rest of the
 * process finds under these names.
 *
 * Code that was not compiled by acre-cc goes on to use the C library's malloc, and may free or
 * resize what the program allocated; the signal that stops threads stays unblocked also in those
 * that serve timers and message queues; and the collector knows of stacks that lie within others.
 * What is weak a program may have as functions or variables of its own.
 */
#define _GNU_SOURCE
#include <acre/abi.h>
#include <acre/collected.h>

#include <dlfcn.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <malloc.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "foreign/collected_waits.h"
#include "platform/kernel_call.h"

extern const bool acre_rt_gc_is_linked;
const bool acre_rt_gc_is_linked = true;
/* Each unit compiled with the option names this symbol without using it, so that a linker which is
 * given the archive takes this file out of it. */
extern const bool acre_rt_gc_needs_acre_cc_to_link;
const bool acre_rt_gc_needs_acre_cc_to_link = true;

/* -- Memory ------------------------------------------------------------------------------------ */

static void (*next_free)(void *);
static void *(*next_realloc)(void *, size_t);
static void *(*next_reallocarray)(void *, size_t, size_t); /* never called */
static size_t (*next_usable_size)(void *);
static int (*next_swapcontext)(ucontext_t *, const ucontext_t *);
static int (*next_setcontext)(const ucontext_t *);

/* The version of the C library's first names: libc_malloc_debug has these with their version only,
 * and dlsym passes it over. */
#if defined(__x86_64__)
#define BASE_VERSION "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define BASE_VERSION "GLIBC_2.17"
#else
#define BASE_VERSION ""
#endif

/* ISO C has no conversion from void * to a function's address. */
static void find_newest(const char *name, void *function) {
  *(void **)function = dlsym(RTLD_NEXT, name);
}

/* Where the library that holds this address is mapped.  dladdr would also search its symbols, which
 * is half of what a small program's start takes. */
static const void *library_of(const void *address) {
#if __GLIBC_PREREQ(2, 35)
  struct dl_find_object found;
  return address && _dl_find_object((void *)address, &found) == 0 ? found.dlfo_map_start : NULL;
#else
  Dl_info found;
  return address && dladdr(address, &found) ? found.dli_fbase : NULL;
#endif
}

/* Another allocator before the C library mostly has no versions, and dlvsym passes it over. */
static void find(const char *name, void *function) {
  find_newest(name, function);
  const void *library = library_of(*(void **)function);
  bool is_libc = library && library == library_of((void *)(uintptr_t)gnu_get_libc_version);
  void *oldest = is_libc ? dlvsym(RTLD_NEXT, name, BASE_VERSION) : NULL;
  if (oldest)
    *(void **)function = oldest;
}

static void find_all(void) {
  static bool is_looking;
  if (next_usable_size || __atomic_test_and_set(&is_looking, __ATOMIC_ACQUIRE))
    return;
  find("free", &next_free);
  find("realloc", &next_realloc);
  find_newest("reallocarray", &next_reallocarray);
  find("malloc_usable_size", &next_usable_size);
}

static void find_contexts(void) {
  find_newest("swapcontext", &next_swapcontext);
  find_newest("setcontext", &next_setcontext);
}

__attribute__((constructor)) static void find_early(void) {
  find_all();
  find_contexts();             /* signal handlers may switch */
  acre_collected_find_waits(); /* the reference makes a linker take its file too */
  acre_rt_gc_prepare();
}

static void expect_foreign(const void *p, const char *function) {
  if (p && next_free)
    acre_rt_gc_expect_foreign(p, function, (const void *)(uintptr_t)next_free);
}

static void free_any(void *p) {
  if (acre_collected_owns(p)) {
    acre_rt_gc_library_free(p);
    return;
  }
  find_all();
  if (!p || !next_free) /* before the loader has started the program memory is left alone */
    return;
  expect_foreign(p, "free");
  next_free(p);
}

static void *realloc_any(void *p, size_t size) {
  if (acre_collected_owns(p))
    return acre_rt_gc_library_realloc(p, size);
  find_all();
  expect_foreign(p, "realloc");
  if (next_realloc)
    return next_realloc(p, size);
  errno = ENOMEM;
  return NULL;
}

static void *reallocarray_any(void *p, size_t count, size_t size) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, size, &bytes))
    return realloc_any(p, bytes);
  errno = ENOMEM;
  return NULL;
}

static size_t usable_size_any(void *p) {
  if (acre_collected_owns(p))
    return acre_rt_gc_library_usable_size(p);
  find_all();
  expect_foreign(p, "malloc_usable_size");
  return next_usable_size ? next_usable_size(p) : 0;
}

/* Weak, because a program may define these itself, around those that RTLD_NEXT finds. */
#define ACRE_WEAK_ALIAS(target) __attribute__((weak, alias(#target)))
void free(void *p) ACRE_WEAK_ALIAS(free_any);
void *realloc(void *p, size_t size) ACRE_WEAK_ALIAS(realloc_any);
void *reallocarray(void *p, size_t count, size_t size) ACRE_WEAK_ALIAS(reallocarray_any);
size_t malloc_usable_size(void *p) ACRE_WEAK_ALIAS(usable_size_any);

void *acre_rt_gc_looked_up(void *found) {
  const uintptr_t pairs[][2] = {
      {(uintptr_t)next_free, (uintptr_t)free_any},
      {(uintptr_t)next_realloc, (uintptr_t)realloc_any},
      {(uintptr_t)next_reallocarray, (uintptr_t)reallocarray_any},
      {(uintptr_t)next_usable_size, (uintptr_t)usable_size_any},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    if (found && (uintptr_t)found == pairs[i][0])
      return (void *)pairs[i][1];
  return found;
}

/* -- Stacks ------------------------------------------------------------------------------------ */

/* A coroutine's stack, or that for signals, may be an array in a frame of the thread's own.  While
   the thread runs there, its frames below are in use. */

__attribute__((weak)) int sigaltstack(const stack_t *stack, stack_t *old) {
  if (stack && !(stack->ss_flags & SS_DISABLE))
    acre_rt_gc_stack_at(stack->ss_sp);
  return (int)acre_kernel_result(
      acre_kernel_ask(SYS_sigaltstack, (long)stack, (long)old, 0, 0, 0, 0));
}

static uintptr_t stack_pointer_of(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.sp;
#else
  return (uintptr_t)context->uc_stack.ss_sp;
#endif
}

/* A program may also leave its old frames for good.  Then its stack is searched whole from here on,
 * which costs time and misses nothing. */
static void note_switch(const ucontext_t *to) {
  if (stack_pointer_of(to) > (uintptr_t)__builtin_frame_address(0))
    acre_rt_gc_stack_at((const void *)stack_pointer_of(to));
}

__attribute__((weak)) int swapcontext(ucontext_t *from, const ucontext_t *to) {
  if (!next_swapcontext)
    find_contexts();
  note_switch(to);
  return next_swapcontext(from, to);
}

__attribute__((weak)) int setcontext(const ucontext_t *to) {
  if (!next_setcontext)
    find_contexts();
  note_switch(to);
  return next_setcontext(to);
}

/* -- Timers and message queues ----------------------------------------------------------------- */

__attribute__((weak)) int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer) {
  static acre_rt_timer_create_function *next;
  if (!next)
    find_newest("timer_create",
                &next); /* not that of the first version, whose timers are other ones */
  if (next)
    return acre_rt_gc_timer_create(next, clock, event, timer);
  errno = ENOSYS;
  return -1;
}

__attribute__((weak)) int timer_delete(timer_t timer) {
  static int (*next)(timer_t);
  if (!next)
    find_newest("timer_delete", &next);
  if (!next || next(timer) != 0)
    return -1;
  acre_rt_gc_timer_deleted(timer);
  return 0;
}

/* -- Values of signals ------------------------------------------------------------------------- */

/* The value of a queued signal is with the kernel alone until the handler runs, and nobody hears of
 * that: so a ring of the last ones keeps their objects. */
#define QUEUED_MAX 65536
static void *volatile queued[QUEUED_MAX]; /* only a collection reads it */

static void keep_queued(union sigval value) {
  static unsigned count;
  if (acre_collected_owns(value.sival_ptr))
    queued[__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) % QUEUED_MAX] = value.sival_ptr;
}

__attribute__((weak)) int sigqueue(pid_t process, int signal, const union sigval value) {
  static int (*next)(pid_t, int, const union sigval);
  if (!next)
    find_newest("sigqueue", &next);
  if (process == acre_kernel_ask(SYS_getpid, 0, 0, 0, 0, 0, 0))
    keep_queued(value);
  return next(process, signal, value);
}

__attribute__((weak)) int pthread_sigqueue(pthread_t thread, int signal, const union sigval value) {
  static int (*next)(pthread_t, int, const union sigval);
  if (!next)
    find_newest("pthread_sigqueue", &next);
  keep_queued(value);
  return next(thread, signal, value);
}

__attribute__((weak)) int mq_notify(mqd_t queue, const struct sigevent *event) {
  return acre_rt_gc_mq_notify(queue, event);
}

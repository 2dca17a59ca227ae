/* SPDX-License-Identifier: MIT */
/* thread.c - see thread.h. */
#define _GNU_SOURCE
#include "platform/thread.h"

#include <limits.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/kernel.h"
#include "platform/os.h"
#include "platform/sanitizer.h"

_Thread_local struct acre_thread acre_self;

_Thread_local uintptr_t acre_rt_stack[2];
_Thread_local uint64_t acre_rt_ancestor_pairs[ACRE_ANCESTOR_PAIRS];

static acre_rt_pending_pin no_pins[1];
_Thread_local acre_rt_pending_pins acre_rt_pins = {no_pins + 1, no_pins + 1, 0};

void acre_thread_drop_pending(void) { acre_rt_pins.next = acre_rt_pins.limit = no_pins + 1; }

#define MOST_UNCOUNTED ((uintptr_t)64 << 20)

static uint32_t last_id;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct acre_thread *threads;
static pthread_key_t exit_key;
static bool has_exit_key;

static acre_thread_end *ends[ACRE_THREAD_ENDS_MAX];
static size_t end_count;

void acre_thread_lock(void) { pthread_mutex_lock(&lock); }
void acre_thread_unlock(void) {
  ACRE_ASSERT(acre_thread_is_locked());
  pthread_mutex_unlock(&lock);
}
bool acre_thread_is_locked(void) { return acre_is_locked(&lock); }

uint32_t acre_thread_new_id(void) { return __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED); }

/* Other threads may ask at any time: who sees the upper end sees the lower one. */
static void set_stack(struct acre_thread *self, uintptr_t low, uintptr_t high) {
  __atomic_store_n(&self->stack_low, low, __ATOMIC_RELAXED);
  __atomic_store_n(&self->stack_high, high, __ATOMIC_RELEASE);
}

/* The first thread's stack, as the C library would say, which reads and parses all of
 * /proc/self/maps: a large part of what a small program takes to start.  False where the kernel
 * keeps less than that free below, and other mappings may come in between; and on other stacks. */
static bool find_first_stack(struct acre_thread *self) {
  struct rlimit limit;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), here = (uintptr_t)__builtin_frame_address(0),
            end = acre_os_stack_end();
  if (!end || getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > MOST_UNCOUNTED)
    return false;
  uintptr_t high = (end & -page) + page, room = limit.rlim_cur & -page;
  if (here >= high || high - here > room || !acre_os_is_first_thread())
    return false;
  set_stack(self, high - room, high);
  return true;
}

static bool find_any_stack(struct acre_thread *self) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return false;
  void *low;
  size_t size;
  bool is_known = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (is_known)
    set_stack(self, (uintptr_t)low, (uintptr_t)low + size);
  return is_known;
}

bool acre_thread_find_stack(void) {
  struct acre_thread *self = &acre_self;
  if (self->stack_high)
    return true;
  if (!find_first_stack(self) && !find_any_stack(self))
    return false;
  /* A thread's static thread-local storage may lie above its stack in the same block. */
  bool has_storage = acre_thread_is_on_stack((uintptr_t)self);
  uintptr_t end = has_storage ? (uintptr_t)__builtin_frame_address(0) : self->stack_high;
  /* A stack without limit is said to reach down to the next mapping, but later mappings may come
   * between. */
  acre_rt_stack[0] =
      end - self->stack_low > MOST_UNCOUNTED ? end - MOST_UNCOUNTED : self->stack_low;
  acre_thread_set_uncounted_end(end);
  self->stack_recorded =
      self->stack_low; /* records may have been made before the bounds were known */
  return true;
}

bool acre_thread_is_alone(void) {
  /* A directory with no files but one subdirectory for each thread, beside the two links that each
   * directory has. */
  struct stat tasks;
  return acre_is_single_threaded() ||
         (stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 2 + 1);
}

/* -- Exit -------------------------------------------------------------------------------------- */

static void unlist(struct acre_thread *self) {
  acre_thread_lock();
  if (self->is_listed) {
    *(self->previous ? &self->previous->next : &threads) = self->next;
    if (self->next)
      self->next->previous = self->previous;
    self->is_listed = false;
  }
  acre_thread_unlock();
}

/* ThreadSanitizer forgets the thread in the last round of destructors, and nothing that it watches
 * may run after that: so ours stop a round earlier there. */
static unsigned exit_rounds_most(void) {
  return PTHREAD_DESTRUCTOR_ITERATIONS - (__tsan_init != NULL);
}

/* Other destructors may store after this one, so it runs again in each round of destructors, and
   the thread has not ended before the last. */
static void exit_thread(void *argument) {
  struct acre_thread *self = argument;
  for (size_t i = 0; i < end_count; i++)
    ends[i](self);
  if (++self->exit_rounds < exit_rounds_most())
    pthread_setspecific(exit_key, self);
  else
    unlist(self);
}

void acre_thread_at_end(acre_thread_end *end) {
  ACRE_ASSERT(!has_exit_key);
  if (end_count == ACRE_THREAD_ENDS_MAX)
    acre_os_fatal("more than %d modules want to know when a thread ends", ACRE_THREAD_ENDS_MAX);
  ends[end_count++] = end;
}

void acre_thread_start(void) {
  ACRE_ASSERT(!has_exit_key);
  bool is_made = pthread_key_create(&exit_key, exit_thread) == 0;
  __atomic_store_n(&has_exit_key, is_made, __ATOMIC_RELEASE);
}

/* The first thread's stack lives as long as the process.  Without a key (a store before the
   runtime's constructor, or no key was left) the hook is set by a later store or never; what stays
   behind is healed. */
void acre_thread_hook_exit(void) {
  if (!__atomic_load_n(&has_exit_key, __ATOMIC_ACQUIRE))
    return;
  acre_self.has_exit_hook = true;
  if (!acre_is_single_threaded())
    pthread_setspecific(exit_key, &acre_self);
}

/* -- The list ---------------------------------------------------------------------------------- */

void acre_thread_list(void) {
  struct acre_thread *self = &acre_self;
  if (self->is_listed)
    return;
  acre_thread_id();
  acre_thread_hook_exit();
  /* The first thread may end before the others too. */
  if (acre_is_single_threaded() && __atomic_load_n(&has_exit_key, __ATOMIC_ACQUIRE))
    pthread_setspecific(exit_key, self);
  acre_thread_lock();
  self->previous = NULL;
  self->next = threads;
  if (threads)
    threads->previous = self;
  threads = self;
  self->is_listed = true;
  acre_thread_unlock();
}

void acre_thread_own_first(void) {
  acre_thread_find_stack();
  acre_thread_list();
}

void acre_thread_each(void (*visit)(struct acre_thread *thread, void *context), void *context) {
  acre_thread_lock();
  for (struct acre_thread *thread = threads; thread; thread = thread->next)
    visit(thread, context);
  acre_thread_unlock();
}

bool acre_thread_has_ended(uint32_t id) {
  acre_thread_lock();
  const struct acre_thread *thread = threads;
  while (thread && thread->id != id)
    thread = thread->next;
  acre_thread_unlock();
  return !thread;
}

void acre_thread_forget_others(acre_thread_end *forget) {
  ACRE_ASSERT(acre_thread_is_locked());
  struct acre_thread *self = &acre_self;
  for (struct acre_thread *thread = threads; thread; thread = thread->next)
    if (thread != self)
      forget(thread);
  self->next = self->previous = NULL;
  threads = self->is_listed ? self : NULL;
}

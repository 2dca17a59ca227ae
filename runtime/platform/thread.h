/* SPDX-License-Identifier: MIT */
/* thread.h - what the runtime knows of each thread.  Internal to the runtime.
 *
 * Invariant: a thread that owns a pin or may own a record on its stack or in its thread-local
 * storage has an exit hook, which drops them; a thread that has or had a pin or a region is in the
 * list of threads until it ends.  The record path uses only what a signal handler may use.
 */
#ifndef ACRE_RUNTIME_PLATFORM_THREAD_H
#define ACRE_RUNTIME_PLATFORM_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/abi.h>
#include <acre/bump.h>

struct acre_pin_chunk;
struct acre_region_entry;
struct acre_open_scope;
struct acre_escaped_local;

/* Pointers to local variables that are kept somewhere; escaped_locals.h. */
struct acre_escaped_locals {
  struct acre_escaped_local *entries;
  size_t count, capacity;
  size_t
      late; /* of these: the variable has ended by longjmp, and they are judged at the next end */
  bool is_busy;        /* a signal handler does not touch it */
  uintptr_t lasting;   /* a variable that ends with main, which has no entry; */
  size_t lasting_size; /* 0: none */
  struct acre_escaped_pair {
    uintptr_t slot, value;
  } *known; /* capacity of them, each that of an entry or empty */
};

/* Pools that the program's functions are ending; region/pool.c. */
struct acre_ending_pool {
  acre_region region;
  uintptr_t frame; /* in which the function was called that ends or clears it */
  bool is_done;    /* it has been ended */
};
struct acre_ending_pools {
  /* By a function of the map that no other has called, and by others that it called, unless one
     that is here is above. */
  struct acre_ending_pool *all;
  size_t count, capacity;
  uintptr_t frame;                /* of that outermost function's call; 0: none is running */
  struct acre_region_entry *last; /* the pool that the thread used last, or null */
};

struct acre_thread {
  uint32_t id; /* never reused; 0: not asked for yet */
  bool has_exit_hook;
  bool is_listed;
  bool has_kept_values; /* of pthread_setspecific; kept.h */
  bool is_in_collected; /* holds the lock of the collected heap, or is about to */
  bool is_forking;      /* holds it from before a fork until after it */
  bool has_inner_stack; /* another stack lies within its own: what is below a stack pointer may be
                           in use */
  bool is_known;        /* to what stops the world, where threads cannot be listed */
  uint8_t exit_rounds;
  uintptr_t stack_low, stack_high; /* 0 until acre_thread_find_stack */
  uintptr_t stack_recorded;        /* no slot of the stack below it has a record */
  struct acre_pin_chunk *pin_log;
  acre_rt_pending_pin *pending;         /* where acre_rt_pins leads to, or null */
  struct acre_region_entry *deferred;   /* regions of this thread whose deletion is deferred */
  size_t deferred_count, deferred_left; /* now, and after they were looked at last */
  size_t deferred_patience;             /* deletes since then */
  size_t waiting_pages, pages_left;     /* of zombies since then, and of what was left */
  struct acre_ending_pools pools;
  struct acre_open_scope *scopes; /* scope.h; the newest last */
  size_t scope_count, scope_capacity;
  const acre_rt_stored *kept_at; /* -facre-sites: where the C library is given a pointer */
  void *ending; /* dead objects of a kind whose ends wait for the one that is running; refcount.c */
  bool is_ending;
  struct acre_escaped_locals escaped;
  struct acre_thread *next, *previous; /* all listed threads */
};

extern _Thread_local struct acre_thread acre_self __attribute__((tls_model("initial-exec")));

/* acre_rt_pins has neither entries nor room. */
void acre_thread_drop_pending(void);

uint32_t acre_thread_new_id(void);
static inline uint32_t acre_thread_id(void) {
  if (__builtin_expect(acre_self.id == 0, 0))
    acre_self.id = acre_thread_new_id();
  return acre_self.id;
}

/* Fills in the stack's bounds; false if they cannot be known.  Not from signal handlers. */
bool acre_thread_find_stack(void);
static inline bool acre_thread_is_on_stack(uintptr_t address) {
  return address - acre_self.stack_low < acre_self.stack_high - acre_self.stack_low;
}

/* The lowest address of the dead part of the calling thread's stack, which ends at its stack
 * pointer sp; sp itself where the bounds are not known, or another stack lies below. */
static inline uintptr_t acre_thread_dead_from(uintptr_t sp) {
  return acre_thread_is_on_stack(sp) && !acre_self.has_inner_stack ? acre_self.stack_low : sp;
}

/* acre_rt_stack[0] is near the lowest address of the stack, or 0 with length 0 until
   acre_thread_find_stack.  Its end is the stack pointer of the thread's newest pinned call: frames
   above wait in calls that may delete and are counted; frames below pin what they hold when they
   make such a call. */
static inline bool acre_thread_is_uncounted(uintptr_t slot) {
  return slot - acre_rt_stack[0] < acre_rt_stack[1];
}
static inline uintptr_t acre_thread_uncounted_end(void) {
  return acre_rt_stack[0] + acre_rt_stack[1];
}
static inline void acre_thread_set_uncounted_end(uintptr_t end) {
  acre_rt_stack[1] = end > acre_rt_stack[0] ? end - acre_rt_stack[0] : 0;
}

/* A record is about to be made for slot: notes it, or says that there is no need.  Safe in signal
 * handlers. */
void acre_thread_hook_exit(void);
static inline bool acre_thread_has_noted(uintptr_t slot) {
  return acre_self.has_exit_hook &&
         (slot >= acre_self.stack_recorded || slot < acre_self.stack_low);
}
static inline void acre_thread_note_record(uintptr_t slot) {
  if (__builtin_expect(!acre_self.has_exit_hook, 0))
    acre_thread_hook_exit();
  if (slot < acre_self.stack_recorded && slot >= acre_self.stack_low)
    acre_self.stack_recorded = slot;
}

/* Is no other thread alive now?  Asks the system. */
bool acre_thread_is_alone(void);

/* Puts the calling thread in the list. */
void acre_thread_list(void);
void acre_thread_own_first(void);
/* The calling thread is about to own a region: it knows which slots are on its stack, and others
   will know when it has ended. */
static inline void acre_thread_own(void) {
  if (__builtin_expect(!acre_self.stack_high || !acre_self.is_listed, 0))
    acre_thread_own_first();
}
/* Has the thread with this number, which was in the list, ended?  If so, what it did is seen by
   the caller.  O(threads). */
bool acre_thread_has_ended(uint32_t id);
/* Calls visit for each listed thread, with the list locked. */
void acre_thread_each(void (*visit)(struct acre_thread *thread, void *context), void *context);

/* Called with a thread that ends: the module drops what it keeps of it. */
typedef void acre_thread_end(struct acre_thread *thread);
#define ACRE_THREAD_ENDS_MAX 8
/* end is called in each thread that ends, in each round of destructors, in the order of these
   calls.  Needs to come before acre_thread_start. */
void acre_thread_at_end(acre_thread_end *end);
/* Needs to be the first call. */
void acre_thread_start(void);
void acre_thread_lock(void);
/* Needs the lock. */
void acre_thread_unlock(void);
/* Does some thread have it?  For assertions. */
bool acre_thread_is_locked(void);
/* In the child of a fork: only the calling thread is left.  Calls forget with each other one that
 * was listed.  Needs the lock. */
void acre_thread_forget_others(acre_thread_end *forget);

#endif

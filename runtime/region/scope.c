/* SPDX-License-Identifier: MIT */
/* scope.c - see scope.h. */
#include "region/scope.h"

#include <pthread.h>
#include <stdlib.h>

#include <acre/abi.h>

#include "counting/pin.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "owner/refcount.h"
#include "platform/check.h"
#include "platform/frame.h"
#include "platform/os.h"
#include "platform/thread.h"
#include "region/delete.h"
#include "region/give.h"

struct acre_key {
  void *next_dead; /* refcount.h */
  acre_region region;
  pthread_mutex_t lock; /* of a shared one: held by the thread that has the arena open */
  uint32_t owner;       /* the thread that has it open, or 0 */
  size_t depth;         /* how many of its scopes are open */
  bool is_shared, is_counted;
  bool is_unchecked; /* longjmp left the last scope: locals that it could not see may point in */
};

static const acre_rt_pin_site scope_site = {
    .where = {NULL, NULL, 0}, .entry_count = 0, .is_values_only = 1};
_Static_assert(sizeof(acre_scope) >= sizeof(acre_rt_pin_frame), "a scope is a pin");

/* -- Arenas ------------------------------------------------------------------------------------ */

static struct acre_region_entry *arena_of(const acre_key *key, const char *function) {
  return acre_registry_expect(key->region, function);
}

static void close_arena(acre_key *key, bool is_checked, const char *here, void *frame) {
  if (--key->depth)
    return;
  struct acre_region_entry *arena = arena_of(key, "the end of the block of acre_open");
  key->is_unchecked = !is_checked;
  if (!is_checked)
    acre_region_close_unchecked(arena);
  else
    acre_region_close(arena, here, frame);
  __atomic_store_n(&key->owner, 0, __ATOMIC_RELAXED);
  if (key->is_shared)
    pthread_mutex_unlock(&key->lock);
}

/* A thread that waits for a shared arena.  Invariant: the owner of a key that is held is set before
   its thread waits for another, so of the threads in a circle the last one to be listed sees all of
   them.  One that has got its lock may still be listed: then nobody, or it, owns the key. */
struct waiting {
  uint32_t thread;
  const acre_key *key;
  const char *here;
  struct waiting *next;
};
static pthread_mutex_t waiting_lock = PTHREAD_MUTEX_INITIALIZER;
static struct waiting *all_waiting;

static const struct waiting *find_waiting(uint32_t thread) {
  const struct waiting *each = all_waiting;
  while (each && each->thread != thread)
    each = each->next;
  return each;
}

/* The thread that waits, through however many others, for one that self has open; null if there is
 * none. */
static const struct waiting *waits_for_me(const struct waiting *self) {
  const struct waiting *at = self;
  for (;;) {
    uint32_t owner = __atomic_load_n(&at->key->owner, __ATOMIC_RELAXED);
    if (owner == self->thread)
      return at;
    const struct waiting *next = owner && owner != at->thread ? find_waiting(owner) : NULL;
    if (!next)
      return NULL;
    at = next;
  }
}

/* Locks a key that another thread holds, unless that one waits for this one. */
static void wait_for(acre_key *key, const char *here) {
  struct waiting self = {acre_thread_id(), key, here, NULL};
  pthread_mutex_lock(&waiting_lock);
  self.next = all_waiting;
  all_waiting = &self;
  const struct waiting *other = waits_for_me(&self);
  if (other)
    acre_os_fatal("acre_open at %s: another thread has this arena open and waits, in acre_open at "
                  "%s, for one that this "
                  "thread has open; all threads have to open shared arenas in one order",
                  here, other->here);
  pthread_mutex_unlock(&waiting_lock);
  pthread_mutex_lock(&key->lock);
  pthread_mutex_lock(&waiting_lock);
  struct waiting **link = &all_waiting;
  while (*link != &self)
    link = &(*link)->next;
  *link = self.next;
  pthread_mutex_unlock(&waiting_lock);
}

static void open_arena(acre_key *key, const char *here) {
  uint32_t self = acre_thread_id(), owner = __atomic_load_n(&key->owner, __ATOMIC_RELAXED);
  if (key->is_shared) {
    if (owner != self && pthread_mutex_trylock(&key->lock) != 0)
      wait_for(key, here);
  } else if (owner && owner != self) {
    acre_os_fatal("acre_open at %s: another thread has the arena open; acre_key_new_shared makes "
                  "keys for several threads",
                  here);
  }
  if (key->depth++)
    return;
  __atomic_store_n(&key->owner, self, __ATOMIC_RELAXED);
  acre_region_open(arena_of(key, "acre_open"));
}

static void end_arena(void *object) {
  acre_key *key = object;
  if (key->depth)
    acre_os_fatal("acre_key_drop: the arena created at %s is open",
                  arena_of(key, "acre_key_drop")->created_here);
  struct acre_region_entry *arena = acre_registry_find(key->region);
  if (arena && arena->state == ACRE_STATE_LIVE) {
    acre_region_open(arena);
    acre_region_end(arena, key->is_unchecked ? ACRE_END_LATER : ACRE_END_OR_DEFER,
                    "the drop of its last key", (void *)acre_frame_end());
  }
  if (key->is_shared)
    pthread_mutex_destroy(&key->lock);
}

static acre_key *make_key(bool is_counted, bool is_shared, const char *here) {
  static const struct acre_ref_kind kind = {sizeof(acre_key), end_arena};
  acre_key *key = acre_ref_make(&kind, is_shared);
  if (!key)
    return NULL;
  key->is_counted = is_counted;
  key->is_shared = is_shared;
  if (is_shared)
    pthread_mutex_init(&key->lock, NULL);
  key->region = acre_region_new(here);
  struct acre_region_entry *arena = arena_of(key, "acre_key_new");
  arena->is_bound = true;
  acre_region_close_unchecked(arena);
  return key;
}

acre_key *acre_key_make(const char *here) { return make_key(false, false, here); }
acre_key *acre_key_make_counted(const char *here) { return make_key(true, false, here); }
acre_key *acre_key_make_shared(const char *here) { return make_key(true, true, here); }
void acre_key_drop(acre_key *key) { acre_ref_drop(key); }

/* -- Scopes ------------------------------------------------------------------------------------ */

static void push(acre_scope *scope, acre_region region, acre_key *key, const char *here,
                 uintptr_t sp) {
  struct acre_thread *self = &acre_self;
  if (self->scope_count == self->scope_capacity) {
    size_t capacity = self->scope_capacity ? 2 * self->scope_capacity : 16;
    struct acre_open_scope *grown = realloc(self->scopes, capacity * sizeof *grown);
    if (!grown)
      acre_os_fatal("out of memory for the region of a block at %s", here);
    self->scopes = grown;
    self->scope_capacity = capacity;
  }
  self->scopes[self->scope_count++] =
      (struct acre_open_scope){(uintptr_t)scope, region, key, here, false};
  acre_pin_open((acre_rt_pin_frame *)scope, &scope_site, sp);
}

acre_region acre_scope_enter(acre_scope *scope, const char *here) {
  acre_region region = acre_region_new(here);
  acre_registry_find(region)->is_bound = true;
  push(scope, region, NULL, here, acre_frame_callers_sp());
  return region;
}

acre_region acre_scope_open(acre_scope *scope, acre_key *key, const char *here) {
  if (!key)
    acre_os_fatal("acre_open at %s: the key is null", here);
  open_arena(key, here);
  if (key->is_counted)
    acre_ref_alias(key);
  push(scope, key->region, key, here, acre_frame_callers_sp());
  return key->region;
}

/* Takes the scope at frame off the list: the newest one, but for coroutines.  False if it is not
 * there. */
static bool remove_scope(uintptr_t frame, struct acre_open_scope *removed) {
  struct acre_thread *self = &acre_self;
  for (size_t i = self->scope_count; i-- > 0;)
    if (self->scopes[i].frame == frame) {
      *removed = self->scopes[i];
      self->scope_count--;
      for (; i < self->scope_count; i++)
        self->scopes[i] = self->scopes[i + 1];
      return true;
    }
  return false;
}

static void finish(const struct acre_open_scope *scope, enum acre_region_ending how, void *frame) {
  if (scope->key) {
    close_arena(scope->key, how == ACRE_END_OR_ABORT, scope->here, frame);
    if (scope->key->is_counted)
      acre_ref_drop(scope->key);
    return;
  }
  struct acre_region_entry *region =
      acre_registry_find(scope->region); /* the program may have deleted it itself */
  if (region && region->state == ACRE_STATE_LIVE)
    acre_region_end(region, how, scope->here, frame);
}

/* The frames that were counted because of a scope are not any more: from sp up to where the older
 * pin's begin. */
static void release_frames(uintptr_t sp, uintptr_t high) {
  struct acre_thread *self = &acre_self;
  uintptr_t low = self->stack_recorded > sp ? self->stack_recorded : sp;
  if (self->stack_high && acre_thread_is_on_stack(sp) && low < high)
    acre_record_release(low, high);
}

void acre_scope_leave(acre_scope *scope) {
  struct acre_open_scope left;
  void *sp = (void *)acre_frame_end();
  if (!remove_scope((uintptr_t)scope, &left))
    return; /* never entered, or longjmp has left it already */
  finish(&left, ACRE_END_OR_ABORT, sp);
  release_frames((uintptr_t)sp, acre_pin_close((acre_rt_pin_frame *)scope));
}

/* -- Scopes that are left by longjmp ----------------------------------------------------------- */

void acre_scope_note_discarded(uintptr_t frame) {
  for (size_t i = acre_self.scope_count; i-- > 0;)
    if (acre_self.scopes[i].frame == frame)
      acre_self.scopes[i].is_discarded = true;
}

static void end_discarded(enum acre_region_ending how) {
  struct acre_thread *self = &acre_self;
  for (size_t i = self->scope_count; i-- > 0;) {
    struct acre_open_scope scope = self->scopes[i];
    if (scope.is_discarded && remove_scope(scope.frame, &scope))
      finish(&scope, how, (void *)acre_frame_end());
  }
}

void acre_scope_end_discarded(void) { end_discarded(ACRE_END_LATER); }

void acre_scope_end_thread(struct acre_thread *self) {
  ACRE_ASSERT(self == &acre_self);
  for (size_t i = 0; i < acre_self.scope_count; i++)
    acre_self.scopes[i].is_discarded = true;
  end_discarded(ACRE_END_OR_DEFER);
  free(acre_self.scopes);
  acre_self.scopes = NULL;
  acre_self.scope_capacity = 0;
}

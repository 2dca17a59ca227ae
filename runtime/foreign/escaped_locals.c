/* SPDX-License-Identifier: MIT */
/* escaped_locals.c - see escaped_locals.h.  The entries of a thread are a heap in an array, the one
 * with the lowest key first. */
#include "foreign/escaped_locals.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <acre/abi.h>

#include "counting/describe.h"
#include "counting/place.h"
#include "counting/record.h"
#include "counting/store.h"
#include "foreign/ended_locals.h"
#include "foreign/stale.h"
#include "gc/process/process.h"
#include "platform/check.h"
#include "platform/frame.h"
#include "platform/os.h"
#include "platform/thread.h"

struct acre_escaped_local {
  uintptr_t value, slot;
  const acre_rt_where *where;
  const acre_rt_where *jumped; /* where longjmp has ended the variable; null: it has not */
};
typedef struct acre_escaped_local entry;

#define FIRST_CAPACITY ((size_t)1 << 10)
#define STACK_BITS 36 /* no stack is larger: text is seen not to point there */

_Thread_local uintptr_t acre_rt_kept_low = UINTPTR_MAX;

/* -- The heap ---------------------------------------------------------------------------------- */

static uintptr_t key_of(const entry *e) {
  if (e->jumped)
    return 0; /* before all others */
  return acre_thread_is_on_stack(e->slot) && e->slot < e->value ? e->slot : e->value;
}

static void note_lowest(const struct acre_escaped_locals *kept) {
  acre_rt_kept_low = kept->count ? key_of(&kept->entries[0]) : UINTPTR_MAX;
}

static void exchange(entry *a, entry *b) {
  entry held = *a;
  *a = *b;
  *b = held;
}

/* Where it is kept that slot has an entry, and for which value: most slots that are stored to again
 * are given the same one. */
static struct acre_escaped_pair *known_at(const struct acre_escaped_locals *kept, uintptr_t slot) {
  return &kept->known[(slot / ACRE_SLOT_SIZE ^ slot >> 16) & (kept->capacity - 1)];
}

static bool is_known(const struct acre_escaped_locals *kept, uintptr_t slot, uintptr_t value) {
  const struct acre_escaped_pair *known = kept->known ? known_at(kept, slot) : NULL;
  return known && known->slot == slot && known->value == value;
}

static void forget_known(const struct acre_escaped_locals *kept, uintptr_t slot) {
  struct acre_escaped_pair *known = known_at(kept, slot);
  if (known->slot == slot)
    *known = (struct acre_escaped_pair){0};
}

/* The entry at kept->count joins the heap. */
static void push_next(struct acre_escaped_locals *kept) {
  kept->late += kept->entries[kept->count].jumped != NULL;
  for (size_t at = kept->count++; at > 0; at = (at - 1) / 2) {
    entry *above = &kept->entries[(at - 1) / 2];
    if (key_of(above) <= key_of(&kept->entries[at]))
      return;
    exchange(above, &kept->entries[at]);
  }
}

static entry pop(struct acre_escaped_locals *kept) {
  entry first = kept->entries[0];
  forget_known(kept, first.slot);
  kept->late -= first.jumped != NULL;
  kept->entries[0] = kept->entries[--kept->count];
  for (size_t at = 0, child; (child = 2 * at + 1) < kept->count; at = child) {
    if (child + 1 < kept->count &&
        key_of(&kept->entries[child + 1]) < key_of(&kept->entries[child]))
      child++;
    if (key_of(&kept->entries[at]) <= key_of(&kept->entries[child]))
      break;
    exchange(&kept->entries[at], &kept->entries[child]);
  }
  return first;
}

/* -- Slots ------------------------------------------------------------------------------------- */

static bool has_mark(uintptr_t slot) {
  uintptr_t start;
  return acre_record_get(slot, &start) == ACRE_INDEX_ESCAPED && start == slot;
}

/* Reads what the slot of an entry holds now; false if the slot is gone: on the stack below frame,
 * the lowest live one, in a dead collected object, or in memory that was given back since. */
static bool read_slot(uintptr_t slot, uintptr_t frame, uintptr_t *held) {
  void *value;
  if (acre_thread_is_on_stack(slot)) {
    *held = slot >= frame ? (uintptr_t)acre_read_slot(slot) : 0;
    return slot >= frame;
  }
  if (!has_mark(slot) || acre_gc_process_is_dead((void *)slot))
    return false;
  if (acre_gc_process_is_readable((void *)slot))
    value = acre_read_slot(slot);
  else if (!acre_slot_read(slot, &value))
    return false;
  *held = (uintptr_t)value;
  return true;
}

/* -- Stores ------------------------------------------------------------------------------------ */

/* Drops the entries whose slot no longer holds their value, and all but one for each slot.  A
   slot's mark tells whether it has been met: in the stack, where no slot has one, it is set on
   meeting; elsewhere, where each has one, it is taken off.  Afterwards all are as before. */
static void compact(struct acre_escaped_locals *kept, uintptr_t frame) {
  size_t left = 0, count = kept->count;
  acre_slots_stay(true);
  for (size_t i = 0; i < count; i++) {
    entry e = kept->entries[i];
    bool is_on_stack = acre_thread_is_on_stack(e.slot);
    uintptr_t held;
    if (!read_slot(e.slot, frame, &held) || held != e.value || (is_on_stack && has_mark(e.slot)))
      continue;
    acre_record_set(e.slot, is_on_stack ? ACRE_INDEX_ESCAPED : 0);
    kept->entries[left++] = e;
  }
  acre_slots_stay(false);
  kept->count = kept->late = 0;
  memset(kept->known, 0, kept->capacity * sizeof *kept->known);
  for (size_t i = 0; i < left; i++) {
    acre_record_set(kept->entries[i].slot,
                    acre_thread_is_on_stack(kept->entries[i].slot) ? 0 : ACRE_INDEX_ESCAPED);
    push_next(kept);
  }
}

static void give_back(struct acre_escaped_locals *kept) {
  if (!kept->entries)
    return;
  acre_os_unreserve(kept->entries, kept->capacity * sizeof *kept->entries);
  acre_os_unreserve(kept->known, kept->capacity * sizeof *kept->known);
}

/* Makes room for one more entry: by dropping what is not needed, and if more than half is, by
 * doubling the array. */
static void make_room(struct acre_escaped_locals *kept, uintptr_t frame) {
  if (kept->count < kept->capacity)
    return;
  if (kept->entries)
    compact(kept, frame);
  if (kept->count < kept->capacity / 2)
    return;
  size_t capacity = kept->capacity ? 2 * kept->capacity : FIRST_CAPACITY;
  entry *fresh = acre_os_table(capacity * sizeof *fresh);
  struct acre_escaped_pair *known = acre_os_table(capacity * sizeof *known);
  if (!fresh || !known)
    acre_os_fatal("out of memory for the pointers to local variables that are kept");
  for (size_t i = 0; i < kept->count; i++)
    fresh[i] = kept->entries[i];
  give_back(kept);
  kept->entries = fresh;
  kept->known = known;
  kept->capacity = capacity;
}

/* What a slot held when longjmp ended a variable has been overwritten. */
static void forgive(struct acre_escaped_locals *kept, uintptr_t slot) {
  size_t left = 0, count = kept->count;
  forget_known(kept, slot);
  for (size_t i = 0; i < count; i++)
    if (!kept->entries[i].jumped || kept->entries[i].slot != slot)
      kept->entries[left++] = kept->entries[i];
  kept->count = kept->late = 0;
  while (kept->count < left)
    push_next(kept);
}

static void add(struct acre_escaped_locals *kept, uintptr_t slot, uintptr_t value,
                const acre_rt_where *where, uintptr_t frame) {
  make_room(kept, frame);
  if (!kept->count && !acre_self.has_exit_hook)
    acre_thread_hook_exit();
  kept->entries[kept->count] = (entry){value, slot, where, NULL};
  push_next(kept);
  *known_at(kept, slot) = (struct acre_escaped_pair){slot, value};
  note_lowest(kept);
}

static void keep(uintptr_t slot, uintptr_t value, const acre_rt_where *where, uintptr_t frame) {
  struct acre_escaped_locals *kept = &acre_self.escaped;
  if (value < frame || (!acre_self.stack_high && !acre_thread_find_stack()) ||
      !acre_thread_is_on_stack(value) || value - kept->lasting < kept->lasting_size)
    return;
  bool is_on_stack = acre_thread_is_on_stack(slot);
  if (is_on_stack && slot < frame)
    return;
  if (!is_on_stack && !has_mark(slot)) {
    acre_registry_expect_records();
    acre_record_set(slot, ACRE_INDEX_ESCAPED);
  }
  /* A signal handler has interrupted this. */
  if (kept->is_busy)
    return;
  kept->is_busy = true;
  if (kept->late)
    forgive(kept, slot);
  if (!is_known(kept, slot, value))
    add(kept, slot, value, where, frame);
  kept->is_busy = false;
}

/* Where main is called again, by itself, the first call lasts longest. */
void acre_rt_local_lasts(const void *address, size_t size) {
  struct acre_escaped_locals *kept = &acre_self.escaped;
  if (kept->lasting_size)
    return;
  kept->lasting = (uintptr_t)address;
  kept->lasting_size = size;
}

void acre_rt_keep(void *slot, const void *value, const acre_rt_where *where) {
  keep((uintptr_t)slot, (uintptr_t)value, where, acre_frame_end());
}

void acre_rt_keep_range(void *address, size_t size, const acre_rt_where *where) {
  uintptr_t frame = acre_frame_end(), low = (uintptr_t)address;
  uintptr_t first = (low + ACRE_SLOT_SIZE - 1) & ~(uintptr_t)(ACRE_SLOT_SIZE - 1);
  if (size < first - low)
    return;
  for (uintptr_t slot = first; slot + ACRE_SLOT_SIZE <= low + size; slot += ACRE_SLOT_SIZE) {
    uintptr_t value = (uintptr_t)acre_read_slot(slot);
    if ((value - frame) >> STACK_BITS == 0)
      keep(slot, value, where, frame);
  }
}

/* -- Ends -------------------------------------------------------------------------------------- */

/* What ends: the variables of a function, or a part of the stack. */
struct ending {
  uintptr_t high;               /* no entry with a key from here on is concerned */
  uintptr_t frame;              /* what is below it in the stack has ended before */
  uintptr_t low;                /* of a part */
  const acre_rt_locals *locals; /* null: a part */
  va_list *addresses;
  bool is_block; /* slots in the stack are not judged yet */
  bool is_jump;  /* nor others: who catches a longjmp first restores what the frames had changed */
  const acre_rt_where *where;
  const char *name;
};

/* Which variable address is in; null if in none.  One that the optimizer keeps in a register has no
 * address any more: null stands in its place. */
static const acre_rt_local *find_local(const struct ending *ending, uintptr_t address) {
  va_list addresses;
  va_copy(addresses, *ending->addresses);
  const acre_rt_local *found = NULL;
  for (size_t i = 0; i < ending->locals->count && !found; i++) {
    uintptr_t start = va_arg(addresses, uintptr_t);
    if (start && address - start < ending->locals->locals[i].size)
      found = &ending->locals->locals[i];
  }
  va_end(addresses);
  return found;
}

static bool does_end(const struct ending *ending, uintptr_t address) {
  return ending->locals ? find_local(ending, address) != NULL
                        : address - ending->low < ending->high - ending->low;
}

enum verdict { FORGET, LEAVE, ASK };

/* A slot in the stack is judged when the function returns, not when a block of it ends: only then
 * is it known whether the slot is one of its own variables or of a caller's. */
static enum verdict judge(const struct ending *ending, const entry *e) {
  bool is_on_stack = acre_thread_is_on_stack(e->slot);
  if ((is_on_stack && e->slot < ending->frame) || does_end(ending, e->slot))
    return FORGET;
  if (e->jumped || does_end(ending, e->value))
    return is_on_stack && ending->is_block ? LEAVE : ASK;
  return e->value < ending->frame ? FORGET : LEAVE;
}

/* The name of the variable that held points into; null if that is not known. */
static const char *name_of(const struct ending *ending, const entry *e, uintptr_t held) {
  if (e->jumped)
    return NULL;
  const acre_rt_local *local = ending->locals ? find_local(ending, held) : NULL;
  return local ? local->name : ending->name;
}

_Noreturn static void refuse(const struct ending *ending, const entry *e, uintptr_t held,
                             const char *name) {
  acre_os_print(2, "acre: fatal: ");
  acre_print_where(2, e->jumped ? e->jumped : ending->where);
  if (name)
    acre_os_print(2, "the local variable '%s' ends", name);
  else
    acre_os_print(2, "a local variable ends");
  acre_os_print(2, " while a pointer to it is kept\n  slot %p: ", (void *)e->slot);
  acre_print_slot(2, (void *)e->slot, (void *)held);
  acre_os_print(2, "\n  value %p was stored at ", (void *)held);
  acre_os_print(2, "%s:%u in %s\n", e->where->file, e->where->line, e->where->function);
  abort();
}

/* The slot gets an address whose use faults, or the program ends. */
static void settle(const struct ending *ending, const entry *e, uintptr_t held) {
  const struct acre_ended_local ended = {
      .slot = e->slot,
      .held = held,
      .start = ending->locals || e->jumped ? 0 : ending->low,
      .name = name_of(ending, e, held),
      .ended = e->jumped ? e->jumped : ending->where,
      .stored = e->where,
  };
  if (acre_ended_locals_are_fatal() ||
      !acre_ended_local_trap(&ended, acre_thread_is_on_stack(e->slot)))
    refuse(ending, e, held, ended.name);
}

static void end(const struct ending *ending) {
  struct acre_escaped_locals *kept = &acre_self.escaped;
  if (kept->is_busy || !kept->count)
    return;
  kept->is_busy = true;
  /* Entries that stay wait at the end of the array, which the heap leaves free as it shrinks. */
  size_t aside = 0, last = kept->count;
  while (kept->count && key_of(&kept->entries[0]) < ending->high) {
    entry e = pop(kept);
    uintptr_t held;
    enum verdict verdict = judge(ending, &e);
    if (verdict == ASK && read_slot(e.slot, ending->frame, &held) &&
        (e.jumped ? held == e.value : does_end(ending, held))) {
      if (!ending->is_jump) {
        settle(ending, &e, held);
        continue;
      }
      e.jumped = e.jumped ? e.jumped : ending->where;
      verdict = LEAVE;
    }
    if (verdict == LEAVE)
      kept->entries[last - ++aside] = e;
  }
  for (size_t i = last - aside; i < last; i++) {
    kept->entries[kept->count] = kept->entries[i];
    push_next(kept);
  }
  note_lowest(kept);
  kept->is_busy = false;
}

static void expect_no_local(const struct ending *ending, const void *result) {
  const acre_rt_local *local = find_local(ending, (uintptr_t)result);
  if (!local)
    return;
  acre_os_print(2, "acre: fatal: ");
  acre_print_where(2, ending->where);
  acre_os_print(2, "the result points to the local variable '%s', which ends\n", local->name);
  abort();
}

void acre_rt_end_frame(const acre_rt_locals *locals, const acre_rt_where *where, const void *result,
                       ...) {
  va_list addresses;
  va_start(addresses, result);
  struct ending ending = {
      .locals = locals, .addresses = &addresses, .where = where, .frame = acre_frame_end()};
  va_list each;
  va_copy(each, addresses);
  for (size_t i = 0; i < locals->count; i++) {
    uintptr_t start = va_arg(each, uintptr_t), high = start ? start + locals->locals[i].size : 0;
    ending.high = high > ending.high ? high : ending.high;
  }
  va_end(each);
  if (result)
    expect_no_local(&ending, result);
  end(&ending);
  va_end(addresses);
}

void acre_rt_end_block(const void *address, size_t size, const char *name,
                       const acre_rt_where *where) {
  end(&(struct ending){.low = (uintptr_t)address,
                       .high = (uintptr_t)address + size,
                       .frame = acre_frame_end(),
                       .is_block = true,
                       .name = name,
                       .where = where});
}

void acre_rt_end_between(const void *low, const void *high, const acre_rt_where *where) {
  end(&(struct ending){.low = (uintptr_t)low,
                       .high = (uintptr_t)high,
                       .frame = acre_frame_end(),
                       .is_block = true,
                       .where = where});
}

void acre_rt_expect_outside(const void *result, const void *low, const void *high,
                            const acre_rt_where *where) {
  if ((uintptr_t)result - (uintptr_t)low >= (uintptr_t)high - (uintptr_t)low)
    return;
  acre_os_print(2, "acre: fatal: ");
  acre_print_where(2, where);
  acre_os_print(2, "the result points to a local variable, which ends\n");
  abort();
}

void acre_rt_discard_frames(const void *sp, const acre_rt_where *where) {
  if (acre_thread_find_stack())
    end(&(struct ending){.low = acre_self.stack_low,
                         .high = (uintptr_t)sp,
                         .frame = (uintptr_t)sp,
                         .is_jump = true,
                         .where = where});
}

void acre_escaped_end_thread(struct acre_thread *self) {
  ACRE_ASSERT(self == &acre_self);
  struct acre_escaped_locals *kept = &self->escaped;
  give_back(kept);
  *kept = (struct acre_escaped_locals){0};
  acre_rt_kept_low = UINTPTR_MAX;
}

/* SPDX-License-Identifier: MIT */
/* pin.c - see pin.h. */
#include "counting/pin.h"

#include "counting/record.h"
#include "counting/registry.h"
#include "counting/relation.h"
#include "counting/store.h"
#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/frame.h"
#include "platform/os.h"

static void (*discarded_hook)(uintptr_t frame);
static void (*end_discarded)(void);

void acre_pin_on_discard(void (*note)(uintptr_t frame), void (*end)(void)) {
  discarded_hook = note;
  end_discarded = end;
}

static void note_discarded(uintptr_t frame) {
  if (discarded_hook)
    discarded_hook(frame);
}

/* -- The log ----------------------------------------------------------------------------------- */

static struct acre_pin_chunk *log_extend(struct acre_thread *self) {
  struct acre_pin_chunk *fresh = acre_os_table(sizeof *fresh);
  if (!fresh)
    acre_os_fatal("out of memory for pinned locals");
  fresh->older = self->pin_log;
  __atomic_store_n(&self->pin_log, fresh, __ATOMIC_RELEASE);
  return fresh;
}

static inline void log_push(struct acre_thread *self, acre_rt_pin_frame *frame,
                            struct acre_region_entry *region, uintptr_t uncounted_end) {
  struct acre_pin_chunk *chunk = self->pin_log;
  if (__builtin_expect(!chunk || chunk->used == ACRE_PIN_CHUNK_SIZE, 0))
    chunk = log_extend(self);
  if (region)
    acre_add64(&region->count, 1);
  chunk->entries[chunk->used++] = (struct acre_pin_entry){frame, region, uncounted_end};
}

static inline void release_entry(struct acre_pin_entry *entry) {
  if (entry->frame && entry->region) {
    ACRE_ASSERT(entry->region->count > 0 && "a region counts the pins into it");
    acre_add64(&entry->region->count, -1);
  }
  entry->frame = NULL;
}

/* As release_entry, for an entry of the calling thread, the newest that is left. */
static inline void pop_entry(struct acre_pin_entry *entry) {
  if (entry->frame && entry->uncounted_end)
    acre_thread_set_uncounted_end(entry->uncounted_end);
  release_entry(entry);
}

/* Is the last entry of the log free?  An empty newest chunk is skipped. */
static struct acre_pin_entry *last_entry(struct acre_thread *thread) {
  struct acre_pin_chunk *chunk = thread->pin_log;
  if (chunk && chunk->used == 0)
    chunk = chunk->older;
  return chunk ? &chunk->entries[chunk->used - 1] : NULL;
}

/* Removes released entries from the end.  The newest chunk may stay empty, so that calls at a
   chunk's edge do not map memory each time; no other chunk is ever empty. */
static void log_trim(struct acre_thread *thread) {
  for (struct acre_pin_entry *last; (last = last_entry(thread)) && !last->frame;) {
    struct acre_pin_chunk *chunk = thread->pin_log;
    if (chunk->used == 0) {
      /* Another thread's verifier may be reading the log. */
      acre_thread_lock();
      thread->pin_log = chunk->older;
      acre_os_unreserve(chunk, sizeof *chunk);
      acre_thread_unlock();
    }
    thread->pin_log->used--;
  }
}

/* Releases the entries of frame when they are not at the end of the newest chunk: several stacks
   share this thread, or another chunk has some too. */
__attribute__((noinline)) static void log_release(struct acre_thread *self,
                                                  const acre_rt_pin_frame *frame) {
  bool is_found = false, is_past = false;
  for (struct acre_pin_chunk *chunk = self->pin_log; chunk && !is_past; chunk = chunk->older)
    for (size_t i = chunk->used; i-- > 0 && !is_past;) {
      struct acre_pin_entry *entry = &chunk->entries[i];
      if (entry->frame == frame) {
        is_found = true;
        pop_entry(entry);
      } else {
        is_past = is_found;
      }
    }
  log_trim(self);
}

/* What is left to do when the newest chunk is empty or ends with a free entry. */
__attribute__((noinline)) static void log_finish(struct acre_thread *self,
                                                 const acre_rt_pin_frame *frame) {
  const struct acre_pin_entry *last = last_entry(self);
  if (last && last->frame == frame)
    log_release(self, frame);
  else
    log_trim(self);
}

/* Releases the entries of frame. */
static inline void log_pop(struct acre_thread *self, const acre_rt_pin_frame *frame) {
  struct acre_pin_chunk *chunk = self->pin_log;
  if (__builtin_expect(!chunk || chunk->used == 0 || chunk->entries[chunk->used - 1].frame != frame,
                       0)) {
    log_release(self, frame);
    return;
  }
  /* All entries of a frame remember the same. */
  struct acre_pin_entry *entry = &chunk->entries[chunk->used - 1];
  if (entry->uncounted_end)
    acre_thread_set_uncounted_end(entry->uncounted_end);
  size_t used = chunk->used;
  do {
    release_entry(entry--);
    used--;
  } while (used > 0 && entry->frame == frame);
  chunk->used = used;
  if (__builtin_expect(used == 0 || !entry->frame, 0))
    log_finish(self, frame);
}

/* -- Pending ----------------------------------------------------------------------------------- */

#define PENDING_SIZE 256

/* The newest; one without a frame if there is none. */
static inline acre_rt_pending_pin *last_pending(void) { return acre_rt_pins.next - 1; }

static inline void drop_last_pending(void) {
  acre_rt_stack[1] = last_pending()->uncounted;
  acre_rt_pins.next--;
}

__attribute__((noinline)) static void drop_each_discarded(uintptr_t sp) {
  for (uintptr_t frame; (frame = (uintptr_t)last_pending()->frame) != 0 && frame < sp;) {
    note_discarded(frame);
    drop_last_pending();
  }
}

/* Frames that longjmp has discarded, as far as that can be seen: sp is the stack pointer of one
 * that has not. */
static inline void drop_discarded(uintptr_t sp) {
  if (__builtin_expect((uintptr_t)last_pending()->frame - 1 < sp - 1, 0))
    drop_each_discarded(sp);
}

static void make_room(struct acre_thread *self) {
  if (self->pending) {
    acre_pin_settle();
    return;
  }
  self->pending = acre_os_table(PENDING_SIZE * sizeof *self->pending);
  if (!self->pending)
    acre_os_fatal("out of memory for pinned locals");
  acre_rt_pins.next = self->pending + 1;
  acre_rt_pins.limit = self->pending + PENDING_SIZE;
}

void acre_pin_drop_all(struct acre_thread *thread) {
  ACRE_ASSERT(acre_thread_is_locked());
  if (thread->pending) {
    if (thread == &acre_self)
      acre_thread_drop_pending();
    acre_os_unreserve(thread->pending, PENDING_SIZE * sizeof *thread->pending);
    thread->pending = NULL;
  }
  for (struct acre_pin_chunk *chunk = thread->pin_log, *older; chunk; chunk = older) {
    older = chunk->older;
    for (size_t i = 0; i < chunk->used; i++)
      release_entry(&chunk->entries[i]);
    acre_os_unreserve(chunk, sizeof *chunk);
  }
  thread->pin_log = NULL;
}

void acre_pin_end_thread(struct acre_thread *self) {
  ACRE_ASSERT(self == &acre_self);
  acre_thread_lock();
  acre_pin_drop_all(self);
  acre_thread_unlock();
}

void acre_pin_each(const struct acre_thread *thread,
                   void (*visit)(const struct acre_pin_entry *entry, void *context),
                   void *context) {
  ACRE_ASSERT(thread == &acre_self || acre_thread_is_locked());
  for (const struct acre_pin_chunk *chunk = thread->pin_log; chunk; chunk = chunk->older)
    for (size_t i = chunk->used; i-- > 0;)
      if (chunk->entries[i].frame && chunk->entries[i].region)
        visit(&chunk->entries[i], context);
}

struct change {
  struct acre_region_entry *from, *to;
};

static void change_pins_of(struct acre_thread *thread, void *context) {
  const struct change *change = context;
  for (struct acre_pin_chunk *chunk = thread->pin_log; chunk; chunk = chunk->older)
    for (size_t i = 0; i < chunk->used; i++)
      if (chunk->entries[i].frame && chunk->entries[i].region == change->from) {
        acre_add64(&change->to->count, 1);
        chunk->entries[i].region = change->to;
        acre_add64(&change->from->count, -1);
      }
}

void acre_pin_change_region(struct acre_region_entry *from, struct acre_region_entry *to) {
  struct change change = {from, to};
  acre_thread_each(change_pins_of, &change);
}

/* The bytes of the range that is entry i of a frame; 0 if it is a value. */
static size_t range_size(const acre_rt_pin_frame *frame, const acre_rt_pin_site *site, size_t i) {
  size_t size = site->entries[i].size;
  if (size == ACRE_PIN_TO_NEXT)
    return (uintptr_t)frame->values[i + 1] - (uintptr_t)frame->values[i];
  return size == ACRE_PIN_END ? 0 : size;
}

void acre_pin_each_range(acre_pin_visitor *visit, void *context) {
  uintptr_t sp = acre_frame_end();
  const acre_rt_pin_frame *last = NULL;
  for (const struct acre_pin_chunk *chunk = acre_self.pin_log; chunk; chunk = chunk->older)
    for (size_t i = chunk->used; i-- > 0;) {
      const acre_rt_pin_frame *frame = chunk->entries[i].frame;
      bool is_discarded = acre_thread_is_on_stack((uintptr_t)frame) && (uintptr_t)frame < sp;
      /* Entries of one frame are together. */
      if (!frame || is_discarded || frame == last)
        continue;
      last = frame;
      for (size_t entry = 0; entry < frame->site->entry_count; entry++)
        if (frame->site->entries[entry].size != ACRE_PIN_END)
          visit(frame, entry, (uintptr_t)frame->values[entry],
                range_size(frame, frame->site, entry), context);
    }
}

void acre_pin_each_table(void (*visit)(const void *start, size_t size, void *context),
                         void *context) {
  visit(acre_self.pending, PENDING_SIZE * sizeof *acre_self.pending, context);
  for (const struct acre_pin_chunk *chunk = acre_self.pin_log; chunk; chunk = chunk->older)
    visit(chunk, sizeof *chunk, context);
}

struct range_search {
  uintptr_t slot;
  const acre_rt_pin_frame *frame;
  size_t entry;
};

static void compare_range(const acre_rt_pin_frame *frame, size_t entry, uintptr_t low, size_t size,
                          void *context) {
  struct range_search *search = context;
  if (search->frame || search->slot - low >= size)
    return;
  search->frame = frame;
  search->entry = entry;
}

const acre_rt_pin_frame *acre_pin_find_range(uintptr_t slot, size_t *entry) {
  struct range_search search = {.slot = slot};
  acre_pin_each_range(compare_range, &search);
  *entry = search.entry;
  return search.frame;
}

/* -- Counting ---------------------------------------------------------------------------------- */

/* Does value point into a region that the calling thread has made since it had made so many? */
static inline bool is_into_newer(const void *value, uintptr_t regions) {
  const struct acre_region_entry *region = acre_registry_at(acre_page_owner(value));
  return acre_region_owner(region) == acre_thread_id() && region->number > regions;
}

/* Counts [low, high), but for words that point into newer regions: those that the program has
   stored have their records, others are no pointers. */
static void count_words(uintptr_t low, uintptr_t high, uintptr_t regions) {
  uintptr_t first = low;
  if (regions != acre_rt_pins.regions)
    for (uintptr_t slot = (low + ACRE_SLOT_SIZE - 1) & ~(uintptr_t)(ACRE_SLOT_SIZE - 1);
         slot + ACRE_SLOT_SIZE <= high; slot += ACRE_SLOT_SIZE)
      if (is_into_newer(acre_read_slot(slot), regions)) {
        acre_rt_rescan((void *)first, slot - first);
        first = slot + ACRE_SLOT_SIZE;
      }
  acre_rt_rescan((void *)first, high - first);
}

/* Counts the range that is entry i of a frame, but for its hole. */
static inline void count_range(const acre_rt_pin_frame *frame, const acre_rt_pin_site *site,
                               size_t i, uintptr_t regions) {
  const acre_rt_pin_entry *entry = &site->entries[i];
  const uintptr_t low = (uintptr_t)frame->values[i], high = low + range_size(frame, site, i);
  const uintptr_t hole = low + entry->hole_first;
  ACRE_ASSERT(hole + entry->hole_size <= high);
  if (entry->hole_size)
    count_words(low, hole, regions);
  count_words(entry->hole_size ? hole + entry->hole_size : low, high, regions);
}

/* Counts what a frame has pinned when its thread had made so many regions. */
static void count_frame(struct acre_thread *self, acre_rt_pin_frame *frame,
                        const acre_rt_pin_site *site, uintptr_t uncounted_end, uintptr_t regions) {
  bool is_logged = false;
  for (size_t i = 0; i < site->entry_count; i++) {
    if (site->entries[i].size) {
      count_range(frame, site, i, regions);
      continue;
    }
    /* A local is held by no region. */
    uint32_t region =
        acre_counted_region(acre_page_owner(frame->values[i]), ACRE_INDEX_TRADITIONAL);
    if (region && !is_into_newer(frame->values[i], regions)) {
      log_push(self, frame, acre_registry_at(region), uncounted_end);
      is_logged = true;
    }
  }
  if (!is_logged)
    log_push(self, frame, NULL, uncounted_end);
}

/* Are all ranges of a frame in the part of the stack that is in use?  The ranges of one that is
   pending were; if they are not any more, a longjmp that was not seen has discarded the frame, and
   others have written there since. */
static bool is_whole(const acre_rt_pin_frame *frame, const acre_rt_pin_site *site, uintptr_t sp) {
  if (site->is_values_only)
    return true;
  const uintptr_t room = acre_self.stack_high - sp;
  const size_t count = site->entry_count;
  for (size_t i = 0; i < count; i++) {
    uintptr_t distance = (uintptr_t)frame->values[i] - sp;
    if (site->entries[i].size && (distance > room || range_size(frame, site, i) > room - distance))
      return false;
  }
  return true;
}

void acre_pin_settle(void) {
  struct acre_thread *self = &acre_self;
  uintptr_t sp = acre_frame_end();
  if (!last_pending()->frame)
    return;
  if (acre_thread_is_on_stack(sp))
    drop_discarded(sp);
  else
    sp = acre_thread_uncounted_end();
  for (acre_rt_pending_pin *pin = self->pending + 1; pin < acre_rt_pins.next; pin++)
    if (is_whole(pin->frame, pin->site, sp))
      count_frame(self, pin->frame, pin->site, acre_rt_stack[0] + pin->uncounted, pin->regions);
  acre_rt_pins.next = self->pending + 1;
  ACRE_ASSERT(acre_pin_is_settled());
}

static inline bool is_into_condemned(const void *value) {
  const uint32_t region = acre_page_owner(value);
  return region > ACRE_INDEX_PERMANENT && acre_registry_is_condemned(acre_registry_at(region));
}

/* Is it certain that entry i of a frame leads into no condemned region?  budget: how many words of
   ranges may be looked at. */
static bool spares_condemned(const acre_rt_pin_frame *frame, const acre_rt_pin_site *site, size_t i,
                             size_t *budget) {
  if (!site->entries[i].size)
    return !is_into_condemned(frame->values[i]);
  const uintptr_t low = (uintptr_t)frame->values[i];
  const size_t words = range_size(frame, site, i) / ACRE_SLOT_SIZE;
  if (words > *budget || low % ACRE_SLOT_SIZE != 0)
    return false;
  *budget -= words;
  for (size_t word = 0; word < words; word++)
    if (is_into_condemned(acre_read_slot(low + word * ACRE_SLOT_SIZE)))
      return false;
  return true;
}

bool acre_pin_spares_condemned(uintptr_t oldest) {
  enum { FEW_PINS = 8, FEW_WORDS = 64 };
  uintptr_t sp = acre_frame_end();
  if (acre_thread_is_on_stack(sp))
    drop_discarded(sp);
  else
    sp = acre_thread_uncounted_end();
  const acre_rt_pending_pin *pin = last_pending();
  size_t budget = FEW_WORDS;
  for (int looked = 0; pin->frame && pin->regions >= oldest; pin--) {
    if (looked++ == FEW_PINS || !is_whole(pin->frame, pin->site, sp))
      return false;
    for (size_t i = 0; i < pin->site->entry_count; i++)
      if (!spares_condemned(pin->frame, pin->site, i, &budget))
        return false;
  }
  return true;
}

/* -- Entry points ------------------------------------------------------------------------------ */

static inline void pin_from(acre_rt_pin_frame *frame, const acre_rt_pin_site *site, uintptr_t sp) {
  struct acre_thread *self = &acre_self;
  if (__builtin_expect(!self->is_listed, 0))
    acre_thread_list();
  frame->site = site;
  bool is_on_stack = (self->stack_high || acre_thread_find_stack()) && acre_thread_is_on_stack(sp);
  if (is_on_stack)
    drop_discarded(sp);
  bool is_pending =
      is_on_stack && acre_thread_is_on_stack((uintptr_t)frame) && acre_is_single_threaded();
  ACRE_ASSERT(!is_pending || is_whole(frame, site, sp));
  if (is_pending ? acre_rt_pins.next == acre_rt_pins.limit : last_pending()->frame != NULL)
    make_room(self);
  uintptr_t before = acre_rt_stack[1];
  /* From here on what is in this frame and above is counted. */
  if (is_on_stack)
    acre_thread_set_uncounted_end(sp);
  if (is_pending)
    *acre_rt_pins.next++ = (acre_rt_pending_pin){frame, site, before, acre_rt_pins.regions};
  else
    count_frame(self, frame, site, is_on_stack ? acre_rt_stack[0] + before : 0,
                acre_rt_pins.regions);
}

void acre_rt_pin(acre_rt_pin_frame *frame, const acre_rt_pin_site *site) {
  pin_from(frame, site, acre_frame_end());
}

void acre_pin_open(acre_rt_pin_frame *frame, const acre_rt_pin_site *site, uintptr_t sp) {
  pin_from(frame, site, sp);
}

/* Most ranges are small, and without a record. */
static inline void release_range(uintptr_t low, size_t size) {
  const bool is_small = size - 1 < (size_t)1 << ACRE_LINE_SHIFT;
  if (!is_small || acre_line_has(low) || acre_line_has(low + size - 1))
    acre_rt_release((void *)low, size);
}

static inline void release_ranges(const acre_rt_pin_frame *frame) {
  const acre_rt_pin_site *site = frame->site;
  if (site->is_values_only)
    return;
  const acre_rt_pin_entry *entries = site->entries;
  for (size_t i = 0, count = site->entry_count; i < count; i++)
    if (entries[i].size)
      release_range((uintptr_t)frame->values[i], range_size(frame, site, i));
}

/* The newest pending pin is not that of frame. */
__attribute__((noinline)) static void unpin_slowly(const acre_rt_pin_frame *frame) {
  if (acre_thread_is_on_stack((uintptr_t)frame))
    drop_discarded((uintptr_t)frame);
  if (last_pending()->frame == frame)
    drop_last_pending();
  else
    log_pop(&acre_self, frame);
}

void acre_rt_unpin(acre_rt_pin_frame *frame) {
  if (__builtin_expect(last_pending()->frame == frame, 1))
    drop_last_pending();
  else
    unpin_slowly(frame);
  release_ranges(frame);
}

void acre_rt_release_pinned(const acre_rt_pin_frame *frame) { release_ranges(frame); }

uintptr_t acre_pin_close(acre_rt_pin_frame *frame) {
  acre_rt_pending_pin *pin = last_pending();
  while (pin->frame && pin->frame != frame)
    pin--;
  if (!pin->frame) { /* counted */
    acre_pin_settle();
    acre_rt_unpin(frame);
    return acre_thread_uncounted_end();
  }
  uintptr_t before = pin->uncounted;
  if (pin == last_pending())
    acre_rt_stack[1] = before;
  else
    pin[1].uncounted = before; /* the newer one is alone now with what lies above it */
  for (acre_rt_pins.next--; pin < acre_rt_pins.next; pin++)
    *pin = pin[1];
  return acre_rt_stack[0] + before;
}

acre_rt_pin_frame *acre_rt_pin_mark(void) {
  if (last_pending()->frame)
    return last_pending()->frame;
  const struct acre_pin_entry *last = last_entry(&acre_self);
  return last ? last->frame : NULL;
}

/* Frames on other stacks of this thread (coroutines) are left alone when this stack's bounds are
   known.  At or above sp there is one pinned since mark at most, that of the function that called
   setjmp, whose memory is still there; and those of its scopes, which hold no ranges. */
static void unwind_pins(struct acre_thread *self, const acre_rt_pin_frame *mark, uintptr_t sp) {
  bool is_bounded = acre_thread_is_on_stack(sp), is_past = false;
  const acre_rt_pin_frame *own = NULL;
  for (const acre_rt_pin_frame *frame; (frame = last_pending()->frame) && !is_past;) {
    is_past = frame == mark;
    if (is_past)
      continue;
    note_discarded((uintptr_t)frame);
    if (is_bounded && (uintptr_t)frame >= sp && !last_pending()->site->is_values_only)
      own = frame;
    drop_last_pending();
  }
  for (struct acre_pin_chunk *chunk = self->pin_log; chunk && !is_past; chunk = chunk->older)
    for (size_t i = chunk->used; i-- > 0 && !is_past;) {
      uintptr_t frame = (uintptr_t)chunk->entries[i].frame;
      is_past = frame && frame == (uintptr_t)mark;
      if (is_past || !frame || (is_bounded && !acre_thread_is_on_stack(frame)))
        continue;
      note_discarded(frame);
      if (is_bounded && frame >= sp && !chunk->entries[i].frame->site->is_values_only)
        own = chunk->entries[i].frame;
      pop_entry(&chunk->entries[i]);
    }
  log_trim(self);
  if (own)
    release_ranges(own);
}

/* Without a region or a record there is nothing to drop but pins, and there is none since mark if
   the newest pending one is that. */
static inline bool has_nothing_to_unwind(const acre_rt_pin_frame *mark) {
  return !acre_is_counting() && last_pending()->frame == mark && (mark || !acre_self.pin_log) &&
         acre_self.scope_count == 0;
}

__attribute__((noinline)) static void unwind_slowly(acre_rt_pin_frame *mark, void *sp) {
  struct acre_thread *self = &acre_self;
  uintptr_t low = (uintptr_t)sp;
  acre_thread_find_stack();
  unwind_pins(self, mark, low);
  if (acre_thread_is_on_stack(low) && self->stack_recorded < low) {
    acre_record_release(self->stack_recorded, low);
    self->stack_recorded = low;
  }
  if (end_discarded)
    end_discarded();
}

void acre_rt_unwind(acre_rt_pin_frame *mark, void *sp) {
  if (!has_nothing_to_unwind(mark))
    unwind_slowly(mark, sp);
}

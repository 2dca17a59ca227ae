/* SPDX-License-Identifier: MIT */
/* pin.h - pinned locals: values that are live across a call that may delete a region.  Internal to
 * the runtime.
 *
 *   a call that may delete      somebody is about to rely on counts
 *   begins
 *   --------------> pending ---------------------------> settled (in the log)
 *                      |        acre_pin_settle              |
 *                      v                                     v
 *                  released: the call returns, or longjmp or a thread's end discards the frame
 *
 * Most pins are released before anything is deleted.  So a pin is pending at first (acre_rt_pins):
 * a note that the frame is pinned, which no count knows of.  Whoever is about to rely on counts
 * settles the pending pins of its thread first; then they are counted, in the log.  Each has the
 * number of regions that the thread had made, so that no value is taken for a pointer into one that
 * was made after its pin.  Only the thread that owns a region deletes it, so no other has to be
 * asked: while the process has one thread the values of its pins can point into no other's regions,
 * and with a second one pins are counted at once.  Invariant: pending pins are newer than all in
 * the log, and of frames in the thread's stack, newest last.
 *
 * Each thread has a pin log.  Invariant: each frame whose pin is settled has at least one entry;
 * each entry that has a region stands for one unit of that region's count; entries of one frame are
 * together, and the newest are last.  The log remembers what was counted, so that releasing a pin
 * does not depend on what its value points to by then (an integer that looked like no pointer may
 * do so later), and so that frames that longjmp or a thread's exit has discarded, whose memory may
 * be overwritten, need not be read.  Other threads read the log with the list of threads locked;
 * its memory is unmapped under that lock only.  Pinned ranges are not in the log: they have
 * records.
 *
 * While a frame is pinned, so are all frames above it on the stack, and slots there are counted
 * like any memory; slots of newer frames are not (acre_thread_is_uncounted), until their own calls
 * pin them.
 */
#ifndef ACRE_RUNTIME_COUNTING_PIN_H
#define ACRE_RUNTIME_COUNTING_PIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/abi.h>

#include "platform/thread.h"

struct acre_pin_entry {
  acre_rt_pin_frame *frame;         /* null: released out of order */
  struct acre_region_entry *region; /* null: the frame counts nothing */
  uintptr_t uncounted_end; /* the thread's before the pin; 0: the frame is on another stack, and
                              changed nothing */
};

#define ACRE_PIN_CHUNK_SIZE 2046
struct acre_pin_chunk {
  struct acre_pin_chunk *older;
  size_t used;
  struct acre_pin_entry entries[ACRE_PIN_CHUNK_SIZE];
};

/* Counts the calling thread's pending pins.  Before a count is looked at. */
void acre_pin_settle(void);
/* Has the calling thread no pending pins? */
static inline bool acre_pin_is_settled(void) { return !acre_rt_pins.next[-1].frame; }
/* Is it certain that no pending pin of the calling thread refers to a condemned region?  Then they
   may stay pending while counts of such regions are looked at.  oldest: the least number of these
   regions.  Looks at few of the pins that are not older, and at small ranges. */
bool acre_pin_spares_condemned(uintptr_t oldest);
/* A pin without values, which may be released before newer ones.  sp: from here on what lies above
   on the stack is counted. Release returns where what it alone made counted ends. */
void acre_pin_open(acre_rt_pin_frame *frame, const acre_rt_pin_site *site, uintptr_t sp);
uintptr_t acre_pin_close(acre_rt_pin_frame *frame);
/* Frames of scopes are pins too.  From now on note is called with the frame of each pin that
   longjmp has discarded, and end once these are gone. */
void acre_pin_on_discard(void (*note)(uintptr_t frame), void (*end)(void));
/* The calling thread ends.  Needs self to be that. */
void acre_pin_end_thread(struct acre_thread *self);
/* Releases all pins of a thread, without touching its frames.  Needs the list of threads locked. */
void acre_pin_drop_all(struct acre_thread *thread);
/* Calls visit with each entry of all settled pins of the calling thread whose frames are still
   there: the range from low, or if size is 0 the value low. */
typedef void acre_pin_visitor(const acre_rt_pin_frame *frame, size_t entry, uintptr_t low,
                              size_t size, void *context);
void acre_pin_each_range(acre_pin_visitor *visit, void *context);
/* Calls visit with the memory in which the calling thread's pins are noted. */
void acre_pin_each_table(void (*visit)(const void *start, size_t size, void *context),
                         void *context);
/* The calling thread's pin frame that holds slot in a pinned range, and which of its entries; null
 * if there is none. */
const acre_rt_pin_frame *acre_pin_find_range(uintptr_t slot, size_t *entry);
/* What settled pins of any thread count in one region they count in the other from now on. */
void acre_pin_change_region(struct acre_region_entry *from, struct acre_region_entry *to);
/* Calls visit with each entry of thread that counts, newest first.  Needs the list of threads
 * locked unless thread is the calling one. */
void acre_pin_each(const struct acre_thread *thread,
                   void (*visit)(const struct acre_pin_entry *entry, void *context), void *context);

#endif

/* SPDX-License-Identifier: MIT */
/* cycle.h - a collection: its phases, and the steps it is made in.  Internal.
 *
 * Colours: white is free; ecru was allocated when the collection started, and has not been seen;
 * grey has been seen, and its slots are still to be visited; black has been seen and visited, or
 * was allocated since the collection started.  They are segments of a ring (ring.h), or bits beside
 * the page (bitmap.h).
 *
 * Invariant, while a collection runs:
 *   1. No slot of a black object refers to an ecru one, but those of the object that is being
 *      scanned (cycle.scan), from where the scan is; and what the next clause says.
 *   2. The program breaks it with each store.  With barriers the store mends it: what is stored
 *      becomes grey at once.  A heap that finds stores (watch.finds_stores) lets it be broken on
 *      pages that were written since they were protected last, or are not protected (rescan.c), and
 *      mends it in PHASE_SETTLE, with all threads stopped.
 *   3. A root that has been searched refers to nothing ecru, but where its own rule says when it is
 *      searched again (roots.c, foreign_roots.c).
 *   4. What is grey can be found (heap_cycle.h), and each phase ends only when nothing is grey.
 *   5. From PHASE_WEAK on, what is ecru is unreachable but from finalizable objects; from
 *      PHASE_FINAL on, no weak reference names anything ecru; from PHASE_LAST on, nothing does.
 * Between collections nothing is grey or ecru.
 *
 * Phases, each with the ones that may follow:
 *   idle    roots                allocated is black, all else is white
 *   roots   chase or settle      ranges, handles, frames and memory outside the heap, in slices
 *   chase   settle               finds_stores: what was written, in slices
 *   settle  weak, or chase       what may have changed unseen: frames, unprotected roots, stores
 *   weak    final                weak references to what is ecru are cleared
 *   final   last                 finalizable objects that are ecru are queued, and grey
 *   last    idle                 what is ecru is white
 * Marking goes on in each of them whenever something is grey.
 *
 * Cost: a step visits no more slots and objects than its budget says, but one visit more, and
 *   - settling, by barriers: the newest frame and the unprotected ranges; without: what a patient
 *     heap allows (SETTLES_MAX), then all that is left;
 *   - to start and to finish: a few operations for each ring, whatever it holds.
 */
#ifndef ACRE_RUNTIME_GC_CYCLE_CYCLE_H
#define ACRE_RUNTIME_GC_CYCLE_CYCLE_H

#include "gc/heap/heap.h"

/* More words or objects than any step visits. */
#define NO_BOUND (SIZE_MAX / 16)

/* A step of the collection that runs: visits at most so many slots and objects, or until that many
 * bytes are marked.  True when the collection is finished.  Needs a collection; not nested. */
bool acre_gc_cycle_step(heap *h, size_t words, size_t objects, uint64_t marked_until);
/* All that is left of the collection that runs. */
void acre_gc_cycle_run_to_end(heap *h);

/* Frames of the heap must not find old pointers in the places of variables that they have not set
   yet: of the program, or of cells that were taken.  A collection by the same thread searches them.
 */
void acre_gc_clear_dead_stack(void);

#endif

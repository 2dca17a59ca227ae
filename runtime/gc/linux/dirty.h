/* SPDX-License-Identifier: MIT */
/* dirty.h - which memory of the heap was written, by whomever: the kernel knows.  Internal.
 *
 * Pages of the heap are write-protected; the first write to one makes it writable again and is
 * remembered, without a signal and without anyone waiting (userfaultfd, asynchronous;
 * PAGEMAP_SCAN).  So stores of code that has no barrier are seen, and those of the system when it
 * fills a buffer.
 */
#ifndef ACRE_RUNTIME_GC_LINUX_DIRTY_H
#define ACRE_RUNTIME_GC_LINUX_DIRTY_H

#include "gc/heap/heap.h"

/* Can the kernel be asked about pages of the heap?  Whether it answers is another question. */
bool acre_gc_dirty_may_ask(void);
/* Asks the kernel to watch the heap; false where it cannot (Linux before 6.7, a policy, Valgrind).
 */
bool acre_gc_dirty_start(heap *h);
/* The file pagemap, which stays open until the increment ends; negative where that does not go. */
int acre_gc_dirty_pagemap(heap *h);
void acre_gc_dirty_close(heap *h);
/* In the child of a fork nothing is watched. */
void acre_gc_dirty_forget(heap *h);

typedef void acre_gc_dirty_visit(heap *h, uintptr_t start, uintptr_t end);
/* Calls visit with what was written of [start, end) since it was last protected, after protecting
   it again.  Needs the kernel's watch, and a range that is not empty.  most: after so many pages of
   the system the walk ends; 0: no bound.  Returns where it ended; 0 if writes are no longer
   watched. */
uintptr_t acre_gc_dirty_written(heap *h, uintptr_t start, uintptr_t end, size_t most,
                                acre_gc_dirty_visit *visit);
/* As above for all of [start, end).  Needs the world stopped.  This takes a third of the time; the
   pages stay marked as written.  Pages of the big area that were never written are among it. */
uintptr_t acre_gc_dirty_look(heap *h, uintptr_t start, uintptr_t end, acre_gc_dirty_visit *visit);
/* Calls visit with what may be anything but zeros, because it was written at some time; false,
   perhaps after some of it, where that is not known.  Of large objects a part may never have been
   touched: they are not to be read for nothing, which would take page tables, and are not protected
   before they are written. */
bool acre_gc_dirty_filled(heap *h, uintptr_t start, uintptr_t end, acre_gc_dirty_visit *visit);
/* The first such part of [*start, *end), with start at the beginning of a page of the system;
   empty, at *end, if there is none.  False, with nothing changed, where that is not known. */
bool acre_gc_dirty_next_filled(heap *h, uintptr_t *start, uintptr_t *end);
/* Writes to [start, end) are no longer noticed, and cost nothing, until it is protected again: all
   of it counts as written.  False where that does not go. */
bool acre_gc_dirty_release(const heap *h, uintptr_t start, uintptr_t end);
/* Was the system's page of address written since it was last protected?  Changes nothing. */
bool acre_gc_dirty_is_written(const void *address);

/* Memory outside the heap.  Watches [start, end), if it is not watched yet; false where that does
 * not go. */
bool acre_gc_dirty_watch(const heap *h, uintptr_t start, uintptr_t end);
/* Is the descriptor still ours? */
bool acre_gc_dirty_is_open(const heap *h);

typedef void acre_gc_dirty_outside_visit(void *context, uintptr_t start, uintptr_t end,
                                         bool is_swapped);
/* What is asked about a part of a private mapping. */
typedef struct acre_gc_dirty_question {
  int pagemap; /* of this process */
  uintptr_t start, end;
  size_t most;         /* as above */
  bool only_written;   /* else all pages that have memory of their own */
  bool may_be_of_file; /* a page may be one of a file, which is not visited */
  bool protects;
} acre_gc_dirty_question;
/* As acre_gc_dirty_written, or as acre_gc_dirty_look if it does not protect.  0 also if part of it
 * is not watched. */
uintptr_t acre_gc_dirty_outside(const acre_gc_dirty_question *q, acre_gc_dirty_outside_visit *visit,
                                void *context);
/* As above for many pages of which few were written, and without protecting.  Only written pages
   are asked for their memory, which makes the kernel's walk faster.  False also if part of it is
   not watched. */
bool acre_gc_dirty_outside_written(const acre_gc_dirty_question *q,
                                   acre_gc_dirty_outside_visit *visit, void *context);

#endif

/* track.h - which memory of the heap was written, by whomever: the kernel knows.  Internal.
 *
 * Pages of the heap are write-protected; the first write to one makes it writable again and is remembered, without a signal
 * and without anyone waiting (userfaultfd, asynchronous; PAGEMAP_SCAN).  So stores of code that has no barrier are seen,
 * and those of the system when it fills a buffer.
 */
#ifndef ACRE_COLLECTOR_TRACK_H
#define ACRE_COLLECTOR_TRACK_H

#include "internal.h"

/* Asks the kernel to watch the heap; false where it cannot (Linux before 6.7, a policy, Valgrind). */
bool acre_gc_track_start(heap *h);
/* In the child of a fork nothing is watched. */
void acre_gc_track_forget(heap *h);

typedef void acre_gc_track_visit(heap *h, uintptr_t start, uintptr_t end);
/* Calls visit with what was written of [start, end) since it was last protected, after protecting it again.  most: after
   so many pages of the system the walk ends; 0: no bound.  Returns where it ended; 0 if writes are no longer watched. */
uintptr_t acre_gc_track_written(heap *h, uintptr_t start, uintptr_t end, size_t most, acre_gc_track_visit *visit);
/* Was the system's page of address written since it was last protected?  Changes nothing. */
bool acre_gc_track_is_written(const void *address);

/* Memory outside the heap.  Watches [start, end), if it is not watched yet; false where that does not go. */
bool acre_gc_track_watch(const heap *h, uintptr_t start, uintptr_t end);
/* Is the descriptor still ours? */
bool acre_gc_track_is_open(const heap *h);

typedef void acre_gc_track_outside_visit(void *context, uintptr_t start, uintptr_t end, bool is_swapped);
/* As acre_gc_track_written, for a part of a private mapping: visits pages that have memory of their own, written since or,
   where only_written is false, at all.  0 also if part of it is not watched.  pagemap: of this process.  is_of_file: a page
   may be one of a file, which is not visited. */
uintptr_t acre_gc_track_outside(int pagemap, uintptr_t start, uintptr_t end, size_t most, bool only_written, bool is_of_file,
                                acre_gc_track_outside_visit *visit, void *context);

#endif

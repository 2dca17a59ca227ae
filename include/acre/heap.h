/* SPDX-License-Identifier: MIT */
/* heap.h - collected heaps: objects that live as long as something refers to them, reclaimed in
 * bounded steps.
 *
 * The collector of "A Memory-Efficient Real-Time Non-Copying Garbage Collector" (Lim, Pardyak,
 * Bershad, 1998), each of its techniques a switch of acre_heap_config.  A library of its own: needs
 * libacre but not acre-cc; C99 and later, C++11 and later.  What the program must do:
 *
 *   1. Name its roots (ranges, frames, handles), or let the heap find them (scans_memory).
 *   2. Give each allocation a descriptor (acre_site).  Without one, every aligned word of an
 *      object is taken for a pointer if it looks like one.
 *   3. Store pointers with acre_heap_store, or say acre_heap_stored / acre_heap_copied afterwards,
 *      wherever a pointer is written to an object of the heap or to a protected root.  While a
 *      collection runs this is what keeps it from missing an object (section 5.1 of the paper).
 *
 * Objects never move, are zeroed when allocated, and are aligned to 8 bytes or what their
 * allocation asks for.  A pointer to any byte of an object, or one past its end, keeps it.  A heap
 * and its objects belong to the thread that made it.
 *
 * Out of memory: functions with _try_ return null and change nothing; the others call the heap's
 * out_of_memory function as long as that returns true, and then abort with a message.  Misuse
 * aborts with a message where it is noticed.
 */
#ifndef ACRE_HEAP_H
#define ACRE_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include <acre/truth.h>
#include <acre/type.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ACRE_HEAP_RESULT_ __attribute__((warn_unused_result))
#pragma GCC visibility push(default)
#else
#define ACRE_HEAP_RESULT_
#endif

/* The part of a heap that inline functions here read; the collector's own part lies behind it. */
typedef struct acre_heap {
  uint32_t is_marking; /* nonzero while a collection runs */
  struct acre_heap_frame *newest,
      *unscanned; /* neither is null: below all frames is one of the heap's */
} acre_heap;

/* -- Configuration ----------------------------------------------------------------------------- */

typedef enum acre_heap_remap {
  ACRE_HEAP_REMAP_NONE = 0,
  ACRE_HEAP_REMAP_EAGER = 1, /* frames are moved when an allocation needs them */
  ACRE_HEAP_REMAP_LAZY = 2   /* the object gets its range at once; old frames go back later */
} acre_heap_remap;

typedef enum acre_heap_fill {
  ACRE_HEAP_FILL_NONE = 0,
  ACRE_HEAP_FILL_EAGER = 1, /* PF: gaps are filled before a free page is taken */
  ACRE_HEAP_FILL_LAST = 2   /* PF2: only when there is no free page, one cell at a time */
} acre_heap_fill;

/* What to do when the collector is predicted to end after the memory does. */
typedef enum acre_heap_behind {
  ACRE_HEAP_BEHIND_FINISH = 0, /* finish now: a pause now instead of a longer one later */
  ACRE_HEAP_BEHIND_GROW = 1,   /* raise the limit as far as limit_max allows; then finish */
  ACRE_HEAP_BEHIND_WAIT = 2    /* go on; finish when memory is out */
} acre_heap_behind;

struct acre_heap_event;

/* From acre_heap_preset; or all zero, which is a baseline treadmill (TM_BL) of 64 MiB. */
typedef struct acre_heap_config {
  const char *name; /* appears in messages; kept by reference.  Default: "unnamed" */
  size_t limit;     /* bytes of pages the heap may use.  Default: 64 MiB */
  size_t limit_max; /* how far the limit may be raised.  Default: limit; without one either, and
                       with growth_percent, 3/4 of what the process may use by its control group and
                       the machine, or what address space allows */
  /* Not 0: after each collection the limit becomes the pages in use and so much more, of what the
     last two collections found the larger; at least `limit`.  Memory above it goes back to the
     system, a few pages at a time.  Needs uses_migration and uses_big_objects.  Of Acre's own
     configurations 100. */
  unsigned growth_percent;

  acre_bool uses_big_objects; /* objects above a page have pages of their own */
  acre_bool uses_migration;   /* free pages move between classes */
  acre_heap_remap remap;      /* frames move between pages; needs uses_big_objects */
  acre_heap_fill fill;        /* gaps of one class serve another */
  unsigned header_words;      /* 3, 2 or 1.  Default: 3 */
  /* Cells have no links: what is on which list is read from the bitmaps of pages.  Needs
     header_words 1, uses_big_objects and uses_migration, and no fill.  Objects are aligned to 16 if
     all cell sizes are multiples of that, up to 8176. */
  acre_bool uses_bitmaps;
  const uint32_t
      *cell_sizes; /* classes: bytes with header, ascending multiples of 8, 16 to 8192; copied */
  size_t cell_size_count; /* 0: powers of two */

  acre_bool is_incremental;
  unsigned gc_ratio_percent;  /* bytes marked for 100 allocated while collecting.  Default: 200; in
                                 Acre's own presets 400 */
  unsigned increment_objects; /* the most objects scanned in an increment.  Default: 1500 */
  unsigned
      increment_words; /* the most slots visited in an increment.  Default: 6000; in ACRE 3000 */
  unsigned increment_bytes;     /* allocated between increments.  Default: 4096 */
  acre_heap_behind when_behind; /* needs is_incremental */

  /* All memory of the process outside the heap is searched for pointers, word by word, at the end
     of each collection: data of the program and its libraries, stacks and registers of all threads,
     thread-local storage, malloc's memory, regions. Other threads are stopped for as long as that
     takes, which no bound covers.  Needs /proc.  Not searched: memory of other processes, files
     that are mapped shared.  Without is_incremental the barrier is not needed either. */
  acre_bool scans_memory;

  acre_bool checks_each_increment;    /* acre_heap_check after each increment; abort if it fails */
  acre_bool collects_each_allocation; /* a whole collection before every allocation */
  acre_bool poisons; /* overwrite dead objects with 0xdb when a collection ends: not bounded */

  void (*trace)(const struct acre_heap_event *event,
                void *context); /* may read the heap's statistics, nothing else */
  /* Called with the bytes wanted when memory is out.  True: references were dropped or the limit
   * raised, try again. */
  acre_bool (*out_of_memory)(acre_heap *heap, size_t bytes, void *context);
  void *context;
} acre_heap_config;

/* The configurations of the paper, and Acre's own.  _PH1: with headers of one word.  _LINKS: with
 * the paper's lists. */
typedef enum acre_heap_kind {
  ACRE_HEAP_TM_BL,
  ACRE_HEAP_TM_PM,
  ACRE_HEAP_TM_RM,
  ACRE_HEAP_TM_RT,
  ACRE_HEAP_FLS,
  ACRE_HEAP_FLS_PH,
  ACRE_HEAP_FLS_PH1,
  ACRE_HEAP_ALS,
  ACRE_HEAP_ALS_PH,
  ACRE_HEAP_ALS_PH1,
  ACRE_HEAP_FLS_PF,
  ACRE_HEAP_FLS_PF2,
  ACRE_HEAP_ACRE,
  ACRE_HEAP_ACRE_LINKS
} acre_heap_kind;
#define ACRE_HEAP_KIND_COUNT 14

acre_heap_config acre_heap_preset(acre_heap_kind kind);
const char *acre_heap_kind_name(acre_heap_kind kind); /* "TM_BL" ...; null past the last */
#define ACRE_HEAP_CLASS_MAX 128                       /* the most cell sizes */

/* -- Life -------------------------------------------------------------------------------------- */

/* A new heap; null when memory is out.  config may be null: Acre's own preset.  Aborts if config
 * makes no sense. */
ACRE_HEAP_RESULT_ acre_heap *acre_heap_new(const acre_heap_config *config);
/* Frees the heap and all its objects; nothing is finalized.  Null is allowed. */
void acre_heap_delete(acre_heap *heap);
/* Raises the limit to bytes; false, with nothing changed, if that is more than limit_max or less
 * than the limit is now. */
acre_bool acre_heap_set_limit(acre_heap *heap, size_t bytes);

/* -- Allocation -------------------------------------------------------------------------------- */

/* size bytes of zero aligned to align (a power of two up to a page).  site says what will be in
   them; null, or a site without a type: every aligned word may be a pointer. */
void *acre_heap_try_alloc(acre_heap *heap, size_t size, size_t align, const acre_site *site);
void *acre_heap_alloc(acre_heap *heap, size_t size, size_t align, const acre_site *site);
/* count elements; count * size may overflow, which is as out of memory. */
void *acre_heap_try_alloc_array(acre_heap *heap, size_t count, size_t size, size_t align,
                                const acre_site *site);
void *acre_heap_alloc_array(acre_heap *heap, size_t count, size_t size, size_t align,
                            const acre_site *site);
/* size bytes that never hold a pointer. */
void *acre_heap_try_alloc_bytes(acre_heap *heap, size_t size);
void *acre_heap_alloc_bytes(acre_heap *heap, size_t size);

#if defined(__cplusplus)
#define ACRE_HEAP_ALIGNOF_(T) alignof(T)
#elif defined(__GNUC__)
#define ACRE_HEAP_ALIGNOF_(T) __alignof__(T)
#else
#define ACRE_HEAP_ALIGNOF_(T) _Alignof(T)
#endif
/* With acre-cc the descriptor of T is made by the compiler; elsewhere there is none. */
#define ACRE_HEAP_NEW(heap, T) \
  ((T *)acre_heap_alloc((heap), sizeof(T), ACRE_HEAP_ALIGNOF_(T), ACRE_TYPE(T)))
#define ACRE_HEAP_NEW_ARRAY(heap, count, T) \
  ((T *)acre_heap_alloc_array((heap), (count), sizeof(T), ACRE_HEAP_ALIGNOF_(T), ACRE_TYPE(T)))

/* -- Stores ------------------------------------------------------------------------------------ */

/* Out of line: greys what value points to. */
void acre_heap_stored_slow(acre_heap *heap, const void *value);

/* The pointer value has been, or is about to be, stored in an object or a protected root. */
static __inline void acre_heap_stored(acre_heap *heap, const void *value) {
  if (heap->is_marking)
    acre_heap_stored_slow(heap, value);
}
/* size bytes that may hold pointers were written to an object: memcpy, memmove, a struct
 * assignment. */
void acre_heap_copied(acre_heap *heap, const void *to, size_t size);

/* *slot = value with the barrier; a macro because slots have any pointer type.  slot is evaluated
 * twice. */
#define acre_heap_store(heap, slot, value) (*(slot) = (value), acre_heap_stored((heap), *(slot)))

/* -- Roots ------------------------------------------------------------------------------------- */

/* Every aligned word of [start, start+size) may be a pointer into the heap.  Protected: all stores
   to it go through the barrier, so it is scanned once in a collection, in slices.  Unprotected:
   scanned whole where collections end, which no bound covers.  False when memory is out. */
acre_bool acre_heap_add_roots(acre_heap *heap, const void *start, size_t size,
                              acre_bool is_protected);
void acre_heap_remove_roots(acre_heap *heap,
                            const void *start); /* of the last added that begins there */

/* Locals.  A frame names the pointer variables of one activation of a function; frames are pushed
   and popped in order:

     node *list = NULL, *last = NULL;
     ACRE_HEAP_FRAME(heap, frame, &list, &last);
     ...
     acre_heap_pop(heap, &frame);

   Variables of the newest frame are assigned freely.  A store to a variable of an older frame,
   through its address, needs the barrier. */
typedef struct acre_heap_frame {
  struct acre_heap_frame *below, *above;
  void *const *variables; /* the address of each */
  size_t count, depth;
} acre_heap_frame;
static __inline void acre_heap_push(acre_heap *heap, acre_heap_frame *frame) {
  acre_heap_frame *below = heap->newest;
  frame->below = below;
  frame->depth = below->depth + 1;
  heap->newest = below->above = frame;
}
/* Out of line: where a collection has scanned older frames, or newer ones are to be popped. */
void acre_heap_pop_slow(acre_heap *heap, acre_heap_frame *frame);
/* Also pops what was pushed after it, as after longjmp. */
static __inline void acre_heap_pop(acre_heap *heap, acre_heap_frame *frame) {
  if (heap->newest == frame && heap->unscanned != frame) {
    heap->newest = frame->below;
    frame->below = NULL;
  } else {
    acre_heap_pop_slow(heap, frame);
  }
}
#define ACRE_HEAP_FRAME(heap, name, ...)                                            \
  void *const name##_variables_[] = {__VA_ARGS__};                                  \
  acre_heap_frame name = {0, 0, name##_variables_,                                  \
                          sizeof name##_variables_ / sizeof *name##_variables_, 0}; \
  acre_heap_push((heap), &name)

/* A root of its own, for objects kept from code that has no frame.  Null when memory is out. */
typedef struct acre_heap_handle acre_heap_handle;
ACRE_HEAP_RESULT_ acre_heap_handle *acre_heap_handle_new(acre_heap *heap, void *object);
void *acre_heap_handle_get(const acre_heap_handle *handle);
void acre_heap_handle_set(acre_heap *heap, acre_heap_handle *handle, void *object);
void acre_heap_handle_delete(acre_heap *heap, acre_heap_handle *handle); /* null is allowed */

/* -- Weak references and finalizable objects --------------------------------------------------- */

/* A weak reference does not keep its object; get returns null once a collection found nothing else
   that does.  Null when memory is out. */
typedef struct acre_heap_weak acre_heap_weak;
ACRE_HEAP_RESULT_ acre_heap_weak *acre_heap_weak_new(acre_heap *heap, void *object);
void *acre_heap_weak_get(acre_heap *heap, const acre_heap_weak *weak);
void acre_heap_weak_delete(acre_heap *heap, acre_heap_weak *weak); /* null is allowed */

/* When a collection finds object unreachable it is kept once more and put in a queue, with what it
   refers to; weak references to it are cleared before.  False when memory is out. */
acre_bool acre_heap_set_finalizable(acre_heap *heap, void *object);
/* The object that has been longest in the queue, out of it; null if it is empty.  The program
 * finalizes it when it likes. */
void *acre_heap_next_finalizable(acre_heap *heap);

/* object is not used any more.  Its memory comes back when the next collection confirms that; if
   something still refers to it, it is kept, and the collection reports so (event, or a message on
   stderr without a trace), once. */
void acre_heap_free(acre_heap *heap, void *object);

/* -- Collection -------------------------------------------------------------------------------- */

/* A collection from start to finish (one that runs is finished first): what is unreachable now is
 * free after it. */
void acre_heap_collect(acre_heap *heap);
/* Starts one unless one runs. */
void acre_heap_collect_start(acre_heap *heap);
/* One increment of the one that runs; true when none runs afterwards. */
acre_bool acre_heap_collect_some(acre_heap *heap);
/* Finishes the one that runs, however long it takes. */
void acre_heap_collect_finish(acre_heap *heap);

/* -- Questions --------------------------------------------------------------------------------- */

/* The start of the object that p points to, into, or just past; null if there is none.  O(1), for
 * any p. */
void *acre_heap_object_of(const acre_heap *heap, const void *p);
size_t acre_heap_object_size(const acre_heap *heap,
                             const void *object); /* as asked for; 0 if there is none */
const acre_site *acre_heap_object_site(const acre_heap *heap, const void *object);

/* Where the heap's limit goes, in bytes.  limit = useful + headers + padding + external. */
typedef struct acre_heap_composition {
  uint64_t clock; /* bytes asked for since the heap was made: the allocation clock */
  size_t limit;
  size_t useful;     /* asked for by allocations not reclaimed yet */
  size_t headers;    /* of these */
  size_t padding;    /* cells and pages rounded up */
  size_t external;   /* free, in whatever form */
  size_t pages;      /* with frames: of limit */
  size_t free_pages; /* of these, without objects */
  size_t metadata;   /* page tables and bitmaps for the pages in use: outside the limit */
} acre_heap_composition;
void acre_heap_get_composition(const acre_heap *heap, acre_heap_composition *composition);

typedef struct acre_heap_stats {
  uint64_t collections, increments;
  uint64_t allocated_objects, allocated_bytes; /* as asked for */
  uint64_t marked_objects, marked_bytes;       /* over all collections; bytes of cells */
  uint64_t migrations, pages_remapped, gaps_filled, runs_searched;
  uint64_t forced;      /* collections finished in one step because memory was out */
  uint64_t fell_behind; /* collections that were predicted to end too late */
  uint64_t limit_raised;
  uint64_t pages_returned; /* to the system, as growth_percent wants */
  uint64_t words_max;      /* the most slots visited in one increment that was bounded */
  size_t live_objects;     /* not reclaimed yet */
} acre_heap_stats;
void acre_heap_get_stats(const acre_heap *heap, acre_heap_stats *stats);

/* -- Evidence ---------------------------------------------------------------------------------- */

typedef enum acre_heap_event_kind {
  ACRE_HEAP_EVENT_START,
  ACRE_HEAP_EVENT_INCREMENT,
  ACRE_HEAP_EVENT_FINISH,
  ACRE_HEAP_EVENT_MIGRATE,
  ACRE_HEAP_EVENT_REMAP,
  ACRE_HEAP_EVENT_FILL,
  ACRE_HEAP_EVENT_FORCED,
  ACRE_HEAP_EVENT_BEHIND,
  ACRE_HEAP_EVENT_RAISED,
  ACRE_HEAP_EVENT_FREED_IN_USE,
  ACRE_HEAP_EVENT_OUT_OF_MEMORY,
  ACRE_HEAP_EVENT_RETURNED,
  ACRE_HEAP_EVENT_BEGIN,    /* what it took to start a collection */
  ACRE_HEAP_EVENT_IDLE,     /* a step of what is left to do when none runs */
  ACRE_HEAP_EVENT_ALLOCATE, /* an allocation that took long by itself: frames, clearing */
  ACRE_HEAP_EVENT_WAIT /* a thread waited until others were done with the heap of the process */
} acre_heap_event_kind;
#define ACRE_HEAP_EVENT_KIND_COUNT 16
const char *acre_heap_event_name(acre_heap_event_kind kind);

typedef struct acre_heap_event {
  acre_heap_event_kind kind;
  acre_heap *heap;
  uint64_t collection;  /* its number */
  uint64_t nanoseconds; /* monotonic clock; of what has a duration, when it began */
  uint64_t duration;    /* nanoseconds, of INCREMENT, FINISH and those from BEGIN on */
  uint64_t
      amount; /* slots visited; pages migrated, remapped or returned; bytes wanted; the new limit */
  const void *object,
      *holder; /* of FREED_IN_USE: the object, and an object that refers to it or null for a root */
  uint64_t stopped; /* nanoseconds, of INCREMENT and FINISH: how long other threads stood still */
} acre_heap_event;

/* A trace function: writes the event and the heap's composition as one line of JSON to the file
   descriptor that context points to. */
void acre_heap_trace_to_fd(const acre_heap_event *event, void *context);

/* Writes the sizes of all objects allocated so far and of those not reclaimed yet to file
   descriptor fd, for `acre sizes`.  False, with errno, if that fails. */
acre_bool acre_heap_write_profile(const acre_heap *heap, int fd);

/* Checks every invariant, and that everything reachable is there, with a marker of its own; false
   with a message on stderr if something is wrong.  O(heap). */
acre_bool acre_heap_check(const acre_heap *heap);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif

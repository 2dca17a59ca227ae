/* SPDX-License-Identifier: MIT */
/* abi.h - entry points called by generated code.  Not for programs: names and meaning follow the
 * compiler.
 *
 * The vocabulary is in docs/design/counting.md.  A slot is a word of memory that holds a pointer.
 * Its record names the region that the slot is counted in.  Every entry point here makes records
 * agree with memory. All are safe to call before the runtime's own constructor, from any thread and
 * from signal handlers.
 */
#ifndef ACRE_ABI_H
#define ACRE_ABI_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/bump.h>
#include <acre/type.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* All region memory lies in a window, which is in one aligned block of 2^ACRE_WINDOW_SHIFT bytes: p
   may be in a region only if (uintptr_t)p >> ACRE_WINDOW_SHIFT == acre_rt_window_tag.  The converse
   does not hold. */
#define ACRE_WINDOW_SHIFT 40
extern uintptr_t acre_rt_window_tag;

/* A slot is in a frame of the calling thread that is not counted now, by
 * docs/design/counting/stack.md, exactly if (uintptr_t)slot - acre_rt_stack[0] < acre_rt_stack[1].
 */
#if defined(__cplusplus)
extern thread_local uintptr_t acre_rt_stack[2] __attribute__((tls_model("initial-exec")));
#else
extern _Thread_local uintptr_t acre_rt_stack[2] __attribute__((tls_model("initial-exec")));
#endif

/* All of an aligned block of 2^ACRE_WINDOW_PAGE_SHIFT bytes lies in one region, or outside all
 * regions. */
#define ACRE_WINDOW_PAGE_SHIFT 14

/* The region of an address p: with n = ((uintptr_t)p - acre_rt_window_base) >>
   ACRE_WINDOW_PAGE_SHIFT, acre_rt_page_map[n].owner is the index of the region of p, 0 for none, if
   n < acre_rt_window_pages; else p is in no region.  The number of pages is read first. */
extern uintptr_t acre_rt_window_base;
extern size_t acre_rt_window_pages;
/* unrecorded is the owner as long as no slot of the page has a record: a store of a pointer into
 * the owner has nothing to do there.  Else it is ACRE_PAGE_RECORDED, which is no region's index. */
#define ACRE_PAGE_RECORDED 0xffffffffu
typedef struct acre_rt_page {
  uint32_t owner;
  uint32_t unrecorded;
} acre_rt_page;
extern acre_rt_page *acre_rt_page_map;
/* Zero as long as no address that the program has seen can be in a region, nor come to be in one:
 * pages were given to no region, and none came back.  Once it is not zero it stays so. */
extern unsigned char acre_rt_had_region;

/* acre_rt_bounds knows objects only at addresses p with (uintptr_t)p - acre_rt_bounded[0] <
 * acre_rt_bounded[1]. */
extern uintptr_t acre_rt_bounded[2];

/* Relations of regions that this thread has found true: holder << 32 | ancestor at
   [(holder + ancestor) % ACRE_ANCESTOR_PAIRS], or what is no pair.  Holders are alive and this
   thread's. */
#define ACRE_ANCESTOR_PAIRS 32
#if defined(__cplusplus)
extern thread_local uint64_t acre_rt_ancestor_pairs[ACRE_ANCESTOR_PAIRS]
    __attribute__((tls_model("initial-exec")));
#else
extern _Thread_local uint64_t acre_rt_ancestor_pairs[ACRE_ANCESTOR_PAIRS]
    __attribute__((tls_model("initial-exec")));
#endif

/* acre_rt_filter[(address >> ACRE_FILTER_SHIFT) & 0xffff] is zero only if no slot in the filter
 * area of address, which is 64 KiB, has a record. */
#define ACRE_FILTER_SHIFT 16
extern unsigned char acre_rt_filter[65536];

/* A line is 64 bytes of address space.  acre_rt_lines[(address >> ACRE_LINE_SHIFT) %
 * ACRE_LINE_COUNTS] is how many records the slots in all lines with this index have, or the highest
 * count, which stays once it is reached.  A byte each: stores that are close ask one cache line. */
#define ACRE_LINE_SHIFT 6
#define ACRE_LINE_COUNTS 0x100000
extern unsigned char acre_rt_lines[ACRE_LINE_COUNTS];
/* As acre_rt_lines, but it counts only records that are not lazy: where there is none of these, a
 * store that needs no record has nothing to do. */
extern unsigned char acre_rt_eager_lines[ACRE_LINE_COUNTS];

/* The record of the slot at address: with leaves = acre_rt_records[address >> 32 & 0xffff] and
   records = leaves[address >> ACRE_FILTER_SHIFT & 0xffff], it is records[address >>
   ACRE_RECORD_SHIFT & 0x1fff]: the index of the region << ACRE_RECORD_SHIFT, plus the slot's offset
   in its granule; 0 if there is none, as where leaves or records is null. */
#define ACRE_RECORD_SHIFT 3
/* Marks the record of a slot that may hold null meanwhile, or pointers into the region named. */
#define ACRE_RECORD_LAZY 0x80000000u
/* Once leaves and records are not null they stay as they are. */
extern uint32_t **acre_rt_records[65536];

/* Pointers into the region of this index, which is never deleted, are not counted. */
#define ACRE_UNCOUNTED_REGION 1

/* Nonzero while any region or any record exists: range operations may be skipped when it is zero.
 */
extern unsigned char acre_rt_active;

/* Where a checked store stands in the source. */
typedef struct acre_rt_where {
  const char *file;
  const char *function;
  uint32_t line;
} acre_rt_where;

/* value has been stored, or is about to be, in the plain slot.  Needed only if value is in the
   window or the slot's filter area may have records. */
void acre_rt_store(void *slot, void *value);
/* As acre_rt_store, for the slot of a variable.  *place becomes where its record is, once that has
   a place: from then on the record can be read there, for as long as the process lives. */
void acre_rt_store_global(void *slot, void *value, const uint32_t **place);
/* As acre_rt_store for a value that needs no record, where the slot has one.  The value is not
 * looked at. */
void acre_rt_drop_record(void *slot, void *value);
/* As acre_rt_store for a volatile or atomic slot: reads the value from there, atomically, because
 * another thread may have stored since. */
void acre_rt_reread(void *slot);
/* [slots, slots+size), plain slots side by side, have been stored. */
void acre_rt_store_range(void *slots, size_t size);
/* value is about to be stored in an annotated slot: abort with a message if its rule forbids it. */
void acre_rt_check_sameregion(void *slot, void *value, const acre_rt_where *where);
void acre_rt_check_parentptr(void *slot, void *value, const acre_rt_where *where);
/* slot is null where the value is that of a local or a result. */
void acre_rt_check_traditional(void *slot, void *value, const acre_rt_where *where);
/* The same for a region handle: rule is one of acre_slot_rule's for handles, slot null where the
 * rule needs none. */
void acre_rt_check_handle(void *slot, void *handle, int rule, const acre_rt_where *where);

/* value, an argument or a result, must be null or in a region: that of the object at region, or the
   one that the handle region names; or in an ancestor of it.  Abort with a message if it is not.
   kind: acre_rt_inregion_kind. */
typedef enum acre_rt_inregion_kind {
  ACRE_RT_OR_ANCESTOR = 1,
  ACRE_RT_BY_HANDLE = 2,
  ACRE_RT_OUTSIDE = 4 /* outside all regions; only what is known has it */
} acre_rt_inregion_kind;
void acre_rt_check_inregion(void *value, void *region, int kind, const acre_rt_where *where);
/* The same has been checked by the caller, or by the function that was called.  Tells the compiler;
 * never left in code. */
void acre_rt_known_inregion(void *value, void *region, int kind);
/* The compiler has proved what acre_rt_check_inregion would ask: abort with a message if that is
 * wrong.  For -facre-checks=verified. */
void acre_rt_verify_inregion(void *value, void *region, int kind, const acre_rt_where *where);

/* The compiler has proved that storing value in slot obeys rule (an acre_slot_rule; plain: that it
   is not counted): abort with a message if that is wrong.  For -facre-checks=verified. */
void acre_rt_verify_proved(void *slot, void *value, int rule, const acre_rt_where *where);

/* The bytes [low, high) of an object. */
typedef struct acre_rt_range {
  const char *low, *high;
} acre_rt_range;
/* The object in a region or in the collected heap that p points into, or just past; all addresses
   if there is none. O(the size of the object / 512). */
acre_rt_range acre_rt_bounds(const void *p);
/* size bytes at address are about to be accessed, or if size is 0 the address is kept, and must be
   in [low, high) or, for an address, just past: abort with a message if not.  For -facre-bounds. */
void acre_rt_check_bounds(const void *low, const void *high, const void *address, size_t size,
                          const acre_rt_where *where);
/* Ends the program with the message of acre_rt_check_bounds, whose test was made in line. */
__attribute__((noreturn)) void acre_rt_out_of_bounds(const void *low, const void *high,
                                                     const void *address, size_t size,
                                                     const acre_rt_where *where);

/* How many bytes a function of the C library is about to write at `to`, which is in an object that
   ends at high; 0 where high is the end of all.  For -facre-bounds.
   Text, with its end, in characters of unit bytes (1 or 4), at most so many of them; appended: with
   the text that is at `to` before. O(the texts). */
size_t acre_rt_text_bytes(const void *high, const void *to, const void *text, size_t most,
                          size_t unit, int is_appended);
/* What a function of the printf family makes, with its end, of at most so many bytes; 0 too where
   these have room. errno stays. O(the text). */
size_t acre_rt_format_bytes(const void *high, const void *to, size_t most, const char *format, ...);
/* As acre_rt_format_bytes, but the arguments are in a va_list: its address, or on machines where a
   va_list is one word, that word, as a call passes it. */
size_t acre_rt_format_bytes_of_list(const void *high, const void *to, size_t most,
                                    const char *format, void *list);

/* [address, address+size) has been overwritten by bytes that may hold pointers.  Every word that
   looks like a pointer into a region is taken for one.  In region memory, annotated slots are
   checked by the object's descriptor. */
void acre_rt_rescan(void *address, size_t size);
/* memmove(to, from, size), then acre_rt_rescan(to, size). */
void acre_rt_copy(void *to, const void *from, size_t size);
/* memset(to, byte, size), then acre_rt_release(to, size). */
void acre_rt_fill(void *to, int byte, size_t size);
/* The same where the type is known: size is a multiple of type->size, or one object with a flexible
 * member. */
void acre_rt_rescan_typed(void *address, size_t size, const acre_type *type,
                          const acre_rt_where *where);
/* The same, and what is no slot of the type holds no pointer.  where is null if it has no annotated
 * slots. */
void acre_rt_rescan_slots(void *address, size_t size, const acre_type *type,
                          const acre_rt_where *where);
/* The same as acre_rt_rescan_typed of bytes copied from other memory, where the type is only known
   to be what they begin with: what else they are is asked of the descriptor of the object at
   address or, if there is none, of the one at from. */
void acre_rt_rescan_copied(void *address, const void *from, size_t size, const acre_type *type,
                           const acre_rt_where *where);
/* [address, address+size) is dead or holds no pointers any more: drop its records. */
void acre_rt_release(void *address, size_t size);
/* Dynamic stack memory: drops the records in [low, high). */
void acre_rt_release_between(void *low, void *high);

/* -facre-sites: a store of the program, and what the source calls the memory that is stored, or
   null. */
typedef struct acre_rt_stored {
  acre_rt_where where;
  const char *slot;
} acre_rt_stored;
/* value has been stored in slot there, or [address, address+size) has been overwritten there: who
   reports the slots says so.  at is null where memory begins to be used for something else. */
void acre_rt_stored_at(void *slot, void *value, const acre_rt_stored *at);
void acre_rt_stored_range_at(void *address, size_t size, const acre_rt_stored *at);
/* p, or null, has been allocated there, by malloc or what gives memory like it; or, with null for a
   place, p is about to be freed. */
void acre_rt_allocated_at(const void *p, const acre_rt_where *at);
/* A function of the C library that keeps a pointer is about to be called there. */
void acre_rt_kept_at(const acre_rt_stored *at);

/* -facre-locals: local variables and the pointers to them that are kept elsewhere. acre_rt_kept_low
   is not above any such variable, nor above a place in the stack that holds such a pointer: what
   lies below it may end without a call. */
#if defined(__cplusplus)
extern thread_local uintptr_t acre_rt_kept_low __attribute__((tls_model("initial-exec")));
#else
extern _Thread_local uintptr_t acre_rt_kept_low __attribute__((tls_model("initial-exec")));
#endif
typedef struct acre_rt_local {
  const char *name;
  size_t size;
} acre_rt_local;
typedef struct acre_rt_locals {
  size_t count;
  const acre_rt_local *locals;
} acre_rt_locals;
/* value has been stored in slot, which is no variable of the function's own.  Needed only if value
   is not below the stack pointer. */
void acre_rt_keep(void *slot, const void *value, const acre_rt_where *where);
/* As acre_rt_keep for all aligned words of memory that has been written. */
void acre_rt_keep_range(void *address, size_t size, const acre_rt_where *where);
/* The variable [address, address + size) is main's and no block of it ends before main does, with
   which the process ends: no pointer to it need be noted. */
void acre_rt_local_lasts(const void *address, size_t size);
/* A function returns: abort with a message if a slot outside of its variables still holds a pointer
   to one, or result is one.  Behind result come the addresses of the variables, some of which may
   be null. */
void acre_rt_end_frame(const acre_rt_locals *locals, const acre_rt_where *where, const void *result,
                       ...);
/* A variable's block ends: the same of slots that are not in the stack.  And of dynamic stack
 * memory, [low, high). */
void acre_rt_end_block(const void *address, size_t size, const char *name,
                       const acre_rt_where *where);
void acre_rt_end_between(const void *low, const void *high, const acre_rt_where *where);
/* A function returns result: abort with a message if that is in dynamic stack memory of its own,
 * [low, high). */
void acre_rt_expect_outside(const void *result, const void *low, const void *high,
                            const acre_rt_where *where);
/* setjmp has returned: the same of all of the stack below sp. */
void acre_rt_discard_frames(const void *sp, const acre_rt_where *where);

#define ACRE_PIN_TO_NEXT (~(size_t)0)
#define ACRE_PIN_END (~(size_t)0 - 1)
/* Pins: locals that are live across a call that may delete. */
typedef struct acre_rt_pin_entry {
  const char *name; /* variable, or null */
  size_t size; /* 0: values[i] is the pinned value; else values[i] is the address of size bytes,
                  pinned as by rescan */
  /* ACRE_PIN_TO_NEXT: a range that ends at values[i + 1], whose own size is ACRE_PIN_END */
  size_t is_kept; /* nonzero: only who has kept the address of the object in the range needs it */
  size_t hole_first, hole_size; /* these bytes of the range hold no pointers of the program */
} acre_rt_pin_entry;
typedef struct acre_rt_pin_site {
  acre_rt_where where;
  size_t entry_count;
  const acre_rt_pin_entry *entries;
  size_t is_values_only; /* nonzero: no entry is a range */
} acre_rt_pin_site;
typedef struct acre_rt_pin_frame {
  void *reserved[2];
  const acre_rt_pin_site *site;
  void *values[]; /* entry_count of them */
} acre_rt_pin_frame;
/* frame and values stay as they are until acre_rt_unpin. */
void acre_rt_pin(acre_rt_pin_frame *frame, const acre_rt_pin_site *site);
void acre_rt_unpin(acre_rt_pin_frame *frame);
/* Drops the records of the ranges of frame, whose pin compiled code has taken back. */
void acre_rt_release_pinned(const acre_rt_pin_frame *frame);

/* Pins that no delete has asked about yet: the entries before acre_rt_pins.next, of which the
   oldest has no frame. Compiled code makes and takes back pins itself.  It appends an entry, puts
   the site in the frame and sets acre_rt_stack[1] to the distance of the stack pointer from
   acre_rt_stack[0] if that is not more than before, the process has a single thread
   (__libc_single_threaded) and next is not limit; and if the last entry names its frame, it
   removes that and sets acre_rt_stack[1] back; then it calls acre_rt_release_pinned if a range may
   have records.  Else it calls the functions above. */
typedef struct acre_rt_pending_pin {
  acre_rt_pin_frame *frame;
  const acre_rt_pin_site *site;
  uintptr_t uncounted; /* acre_rt_stack[1] before the pin */
  uintptr_t regions;   /* acre_rt_pins.regions before the pin */
} acre_rt_pending_pin;
typedef struct acre_rt_pending_pins {
  acre_rt_pending_pin *next, *limit;
  uintptr_t regions; /* how many the thread has made */
} acre_rt_pending_pins;
#if defined(__cplusplus)
extern thread_local acre_rt_pending_pins acre_rt_pins __attribute__((tls_model("initial-exec")));
#else
extern _Thread_local acre_rt_pending_pins acre_rt_pins __attribute__((tls_model("initial-exec")));
#endif
/* setjmp: mark before the call; unwind after every return of it.  Drops pins made since mark and
   records of the stack below sp. */
acre_rt_pin_frame *acre_rt_pin_mark(void);
void acre_rt_unwind(acre_rt_pin_frame *mark, void *sp);

/* Interceptors of C library functions that free or move memory which may hold counted slots: they
 * drop or move its records too. */
void acre_rt_free(void *p);
void *acre_rt_realloc(void *p, size_t size);
void *acre_rt_reallocarray(void *p, size_t count, size_t size);
void acre_rt_qsort(void *base, size_t count, size_t size,
                   int (*compare)(const void *, const void *));
void acre_rt_qsort_r(void *base, size_t count, size_t size,
                     int (*compare)(const void *, const void *, void *), void *context);
int acre_rt_munmap(void *address, size_t size);
int acre_rt_mlockall(int flags);
void *acre_rt_mremap(void *address, size_t old_size, size_t size, int flags, ...);
/* C++ deletes p, of size bytes; 0: what `new` asked malloc for, as far as that can be known. */
void acre_rt_before_delete(void *p, size_t size);
/* Those of functions that keep a pointer (epoll_ctl, pthread_setspecific, setvbuf, ...) have the
   types of what they stand for; runtime/foreign/intercept_keep.c. */

/* -facre-malloc=collected: what the functions of these names do, in the collected heap of the
   process.  free, realloc, reallocarray and usable_size take any memory that free takes.  Freed
   memory is used again when nothing refers to it. */
void *acre_rt_gc_malloc(size_t size);
/* Called before main: opens files of /proc while the program may still open some. */
void acre_rt_gc_prepare(void);
void *acre_rt_gc_calloc(size_t count, size_t size);
/* Memory that is never searched, because the way its size is written says that it is for numbers.
 */
void *acre_rt_gc_malloc_numbers(size_t size);
void *acre_rt_gc_calloc_numbers(size_t count, size_t size);
void *acre_rt_gc_realloc(void *p, size_t size);
void *acre_rt_gc_reallocarray(void *p, size_t count, size_t size);
void acre_rt_gc_free(void *p);
void *acre_rt_gc_aligned_alloc(size_t align, size_t size);
int acre_rt_gc_posix_memalign(void **result, size_t align, size_t size);
void *acre_rt_gc_valloc(size_t size);
void *acre_rt_gc_pvalloc(size_t size);
size_t acre_rt_gc_usable_size(void *p);
/* The object that value points into, if there is one, lives until it is freed, whether or not a
   pointer to it is found: called before value is stored where its address may not be aligned.  A
   signal handler that interrupts the collected heap keeps nothing. */
void acre_rt_gc_keep(const void *value);
/* The same with the place of the call, which appears in the message if p is no such memory; of what
   allocates as a site without a type, which reports name. */
void *acre_rt_gc_malloc_at(size_t size, const acre_site *site);
void *acre_rt_gc_calloc_at(size_t count, size_t size, const acre_site *site);
void *acre_rt_gc_realloc_at(void *p, size_t size, const acre_site *site);
void *acre_rt_gc_reallocarray_at(void *p, size_t count, size_t size, const acre_site *site);
void acre_rt_gc_free_at(void *p, const acre_rt_where *where);
size_t acre_rt_gc_usable_size_at(void *p, const acre_rt_where *where);
/* The same for what the C library's functions of these names get from code that was not compiled by
   acre-cc: a linker's --wrap=free does not stand before these. */
void acre_rt_gc_library_free(void *p);
void *acre_rt_gc_library_realloc(void *p, size_t size);
size_t acre_rt_gc_library_usable_size(void *p);
/* p is given to a function of the allocator that has code at this address: abort with a message if
   it cannot be memory of one. */
void acre_rt_gc_expect_foreign(const void *p, const char *function, const void *allocator);
/* What to use in place of what dlsym found: the C library's free, realloc and malloc_usable_size do
   not know collected memory. */
void *acre_rt_gc_looked_up(void *found);
/* timer_create, with the C library's own; and a timer was deleted. */
struct sigevent;
typedef int acre_rt_timer_create_function(int clock, struct sigevent *event, void **timer);
int acre_rt_gc_timer_create(acre_rt_timer_create_function *create, int clock,
                            struct sigevent *event, void **timer);
void acre_rt_gc_timer_deleted(void *timer);
/* The calling thread will run on the stack that has this address, beside the one that it runs on.
 */
void acre_rt_gc_stack_at(const void *address);
/* A system call that waits, which signals of the program end early, but not the stop of the thread
   for a collection: ppoll, pselect6, epoll_pwait, epoll_pwait2, io_pgetevents, rt_sigsuspend or
   clock_nanosleep, all of whose times may be written. The result is the kernel's. */
long acre_rt_gc_wait(long number, const long arguments[6]);
/* Has nothing but such a stop ended a system call with EINTR, in a function that was called from
   the frame (that of __builtin_frame_address) since the thread last said to forget? */
void acre_rt_gc_forget_stop(void);
int acre_rt_gc_was_only_stopped(const void *frame);
/* Before another program takes the place of this one: a signal for a stop that still waited for the
 * thread would end it.  Returns whether there is something to end if it could not. */
int acre_rt_gc_begin_exec(void);
void acre_rt_gc_end_exec(void);
int acre_rt_gc_mq_notify(int queue, const struct sigevent *event); /* in place of mq_notify */
char *acre_rt_gc_strdup(const char *text);
char *acre_rt_gc_strndup(const char *text, size_t most);
wchar_t *acre_rt_gc_wcsdup(const wchar_t *text);
int acre_rt_gc_asprintf(char **result, const char *format, ...);
int acre_rt_gc_vasprintf(char **result, const char *format, va_list arguments);
int acre_rt_gc_asprintf_checked(char **result, int level, const char *format,
                                ...); /* of _FORTIFY_SOURCE */
int acre_rt_gc_vasprintf_checked(char **result, int level, const char *format, va_list arguments);

/* The library that flag lies in stays loaded until the process ends: from now on regions and heaps
 * may refer to its descriptors, and to its text for reports.  *flag, 0 at first, is the library's
 * own and says that it has been asked for.  For the constructors of libraries. */
void acre_rt_stay_loaded(unsigned char *flag);

/* The pointer-holding globals of one translation unit, registered by its constructor. */
typedef struct acre_rt_global {
  void *address;
  size_t size;
  const char *name;
  const char *file;
  uint32_t line;
  /* What the first index of an array of arrays counts, and the second, in elements of its type; 0:
     it has no such index before the last. */
  uint16_t first_stride, second_stride;
  const acre_type *type; /* what it is, or an array of; null: any word of it may be a slot */
} acre_rt_global;
typedef struct acre_rt_module {
  struct acre_rt_module *next; /* the runtime's */
  size_t global_count;
  const acre_rt_global *globals;
  /* Its thread-local variables, whose addresses are null in the table: locate writes those of the
     calling thread. */
  size_t thread_local_count;
  const acre_rt_global *thread_locals;
  void (*locate)(void **addresses);
} acre_rt_module;
void acre_rt_register(acre_rt_module *module);
void acre_rt_unregister(
    acre_rt_module *module); /* the memory of its globals is going: drops their records */

/* -facre-frames=conservative: called by a constructor of each translation unit.  Deletes search the
   stacks and registers of all threads from now on. */
void acre_rt_search_frames(void);
/* Without that: called by a constructor of each translation unit that relies on 'settled'.  Ends
   the program if another has called acre_rt_search_frames, or does so later: its functions set such
   variables unseen. */
void acre_rt_expect_settled(void);
/* From now on objects may have traditional slots.  The constructors of units that describe such
   types call it. */
void acre_rt_expect_traditional(void);

/* Where the stores of a program or shared object lie that need a barrier only while there are
   regions, and are made one by the runtime: each entry is the distance from itself to a store of 8
   bytes, of at least 5 bytes, whose registers besides r11, the flags and the vector registers stay
   as they are.  Pointers obey acre_rt_store, words acre_rt_rescan.  Registered by the constructor
   of each of its translation units. */
typedef struct acre_rt_patch_points {
  /* Null if there are none.  A byte of 0 and a distance of 4 bytes from itself say where a function
     begins; any other number, in base 128 with the lowest digit first, is a point's distance from
     there or from the point before it. */
  const unsigned char *pointers, *pointers_end;
  /* Each number is twice the distance, and 1 more if 16 bytes are stored and the second word is
     what is looked at. */
  const unsigned char *words, *words_end;
  /* Where memory holds no pointers any more.  A second number follows each: how many bytes. */
  const unsigned char *releases, *releases_end;
  struct acre_rt_patch_points *next; /* the runtime's, as all below */
  void *code; /* the barriers, of code_size bytes; null while there are none */
  size_t code_size;
  uint32_t users; /* how many units have registered it */
} acre_rt_patch_points;
void acre_rt_register_patch_points(acre_rt_patch_points *sites);
void acre_rt_unregister_patch_points(acre_rt_patch_points *sites); /* its code is going */

/* -facre-pools: called around the functions that a map of pools names.  pool is the address of the
 * program's pool.  One that is null, or that no mapped function made, is not known: then nothing is
 * done, and what would be allocated is null, so that the program's own function is called.  here is
 * FILE:LINE, kept by reference. */

/* pool has been made, below parent, which may be null or not known.  size: how large the object at
   pool is; null if that is not known. */
void acre_rt_pool_created(const void *pool, const void *parent, const size_t *size,
                          const char *here);
void acre_rt_pool_named(const void *pool, const char *name);
/* count * size bytes, zeroed; null also if that overflows or is 0, of which each API has its own
 * idea.  align: a power of two. */
void *acre_rt_pool_alloc(const void *pool, size_t count, size_t size, size_t align,
                         const acre_site *site);
/* A copy of size bytes; null also if from is. */
void *acre_rt_pool_copy(const void *pool, const void *from, size_t size, size_t align,
                        const acre_site *site);
/* A copy of text, which the program's function has made; text itself if it is null, lies in some
   region already, or pool is not known. */
char *acre_rt_pool_text(const void *pool, char *text, const acre_site *site);
/* What follows is about object, which lies in the region of pool; in that of any pool if pool is
 * null.  0 if it does not. */

/* object is given back early. */
uint32_t acre_rt_pool_release(const void *pool, void *object);
/* object with size bytes, of which those that are new are zeroed, where it was or elsewhere. */
void *acre_rt_pool_resize(const void *pool, void *object, size_t size, size_t align,
                          const acre_site *site);
/* The pool itself. */
void *acre_rt_pool_owner(const void *object, const char *here);
/* How many bytes object takes, with what comes in front. */
size_t acre_rt_pool_space(const void *object);
/* How many bytes the region of pool has asked for; 0 if pool is not known. */
size_t acre_rt_pool_total(const void *pool);
/* Before and after the program's function that ends or clears pool.  The region goes in the second
   call, which is given what the first returned; within another such call, when that ends. */
acre_region acre_rt_pool_begin(const void *pool, uint32_t how, const char *here);
void acre_rt_pool_end(acre_region region, uint32_t how, const char *here);
/* How it ends. */
#define ACRE_RT_POOL_DESTROYED 0
#define ACRE_RT_POOL_CLEARED 1      /* and those below it destroyed */
#define ACRE_RT_POOL_CLEARED_ONLY 2 /* and those below it stay */

/* -facre-stats: the stores of one translation unit, registered by its constructor, and what became
   of each when it was executed. */
typedef struct acre_rt_store_site {
  acre_rt_where where;
  const char
      *slot; /* sameregion, parentptr, traditional, counted, cleared (null is stored) or copy */
  const char *type; /* of the structure that holds the slot, or that is copied; or "" */
  uint32_t column;
  uint32_t removed, cleared,
      kept; /* copies of the store whose barrier is gone; only clears records; is there */
} acre_rt_store_site;
typedef struct acre_rt_store_counts {
  uint64_t safe;     /* had no barrier */
  uint64_t executed; /* had one */
  uint64_t called;   /* which was not decided in line */
  uint64_t changed;  /* and changed a count */
} acre_rt_store_counts;
typedef struct acre_rt_stats {
  struct acre_rt_stats *next; /* the runtime's */
  size_t count;
  const acre_rt_store_site *sites;
  acre_rt_store_counts *counts;
} acre_rt_stats;
void acre_rt_stats_register(acre_rt_stats *stats);
void acre_rt_stats_unregister(acre_rt_stats *stats); /* its memory is going */
/* As acre_rt_store and acre_rt_reread; count in *changed whether the slot's record changed. */
void acre_rt_stats_store(void *slot, void *value, uint64_t *changed);
void acre_rt_stats_reread(void *slot, uint64_t *changed);
/* Where a barrier was removed.  Nothing, until the last pass counts instead. */
void acre_rt_stats_safe(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif

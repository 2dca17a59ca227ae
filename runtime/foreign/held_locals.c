/* SPDX-License-Identifier: MIT */
/* held_locals.c - see held_locals.h. */
#define _GNU_SOURCE
#include "foreign/held_locals.h"

#include <link.h>
#include <string.h>

#include <acre/abi.h>

#include "counting/pin.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "counting/store.h"
#include "foreign/stale.h"
#include "gc/linux/mappings.h"
#include "memory/pages.h"
#include "platform/check.h"
#include "platform/frame.h"
#include "platform/os.h"
#include "platform/thread.h"

/* A mapping larger than this is the shadow of a sanitizer, not memory of the program. */
#define LARGEST_MAPPING ((uintptr_t)1 << 40)

/* A local variable that its function reads no more by its name: it refuses a delete only if
 * somebody has its address. */
struct lent_local {
  uintptr_t low, high;
  const acre_rt_pin_frame *frame;
  bool is_reached;
  uintptr_t by; /* where a word that reaches it was found in memory; 0: in no such place */
};

struct search {
  struct lent_local *locals;
  size_t count, capacity, reached;
  uintptr_t low, high; /* of all of them */
  acre_os_range stack; /* what pins tell of is not searched otherwise */
  acre_os_range *tables;
  size_t table_count;
  uintptr_t *copy; /* of memory that other threads may unmap; null if there is none */
  size_t bytes;    /* of these tables */
};

#define TABLES_MAX ((size_t)1 << 12)
#define COPY_BYTES ((size_t)1 << 16)
#define COPY_BYTES_LEAST ((size_t)1 << 12) /* what is unmapped is so in pages */

/* -- The locals -------------------------------------------------------------------------------- */

static void count_local(const acre_rt_pin_frame *frame, size_t entry, uintptr_t low, size_t size,
                        void *context) {
  (void)low;
  struct search *search = context;
  search->capacity += size && frame->site->entries[entry].is_kept;
}

static void add_local(const acre_rt_pin_frame *frame, size_t entry, uintptr_t low, size_t size,
                      void *context) {
  struct search *search = context;
  if (!size || !frame->site->entries[entry].is_kept)
    return;
  /* A packed variable has a range for each distance from a word at which it has slots: who knows
     where one of them begins can read all. */
  struct lent_local *last = search->count ? &search->locals[search->count - 1] : NULL;
  if (last && last->frame == frame && low < last->high && low + size > last->low) {
    last->low = low < last->low ? low : last->low;
    last->high = low + size > last->high ? low + size : last->high;
  } else {
    search->locals[search->count++] = (struct lent_local){low, low + size, frame, false, 0};
  }
  search->low = low < search->low ? low : search->low;
  search->high = low + size > search->high ? low + size : search->high;
}

static void note_condemned(uintptr_t slot, uint32_t region, void *context) {
  (void)slot;
  *(bool *)context |= acre_registry_is_condemned(acre_registry_at(region));
}

static bool refers_to_condemned(const struct lent_local *local) {
  bool does_refer = false;
  acre_record_each_in(local->low, local->high, note_condemned, &does_refer);
  return does_refer;
}

static bool is_any_in_the_way(const struct search *search) {
  for (size_t i = 0; i < search->count; i++)
    if (!search->locals[i].is_reached && refers_to_condemned(&search->locals[i]))
      return true;
  return false;
}

/* -- What the start of the program has left ---------------------------------------------------- */

/* Sanitizers keep addresses of frames that ran before main, and never use them again: the frames of
 * main's callees come to lie there. */
extern void __sanitizer_set_report_path(const char *) __attribute__((weak));

enum { WORDS_MAX = 256 };
static struct {
  uintptr_t at, complement; /* of the word, which would be found itself */
} left_words[WORDS_MAX];
static size_t left_count;

static bool was_there_before_main(uintptr_t at, uintptr_t word) {
  for (size_t i = 0; i < left_count; i++)
    if (left_words[i].at == at && left_words[i].complement == ~word)
      return true;
  return false;
}

__attribute__((no_sanitize_address)) static void note_left_words(uintptr_t start, uintptr_t end,
                                                                 void *context) {
  const acre_os_range *dead = context;
  for (uintptr_t at = start; at + ACRE_SLOT_SIZE <= end && left_count < WORDS_MAX;
       at += ACRE_SLOT_SIZE) {
    uintptr_t word = (uintptr_t)acre_read_slot(at);
    if (word >= dead->start && word < dead->end) {
      left_words[left_count].at = at;
      left_words[left_count++].complement = ~word;
    }
  }
}

static void note_left_in(const acre_gc_mapping *mapping, void *context) {
  const bool is_stack = acre_thread_is_on_stack(mapping->start) ||
                        acre_thread_is_on_stack(mapping->end - ACRE_SLOT_SIZE);
  if (!is_stack && mapping->end - mapping->start <= LARGEST_MAPPING)
    acre_gc_mapping_pages(mapping, mapping->start, mapping->end, note_left_words, context);
}

__attribute__((constructor)) static void note_what_is_left(void) {
  if (!__sanitizer_set_report_path || !acre_thread_find_stack())
    return;
  acre_os_range dead = {acre_self.stack_low, acre_frame_end()};
  acre_gc_mappings_each(note_left_in, &dead);
}

/* -- The search -------------------------------------------------------------------------------- */

static void look_at(struct search *search, uintptr_t at, uintptr_t word) {
  if (word < search->low || word > search->high || was_there_before_main(at, word))
    return;
  for (size_t i = 0; i < search->count; i++) {
    struct lent_local *local = &search->locals[i];
    if (!local->is_reached && word >= local->low && word <= local->high) {
      local->is_reached = true;
      local->by = at;
      search->reached++;
    }
  }
}

__attribute__((no_sanitize_address)) static void look_in(struct search *search, uintptr_t low,
                                                         uintptr_t high) {
  for (uintptr_t at = (low + ACRE_SLOT_SIZE - 1) & ~(uintptr_t)(ACRE_SLOT_SIZE - 1);
       at + ACRE_SLOT_SIZE <= high; at += ACRE_SLOT_SIZE)
    look_at(search, at, (uintptr_t)acre_read_slot(at));
}

static void look_in_pin(const acre_rt_pin_frame *frame, size_t entry, uintptr_t low, size_t size,
                        void *context) {
  if (!size)
    look_at(context, 0, low);
  else if (!frame->site->entries[entry].is_kept)
    look_in(context, low, low + size);
}

/* The lowest part of [at, end) that is not to be searched: the stack, and the runtime's own tables.
 * {end, end} if there is none. */
static acre_os_range next_excluded(const struct search *search, uintptr_t at, uintptr_t end) {
  acre_os_range first = {end, end};
  const acre_os_range own[] = {search->stack, {(uintptr_t)&acre_self, (uintptr_t)(&acre_self + 1)}};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (own[i].end > at && own[i].start < first.start)
      first = own[i];
  for (size_t i = 0; i < search->table_count; i++)
    if (search->tables[i].end > at && search->tables[i].start < first.start)
      first = search->tables[i];
  return first;
}

static void look_in_copy(struct search *search, uintptr_t start, size_t size) {
  if (acre_os_read((const void *)start, search->copy, size))
    for (size_t i = 0; i < size / sizeof *search->copy; i++)
      look_at(search, start + i * sizeof *search->copy, search->copy[i]);
  else if (size > COPY_BYTES_LEAST)
    for (size_t at = 0; at < size; at += COPY_BYTES_LEAST)
      look_in_copy(search, start + at, size - at < COPY_BYTES_LEAST ? size - at : COPY_BYTES_LEAST);
}

static void look_in_memory(struct search *search, uintptr_t start, uintptr_t end) {
  if (!search->copy) {
    look_in(search, start, end);
    return;
  }
  start = (start + ACRE_SLOT_SIZE - 1) & ~(uintptr_t)(ACRE_SLOT_SIZE - 1);
  for (uintptr_t at = start; at < end; at += COPY_BYTES)
    look_in_copy(search, at, end - at < COPY_BYTES ? end - at : COPY_BYTES);
}

static bool is_condemned(uintptr_t address) {
  uint32_t owner = acre_page_owner((const void *)address);
  return owner && acre_registry_is_condemned(acre_registry_at(owner));
}

/* The condemned regions are gone when the answer matters. */
static void look_in_pages(uintptr_t start, uintptr_t end, void *context) {
  const uintptr_t page = (uintptr_t)1 << ACRE_WINDOW_PAGE_SHIFT;
  for (uintptr_t at = start, next; at < end; at = next) {
    const bool is_going = is_condemned(at);
    for (next = (at & ~(page - 1)) + page; next < end && is_condemned(next) == is_going;)
      next += page;
    if (!is_going)
      look_in_memory(context, at, next < end ? next : end);
  }
}

static void look_in_mapping(const acre_gc_mapping *mapping, void *context) {
  struct search *search = context;
  if (mapping->end - mapping->start > LARGEST_MAPPING)
    return;
  for (uintptr_t at = mapping->start; at < mapping->end && search->reached < search->count;) {
    acre_os_range gap = next_excluded(search, at, mapping->end);
    if (gap.start > at)
      acre_gc_mapping_pages(mapping, at, gap.start, look_in_pages, search);
    at = gap.end;
  }
}

/* Locals of which the address is known may have the address of others. */
static void look_in_reached(struct search *search) {
  for (size_t before = 0; before != search->reached;) {
    before = search->reached;
    for (size_t i = 0; i < search->count; i++)
      if (search->locals[i].is_reached)
        look_in(search, search->locals[i].low, search->locals[i].high);
  }
}

static int find_thread_locals(struct dl_phdr_info *info, size_t size, void *context) {
  uintptr_t *low = context, start = (uintptr_t)info->dlpi_tls_data;
  (void)size;
  if (start && acre_thread_is_on_stack(start) && start < *low)
    *low = start;
  return 0;
}

/* The calling thread's stack, without thread-local variables that lie there. */
static acre_os_range own_stack(void) {
  uintptr_t high = acre_self.stack_high;
  dl_iterate_phdr(find_thread_locals, &high);
  return (acre_os_range){acre_self.stack_low, high};
}

static void exclude(const void *start, size_t size, void *context) {
  struct search *search = context;
  if (start && search->table_count < TABLES_MAX)
    search->tables[search->table_count++] =
        (acre_os_range){(uintptr_t)start, (uintptr_t)start + size};
}

/* The runtime's own tables, of which some have addresses of frames. */
static void exclude_tables(struct search *search) {
  search->table_count = acre_os_tables(search->tables, TABLES_MAX);
  exclude(search->tables, search->bytes, search);
  acre_pin_each_table(exclude, search);
}

/* Whether all memory could be searched. */
static bool look_everywhere(struct search *search) {
  search->stack = own_stack();
  exclude_tables(search);
  acre_pin_each_range(look_in_pin, search);
  bool is_done = acre_gc_mappings_each(look_in_mapping, search);
  look_in_reached(search);
  return is_done;
}

/* -- The answer -------------------------------------------------------------------------------- */

/* Dropping the records of a whole variable drops those of its live parts too: they are made again.
 */
static void count_again(const acre_rt_pin_frame *frame, size_t entry, uintptr_t low, size_t size,
                        void *context) {
  const struct lent_local *local = context;
  if (size && !frame->site->entries[entry].is_kept && frame == local->frame && low < local->high &&
      low + size > local->low)
    acre_rt_rescan((void *)low, size);
}

static void count_kept(const acre_rt_pin_frame *frame, size_t entry, uintptr_t low, size_t size,
                       void *context) {
  (void)context;
  if (size && frame->site->entries[entry].is_kept)
    acre_rt_rescan((void *)low, size);
}

void acre_held_locals_count_again(void) { acre_pin_each_range(count_kept, NULL); }

static bool drop_unreached(const struct search *search) {
  bool is_any = false;
  for (size_t i = 0; i < search->count; i++)
    if (!search->locals[i].is_reached) {
      acre_record_release(search->locals[i].low, search->locals[i].high);
      acre_pin_each_range(count_again, &search->locals[i]);
      is_any = true;
    }
  return is_any;
}

/* Other threads go on: one may move an address from where has not been looked yet to where has. */
static bool look_twice(struct search *search) {
  return look_everywhere(search) && is_any_in_the_way(search) && look_everywhere(search);
}

/* What this thread's last search has found, for the report that follows: complements, because a
 * search would find these words too.  Few, because static thread-local memory is scarce. */
enum { FOUND_MAX = 2 };
static _Thread_local struct {
  uintptr_t low, high, by; /* 0: none */
} found[FOUND_MAX];

static void keep_found(const struct search *search) {
  size_t count = 0;
  for (size_t i = 0; i < search->count && count < FOUND_MAX; i++)
    if (search->locals[i].is_reached && search->locals[i].by) {
      found[count].low = ~search->locals[i].low;
      found[count].high = ~search->locals[i].high;
      found[count++].by = ~search->locals[i].by;
    }
}

uintptr_t acre_held_locals_reached_by(uintptr_t slot) {
  for (size_t i = 0; i < FOUND_MAX && found[i].by; i++)
    if (slot >= ~found[i].low && slot < ~found[i].high)
      return ~found[i].by;
  return 0;
}

bool acre_held_locals_drop_unreached(void) {
  ACRE_ASSERT(acre_pin_is_settled());
  struct search search = {.low = UINTPTR_MAX};
  memset(found, 0, sizeof found);
  acre_pin_each_range(count_local, &search);
  if (!search.capacity || !acre_thread_find_stack())
    return false;
  const bool is_alone = acre_thread_is_alone();
  const size_t tables = TABLES_MAX * sizeof *search.tables, copy = is_alone ? 0 : COPY_BYTES;
  search.bytes = tables + copy + search.capacity * sizeof *search.locals;
  char *memory = acre_os_table(search.bytes);
  if (!memory)
    return false;
  search.tables = (void *)memory;
  search.copy = is_alone ? NULL : (void *)(memory + tables);
  search.locals = (void *)(memory + tables + copy);
  acre_pin_each_range(add_local, &search);
  bool is_dropped = is_any_in_the_way(&search) &&
                    (is_alone ? look_everywhere(&search) : look_twice(&search)) &&
                    drop_unreached(&search);
  keep_found(&search);
  acre_os_unreserve(memory, search.bytes);
  return is_dropped;
}

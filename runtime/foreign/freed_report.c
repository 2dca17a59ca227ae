/* SPDX-License-Identifier: MIT */
/* freed_report.c - see freed_report.h.
 *
 * A table says, by the address of an object, who freed the last one that was there.  Where the
 * table is full of others, an entry is lost, and a line with it.
 *
 * A word on a stack is not told: what a dead variable holds cannot be told from what is in use.
 */
#include "foreign/freed_report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <acre/collected.h>

#include "gc/linux/stop_world.h"
#include "gc/process/process.h"
#include "platform/check.h"
#include "platform/kernel.h"
#include "platform/os.h"
#include "platform/thread.h"

#define TABLE_BITS 20
#define TABLE_SIZE ((size_t)1 << TABLE_BITS)
#define PROBES 8
/* The stack of another thread reaches no further up from its stack pointer. */
#define STACK_BYTES_MAX ((uintptr_t)8 << 20)

typedef struct freed {
  const void *object;
  const acre_rt_where *where;
  bool is_told;
} freed;

static freed *table;
static bool has_told;

/* -- The table --------------------------------------------------------------------------------- */

static size_t hash_of(const void *object) {
  return (size_t)((uintptr_t)object / CELL_MIN * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TABLE_BITS));
}

/* The entry of the object; if it has none, one that it may have. */
static freed *entry_of(const void *object) {
  freed *free_one = NULL;
  for (size_t i = 0; i < PROBES; i++) {
    freed *at = &table[(hash_of(object) + i) % TABLE_SIZE];
    if (at->object == object)
      return at;
    if (!at->object && !free_one)
      free_one = at;
  }
  return free_one ? free_one : &table[hash_of(object)];
}

static const freed *find(const void *object) {
  const freed *at = table ? entry_of(object) : NULL;
  return at && at->object == object ? at : NULL;
}

/* -- Words ------------------------------------------------------------------------------------- */

static void print_place(const char *before, const char *file, unsigned line, const char *function) {
  if (file)
    acre_os_print(STDERR_FILENO, "%s %s:%u in %s", before, file, line, function ? function : "?");
}

static void print_allocated(const acre_site *site) {
  if (site)
    print_place(", allocated at", site->file, site->line, site->function);
}

void acre_freed_again(const object_view *o, const char *function, const acre_rt_where *where) {
  ACRE_ASSERT(acre_self.is_in_collected);
  const freed *before = find(o->start);
  has_told = true;
  acre_os_print(STDERR_FILENO, "acre: ");
  if (where)
    acre_os_print(STDERR_FILENO, "%s:%u: in %s: ", where->file, where->line, where->function);
  acre_os_print(STDERR_FILENO, "%s: %p was freed before", function, (void *)o->start);
  if (before && before->where)
    print_place(", at", before->where->file, before->where->line, before->where->function);
  print_allocated(o->site);
  acre_os_print(STDERR_FILENO, "\n");
}

/* -- References -------------------------------------------------------------------------------- */

static bool is_on_a_stack(uintptr_t place) {
  acre_gc_dead_stack dead;
  if (acre_thread_is_on_stack(place))
    return true;
  for (uint32_t i = 0; acre_gc_world_dead_stack(i, &dead); i++)
    if (place - dead.sp < STACK_BYTES_MAX)
      return true;
  return false;
}

/* Where in its holder the first word lies that points to the object, or one past it. */
static size_t offset_in(const object_view *holder, const object_view *o) {
  size_t at = 0;
  for (; at + sizeof(uintptr_t) <= holder->size; at += sizeof(uintptr_t)) {
    uintptr_t word;
    memcpy(&word, holder->start + at, sizeof word);
    if (word - (uintptr_t)o->start <= o->size)
      break;
  }
  return at;
}

static bool view(const heap *h, const void *p, object_view *o) {
  cell c;
  if (!find_cell(h, p, &c) || cell_colour_of_bits(h, &c) == COLOUR_WHITE)
    return false;
  *o = cell_object(h, &c);
  return true;
}

static void print_referrer(const heap *h, const object_view *o, const void *holder) {
  object_view by;
  if (holder && view(h, holder, &by)) {
    acre_os_print(STDERR_FILENO, "the object of %zu bytes at %p, at offset %zu", by.size,
                  (void *)by.start, offset_in(&by, o));
    print_allocated(by.site);
    return;
  }
  const char *place = h->cycle.place;
  uintptr_t start = acre_os_library(place).start;
  if (!place)
    acre_os_print(STDERR_FILENO, "a root");
  else if (start)
    acre_os_print(STDERR_FILENO, "the variable at %p, %p from the start of its program or library",
                  (const void *)place, (const void *)((uintptr_t)place - start));
  else
    acre_os_print(STDERR_FILENO, "memory outside the heap at %p", (const void *)place);
}

/* The heap's trace calls this each time that a collection finds a freed object. */
static void tell(const acre_heap_event *event, void *context) {
  const heap *h = (const heap *)event->heap;
  object_view o;
  (void)context;
  if (event->kind != ACRE_HEAP_EVENT_FREED_IN_USE || !view(h, event->object, &o))
    return;
  freed *known = entry_of(event->object);
  bool is_known = known->object == event->object;
  if ((is_known && known->is_told) || (!event->holder && is_on_a_stack((uintptr_t)h->cycle.place)))
    return;
  has_told = true;
  acre_os_print(STDERR_FILENO, "acre: heap \"process\": the object of %zu bytes at %p", o.size,
                (void *)o.start);
  print_allocated(o.site);
  acre_os_print(STDERR_FILENO, "%s was freed", o.site && o.site->file ? "," : "");
  if (is_known && known->where)
    print_place(" at", known->where->file, known->where->line, known->where->function);
  acre_os_print(STDERR_FILENO, " but is still referred to by ");
  print_referrer(h, &o, event->holder);
  acre_os_print(STDERR_FILENO, "\n");
  *known = (freed){event->object, is_known ? known->where : NULL, true};
}

void acre_freed_note(heap *h, const object_view *o, const acre_rt_where *where) {
  ACRE_ASSERT(acre_freed_is_reported(h) && acre_self.is_in_collected);
  if (!table)
    table = acre_os_table(TABLE_SIZE * sizeof *table);
  if (!table)
    return; /* what is still referred to is told without these lines */
  h->config.trace = tell;
  h->account.is_traced = true;
  *entry_of(o->start) = (freed){o->start, where, false};
}

/* -- The end ----------------------------------------------------------------------------------- */

/* After the destructors of the program.  What they have not written yet is written first. */
__attribute__((destructor(101))) static void report_at_exit(void) {
  const heap *h = acre_gc_process;
  if (!h || !acre_freed_is_reported(h) || acre_self.is_in_collected)
    return;
  acre_collected_collect();
  if (!has_told || !acre_gc_process_report_status)
    return;
  fflush(NULL);
  _exit((int)acre_gc_process_report_status);
}

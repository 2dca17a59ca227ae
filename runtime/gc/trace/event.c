/* SPDX-License-Identifier: MIT */
/* event.c - traces and profiles: what the program and the tools are told. */
#define _GNU_SOURCE
#include "gc/trace/event.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "gc/heap/cell.h"
#include "gc/heap/format.h"
#include "gc/heap/ring.h"
#include "gc/trace/trace.h"
#include "platform/kernel.h"
#include "platform/os.h"

static const char *const names[] = {
    "start",  "increment",    "finish",        "migrate",  "remap", "fill", "forced",   "behind",
    "raised", "freed_in_use", "out_of_memory", "returned", "begin", "idle", "allocate", "wait"};
_Static_assert(sizeof names / sizeof *names == ACRE_HEAP_EVENT_KIND_COUNT, "each kind has a name");

const char *acre_heap_event_name(acre_heap_event_kind kind) {
  return (unsigned)kind < ACRE_HEAP_EVENT_KIND_COUNT ? names[kind] : NULL;
}

uint64_t acre_gc_event_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void acre_gc_event_send_slowly(heap *h, const acre_heap_event *event) {
  acre_heap_event sent = *event;
  sent.heap = &h->head;
  sent.collection = h->account.stats.collections;
  if (!sent.nanoseconds)
    sent.nanoseconds = acre_gc_event_nanoseconds();
  if (h->config.trace)
    h->config.trace(&sent, h->config.context);
  if (!h->account.trace_number)
    return;
  acre_gc_trace_event(h, &sent);
  if (sent.kind == ACRE_HEAP_EVENT_START || sent.kind == ACRE_HEAP_EVENT_FINISH)
    acre_gc_trace_sample(h);
}

void acre_gc_event_end_slowly(heap *h, acre_heap_event_kind kind, uint64_t begin, uint64_t amount) {
  uint64_t duration = acre_gc_event_nanoseconds() - begin;
  if (duration >= EVENT_NANOSECONDS_MIN)
    acre_gc_event_send_slowly(
        h, &(acre_heap_event){
               .kind = kind, .nanoseconds = begin, .amount = amount, .duration = duration});
}

void acre_heap_trace_to_fd(const acre_heap_event *event, void *context) {
  acre_heap_composition c;
  acre_heap_get_composition(event->heap, &c);
  acre_os_print(
      *(const int *)context,
      "{\"event\":\"%s\",\"collection\":%llu,\"ns\":%llu,\"duration\":%llu,\"amount\":%llu,"
      "\"clock\":%llu,"
      "\"limit\":%zu,\"useful\":%zu,\"headers\":%zu,\"padding\":%zu,\"external\":%zu,\"pages\":%zu,"
      "\"free_pages\":%zu}\n",
      names[event->kind], (unsigned long long)event->collection,
      (unsigned long long)event->nanoseconds, (unsigned long long)event->duration,
      (unsigned long long)event->amount, (unsigned long long)c.clock, c.limit, c.useful, c.headers,
      c.padding, c.external, c.pages, c.free_pages);
}

/* -- Profile ----------------------------------------------------------------------------------- */

typedef struct live_count {
  const heap *heap;
  uint64_t *live;
} live_count;

static void count_cell(const cell *c, void *context) {
  const live_count *count = context;
  count->live[profile_index(cell_object(count->heap, c).size)]++;
}

/* Not dprintf: the C library's leaks its buffer when it cannot write. */
static bool write_line(int fd, const char *format, uint64_t a, uint64_t b, uint64_t c) {
  char line[96];
  int size = snprintf(line, sizeof line, format, (unsigned long long)a, (unsigned long long)b,
                      (unsigned long long)c);
  return write(fd, line, (size_t)size) == size;
}

bool acre_heap_write_profile(const acre_heap *head, int fd) {
  const heap *h = acre_gc_heap_of(head);
  uint64_t *live = acre_os_table(PROFILE_SIZES * sizeof *live);
  if (!live) {
    errno = ENOMEM;
    return false;
  }
  acre_gc_each_object(h, count_cell, &(live_count){h, live});
  bool is_written = write_line(fd, "acre heap profile 1\nheader %llu\n# size allocated live\n",
                               h->header_size, 0, 0);
  for (size_t i = 0; i < PROFILE_SIZES && is_written; i++)
    if (h->account.profile[i])
      is_written = write_line(fd, "%llu %llu %llu\n", i * 8, h->account.profile[i], live[i]);
  acre_os_unreserve(live, PROFILE_SIZES * sizeof *live);
  return is_written;
}

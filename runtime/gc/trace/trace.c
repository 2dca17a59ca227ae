/* SPDX-License-Identifier: MIT */
/* trace.c - see trace.h.  The format is that of Trace Event JSON, which Perfetto and Chrome open
 * and `acre plot` reads.
 *
 * Invariant: an event is a line, and a line is one write to a file that is open for appending.  So
 * the lines of threads and processes that share a file do not mix, and the file is a trace whenever
 * the process dies: the format lets the bracket that closes the list be missing, and it is never
 * written.
 *
 * A program may close descriptors that it does not know, and open its own under their number:
 * before each line the file is compared with the one that was opened.
 */
#define _GNU_SOURCE
#include "gc/trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gc/trace/event.h"
#include "platform/check.h"
#include "platform/kernel.h"
#include "platform/os.h"
#include "platform/procfs.h"

#define LINE_BYTES 512
#define NAME_BYTES 96
/* This part of the limit is allocated between two samples. */
#define SAMPLE_PART 512
#define SAMPLE_MIN 4096

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *path;
static int file = -1; /* not a file: nothing is traced */
static acre_procfs_identity identity;
static uint32_t heap_count;

typedef unsigned long long number;

/* -- Lines ------------------------------------------------------------------------------------- */

static void give_up(const char *why) {
  if (__atomic_exchange_n(&file, -1, __ATOMIC_RELAXED) >= 0)
    acre_os_print(2, "acre: the trace '%s' ends here: %s\n", path, why);
}

static void write_line(const char *line, size_t size) {
  int saved_errno = errno, to = __atomic_load_n(&file, __ATOMIC_RELAXED);
  if (to < 0)
    return;
  if (!acre_procfs_is_still(to, &identity)) {
    give_up("the program has closed its file");
  } else {
    ssize_t written;
    do
      written = write(to, line, size);
    while (written < 0 && errno == EINTR);
    if (written != (ssize_t)size)
      give_up(written < 0 ? strerrordesc_np(errno) : "there is no room for more");
  }
  errno = saved_errno;
}

/* text as the inside of a JSON string, cut off where to ends. */
static const char *escape(const char *text, char *to) {
  size_t used = 0;
  for (const unsigned char *c = (const unsigned char *)text; *c && used + 7 < NAME_BYTES; c++)
    used += (size_t)sprintf(to + used,
                            *c < 0x20                 ? "\\u%04x"
                            : *c == '"' || *c == '\\' ? "\\%c"
                                                      : "%c",
                            *c);
  to[used] = '\0';
  return to;
}

/* What all events have: their kind, whose they are and when they happened. */
#define HEAD "{\"ph\":\"%s\",\"pid\":%d,\"tid\":%u,\"ts\":%llu.%03u,\"cat\":\"heap\","
#define HEAD_VALUES(phase, nanoseconds)                                          \
  phase, (int)getpid(), h->account.trace_number, (number)((nanoseconds) / 1000), \
      (unsigned)((nanoseconds) % 1000)

/* A macro, so that the format is checked. */
#define WRITE(...)                                                         \
  do {                                                                     \
    char line_[LINE_BYTES];                                                \
    write_line(line_, (size_t)snprintf(line_, sizeof line_, __VA_ARGS__)); \
  } while (0)

/* -- Start ------------------------------------------------------------------------------------- */

static void start(void) {
  path = acre_os_setting("ACRE_TRACE");
  if (!path || !*path)
    return;
  int opened =
      acre_procfs_raise(open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666));
  struct stat what;
  if (opened < 0 || fstat(opened, &what) != 0) {
    acre_os_print(2, "acre: cannot write the trace '%s' that ACRE_TRACE asks for: %s\n", path,
                  strerrordesc_np(errno));
    return;
  }
  identity = (acre_procfs_identity){what.st_dev, what.st_ino};
  file = opened;
  if (what.st_size == 0)
    write_line("[\n", 2);
}

void acre_gc_trace_heap(heap *h) {
  char name[NAME_BYTES];
  pthread_once(&once, start);
  h->account.next_sample = UINT64_MAX;
  if (file < 0)
    return;
  h->account.trace_number = __atomic_add_fetch(&heap_count, 1, __ATOMIC_RELAXED);
  h->account.is_traced = true;
  WRITE("{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"%s\"}},\n",
        (int)getpid(), escape(program_invocation_short_name, name));
  WRITE("{\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"heap "
        "%s\"}},\n",
        (int)getpid(), h->account.trace_number, escape(h->config.name, name));
  acre_gc_trace_sample(h);
}

/* -- Events ------------------------------------------------------------------------------------ */

void acre_gc_trace_sample(heap *h) {
  char name[NAME_BYTES];
  acre_heap_composition c;
  uint64_t now = acre_gc_event_nanoseconds();
  size_t step = h->config.limit / SAMPLE_PART;
  acre_heap_get_composition(&h->head, &c);
  WRITE(HEAD "\"name\":\"heap %s #%u\",\"clock\":%llu,\"limit\":%zu,"
             "\"args\":{\"useful\":%zu,\"headers\":%zu,\"padding\":%zu,\"external\":%zu}},\n",
        HEAD_VALUES("C", now), escape(h->config.name, name), h->account.trace_number,
        (number)c.clock, c.limit, c.useful, c.headers, c.padding, c.external);
  h->account.next_sample = heap_clock(h) + (step < SAMPLE_MIN ? SAMPLE_MIN : step);
}

static void write_pause(const heap *h, const acre_heap_event *event) {
  WRITE(HEAD "\"name\":\"%s\",\"dur\":%llu.%03u,\"args\":{\"collection\":%llu,\"slots\":%llu,"
             "\"stopped\":%llu.%03u}},\n",
        HEAD_VALUES("X", event->nanoseconds), acre_heap_event_name(event->kind),
        (number)(event->duration / 1000), (unsigned)(event->duration % 1000),
        (number)event->collection, (number)event->amount, (number)(event->stopped / 1000),
        (unsigned)(event->stopped % 1000));
}

/* What is no step of a collection. */
static void write_wait(const heap *h, const acre_heap_event *event) {
  WRITE(HEAD "\"name\":\"%s\",\"dur\":%llu.%03u,\"args\":{\"amount\":%llu,\"thread\":%d}},\n",
        HEAD_VALUES("X", event->nanoseconds), acre_heap_event_name(event->kind),
        (number)(event->duration / 1000), (unsigned)(event->duration % 1000), (number)event->amount,
        (int)gettid());
}

/* A collection spans increments with the program between them: an asynchronous event. */
static void write_collection(const heap *h, const acre_heap_event *event, const char *phase,
                             uint64_t nanoseconds) {
  WRITE(HEAD "\"name\":\"collection\",\"id\":\"%d.%u.%llu\"},\n", HEAD_VALUES(phase, nanoseconds),
        (int)getpid(), h->account.trace_number, (number)event->collection);
}

void acre_gc_trace_event(const heap *h, const acre_heap_event *event) {
  ACRE_ASSERT(h->account.trace_number != 0);
  switch (event->kind) {
  case ACRE_HEAP_EVENT_START:
    write_collection(h, event, "b", event->nanoseconds);
    break;
  case ACRE_HEAP_EVENT_INCREMENT:
    write_pause(h, event);
    break;
  case ACRE_HEAP_EVENT_FINISH:
    write_pause(h, event);
    write_collection(h, event, "e", event->nanoseconds + event->duration);
    break;
  case ACRE_HEAP_EVENT_BEGIN:
  case ACRE_HEAP_EVENT_IDLE:
  case ACRE_HEAP_EVENT_ALLOCATE:
  case ACRE_HEAP_EVENT_WAIT:
    write_wait(h, event);
    break;
  default:
    WRITE(HEAD "\"s\":\"t\",\"name\":\"%s\",\"args\":{\"collection\":%llu,\"amount\":%llu}},\n",
          HEAD_VALUES("i", event->nanoseconds), acre_heap_event_name(event->kind),
          (number)event->collection, (number)event->amount);
  }
}

/* SPDX-License-Identifier: MIT */
/* snapshot.c - writes what a census found as lines of JSON (docs/reference/snapshot.md). */
#define _GNU_SOURCE
#include <acre/snapshot.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "counting/member.h"
#include "counting/registry.h"
#include "evidence/census.h"
#include "evidence/lines.h"
#include "evidence/log.h"
#include "evidence/snapshot.h"
#include "gc/linux/stop_world.h"
#include "memory/pages.h"
#include "platform/frame.h"
#include "platform/kernel.h"
#include "platform/os.h"

enum { PATH_BYTES = 4096 };

bool acre_snapshot_is_wanted;

/* The file that ACRE_SNAPSHOT names. */
static char wanted_path[PATH_BYTES];

/* -- Lines ------------------------------------------------------------------------------------- */

static void put_known(struct acre_lines *to, const char *name, const char *text) {
  char copy[ACRE_CENSUS_TEXT_BYTES * 4];
  acre_census_read_text(text, copy, sizeof copy);
  if (*copy)
    acre_line_text(to, name, copy);
}

static void put_site(struct acre_lines *to, uint64_t address) {
  const struct acre_census_site of = acre_census_read_site(address);
  if (address == ACRE_CENSUS_POINTER_FREE || address == ACRE_CENSUS_GIVEN_BACK)
    acre_line_text(to, "kind", address == ACRE_CENSUS_POINTER_FREE ? "pointer-free" : "given back");
  if (of.has_type)
    put_known(to, "type", of.type.name);
  if (!of.has_site || !of.site.file)
    return;
  put_known(to, "file", of.site.file);
  acre_line_number(to, "line", of.site.line);
  put_known(to, "function", of.site.function);
}

/* The field at offset of the type.  Its index in an array stands for all of them. */
static void put_field(struct acre_lines *to, uint64_t address, size_t offset) {
  const struct acre_census_site of = acre_census_read_site(address);
  struct acre_member member;
  struct acre_finding finding;
  char text[ACRE_CENSUS_TEXT_BYTES];
  if (!of.has_type ||
      !acre_member_find(of.site.type, offset + sizeof(void *), offset, NULL, &member) ||
      !member.path_length || !acre_finding_begin(&finding))
    return;
  acre_member_print(finding.fd, &member);
  acre_finding_end(&finding, text, sizeof text);
  acre_line_text(to, "field", text);
}

static void put_head(struct acre_lines *to, const struct acre_census *census) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  acre_line_begin(to, "acre_snapshot", 1);
  acre_line_text(to, "program", program_invocation_name);
  acre_line_number(to, "process", (uint64_t)getpid());
  acre_line_number(to, "milliseconds",
                   (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000);
  acre_line_number(to, "stopped_us", census->stopped_nanoseconds / 1000);
  acre_line_number(to, "created", acre_registry_created_count());
  acre_line_end(to);
}

static void put_region(struct acre_lines *to, const struct acre_census_region *region) {
  static const char *const policies[] = {"abort", "refuse", "defer", "sever", "trap"};
  acre_line_begin(to, "region", region->index);
  acre_line_number(to, "generation", region->generation);
  if (region->name)
    acre_line_text(to, "name", region->name);
  put_known(to, "at", region->created);
  acre_line_number(to, "parent", region->parent);
  acre_line_text(to, "state",
                 region->is_zombie                      ? "zombie"
                 : region->state == ACRE_STATE_DEFERRED ? "deferred"
                 : region->owner == ACRE_OWNER_CLOSED   ? "given away"
                                                        : "live");
  if (region->policy < sizeof policies / sizeof *policies)
    acre_line_text(to, "policy", policies[region->policy]);
  if (region->is_pool)
    acre_line_number(to, "pool", 1);
  if (region->owner != ACRE_OWNER_CLOSED)
    acre_line_number(to, "thread", region->owner);
  acre_line_number(to, "objects", region->objects);
  acre_line_number(to, "bytes", region->bytes);
  acre_line_number(to, "reserved", region->pages << ACRE_WINDOW_PAGE_SHIFT);
  acre_line_number(to, "count", (uint64_t)(region->count < 0 ? 0 : region->count));
  acre_line_end(to);
}

static void put_collected(struct acre_lines *to, const struct acre_census *census) {
  if (!census->has_collected)
    return;
  acre_line_begin(to, "collected", census->collected_useful);
  acre_line_number(to, "headers", census->collected_headers);
  acre_line_number(to, "padding", census->collected_padding);
  acre_line_number(to, "limit", census->collected_limit);
  acre_line_end(to);
}

static void put_tally(struct acre_lines *to, const struct acre_census *census,
                      const struct acre_tally *tally) {
  static const char *const names[] = {
      [ACRE_CENSUS_OBJECTS] = "objects", [ACRE_CENSUS_REFERENCE] = "reference",
      [ACRE_CENSUS_OUTSIDE] = "outside", [ACRE_CENSUS_UNNAMED] = "outside",
      [ACRE_CENSUS_LOCAL] = "local",     [ACRE_CENSUS_STALE] = "stale",
      [ACRE_CENSUS_COLLECTED] = "cells"};
  const enum acre_census_kind kind = (enum acre_census_kind)(tally->key[0] & 0xff);
  acre_line_begin(to, names[kind],
                  kind == ACRE_CENSUS_COLLECTED ? tally->key[1] : tally->key[0] >> 8);
  if (kind == ACRE_CENSUS_OBJECTS)
    put_site(to, tally->key[1]);
  if (kind == ACRE_CENSUS_COLLECTED)
    put_site(to, tally->key[2]);
  if (kind == ACRE_CENSUS_OUTSIDE || kind == ACRE_CENSUS_LOCAL)
    acre_line_text(to, "what", census->text + tally->key[1]);
  if (kind == ACRE_CENSUS_REFERENCE) {
    acre_line_number(to, "from", tally->key[1]);
    put_field(to, tally->key[2], tally->key[3]);
    put_site(to, tally->key[2]);
  }
  acre_line_number(to, "count", tally->count);
  if (kind == ACRE_CENSUS_OBJECTS || kind == ACRE_CENSUS_COLLECTED)
    acre_line_number(to, "bytes", tally->bytes);
  acre_line_end(to);
}

static void put_all(struct acre_lines *to, const struct acre_census *census) {
  put_head(to, census);
  for (size_t i = 0; i < census->region_count; i++)
    put_region(to, &census->regions[i]);
  put_collected(to, census);
  for (size_t i = 0; i < census->tallies.capacity; i++)
    if (census->tallies.places[i].count != 0)
      put_tally(to, census, &census->tallies.places[i]);
  acre_line_begin(to, "end", to->count + 1);
  acre_line_end(to);
}

/* -- The file ---------------------------------------------------------------------------------- */

/* Puts the number of the process where path has %p.  False if the result is too long. */
static bool expand(const char *path, char to[PATH_BYTES]) {
  size_t used = 0;
  while (*path && used < PATH_BYTES) {
    const bool is_number = path[0] == '%' && path[1] == 'p';
    used += (size_t)(is_number ? snprintf(to + used, PATH_BYTES - used, "%d", (int)getpid())
                               : snprintf(to + used, PATH_BYTES - used, "%c", *path));
    path += is_number ? 2 : 1;
  }
  return used > 0 && used < PATH_BYTES;
}

/* The stream of the process that leads to what, as /dev/stdout does also where that is a file; -1
   if none does. */
static int own_stream(const struct stat *what) {
  for (int fd = 1; fd <= 2; fd++) {
    struct stat own;
    if (fstat(fd, &own) == 0 && own.st_dev == what->st_dev && own.st_ino == what->st_ino)
      return fd;
  }
  return -1;
}

static int open_file(const char *path, int flags) {
  return open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | flags, 0666);
}

/* Writes to fd, which has just been opened, and closes it. */
static int write_to(struct acre_lines *to, const struct acre_census *census, int fd) {
  to->fd = fd;
  if (fd < 0)
    return errno;
  put_all(to, census);
  int error = acre_lines_flush(to) ? 0 : to->error;
  if (close(to->fd) != 0 && !error)
    error = errno;
  return error;
}

/* A device or pipe is written to as it is; else the file gets its name when it is whole.  Returns
   0, or why that could not be. */
static int write_file(struct acre_lines *to, const struct acre_census *census, const char *given) {
  char path[PATH_BYTES], target[PATH_BYTES], part[PATH_BYTES + 32];
  struct stat what;
  if (!expand(given, path))
    return *given ? ENAMETOOLONG : ENOENT;
  if (stat(path, &what) == 0) {
    const int own = own_stream(&what);
    if (own >= 0)
      return write_to(to, census, fcntl(own, F_DUPFD_CLOEXEC, 0));
    if (!S_ISREG(what.st_mode))
      return write_to(to, census, open_file(path, 0));
    /* Where a link leads is replaced, and not the link. */
    if (!realpath(path, target))
      return errno;
    snprintf(path, sizeof path, "%s", target);
  } else if (lstat(path, &what) == 0) {
    return write_to(to, census, open_file(path, O_TRUNC)); /* a link to what is not there yet */
  }
  snprintf(part, sizeof part, "%s.%d.part", path, (int)getpid());
  /* Whatever has that name is left from a process that ended, or a trap. */
  unlink(part);
  int error = write_to(to, census, open_file(part, O_EXCL | O_NOFOLLOW));
  if (!error && rename(part, path) != 0)
    error = errno;
  if (error)
    unlink(part);
  return error;
}

/* -- Snapshots --------------------------------------------------------------------------------- */

static bool fail(const char *path, const char *why) {
  acre_os_print(2, "acre: cannot write the snapshot '%s': %s\n", path, why);
  return false;
}

/* What writing may send to the thread: a pipe has no reader, or a file has its largest size.  Both
   are errors of writing here, and not the program's. */
static void signals_of_writing(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGPIPE);
  sigaddset(set, SIGXFSZ);
}

static int write_unsignalled(struct acre_lines *to, const struct acre_census *census,
                             const char *path) {
  sigset_t ours, before, waiting;
  signals_of_writing(&ours);
  pthread_sigmask(SIG_BLOCK, &ours, &before);
  sigpending(&waiting);
  const int error = write_file(to, census, path);
  if (!sigismember(&waiting, SIGPIPE) && !sigismember(&waiting, SIGXFSZ))
    while (sigtimedwait(&ours, NULL, &(struct timespec){0}) > 0)
      ;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

/* Returns why it could not be taken or written, or null.  Not inlined: the frame that is given is
   below all of the callers'. */
__attribute__((noinline)) static const char *take(const char *path) {
  struct acre_census census = {0};
  struct acre_lines *to = acre_os_table(sizeof *to);
  if (!to)
    return "there is not enough memory";
  const char *why = acre_census_take(&census, acre_frame_end());
  const int error = why ? 0 : write_unsignalled(to, &census, path);
  acre_census_end(&census);
  acre_os_unreserve(to, sizeof *to);
  return error ? strerrordesc_np(error) : why;
}

/* The process that takes one, or 0.  The child of a fork inherits that another thread was at it. */
static int32_t taking;

acre_bool acre_snapshot(const char *path) {
  const int saved_errno = errno;
  const int32_t self = (int32_t)getpid();
  int32_t other = __atomic_load_n(&taking, __ATOMIC_ACQUIRE);
  acre_registry_expect_start();
  if (other == self || !__atomic_compare_exchange_n(&taking, &other, self, false, __ATOMIC_ACQ_REL,
                                                    __ATOMIC_ACQUIRE))
    return fail(path, "another one is being taken");
  const char *why = take(path);
  __atomic_store_n(&taking, 0, __ATOMIC_RELEASE);
  errno = saved_errno;
  return why ? fail(path, why) : true;
}

/* -- ACRE_SNAPSHOT ----------------------------------------------------------------------------- */

void acre_snapshot_take_wanted(void) {
  if (__atomic_exchange_n(&acre_snapshot_is_wanted, false, __ATOMIC_ACQ_REL))
    acre_snapshot(wanted_path);
}

static void note_signal(int number) {
  (void)number;
  __atomic_store_n(&acre_snapshot_is_wanted, true, __ATOMIC_RELAXED);
}

static void take_at_exit(void) { acre_snapshot(wanted_path); }

/* 0 if there is no such signal. */
static int signal_number(const char *name) {
  static const struct {
    const char *name;
    int number;
  } known[] = {{"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"HUP", SIGHUP}, {"WINCH", SIGWINCH}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(name, known[i].name) == 0)
      return known[i].number;
  char *end;
  const long number = strtol(name, &end, 10);
  /* After the note of a fault the same instruction would fault again. */
  const bool is_fault = number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
                        number == SIGILL || number == SIGTRAP || number == SIGSYS;
  return *name && !*end && number > 0 && number <= SIGRTMAX && number != ACRE_WORLD_SIGNAL &&
                 !is_fault
             ? (int)number
             : 0;
}

void acre_snapshot_start(const char *setting) {
  static const char word[] = ",signal=";
  const char *comma = strchr(setting, ',');
  const size_t length = comma ? (size_t)(comma - setting) : strlen(setting);
  const bool is_signal = comma && strncmp(comma, word, sizeof word - 1) == 0;
  const int number = is_signal ? signal_number(comma + sizeof word - 1) : 0;
  if (!length || length >= sizeof wanted_path || (comma && !number))
    acre_os_fatal("ACRE_SNAPSHOT is '%s'; it may be FILE or FILE,signal=NAME, where NAME is USR1, "
                  "USR2, HUP, WINCH or a number, and of no fault",
                  setting);
  memcpy(wanted_path, setting, length);
  if (!number) {
    atexit(take_at_exit);
    return;
  }
  struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
  if (sigaction(number, &action, NULL) != 0)
    acre_os_fatal("ACRE_SNAPSHOT: signal %d cannot be handled: %s", number, strerrordesc_np(errno));
}

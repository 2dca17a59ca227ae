/* SPDX-License-Identifier: MIT */
/* kept.c - see kept.h. */
#define _GNU_SOURCE
#include "counting/kept.h"

#include <acre/abi.h>
#include <acre/collected.h>

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/kcmp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counting/store.h"
#include "memory/pages.h"
#include "platform/check.h"
#include "platform/kernel.h"
#include "platform/os.h"
#include "platform/thread.h"

/* Open addressing, by linear probing; a name once entered stays.  Mostly never touched.  Not one of
   acre_os_table's: the collected heap of the process looks for pointers here. */
struct kept {
  uint64_t name; /* 0: empty */
  void *value;
};
#define CAPACITY ((size_t)1 << 20)
#define NUMBER_BITS 56
static struct kept *table;

#define DESCRIPTOR_BITS 32
#define TURN_BITS 4
#define KEY_BITS 10         /* PTHREAD_KEYS_MAX is 1024 */
#define THREAD_ALIGN_BITS 6 /* of what pthread_self() is */

static uint64_t name_of(enum acre_keeper keeper, uint64_t number) {
  ACRE_ASSERT(keeper >= ACRE_KEPT_BY_EPOLL && keeper <= ACRE_KEPT_BY_RANDOM);
  return (uint64_t)keeper << NUMBER_BITS | (number & (((uint64_t)1 << NUMBER_BITS) - 1));
}
static enum acre_keeper keeper_of(uint64_t name) { return (enum acre_keeper)(name >> NUMBER_BITS); }
static uint64_t number_of(uint64_t name) { return name & (((uint64_t)1 << NUMBER_BITS) - 1); }

uint64_t acre_epoll_number(int epoll, int descriptor, unsigned turn) {
  return (uint64_t)(uint32_t)epoll << (DESCRIPTOR_BITS + TURN_BITS) |
         (uint64_t)turn << DESCRIPTOR_BITS | (uint32_t)descriptor;
}
static int epoll_of(uint64_t number) { return (int)(number >> (DESCRIPTOR_BITS + TURN_BITS)); }

static uint64_t this_thread(void) { return (uint64_t)pthread_self() >> THREAD_ALIGN_BITS; }
uint64_t acre_key_number(unsigned key) { return this_thread() << KEY_BITS | key; }
static unsigned key_of(uint64_t number) { return (unsigned)number & ((1u << KEY_BITS) - 1); }
static bool is_of_this_thread(uint64_t number) { return number >> KEY_BITS == this_thread(); }

/* -- The table --------------------------------------------------------------------------------- */

static struct kept *get_table(void) {
  struct kept *entries = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
  if (entries)
    return entries;
  struct kept *fresh = acre_os_reserve(CAPACITY * sizeof *fresh, sizeof *fresh);
  if (!fresh || !acre_os_commit(fresh, CAPACITY * sizeof *fresh))
    acre_os_fatal("out of memory for pointers that the C library keeps");
  if (__atomic_compare_exchange_n(&table, &entries, fresh, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return fresh;
  acre_os_unreserve(fresh, CAPACITY * sizeof *fresh);
  return entries;
}

/* The entry of that name; null if there is none and none is to be made. */
static struct kept *find(uint64_t name, bool makes) {
  struct kept *entries = makes ? get_table() : __atomic_load_n(&table, __ATOMIC_ACQUIRE);
  if (!entries)
    return NULL;
  size_t at = (size_t)(name * 0x9e3779b97f4a7c15u >> 44);
  for (size_t probes = 0; probes < CAPACITY; probes++, at = (at + 1) % CAPACITY) {
    uint64_t found = __atomic_load_n(&entries[at].name, __ATOMIC_ACQUIRE);
    if (!found && !makes)
      return NULL;
    if (!found && __atomic_compare_exchange_n(&entries[at].name, &found, name, false,
                                              __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return &entries[at];
    if (found == name)
      return &entries[at];
  }
  if (makes)
    acre_os_fatal("more than %zu pointers that the C library keeps", CAPACITY);
  return NULL;
}

static void set(struct kept *entry, void *value) {
  __atomic_store_n(&entry->value, value, __ATOMIC_RELEASE);
  acre_rt_store(&entry->value, value);
}

/* What is kept of a local must be found (held_locals.h). */
static bool is_on_own_stack(const void *value) {
  return acre_thread_find_stack() && acre_thread_is_on_stack((uintptr_t)value);
}

static bool is_of_interest(const void *value) {
  return (acre_is_counting() && (acre_page_owner(value) || is_on_own_stack(value))) ||
         acre_collected_owns(value);
}

void acre_kept_set(enum acre_keeper keeper, uint64_t number, const void *value) {
  const acre_rt_stored *at = acre_self.kept_at;
  acre_self.kept_at = NULL;
  bool is_kept = is_of_interest(value);
  struct kept *entry = find(name_of(keeper, number), is_kept);
  if (!entry)
    return;
  if (is_kept && keeper == ACRE_KEPT_BY_THREAD_KEY) {
    acre_self.has_kept_values = true;
    if (!acre_self.has_exit_hook)
      acre_thread_hook_exit();
  }
  set(entry, is_kept ? (void *)(uintptr_t)value : NULL);
  if (at && is_kept)
    acre_rt_stored_at(&entry->value, entry->value, at);
}

void *acre_kept(enum acre_keeper keeper, uint64_t number) {
  struct kept *entry = find(name_of(keeper, number), false);
  return entry ? __atomic_load_n(&entry->value, __ATOMIC_ACQUIRE) : NULL;
}

/* -- epoll ------------------------------------------------------------------------------------- */

enum answer { NO, YES, UNKNOWN };

static bool contains(FILE *lines, const char *text) {
  char line[256];
  bool is_found = false;
  while (!is_found && fgets(line, sizeof line, lines))
    is_found = strstr(line, text) != NULL;
  return is_found;
}

/* Does that descriptor of the process wait for others with data?  Each of its registrations is a
 * line. */
static enum answer waits_with(const char *descriptor, const void *data) {
  char path[64], text[64];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%s", descriptor);
  snprintf(text, sizeof text, "data: %16" PRIxPTR " ", (uintptr_t)data);
  FILE *lines = fopen(path, "re");
  if (!lines)
    return UNKNOWN;
  bool is_found = contains(lines, text);
  fclose(lines);
  return is_found ? YES : NO;
}

static bool any_waits_with(const void *data) {
  DIR *descriptors = opendir("/proc/self/fdinfo");
  if (!descriptors)
    return true;
  bool is_found = false;
  for (struct dirent *entry; !is_found && (entry = readdir(descriptors));)
    is_found = entry->d_name[0] != '.' && waits_with(entry->d_name, data) == YES;
  closedir(descriptors);
  return is_found;
}

static bool is_epoll(const char *descriptor) {
  static const char wanted[] = "anon_inode:[eventpoll]";
  char path[64], target[sizeof wanted];
  snprintf(path, sizeof path, "/proc/self/fd/%s", descriptor);
  return readlink(path, target, sizeof target) == sizeof wanted - 1 &&
         memcmp(target, wanted, sizeof wanted - 1) == 0;
}

bool acre_epoll_holds(int epoll, const void *data) {
  char descriptor[16];
  snprintf(descriptor, sizeof descriptor, "%d", epoll);
  enum answer answer = waits_with(descriptor, data);
  if (answer == YES || (answer == NO && is_epoll(descriptor)))
    return answer == YES;
  /* This descriptor of the epoll instance is closed, but there may be others. */
  return any_waits_with(data);
}

bool acre_epoll_has(int epoll, int descriptor, const void *data) {
  struct kcmp_epoll_slot slot = {.efd = (uint32_t)epoll, .tfd = (uint32_t)descriptor};
  bool is_absent =
      syscall(SYS_kcmp, getpid(), getpid(), KCMP_EPOLL_TFD, epoll, &slot) < 0 && errno == ENOENT;
  return !is_absent && acre_epoll_holds(epoll, data);
}

/* -- All keepers ------------------------------------------------------------------------------- */

void acre_kept_end_thread(struct acre_thread *self) {
  ACRE_ASSERT(self == &acre_self);
  (void)self;
  for (unsigned key = 0; acre_self.has_kept_values && key < PTHREAD_KEYS_MAX; key++)
    acre_kept_set(ACRE_KEPT_BY_THREAD_KEY, acre_key_number(key), NULL);
  acre_self.has_kept_values = false;
}

static struct kept *entry_at(const void *slot) {
  struct kept *entries = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
  size_t offset = (size_t)((uintptr_t)slot - (uintptr_t)entries);
  return entries && offset < CAPACITY * sizeof *entries ? &entries[offset / sizeof *entries] : NULL;
}

bool acre_kept_is_slot(const void *slot) { return entry_at(slot) != NULL; }

static bool is_in_environment(const char *variable) {
  for (char **at = environ; at && *at; at++)
    if (*at == variable)
      return true;
  return false;
}

bool acre_kept_is_over(const void *slot) {
  const struct kept *entry = entry_at(slot);
  if (!entry)
    return false;
  uint64_t number = number_of(entry->name);
  switch (keeper_of(entry->name)) {
  case ACRE_KEPT_BY_EPOLL:
    return !acre_epoll_has(epoll_of(number), (int)(uint32_t)number, entry->value);
  case ACRE_KEPT_BY_THREAD_KEY:
    return is_of_this_thread(number) && pthread_getspecific(key_of(number)) != entry->value;
  case ACRE_KEPT_BY_ENVIRONMENT:
    return !is_in_environment(entry->value);
  default:
    return false;
  }
}

bool acre_kept_print(int fd, const void *slot) {
  const struct kept *entry = entry_at(slot);
  if (!entry)
    return false;
  static const char *const keepers[] = {
      [ACRE_KEPT_BY_STREAM] = "a stream (setvbuf)",
      [ACRE_KEPT_BY_COOKIE] = "a stream (fopencookie, open_memstream)",
      [ACRE_KEPT_BY_ENVIRONMENT] = "the environment (putenv)",
      [ACRE_KEPT_BY_TIMER] = "a timer (timer_create)",
      [ACRE_KEPT_BY_QUEUE] = "a message queue (mq_notify)",
      [ACRE_KEPT_BY_EXIT] = "the list of exit handlers (on_exit)",
      [ACRE_KEPT_BY_BUFFER] = "a stream (fmemopen, open_memstream)",
      [ACRE_KEPT_BY_LOG] = "the system log (openlog)",
      [ACRE_KEPT_BY_OPTIONS] = "the parser of options (getopt)",
      [ACRE_KEPT_BY_RANDOM] = "the generator of random numbers (initstate)",
  };
  uint64_t number = number_of(entry->name);
  if (keeper_of(entry->name) == ACRE_KEPT_BY_EPOLL)
    acre_os_print(fd, "epoll descriptor %d for descriptor %d", epoll_of(number),
                  (int)(uint32_t)number);
  else if (keeper_of(entry->name) == ACRE_KEPT_BY_THREAD_KEY)
    acre_os_print(fd, "a thread's value of key %u (pthread_setspecific)", key_of(number));
  else
    acre_os_print(fd, "%s", keepers[keeper_of(entry->name)]);
  return true;
}

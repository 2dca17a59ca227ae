/* SPDX-License-Identifier: MIT */
/* intercept_keep.c - interceptors for C library functions that keep a pointer beyond the call
 * (kept.h), or put it in memory of the library.
 *
 * Each calls the plain function first and notes what is kept only if that succeeded.  In between
 * nothing can delete: a delete is of the thread that made the region, and not in a signal handler.
 */
#define _GNU_SOURCE
#include <acre/abi.h>

#include <argz.h>
#include <errno.h>
#include <getopt.h>
#include <malloc.h>
#include <obstack.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <syslog.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "counting/kept.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "counting/store.h"
#include "foreign/stale.h"
#include "memory/pages.h"
#include "platform/os.h"

/* -- epoll ------------------------------------------------------------------------------------- */

/* A registration outlives the closing of its descriptor if the file is open elsewhere too: after
   dup, or in a child.  Then its number may be registered again, with other data, up to so many
   times. */
#define TURNS 16

/* One more than each epoll descriptor for which something was kept; 0: free.  Others than these are
   not asked at close.  The first free one is the end of those that are not: none becomes free
   again. */
static _Atomic int epolls[16];
#define EPOLLS (sizeof epolls / sizeof *epolls)

static void note_epoll(int epoll) {
  for (size_t i = 0; i < EPOLLS; i++) {
    int none = 0;
    if (atomic_load(&epolls[i]) == epoll + 1 ||
        atomic_compare_exchange_strong(&epolls[i], &none, epoll + 1))
      return;
  }
}

static void *kept_data(int epoll, int descriptor, unsigned turn) {
  return acre_kept(ACRE_KEPT_BY_EPOLL, acre_epoll_number(epoll, descriptor, turn));
}

static void keep_data(int epoll, int descriptor, unsigned turn, const void *data) {
  acre_kept_set(ACRE_KEPT_BY_EPOLL, acre_epoll_number(epoll, descriptor, turn), data);
}

/* descriptor is about to be registered anew.  If its old file is open elsewhere, epoll still has
 * the old data: that moves to another number, so that it goes on to be counted. */
static void put_aside(int epoll, int descriptor) {
  void *old = kept_data(epoll, descriptor, 0);
  if (!old || !acre_epoll_holds(epoll, old))
    return;
  unsigned turn = 1;
  while (turn < TURNS - 1 && kept_data(epoll, descriptor, turn) &&
         kept_data(epoll, descriptor, turn) != old)
    turn++;
  keep_data(epoll, descriptor, turn, old);
}

/* From here on: the interceptors, which instrumented code calls by name. */
#pragma GCC visibility push(default)

int acre_rt_epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event) {
  int result = epoll_ctl(epoll, operation, descriptor, event);
  if (result != 0)
    return result;
  if (operation == EPOLL_CTL_ADD)
    put_aside(epoll, descriptor);
  keep_data(epoll, descriptor, 0, operation == EPOLL_CTL_DEL ? NULL : event->data.ptr);
  if (kept_data(epoll, descriptor, 0))
    note_epoll(epoll);
  return result;
}

int acre_rt_close(int descriptor) {
  int result = close(descriptor), saved_errno = errno;
  for (size_t i = 0; i < EPOLLS && atomic_load(&epolls[i]) != 0; i++) {
    int epoll = atomic_load(&epolls[i]) - 1;
    void *data = kept_data(epoll, descriptor, 0);
    if (data && !acre_epoll_has(epoll, descriptor, data))
      keep_data(epoll, descriptor, 0, NULL);
  }
  errno = saved_errno;
  return result;
}

/* -- Threads, timers, exit --------------------------------------------------------------------- */

int acre_rt_pthread_setspecific(pthread_key_t key, const void *value) {
  int result = pthread_setspecific(key, value);
  if (result == 0)
    acre_kept_set(ACRE_KEPT_BY_THREAD_KEY, acre_key_number(key), value);
  return result;
}

int acre_rt_tss_set(tss_t key, void *value) {
  int result = tss_set(key, value);
  if (result == thrd_success)
    acre_kept_set(ACRE_KEPT_BY_THREAD_KEY, acre_key_number(key), value);
  return result;
}

int acre_rt_timer_create(clockid_t clock, struct sigevent *event, timer_t *timer) {
  int result = timer_create(clock, event, timer);
  if (result == 0 && event)
    acre_kept_set(ACRE_KEPT_BY_TIMER, (uintptr_t)*timer, event->sigev_value.sival_ptr);
  return result;
}

int acre_rt_timer_delete(timer_t timer) {
  int result = timer_delete(timer);
  if (result == 0)
    acre_kept_set(ACRE_KEPT_BY_TIMER, (uintptr_t)timer, NULL);
  return result;
}

int acre_rt_on_exit(void (*handler)(int status, void *argument), void *argument) {
  static _Atomic uint64_t calls;
  int result = on_exit(handler, argument);
  if (result == 0)
    acre_kept_set(ACRE_KEPT_BY_EXIT, atomic_fetch_add(&calls, 1), argument);
  return result;
}

/* The variable named by text up to "=". */
static uint64_t hash_name(const char *text) {
  uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
  for (; *text && *text != '='; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return hash;
}

int acre_rt_putenv(char *variable) {
  uint64_t name = hash_name(variable);
  bool has_value = strchr(variable, '=');
  int result = putenv(variable);
  if (result == 0)
    acre_kept_set(ACRE_KEPT_BY_ENVIRONMENT, name, has_value ? variable : NULL);
  return result;
}

/* -- Streams ----------------------------------------------------------------------------------- */

int acre_rt_setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
  int result = setvbuf(stream, buffer, mode, size);
  if (result == 0 &&
      (buffer || mode == _IONBF)) /* else the stream goes on with the buffer that it has */
    acre_kept_set(ACRE_KEPT_BY_STREAM, (uintptr_t)stream, mode == _IONBF ? NULL : buffer);
  return result;
}

void acre_rt_setbuffer(FILE *stream, char *buffer, size_t size) {
  setbuffer(stream, buffer, size);
  acre_kept_set(ACRE_KEPT_BY_STREAM, (uintptr_t)stream, buffer);
}

void acre_rt_setbuf(FILE *stream, char *buffer) { acre_rt_setbuffer(stream, buffer, BUFSIZ); }

FILE *acre_rt_fmemopen(void *buffer, size_t size, const char *mode) {
  FILE *stream = fmemopen(buffer, size, mode);
  if (stream)
    acre_kept_set(ACRE_KEPT_BY_BUFFER, (uintptr_t)stream, buffer);
  return stream;
}

/* The stream says what it wrote, in memory from malloc, in two variables of the program. */
static FILE *keep_variables(FILE *stream, const void *memory, const size_t *size) {
  if (stream) {
    acre_kept_set(ACRE_KEPT_BY_BUFFER, (uintptr_t)stream, memory);
    acre_kept_set(ACRE_KEPT_BY_COOKIE, (uintptr_t)stream, size);
  }
  return stream;
}

FILE *acre_rt_open_memstream(char **memory, size_t *size) {
  return keep_variables(open_memstream(memory, size), memory, size);
}

FILE *acre_rt_open_wmemstream(wchar_t **memory, size_t *size) {
  return keep_variables(open_wmemstream(memory, size), memory, size);
}

static void forget_stream(const FILE *stream) {
  acre_kept_set(ACRE_KEPT_BY_COOKIE, (uintptr_t)stream, NULL);
  acre_kept_set(ACRE_KEPT_BY_STREAM, (uintptr_t)stream, NULL);
  acre_kept_set(ACRE_KEPT_BY_BUFFER, (uintptr_t)stream, NULL);
}

FILE *acre_rt_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions) {
  FILE *stream = fopencookie(cookie, mode, functions);
  if (stream)
    acre_kept_set(ACRE_KEPT_BY_COOKIE, (uintptr_t)stream, cookie);
  return stream;
}

/* Before, not after: the function that closes the cookie may delete the region that it is in. */
int acre_rt_fclose(FILE *stream) {
  forget_stream(stream);
  return fclose(stream);
}

FILE *acre_rt_freopen(const char *path, const char *mode, FILE *stream) {
  FILE *opened = freopen(path, mode, stream);
  forget_stream(stream);
  return opened;
}

/* -- State of the library ---------------------------------------------------------------------- */

/* strtok's own state, so that it is known where it points.  A program that takes the first words of
   a string only may delete the string with its region: nothing is kept for that.  To go on is an
   error then. */
char *acre_rt_strtok(char *text, const char *separators) {
  static char end[1], *rest;
  static acre_region owner;
  if (text)
    owner = acre_page_owner(text) ? acre_handle_of(acre_registry_at(acre_page_owner(text))) : NULL;
  else if (!rest)
    return strtok(NULL, separators); /* of a string that other code has given it */
  else if (owner && !acre_registry_find(owner))
    acre_os_fatal(
        "strtok: the string that it was given last was in a region that has been deleted");
  char *token = strtok_r(text, separators, &rest);
  if (!token) {
    rest = end;
    owner = NULL;
  }
  return token;
}

void acre_rt_openlog(const char *name, int options, int facility) {
  openlog(name, options, facility);
  acre_kept_set(ACRE_KEPT_BY_LOG, 0, name);
}

void acre_rt_closelog(void) {
  closelog();
  acre_kept_set(ACRE_KEPT_BY_LOG, 0, NULL);
}

/* getopt has returned option. */
static int keep_options(int option, int count, char *const *arguments) {
  bool goes_on = option != -1 && optind < count;
  acre_kept_set(ACRE_KEPT_BY_OPTIONS, 0, optarg);
  acre_kept_set(ACRE_KEPT_BY_OPTIONS, 1, goes_on ? arguments[optind] : NULL);
  return option;
}

int acre_rt_getopt(int count, char *const *arguments, const char *names) {
  return keep_options(getopt(count, arguments, names), count, arguments);
}

extern int __posix_getopt(int count, char *const *arguments, const char *names);
int acre_rt_posix_getopt(int count, char *const *arguments, const char *names) {
  return keep_options(__posix_getopt(count, arguments, names), count, arguments);
}

int acre_rt_getopt_long(int count, char *const *arguments, const char *names,
                        const struct option *options, int *index) {
  return keep_options(getopt_long(count, arguments, names, options, index), count, arguments);
}

int acre_rt_getopt_long_only(int count, char *const *arguments, const char *names,
                             const struct option *options, int *index) {
  return keep_options(getopt_long_only(count, arguments, names, options, index), count, arguments);
}

char *acre_rt_initstate(unsigned seed, char *state, size_t size) {
  char *previous = initstate(seed, state, size);
  if (previous)
    acre_kept_set(ACRE_KEPT_BY_RANDOM, 0, state);
  return previous;
}

char *acre_rt_setstate(char *state) {
  char *previous = setstate(state);
  if (previous)
    acre_kept_set(ACRE_KEPT_BY_RANDOM, 0, state);
  return previous;
}

void acre_rt_argz_extract(const char *texts, size_t size, char **pointers) {
  argz_extract(texts, size, pointers);
  acre_rt_rescan(pointers, (argz_count(texts, size) + 1) * sizeof *pointers);
}

/* Moves the object that grows to a new chunk. */
void acre_rt_obstack_newchunk(struct obstack *stack, int size) {
  _obstack_newchunk(stack, size);
  acre_rt_rescan(stack->object_base, (size_t)(stack->next_free - stack->object_base));
}

/* -- <search.h> -------------------------------------------------------------------------------- */

/* A node begins with its key. */
void *acre_rt_tsearch(const void *key, void **root, int (*compare)(const void *, const void *)) {
  void *node = tsearch(key, root, compare);
  if (node)
    acre_rt_rescan(node, ACRE_SLOT_SIZE);
  return node;
}

/* What tfind looks for to find the key that follows another. */
struct next_key {
  const void *key, *next;
  int (*compare)(const void *, const void *);
};

/* Goes where the search for the key would go, and beyond it to the left end of what is greater. */
static int compare_next(const void *wanted, const void *each) {
  struct next_key *search = (struct next_key *)wanted;
  if (search->compare(search->key, each) >= 0)
    return 1;
  search->next = each;
  return -1;
}

/* The node with the key is freed, or gets the next key, whose node is freed.  What is freed may
 * keep its content, so that it is not read to find out. */
void *acre_rt_tdelete(const void *restrict key, void **restrict root,
                      int (*compare)(const void *, const void *)) {
  if (!acre_may_have_records())
    return tdelete(key, root, compare);
  struct next_key search = {.key = key, .compare = compare};
  tfind(&search, root, compare_next);
  void *node = tfind(key, root, compare);
  void *next = search.next ? tfind(search.next, root, compare) : NULL;
  void *parent = tdelete(key, root, compare);
  if (!parent)
    return NULL;
  void *value;
  const bool is_moved = next && acre_slot_read((uintptr_t)node, &value) && value == search.next;
  if (is_moved)
    acre_rt_rescan(node, ACRE_SLOT_SIZE);
  acre_rt_release(is_moved ? next : node, ACRE_SLOT_SIZE);
  return parent;
}

static void release_node(const void *node, VISIT visit, int depth) {
  (void)depth;
  if (visit == endorder || visit == leaf)
    acre_rt_release((void *)node, ACRE_SLOT_SIZE);
}

void acre_rt_tdestroy(void *root, void (*free_key)(void *)) {
  if (acre_may_have_records())
    twalk(root, release_node);
  tdestroy(root, free_key);
}

/* Where the entries are that hsearch has returned: in one block of malloc, which hdestroy frees
 * without saying where it is. */
static struct {
  uintptr_t low, high;
} hash_entries;

ENTRY *acre_rt_hsearch(ENTRY item, ACTION action) {
  ENTRY *found = hsearch(item, action);
  if (!found)
    return NULL;
  uintptr_t low = (uintptr_t)found, high = (uintptr_t)(found + 1);
  if (!hash_entries.high || low < hash_entries.low)
    hash_entries.low = low;
  if (high > hash_entries.high)
    hash_entries.high = high;
  acre_rt_rescan(found, sizeof *found);
  return found;
}

void acre_rt_hdestroy(void) {
  acre_rt_release((void *)hash_entries.low, hash_entries.high - hash_entries.low);
  hash_entries.low = hash_entries.high = 0;
  hdestroy();
}

int acre_rt_hsearch_r(ENTRY item, ACTION action, ENTRY **found, struct hsearch_data *table) {
  int result = hsearch_r(item, action, found, table);
  if (result)
    acre_rt_rescan(*found, sizeof **found);
  return result;
}

/* The table is a block of malloc. */
void acre_rt_hdestroy_r(struct hsearch_data *table) {
  if (table && table->table)
    acre_rt_release(table->table, malloc_usable_size(table->table));
  hdestroy_r(table);
}

void *acre_rt_lsearch(const void *key, void *base, size_t *count, size_t size,
                      int (*compare)(const void *, const void *)) {
  void *found = lsearch(key, base, count, size, compare);
  acre_rt_rescan(found, size);
  return found;
}

/* An element of a queue begins with pointers to the next and the previous one. */
struct element {
  struct element *next, *previous;
};

static void recount(struct element *element) {
  if (element)
    acre_rt_rescan(element, sizeof *element);
}

void acre_rt_insque(void *element, void *previous) {
  insque(element, previous);
  struct element *added = element;
  recount(added);
  recount(added->next);
  recount(added->previous);
}

void acre_rt_remque(void *element) {
  remque(element);
  struct element *removed = element;
  recount(removed->next);
  recount(removed->previous);
}

#pragma GCC visibility pop

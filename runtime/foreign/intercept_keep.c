/* intercept_keep.c - interceptors for C library functions that keep a pointer beyond the call
 * (kept.h), or put it in memory of the library.
 *
 * Each calls the plain function first and notes what is kept only if that succeeded.  In between
 * nothing can delete: a delete is of the thread that made the region, and not in a signal handler.
 */
#define _GNU_SOURCE
#include <acre/abi.h>

#include <errno.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "counting/kept.h"
#include "counting/record.h"
#include "foreign/stale.h"

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

/* What was kept under the number of a descriptor that is registered anew is still there if its file
 * is. */
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

/* What follows is called by the program. */
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

FILE *acre_rt_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions) {
  FILE *stream = fopencookie(cookie, mode, functions);
  if (stream)
    acre_kept_set(ACRE_KEPT_BY_COOKIE, (uintptr_t)stream, cookie);
  return stream;
}

/* Before, not after: the function that closes the cookie may delete the region that it is in. */
int acre_rt_fclose(FILE *stream) {
  uintptr_t number = (uintptr_t)stream;
  acre_kept_set(ACRE_KEPT_BY_COOKIE, number, NULL);
  acre_kept_set(ACRE_KEPT_BY_STREAM, number, NULL);
  return fclose(stream);
}

FILE *acre_rt_freopen(const char *path, const char *mode, FILE *stream) {
  uintptr_t number = (uintptr_t)stream;
  stream = freopen(path, mode, stream);
  acre_kept_set(ACRE_KEPT_BY_COOKIE, number, NULL);
  acre_kept_set(ACRE_KEPT_BY_STREAM, number, NULL);
  return stream;
}

/* -- <search.h> -------------------------------------------------------------------------------- */

/* A node begins with its key. */
void *acre_rt_tsearch(const void *key, void **root, int (*compare)(const void *, const void *)) {
  void *node = tsearch(key, root, compare);
  if (node)
    acre_rt_rescan(node, ACRE_SLOT_SIZE);
  return node;
}

/* The node with the key is freed, or gets the key of another node, which is freed. */
void *acre_rt_tdelete(const void *restrict key, void **restrict root,
                      int (*compare)(const void *, const void *)) {
  void *node = tfind(key, root, compare);
  void *parent = tdelete(key, root, compare);
  void *value;
  if (node && acre_slot_read((uintptr_t)node, &value))
    acre_rt_rescan(node, ACRE_SLOT_SIZE);
  else
    acre_rt_release(node, ACRE_SLOT_SIZE);
  return parent;
}

ENTRY *acre_rt_hsearch(ENTRY item, ACTION action) {
  ENTRY *found = hsearch(item, action);
  if (found)
    acre_rt_rescan(found, sizeof *found);
  return found;
}

int acre_rt_hsearch_r(ENTRY item, ACTION action, ENTRY **found, struct hsearch_data *table) {
  int result = hsearch_r(item, action, found, table);
  if (result)
    acre_rt_rescan(*found, sizeof **found);
  return result;
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

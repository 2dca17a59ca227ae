/* SPDX-License-Identifier: MIT */
/* intercept_sigevent.c - timers and message queues that call a function in a thread (SIGEV_THREAD),
 * for programs with the collected heap.
 *
 * The C library's own are served by threads that block all signals, also the one by which the
 * collector stops threads.  These leave it out.  Each timer has a record, which its signal refers
 * to: one that comes late, when the record has gone, is passed over.
 */
#define _GNU_SOURCE
#include <acre/abi.h>
#include <acre/collected.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "counting/kept.h"
#include "gc/linux/stop_world.h"
#include "platform/kernel.h"
#include "platform/procfs.h"

/* The C library takes these for itself, so that no program uses or blocks them. */
#define TIMER_SIGNAL 32
#define IDENTITY_SIGNAL 33
#define SERVER_MASK (~(ACRE_SIGNAL_BIT(ACRE_WORLD_SIGNAL) | ACRE_SIGNAL_BIT(IDENTITY_SIGNAL)))

typedef struct record {
  struct record *next;
  timer_t timer;
  void (*function)(union sigval);
  union sigval value;
  pthread_attr_t attributes;
} record;

typedef struct call {
  void (*function)(union sigval);
  union sigval value;
} call;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static record *records;
static pid_t server; /* the thread; 0: none yet */
static bool is_starting;
static pthread_cond_t has_started = PTHREAD_COND_INITIALIZER;

static uint64_t set_mask(uint64_t mask) {
  uint64_t old = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &old, sizeof mask);
  return old;
}

/* -- Calls ------------------------------------------------------------------------------------- */

static void *make_call(void *argument) {
  call c = *(call *)argument;
  free(argument);
  set_mask(0);
  c.function(c.value);
  return NULL;
}

static void expired(const record *wanted) {
  call *c = malloc(sizeof *c);
  pthread_mutex_lock(&lock);
  const record *r = records;
  while (r && r != wanted)
    r = r->next;
  pthread_t thread;
  if (r && c) {
    *c = (call){r->function, r->value};
    if (pthread_create(&thread, &r->attributes, make_call, c) == 0)
      c = NULL;
  }
  pthread_mutex_unlock(&lock);
  free(c);
}

static void *serve(void *unused) {
  (void)unused;
  set_mask(SERVER_MASK); /* pthread_create has let the timers' signal through */
  pthread_mutex_lock(&lock);
  server = (pid_t)syscall(SYS_gettid);
  pthread_cond_broadcast(&has_started);
  pthread_mutex_unlock(&lock);
  const uint64_t wanted = ACRE_SIGNAL_BIT(TIMER_SIGNAL);
  while (true) {
    siginfo_t info;
    if (syscall(SYS_rt_sigtimedwait, &wanted, &info, NULL, sizeof wanted) == TIMER_SIGNAL &&
        info.si_code == SI_TIMER)
      expired(info.si_value.sival_ptr);
  }
  return NULL;
}

/* -- Life -------------------------------------------------------------------------------------- */

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }

/* A child of fork has neither its parent's timers nor the thread that serves them. */
static void after_fork_in_child(void) {
  for (record *next; records; records = next) {
    next = records->next;
    free(records);
  }
  server = 0;
  is_starting = false;
  pthread_mutex_unlock(&lock);
}

static void watch_forks(void) { pthread_atfork(before_fork, after_fork, after_fork_in_child); }

/* With the lock. */
static bool has_server(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  if (!server && !is_starting) {
    pthread_t thread;
    uint64_t old = set_mask(SERVER_MASK);
    is_starting = pthread_create(&thread, NULL, serve, NULL) == 0;
    set_mask(old);
    if (is_starting)
      pthread_detach(thread);
  }
  while (is_starting && !server)
    pthread_cond_wait(&has_started, &lock);
  return server != 0;
}

/* Copies those of the program's thread attributes that the C library's timer threads honour. */
static void copy_attributes(pthread_attr_t *to, const pthread_attr_t *from) {
  pthread_attr_init(to);
  size_t bytes;
  int number;
  struct sched_param parameters;
  if (from && pthread_attr_getstacksize(from, &bytes) == 0)
    pthread_attr_setstacksize(to, bytes);
  if (from && pthread_attr_getguardsize(from, &bytes) == 0)
    pthread_attr_setguardsize(to, bytes);
  if (from && pthread_attr_getinheritsched(from, &number) == 0)
    pthread_attr_setinheritsched(to, number);
  if (from && pthread_attr_getschedpolicy(from, &number) == 0)
    pthread_attr_setschedpolicy(to, number);
  if (from && pthread_attr_getschedparam(from, &parameters) == 0)
    pthread_attr_setschedparam(to, &parameters);
  pthread_attr_setdetachstate(to, PTHREAD_CREATE_DETACHED);
}

int acre_rt_gc_timer_create(acre_rt_timer_create_function *create, int clock,
                            struct sigevent *event, void **timer) {
  if (!event || event->sigev_notify != SIGEV_THREAD)
    return create(clock, event, timer);
  record *r = malloc(sizeof *r);
  if (!r) {
    errno = EAGAIN;
    return -1;
  }
  *r = (record){.function = event->sigev_notify_function, .value = event->sigev_value};
  copy_attributes(&r->attributes, event->sigev_notify_attributes);
  pthread_mutex_lock(&lock);
  int result = -1;
  errno = EAGAIN;
  if (has_server()) {
    struct sigevent plain = {
        .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = TIMER_SIGNAL, .sigev_value.sival_ptr = r};
    plain._sigev_un._tid = server;
    result = create(clock, &plain, timer);
  }
  if (result == 0) {
    r->timer = *timer;
    r->next = records;
    records = r;
  }
  pthread_mutex_unlock(&lock);
  if (result != 0)
    free(r);
  return result;
}

void acre_rt_gc_timer_deleted(void *timer) {
  pthread_mutex_lock(&lock);
  record **at = &records;
  while (*at && (*at)->timer != timer)
    at = &(*at)->next;
  record *found = *at;
  if (found)
    *at = found->next;
  pthread_mutex_unlock(&lock);
  free(found);
}

/* -- Message queues ---------------------------------------------------------------------------- */

/* The kernel sends so many bytes that it was given to a socket, with the reason in the last one. */
#define NOTE_BYTES 32
#define MESSAGE_CAME 1

typedef struct waiting {
  call then;
  int socket;
  acre_procfs_identity file;
} waiting;

static void *wait_for_message(void *argument) {
  waiting w = *(waiting *)argument;
  free(argument);
  set_mask(SERVER_MASK);
  char note[NOTE_BYTES] = {0};
  ssize_t size;
  do
    size = recv(w.socket, note, sizeof note, 0);
  while (size < 0 && errno == EINTR);
  if (acre_procfs_is_still(w.socket, &w.file))
    close(w.socket);
  if (size != NOTE_BYTES || note[NOTE_BYTES - 1] != MESSAGE_CAME)
    return NULL;
  set_mask(0);
  w.then.function(w.then.value);
  return NULL;
}

static int ask_kernel(int queue, const struct sigevent *event) {
  return (int)syscall(SYS_mq_notify, queue, event);
}

/* The thread that waits is the one that calls the function. */
static bool wait_in_thread(waiting *w, const pthread_attr_t *attributes) {
  pthread_attr_t own;
  copy_attributes(&own, attributes);
  pthread_t thread;
  uint64_t old = set_mask(SERVER_MASK);
  bool is_started = pthread_create(&thread, &own, wait_for_message, w) == 0;
  set_mask(old);
  pthread_attr_destroy(&own);
  return is_started;
}

/* A value in the heap, which only the kernel has.  It is sent once, but when is not known. */
static int notify_by_signal(int queue, const struct sigevent *event) {
  int result = ask_kernel(queue, event);
  const void *value = event ? event->sigev_value.sival_ptr : NULL;
  if (result == 0)
    acre_kept_set(ACRE_KEPT_BY_QUEUE, (unsigned)queue, acre_collected_owns(value) ? value : NULL);
  return result;
}

int acre_rt_gc_mq_notify(int queue, const struct sigevent *event) {
  if (!event || event->sigev_notify != SIGEV_THREAD)
    return notify_by_signal(queue, event);
  int file = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);
  if (file < 0) {
    errno = ENOSYS;
    return -1;
  }
  char note[NOTE_BYTES] = {0};
  struct sigevent plain = {
      .sigev_notify = SIGEV_THREAD, .sigev_signo = file, .sigev_value.sival_ptr = note};
  waiting *w = malloc(sizeof *w);
  int result = w ? ask_kernel(queue, &plain) : -1;
  if (result == 0) {
    *w = (waiting){.then = {event->sigev_notify_function, event->sigev_value}, .socket = file};
    acre_procfs_identify(file, &w->file);
    if (wait_in_thread(w, event->sigev_notify_attributes))
      return 0;
    ask_kernel(queue, NULL);
    errno = EAGAIN;
  }
  int saved_errno = errno;
  free(w);
  close(file);
  errno = saved_errno;
  return -1;
}

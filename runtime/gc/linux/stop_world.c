/* SPDX-License-Identifier: MIT */
/* stop_world.c - see stop_world.h.
 *
 * While the world is stopped the thread that stopped it takes no signals either: a handler of the
 * program may move a pointer from where the collector has not looked yet to where it has.
 *
 * Invariant: `generation` is odd while the world is stopped or being stopped.  entries[0 ..
 * entry_count) are the threads that were asked to stop in this generation; one that has stopped has
 * is_stopped set, by itself, and waits until the generation changes.  A thread that was asked may
 * also have ended.
 */
#define _GNU_SOURCE
#include "gc/linux/stop_world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gc/linux/waits.h"
#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/kernel.h"
#include "platform/os.h"
#include "platform/procfs.h"
#include "platform/thread.h"

#define ENTRY_MAX ((size_t)1 << 20)
#define ENTRY_LEAST ((size_t)1 << 12) /* where address space is limited */
#define RED_ZONE 128
/* A thread that stops says so; one that ends does not, and is looked for. */
#define WAIT_NANOSECONDS 500000
/* Waits in which the processor is only offered: to sleep and be woken takes longer than most
 * threads take to stop. */
#define YIELDS 100
/* The most threads that are known, and how often one is waited for that has not said that it is
 * there. */
#define KNOWN_MAX 4096
#define KNOWN_PATIENCE 400
/* Waits before it is asked whether a thread can be stopped at all. */
#define PATIENCE 4000
#define OBSTACLE_PATIENCE 2000   /* waits until a thread that blocks the signal is believed to */
#define IDENTITY_SIGNAL 33       /* the C library's */
#define HELPER_STACK_BYTES 32768 /* a directory of threads is read there */

typedef struct entry {
  pid_t tid;
  bool is_stopped, is_gone;
  uintptr_t low, sp;
  acre_gc_live_stack live;
} entry;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of who stops the world */
static uint32_t generation;
static uint32_t stops; /* grows by one with each thread that stops */
static entry *entries;
static uint32_t entry_count;
static size_t entry_max;
static pid_t *known; /* 0: none */
static pid_t process,
    listed_process;          /* whose world this is: a helper is another; its number in /proc */
static pid_t holder_process; /* not that of a child of vfork, which has the same memory */
static _Thread_local bool is_forking __attribute__((tls_model("initial-exec"))); /* has the lock */
static uint64_t own_mask; /* of signals, when the world was stopped */
static bool is_masked;
static bool is_stopped;                        /* or there is no other thread */
static uint64_t stopped_since, stopped_before; /* 0: no thread is; so long until then */

/* Until *word is no longer old, or somebody wakes this thread, or the time, where one is given, has
 * passed. */
static void wait_at(uint32_t *word, uint32_t old, const struct timespec *most) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, old, most, NULL, 0);
}

static void wake_at(uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

static entry *find_entry(pid_t tid) {
  uint32_t count = __atomic_load_n(&entry_count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; i++)
    if (entries[i].tid == tid)
      return &entries[i];
  return NULL;
}

/* The registers of the interrupted code are above this frame. */
static void stop_here(int signal, siginfo_t *information, void *context) {
  int saved_errno = errno;
  uint32_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
  entry *self = now & 1 ? find_entry((pid_t)syscall(SYS_gettid)) : NULL;
  (void)signal, (void)information;
  acre_gc_waits_begin_stop(context);
  if (self && !self->is_stopped) {
    self->sp = (uintptr_t)__builtin_frame_address(0) - RED_ZONE;
    self->low = acre_thread_dead_from(self->sp);
    self->live = acre_gc_own_live_stack(self->sp);
    __atomic_store_n(&self->is_stopped, true, __ATOMIC_RELEASE);
    __atomic_add_fetch(&stops, 1, __ATOMIC_SEQ_CST);
    wake_at(&stops);
    while (__atomic_load_n(&generation, __ATOMIC_ACQUIRE) == now)
      wait_at(&generation, now, NULL);
  }
  acre_gc_waits_end_stop(context);
  errno = saved_errno;
}

static void start(void) {
  for (entry_max = ENTRY_MAX; entry_max >= ENTRY_LEAST && !entries; entry_max /= 4)
    entries = acre_os_table(entry_max * sizeof *entries);
  entry_max *= 4;
  if (!entries)
    acre_os_fatal("Acre cannot stop threads: no memory");
}

/* Each time: programs set all signals to their defaults.  A thread that has stopped cannot be
   cancelled, but changes its user with the others. */
static void take_signal(void) {
  struct sigaction action = {.sa_sigaction = stop_here, .sa_flags = SA_RESTART | SA_SIGINFO};
  uint64_t mask = ~ACRE_SIGNAL_BIT(IDENTITY_SIGNAL);
  memcpy(&action.sa_mask, &mask, sizeof mask);
  if (sigaction(ACRE_WORLD_SIGNAL, &action, NULL) != 0)
    acre_os_fatal("Acre cannot stop threads: signal %d is not to be had", ACRE_WORLD_SIGNAL);
}

/* -- The calling thread ------------------------------------------------------------------------ */

/* But for the one by which another thread may stop this one, which waits for the lock: while it
   has that, none does.  Returns whether they are held; *before is the mask until then. */
static bool hold_signals(uint64_t *before) {
  const uint64_t others = ~(ACRE_SIGNALS_OF_FAULTS | ACRE_SIGNAL_BIT(ACRE_WORLD_SIGNAL));
  return syscall(SYS_rt_sigprocmask, SIG_BLOCK, &others, before, sizeof others) == 0;
}

/* A handler of the program may collect: it does not find the lock taken by its own thread. */
static void take_lock(void) {
  uint64_t before = 0;
  const bool is_held = hold_signals(&before);
  if (!is_forking)
    pthread_mutex_lock(&lock);
  own_mask = before;
  is_masked = is_held;
}

static void leave_lock(void) {
  const uint64_t before = own_mask;
  const bool was_masked = is_masked;
  is_masked = false;
  if (!is_forking)
    pthread_mutex_unlock(&lock);
  if (was_masked)
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
}

/* -- Asking ------------------------------------------------------------------------------------ */

/* False if there is no such thread any more. */
static bool send_signal(pid_t tid) {
  for (unsigned tries = 0; syscall(SYS_tgkill, process, tid, ACRE_WORLD_SIGNAL) != 0; tries++) {
    if (errno != EAGAIN)
      return false;
    if (tries == PATIENCE)
      acre_os_fatal("Acre cannot stop threads: as many signals are pending as the user "
                    "may have (ulimit -i)");
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0,
            &(struct timespec){.tv_nsec = WAIT_NANOSECONDS}, NULL);
  }
  return true;
}

static void ask(pid_t tid) {
  if (entry_count == entry_max)
    acre_os_fatal("more than %zu threads", entry_max);
  entries[entry_count] = (entry){.tid = tid};
  __atomic_store_n(&entry_count, entry_count + 1, __ATOMIC_RELEASE);
  entries[entry_count - 1].is_gone = !send_signal(tid);
}

/* Text of number at `to`; returns its end. */
static char *write_number(char *to, pid_t number) {
  char digits[16];
  size_t count = 0;
  for (; number; number /= 10)
    digits[count++] = (char)('0' + number % 10);
  while (count)
    *to++ = digits[--count];
  return to;
}

static pid_t tid_of(const char *name) {
  pid_t tid = 0;
  for (; *name >= '0' && *name <= '9'; name++)
    tid = tid * 10 + (*name - '0');
  return tid;
}

/* See acre_procfs_status.  The thread by its number in /proc. */
static const char *task_status(pid_t listed, const char *name,
                               char text[ACRE_PROCFS_STATUS_BYTES]) {
  char path[64] = "/proc/";
  strcpy(write_number(path + strlen(path), listed_process), "/task/");
  strcpy(write_number(path + strlen(path), listed), "/status");
  return acre_procfs_status(path, name, text);
}

/* Where /proc is that of a namespace outside, it has other numbers than the process: the last of
   those that a thread has is ours.  0 if the thread has ended. */
static pid_t own_number(pid_t listed) {
  char text[ACRE_PROCFS_STATUS_BYTES];
  if (listed_process == process)
    return listed;
  const char *numbers = task_status(listed, "NSpid:", text);
  pid_t last = 0;
  while (numbers && *numbers == '\t') {
    last = tid_of(++numbers);
    numbers += strspn(numbers, "0123456789");
  }
  return last;
}

static void find_listed_process(void) {
  char number[16] = {0};
  process = getpid();
  listed_process = readlink("/proc/self", number, sizeof number - 1) > 0 ? tid_of(number) : process;
}

/* Calls visit with each thread in the directory but the calling one.  listed is the thread's number
   in /proc. */
static void each_listed(int tasks, pid_t self, void (*visit)(pid_t tid, pid_t listed, bool *is_any),
                        bool *is_any) {
  _Alignas(struct dirent64) char buffer[4096];
  lseek(tasks, 0, SEEK_SET);
  for (long size; (size = syscall(SYS_getdents64, tasks, buffer, sizeof buffer)) > 0;)
    for (long at = 0; at < size;) {
      const struct dirent64 *item = (const struct dirent64 *)(buffer + at);
      pid_t listed = tid_of(item->d_name), tid = listed ? own_number(listed) : 0;
      at += item->d_reclen;
      if (tid && tid != self)
        visit(tid, listed, is_any);
    }
}

static void ask_new(pid_t tid, pid_t listed, bool *is_any) {
  (void)listed;
  if (find_entry(tid))
    return;
  ask(tid);
  *is_any = true;
}

/* Asks every thread in the directory that has not been asked.  Returns whether there was one. */
static bool ask_listed(int tasks, pid_t self) {
  bool is_any = false;
  each_listed(tasks, self, ask_new, &is_any);
  return is_any;
}

/* A process in this memory, with a copy of the descriptors of which it needs one less. */
typedef struct helper {
  pid_t self;
  bool is_done, is_any;
} helper;

static int help(void *argument) {
  helper *h = argument;
  char path[64] = "/proc/";
  strcpy(write_number(path + strlen(path), listed_process), "/task");
  close(STDIN_FILENO);
  int tasks = open(path, O_RDONLY | O_DIRECTORY);
  h->is_done = tasks >= 0;
  h->is_any = h->is_done && ask_listed(tasks, h->self);
  return 0;
}

/* The process has as many descriptors as it may have. */
static bool ask_all_by_helper(pid_t self, bool *is_any) {
  _Alignas(16) char stack[HELPER_STACK_BYTES];
  helper h = {.self = self};
  uint64_t all = ~UINT64_C(0), old;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old, sizeof all);
  pid_t pid = clone(help, stack + sizeof stack, CLONE_VM | CLONE_VFORK, &h);
  if (pid > 0)
    waitpid(pid, NULL, __WCLONE);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL, sizeof old);
  *is_any = h.is_any;
  return pid > 0 && h.is_done;
}

static _Noreturn void cannot_list(void) {
  acre_os_fatal(
      "Acre cannot list the threads of the process in /proc/self/task: %s; a program with "
      "threads that have not allocated needs /proc in its root, and system calls that open files "
      "there",
      strerrordesc_np(errno));
}

static bool ask_all(int tasks, pid_t self) {
  bool is_any;
  if (tasks >= 0)
    return ask_listed(tasks, self);
  if (!ask_all_by_helper(self, &is_any))
    cannot_list();
  return is_any;
}

/* -- Waiting ----------------------------------------------------------------------------------- */

static bool is_alive(pid_t tid) { return syscall(SYS_tgkill, getpid(), tid, 0) == 0; }

/* Does thread tid block the signal?  By the mask that the system shows, if it has the thread under
 * this number. */
static bool is_blocking(pid_t tid) {
  char text[ACRE_PROCFS_STATUS_BYTES];
  const char *blocked = task_status(tid, "SigBlk:", text);
  return blocked && (strtoull(blocked, NULL, 16) >> (ACRE_WORLD_SIGNAL - 1) & 1);
}

/* Where threads start and end the C library blocks all signals for a moment, and a thread that was
   stopped just now may still be in its handler. */
static void wait_until_stoppable(pid_t tid, pid_t listed, bool *is_blocked) {
  (void)tid;
  for (unsigned tries = 0; !*is_blocked && is_blocking(listed); tries++) {
    *is_blocked = tries == OBSTACLE_PATIENCE;
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0,
            &(struct timespec){.tv_nsec = WAIT_NANOSECONDS}, NULL);
  }
}

const char *acre_gc_world_obstacle(void) {
  const char *obstacle = NULL;
  bool is_blocked = false;
  if (acre_thread_is_alone())
    return NULL;
  take_lock();
  find_listed_process();
  int tasks = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (tasks >= 0)
    each_listed(tasks, (pid_t)syscall(SYS_gettid), wait_until_stoppable, &is_blocked);
  else
    obstacle = "the threads of the process cannot be listed";
  if (is_blocked)
    obstacle = "a thread blocks the signal SIGRTMAX - 1, by which Acre stops threads";
  if (tasks >= 0)
    close(tasks);
  leave_lock();
  return obstacle;
}

/* The first thread, when it has ended, stays in the list until the process ends, and takes signals.
 */
static bool is_ended_first(pid_t tid) {
  char text[ACRE_PROCFS_STATUS_BYTES];
  const char *state = tid == process ? task_status(listed_process, "State:\t", text) : NULL;
  return state && (*state == 'Z' || *state == 'X');
}

static void expect_stoppable(const entry *e) {
  if (is_blocking(e->tid))
    acre_os_fatal("thread %d blocks signal %d, by which Acre stops threads; leave it out of the "
                  "masks of signals that threads block",
                  (int)e->tid, ACRE_WORLD_SIGNAL);
}

static void wait_for(entry *e) {
  for (unsigned tries = 1; !e->is_gone; tries++) {
    uint32_t seen = __atomic_load_n(&stops, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&e->is_stopped, __ATOMIC_ACQUIRE))
      return;
    if (tries <= YIELDS)
      sched_yield();
    else if (!is_alive(e->tid) || (tries % (YIELDS + 1) == 0 && is_ended_first(e->tid)))
      e->is_gone = true;
    else if (tries % PATIENCE == 0)
      expect_stoppable(e);
    else
      wait_at(&stops, seen, &(struct timespec){.tv_nsec = WAIT_NANOSECONDS});
  }
}

/* -- Threads that are known -------------------------------------------------------------------- */

static void make_known(void) { known = acre_os_table(KNOWN_MAX * sizeof *known); }

void acre_gc_world_know_thread(void) {
  static pthread_once_t is_made = PTHREAD_ONCE_INIT;
  pid_t self = (pid_t)syscall(SYS_gettid);
  acre_self.is_known = true;
  pthread_once(&is_made, make_known);
  for (size_t i = 0; i < KNOWN_MAX && known; i++) {
    pid_t before = __atomic_load_n(&known[i], __ATOMIC_RELAXED);
    if ((before == 0 || !is_alive(before)) &&
        __atomic_compare_exchange_n(&known[i], &before, self, false, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED))
      return;
  }
}

/* Asks every known thread that has not been asked.  Returns whether there was one. */
static bool ask_known(pid_t self) {
  bool is_any = false;
  for (size_t i = 0; i < KNOWN_MAX && known; i++) {
    pid_t tid = __atomic_load_n(&known[i], __ATOMIC_ACQUIRE);
    if (tid && tid != self && !find_entry(tid)) {
      ask(tid);
      is_any = true;
    }
  }
  return is_any;
}

/* How many threads the process has; 0 if that is not known. */
static uint64_t count_threads(void) {
  char text[ACRE_PROCFS_STATUS_BYTES];
  int status = acre_procfs_open(FILE_STATUS);
  ssize_t size = status < 0 ? 0 : pread(status, text, sizeof text - 1, 0);
  acre_procfs_close(FILE_STATUS, status);
  text[size > 0 ? size : 0] = 0;
  const char *found = strstr(text, "Threads:");
  return found ? strtoull(found + strlen("Threads:"), NULL, 10) : 0;
}

static uint64_t count_stopped(void) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < entry_count; i++)
    count += __atomic_load_n(&entries[i].is_stopped, __ATOMIC_ACQUIRE);
  return count;
}

/* Where threads cannot be listed: if there are no more than have stopped, none runs that could
   start another.  One that has just been started may say later that it is there. */
static void stop_known(pid_t self, int error) {
  uint32_t waited = 0;
  for (unsigned tries = 0;; tries++) {
    while (ask_known(self))
      for (; waited < entry_count; waited++)
        wait_for(&entries[waited]);
    if (count_stopped() + 1 == count_threads())
      return;
    errno = error;
    if (tries == KNOWN_PATIENCE)
      cannot_list();
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0,
            &(struct timespec){.tv_nsec = WAIT_NANOSECONDS}, NULL);
  }
}

/* -- Both -------------------------------------------------------------------------------------- */

static uint64_t now_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t acre_gc_world_stopped_nanoseconds(void) {
  return stopped_before + (stopped_since ? now_nanoseconds() - stopped_since : 0);
}

/* Handlers of the program run between these two, and may collect. */
static void before_fork(void) {
  pthread_mutex_lock(&lock);
  is_forking = true;
}

static void after_fork(void) {
  is_forking = false;
  pthread_mutex_unlock(&lock);
}

bool acre_gc_world_hold(void) {
  if (is_forking || holder_process != getpid())
    return false;
  before_fork();
  return true;
}

void acre_gc_world_let_go(void) { after_fork(); }

static void after_fork_in_child(void) {
  holder_process = getpid();
  after_fork();
}

void acre_gc_world_prepare_for_forks(void) {
  holder_process = getpid();
  pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

void acre_gc_world_stop(void) {
  int saved_errno = errno;
  take_lock();
  ACRE_ASSERT(!is_stopped && !(generation & 1));
  is_stopped = true;
  acre_thread_find_stack();
  if (acre_thread_is_alone()) {
    errno = saved_errno;
    return;
  }
  pthread_once(&once, start);
  take_signal();
  entry_count = 0;
  find_listed_process();
  stopped_since = now_nanoseconds();
  __atomic_add_fetch(&generation, 1, __ATOMIC_SEQ_CST);
  int tasks = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  pid_t self = (pid_t)syscall(SYS_gettid);
  bool is_listed = tasks >= 0 || errno == EMFILE;
  if (!is_listed)
    stop_known(self, errno);
  /* A thread that runs may start another: until nobody new is found, when all that were found have
   * stopped. */
  for (uint32_t waited = 0; is_listed && ask_all(tasks, self);)
    for (; waited < entry_count; waited++)
      wait_for(&entries[waited]);
  if (tasks >= 0)
    close(tasks);
  errno = saved_errno;
}

bool acre_gc_world_is_stopped(void) { return is_stopped; }

void acre_gc_world_resume(void) {
  ACRE_ASSERT(is_stopped);
  is_stopped = false;
  if (generation & 1) {
    __atomic_add_fetch(&generation, 1, __ATOMIC_SEQ_CST);
    wake_at(&generation);
    stopped_before = acre_gc_world_stopped_nanoseconds();
    stopped_since = 0;
  }
  leave_lock();
}

/* The block of a thread's stack ends at what names the thread, and with its thread-local storage;
   that of the main thread is elsewhere.  A stack of the program's own ends where its mapping does,
   at the latest. */
acre_gc_live_stack acre_gc_own_live_stack(uintptr_t sp) {
  if (acre_thread_is_on_stack(sp) && !acre_self.has_inner_stack)
    return (acre_gc_live_stack){sp, acre_self.stack_high, true, {0, 0}};
  const uintptr_t self = (uintptr_t)pthread_self();
  return (acre_gc_live_stack){
      sp, self > sp ? self : UINTPTR_MAX, false, {acre_self.stack_low, acre_self.stack_high}};
}

bool acre_gc_world_live_stack(uint32_t index, acre_gc_live_stack *live) {
  if (!(generation & 1) || index >= entry_count)
    return false;
  *live = entries[index].is_stopped ? entries[index].live : (acre_gc_live_stack){0};
  return true;
}

bool acre_gc_world_dead_stack(uint32_t index, acre_gc_dead_stack *dead) {
  if (!(generation & 1) || index >= entry_count)
    return false;
  const entry *e = &entries[index];
  *dead = e->is_stopped ? (acre_gc_dead_stack){e->low, e->sp} : (acre_gc_dead_stack){0, 0};
  return true;
}

/* SPDX-License-Identifier: MIT */
/* collected_waits.c - linked into a program by -facre-malloc=collected and by
 * -facre-frames=conservative: calls that wait, those that block signals, and those that begin
 * another program.
 *
 * The kernel ends the first when a handler has run, even if it is to restart calls, and also where
 * the handler is that by which the runtime stops threads.  These begin again if nothing but that
 * has ended them.  The others leave the signal unblocked.  All are weak: a program may have
 * functions of these names.
 */
#define _GNU_SOURCE
#include <acre/abi.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "foreign/collected_waits.h"
#include "platform/kernel_call.h"

/* As in runtime/gc/linux/stop_world.h. */
#define WORLD_SIGNAL (SIGRTMAX - 1)

/* -- Masks ------------------------------------------------------------------------------------ */

/* The signals of the C library's own are left out of full sets in the same way. */
__attribute__((weak)) int sigfillset(sigset_t *set) {
  if (sigemptyset(set) != 0)
    return -1;
  for (int signal = 1; signal <= SIGRTMAX; signal++)
    if ((signal < SIGSYS + 1 || signal >= SIGRTMIN) && signal != WORLD_SIGNAL)
      sigaddset(set, signal);
  return 0;
}

/* Returns 0, or the number of the error, and leaves errno. */
static int change_mask(int how, const sigset_t *set, sigset_t *old) {
  uint64_t signals;
  const void *passed = set;
  if (set && how != SIG_UNBLOCK) {
    memcpy(&signals, set, sizeof signals);
    signals &= ~(UINT64_C(1) << (WORLD_SIGNAL - 1));
    for (int signal = SIGSYS + 1; signal < SIGRTMIN;
         signal++) /* sigdelset would refuse, and set errno */
      signals &= ~(UINT64_C(1) << (signal - 1));
    passed = &signals;
  }
  return (int)-acre_kernel_ask(SYS_rt_sigprocmask, how, (long)passed, (long)old, sizeof signals, 0,
                               0);
}

__attribute__((weak)) int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  return change_mask(how, set, old);
}

__attribute__((weak)) int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  int error = change_mask(how, set, old);
  if (error == 0)
    return 0;
  errno = error;
  return -1;
}

/* -- The kernel -------------------------------------------------------------------------------- */

static int finish(long result) {
  if (result >= 0)
    return (int)result;
  errno = (int)-result;
  return -1;
}

/* The mask without the collector's signal, in room; null if there is none. */
static const uint64_t *let_world_through(const sigset_t *mask, uint64_t *room) {
  if (!mask)
    return NULL;
  memcpy(room, mask, sizeof *room);
  *room &= ~(UINT64_C(1) << (WORLD_SIGNAL - 1));
  return room;
}

/* By a system call: the program may have a function clock_gettime of its own. */
static void read_clock(clockid_t clock, struct timespec *now) {
  acre_kernel_ask(SYS_clock_gettime, clock, (long)now, 0, 0, 0, 0);
}

/* None if end has passed. */
static struct timespec time_until(clockid_t clock, const struct timespec *end) {
  struct timespec now;
  read_clock(clock, &now);
  int64_t left = (end->tv_sec - now.tv_sec) * INT64_C(1000000000) + end->tv_nsec - now.tv_nsec;
  left = left > 0 ? left : 0;
  return (struct timespec){left / 1000000000, left % 1000000000};
}

/* The processor's time goes on in a stop, by what other threads take, so it is slept until a time.
 */
static int sleep_processor_time(clockid_t clock, const struct timespec *time,
                                struct timespec *left) {
  struct timespec end;
  if (time->tv_nsec < 0 || time->tv_nsec >= 1000000000 || time->tv_sec < 0)
    return EINVAL;
  read_clock(clock, &end);
  end.tv_sec += time->tv_sec + (end.tv_nsec + time->tv_nsec) / 1000000000;
  end.tv_nsec = (end.tv_nsec + time->tv_nsec) % 1000000000;
  long result = acre_rt_gc_wait(
      SYS_clock_nanosleep,
      (long[6]){clock, TIMER_ABSTIME, (long)&(struct timespec){end.tv_sec, end.tv_nsec}});
  if (result == -EINTR && left)
    *left = time_until(clock, &end);
  return (int)-result;
}

__attribute__((weak)) int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                                          struct timespec *left) {
  struct timespec rest;
  if (clock == CLOCK_THREAD_CPUTIME_ID)
    return EINVAL;
  if (clock == CLOCK_PROCESS_CPUTIME_ID && !(flags & TIMER_ABSTIME))
    return sleep_processor_time(clock, time, left);
  long result =
      acre_rt_gc_wait(SYS_clock_nanosleep, (long[6]){clock, flags, (long)time, (long)&rest});
  if (result == -EINTR && left && !(flags & TIMER_ABSTIME))
    *left = rest;
  return (int)-result;
}

__attribute__((weak)) int nanosleep(const struct timespec *time, struct timespec *left) {
  return finish(-clock_nanosleep(CLOCK_REALTIME, 0, time, left));
}

__attribute__((weak)) int thrd_sleep(const struct timespec *time, struct timespec *left) {
  int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
  return error == EINTR ? -1 : error ? -2 : 0;
}

__attribute__((weak)) unsigned sleep(unsigned seconds) {
  struct timespec time = {.tv_sec = seconds};
  int error = clock_nanosleep(CLOCK_REALTIME, 0, &time, &time);
  if (error)
    errno = error;
  return error ? (unsigned)time.tv_sec : 0;
}

__attribute__((weak)) int usleep(useconds_t microseconds) {
  return nanosleep(&(struct timespec){microseconds / 1000000, microseconds % 1000000 * 1000L},
                   NULL);
}

__attribute__((weak)) int ppoll(struct pollfd *files, nfds_t count, const struct timespec *time,
                                const sigset_t *mask) {
  struct timespec left = time ? *time : (struct timespec){0};
  uint64_t room;
  return finish(
      acre_rt_gc_wait(SYS_ppoll, (long[6]){(long)files, (long)count, time ? (long)&left : 0,
                                           (long)let_world_through(mask, &room), sizeof room}));
}

__attribute__((weak)) int poll(struct pollfd *files, nfds_t count, int milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  return ppoll(files, count, milliseconds < 0 ? NULL : &time, NULL);
}

_Noreturn void __chk_fail(void); /* of _FORTIFY_SOURCE */

__attribute__((weak)) int __ppoll_chk(struct pollfd *files, nfds_t count,
                                      const struct timespec *time, const sigset_t *mask,
                                      size_t size) {
  if (size / sizeof *files < count)
    __chk_fail();
  return ppoll(files, count, time, mask);
}

__attribute__((weak)) int __poll_chk(struct pollfd *files, nfds_t count, int milliseconds,
                                     size_t size) {
  if (size / sizeof *files < count)
    __chk_fail();
  return poll(files, count, milliseconds);
}

/* left: null, or what is to say how much of the time is left. */
static int wait_for_files(int count, fd_set *const sets[3], struct timespec *left,
                          const sigset_t *mask) {
  uint64_t room;
  const struct {
    const uint64_t *mask;
    size_t size;
  } sized = {let_world_through(mask, &room), sizeof room};
  return finish(
      acre_rt_gc_wait(SYS_pselect6, (long[6]){count, (long)sets[0], (long)sets[1], (long)sets[2],
                                              (long)left, mask ? (long)&sized : 0}));
}

__attribute__((weak)) int pselect(int count, fd_set *in, fd_set *out, fd_set *other,
                                  const struct timespec *time, const sigset_t *mask) {
  struct timespec left = time ? *time : (struct timespec){0};
  return wait_for_files(count, (fd_set *[]){in, out, other}, time ? &left : NULL, mask);
}

__attribute__((weak)) int select(int count, fd_set *in, fd_set *out, fd_set *other,
                                 struct timeval *time) {
  struct timespec left = {0};
  if (time && (time->tv_sec < 0 || time->tv_usec < 0))
    return finish(-EINVAL);
  if (time)
    left =
        (struct timespec){time->tv_sec + time->tv_usec / 1000000, time->tv_usec % 1000000 * 1000};
  int result = wait_for_files(count, (fd_set *[]){in, out, other}, time ? &left : NULL, NULL);
  if (time)
    *time = (struct timeval){left.tv_sec, left.tv_nsec / 1000};
  return result;
}

__attribute__((weak)) int epoll_pwait(int epoll, struct epoll_event *events, int most,
                                      int milliseconds, const sigset_t *mask) {
  uint64_t room;
  return finish(acre_rt_gc_wait(SYS_epoll_pwait,
                                (long[6]){epoll, (long)events, most, milliseconds,
                                          (long)let_world_through(mask, &room), sizeof room}));
}

__attribute__((weak)) int epoll_wait(int epoll, struct epoll_event *events, int most,
                                     int milliseconds) {
  return epoll_pwait(epoll, events, most, milliseconds, NULL);
}

__attribute__((weak)) int epoll_pwait2(int epoll, struct epoll_event *events, int most,
                                       const struct timespec *time, const sigset_t *mask) {
  uint64_t room;
  return finish(acre_rt_gc_wait(SYS_epoll_pwait2,
                                (long[6]){epoll, (long)events, most, (long)time,
                                          (long)let_world_through(mask, &room), sizeof room}));
}

__attribute__((weak)) int pause(void) { return finish(acre_rt_gc_wait(SYS_ppoll, (long[6]){0})); }

__attribute__((weak)) int sigsuspend(const sigset_t *mask) {
  uint64_t room;
  return finish(acre_rt_gc_wait(SYS_rt_sigsuspend,
                                (long[6]){(long)let_world_through(mask, &room), sizeof room}));
}

/* libaio's, whose result is the kernel's. */
struct io_event;
__attribute__((weak)) int io_getevents(void *context, long least, long most,
                                       struct io_event *events, struct timespec *time);
int io_getevents(void *context, long least, long most, struct io_event *events,
                 struct timespec *time) {
  return (int)acre_rt_gc_wait(SYS_io_pgetevents,
                              (long[6]){(long)context, least, most, (long)events, (long)time});
}

/* -- Waiting in the C library ------------------------------------------------------------------ */

/* These have no mask: a signal that comes after the stop, but before the call begins again, does
 * not end it. */

static struct {
  int (*sem_timedwait)(sem_t *, const struct timespec *);
  int (*sem_clockwait)(sem_t *, clockid_t, const struct timespec *);
  int (*sigtimedwait)(const sigset_t *, siginfo_t *, const struct timespec *);
  ssize_t (*msgrcv)(int, void *, size_t, long, int);
  int (*msgsnd)(int, const void *, size_t, int);
  int (*semtimedop)(int, struct sembuf *, size_t, const struct timespec *);
  int (*execvpe)(const char *, char *const[], char *const[]);
} next;

void acre_collected_find_waits(void) {
  acre_find_next("sem_timedwait", &next.sem_timedwait);
  acre_find_next("sem_clockwait", &next.sem_clockwait);
  acre_find_next("sigtimedwait", &next.sigtimedwait);
  acre_find_next("execvpe", &next.execvpe);
  acre_find_next("msgrcv", &next.msgrcv);
  acre_find_next("msgsnd", &next.msgsnd);
  acre_find_next("semtimedop", &next.semtimedop);
  acre_collected_find_transfers();
}

/* Each of those functions calls this first.  Libraries are started before the program is. */
static inline void begin_wait(void) {
  if (__builtin_expect(!next.semtimedop, 0))
    acre_collected_find_waits();
  acre_rt_gc_forget_stop();
}

__attribute__((weak)) int sem_timedwait(sem_t *semaphore, const struct timespec *end) {
  int result;
  do {
    begin_wait();
    result = next.sem_timedwait(semaphore, end);
  } while (result != 0 && acre_was_only_stopped(__builtin_frame_address(0)));
  return result;
}

__attribute__((weak)) int sem_clockwait(sem_t *semaphore, clockid_t clock,
                                        const struct timespec *end) {
  int result;
  do {
    begin_wait();
    result = next.sem_clockwait(semaphore, clock, end);
  } while (result != 0 && acre_was_only_stopped(__builtin_frame_address(0)));
  return result;
}

/* A time that the kernel counts anew with each call. */
typedef struct countdown {
  struct timespec end, left;
  const struct timespec *argument; /* null: no time */
} countdown;

static void start_countdown(countdown *c, const struct timespec *time) {
  *c = (countdown){.argument = time};
  if (!time)
    return;
  read_clock(CLOCK_MONOTONIC, &c->end);
  c->end.tv_sec += time->tv_sec;
  c->end.tv_nsec += time->tv_nsec;
}

static bool counts_on(countdown *c, const void *frame) {
  if (!acre_was_only_stopped(frame))
    return false;
  if (!c->argument)
    return true;
  c->left = time_until(CLOCK_MONOTONIC, &c->end);
  c->argument = &c->left;
  return true;
}

__attribute__((weak)) int sigtimedwait(const sigset_t *set, siginfo_t *information,
                                       const struct timespec *time) {
  uint64_t room[sizeof *set / sizeof(uint64_t)];
  memcpy(room, set, sizeof *set);
  let_world_through(set, room);
  countdown c;
  int result;
  start_countdown(&c, time);
  do {
    begin_wait();
    result = next.sigtimedwait((const sigset_t *)room, information, c.argument);
  } while (result < 0 && counts_on(&c, __builtin_frame_address(0)));
  return result;
}

__attribute__((weak)) int sigwaitinfo(const sigset_t *set, siginfo_t *information) {
  return sigtimedwait(set, information, NULL);
}

__attribute__((weak)) ssize_t msgrcv(int queue, void *message, size_t size, long type, int flags) {
  ssize_t result;
  do {
    begin_wait();
    result = next.msgrcv(queue, message, size, type, flags);
  } while (result < 0 && acre_was_only_stopped(__builtin_frame_address(0)));
  return result;
}

__attribute__((weak)) int msgsnd(int queue, const void *message, size_t size, int flags) {
  int result;
  do {
    begin_wait();
    result = next.msgsnd(queue, message, size, flags);
  } while (result < 0 && acre_was_only_stopped(__builtin_frame_address(0)));
  return result;
}

__attribute__((weak)) int semtimedop(int set, struct sembuf *operations, size_t count,
                                     const struct timespec *time) {
  countdown c;
  int result;
  start_countdown(&c, time);
  do {
    begin_wait();
    result = next.semtimedop(set, operations, count, c.argument);
  } while (result < 0 && counts_on(&c, __builtin_frame_address(0)));
  return result;
}

__attribute__((weak)) int semop(int set, struct sembuf *operations, size_t count) {
  return semtimedop(set, operations, count, NULL);
}

/* -- Programs that take the place of this one ----------------------------------------------------

 * What waits for the calling thread then is the new program's, and ends it. */

static int exec_by(long number, long first, long second, long third, long fourth, long fifth) {
  const int has_begun = acre_rt_gc_begin_exec();
  const long result = acre_kernel_ask(number, first, second, third, fourth, fifth, 0);
  if (has_begun)
    acre_rt_gc_end_exec();
  return finish(result);
}

__attribute__((weak)) int execve(const char *path, char *const words[], char *const settings[]) {
  return exec_by(SYS_execve, (long)path, (long)words, (long)settings, 0, 0);
}

__attribute__((weak)) int execveat(int directory, const char *path, char *const words[],
                                   char *const settings[], int flags) {
  return exec_by(SYS_execveat, directory, (long)path, (long)words, (long)settings, flags);
}

__attribute__((weak)) int fexecve(int file, char *const words[], char *const settings[]) {
  return execveat(file, "", words, settings, AT_EMPTY_PATH);
}

__attribute__((weak)) int execv(const char *path, char *const words[]) {
  return execve(path, words, environ);
}

__attribute__((weak)) int execvpe(const char *file, char *const words[], char *const settings[]) {
  if (!next.execvpe)
    acre_collected_find_waits();
  const int has_begun = acre_rt_gc_begin_exec();
  const int result = next.execvpe(file, words, settings);
  const int error = errno;
  if (has_begun)
    acre_rt_gc_end_exec();
  errno = error;
  return result;
}

__attribute__((weak)) int execvp(const char *file, char *const words[]) {
  return execvpe(file, words, environ);
}

/* How many words the list has, with the null at its end. */
static size_t count_words(va_list list) {
  size_t count = 2;
  while (va_arg(list, char *))
    count++;
  return count;
}

static void take_words(char **words, const char *first, va_list *list) {
  words[0] = (char *)(uintptr_t)first;
  for (size_t i = 0; words[i]; i++)
    words[i + 1] = va_arg(*list, char *);
}

#define WORDS_OF(first)            \
  va_list list, again;             \
  va_start(list, first);           \
  va_copy(again, list);            \
  char *words[count_words(again)]; \
  va_end(again);                   \
  take_words(words, first, &list)

__attribute__((weak)) int execl(const char *path, const char *first, ...) {
  WORDS_OF(first);
  va_end(list);
  return execv(path, words);
}

__attribute__((weak)) int execlp(const char *file, const char *first, ...) {
  WORDS_OF(first);
  va_end(list);
  return execvp(file, words);
}

__attribute__((weak)) int execle(const char *path, const char *first, ...) {
  WORDS_OF(first);
  char *const *settings = va_arg(list, char *const *);
  va_end(list);
  return execve(path, words, settings);
}

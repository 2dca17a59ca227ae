/* SPDX-License-Identifier: MIT */
/* waits.c - see waits.h.
 *
 * The handler that stops a thread knows the calls made here by the address that they return to, and
 * lets them return WAS_STOPPED with all signals blocked.  So no handler of the program runs before
 * the call begins again, which takes the program's mask and waits in one step: a signal of the
 * program comes in that call and ends it, or came before the collector's and had its own frame
 * between that and the call, whose result was EINTR then.
 *
 * Invariant: `mask_before` is what the thread's mask was when a call last returned WAS_STOPPED.
 */
#define _GNU_SOURCE
#include "gc/linux/waits.h"

#include <acre/abi.h>

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "gc/linux/stop_world.h"
#include "platform/atomic.h"
#include "platform/kernel.h"
#include "platform/os.h"

/* No system call returns it: it is the kernel's own word for a restart. */
#define WAS_STOPPED (-512L)
#define MASK_BYTES sizeof(uint64_t)
#define PAGE_BYTES_LEAST 4096
#define NANOSECONDS INT64_C(1000000000)
/* A clock that is set while a thread waits for its time is looked at so often. */
#define CLOCK_CHECK_NANOSECONDS NANOSECONDS
#define YIELDS_TO_FIRST 20
#define YIELD_NANOSECONDS 50000
/* The frame that waits, to the stack pointer of the system call: the C library's frames lie
 * between, but no handler's. */
#define FRAME_BYTES_MAX 1024

static _Thread_local uint64_t mask_before __attribute__((tls_model("initial-exec")));
/* When that was, by the monotonic clock: the stop takes time of which the call knows nothing. */
static _Thread_local int64_t time_stopped __attribute__((tls_model("initial-exec")));
/* The stack pointer of the last system call that only a stop ended, and not one of those made here;
 * 0: none. */
static _Thread_local uintptr_t stopped_at __attribute__((tls_model("initial-exec")));

/* -- The call ---------------------------------------------------------------------------------- */

/* Makes the system call; between its return and acre_gc_wait_end there is no instruction. */
long acre_gc_wait_call(long number, const long arguments[6]) __attribute__((visibility("hidden")));
extern const char acre_gc_wait_end[] __attribute__((visibility("hidden")));

#if defined(__x86_64__)
__asm__(".text\n.globl acre_gc_wait_call, acre_gc_wait_end\n"
        ".hidden acre_gc_wait_call, acre_gc_wait_end\n"
        ".type acre_gc_wait_call, @function\n"
        "acre_gc_wait_call:\n.cfi_startproc\n"
        "  mov %rdi, %rax\n  mov %rsi, %r11\n"
        "  mov (%r11), %rdi\n  mov 8(%r11), %rsi\n  mov 16(%r11), %rdx\n"
        "  mov 24(%r11), %r10\n  mov 32(%r11), %r8\n  mov 40(%r11), %r9\n"
        "  syscall\n"
        "acre_gc_wait_end:\n"
        "  ret\n.cfi_endproc\n.size acre_gc_wait_call, . - acre_gc_wait_call\n");

static const char *pc_of(const ucontext_t *c) {
  return (const char *)c->uc_mcontext.gregs[REG_RIP];
}
static uintptr_t sp_of(const ucontext_t *c) { return (uintptr_t)c->uc_mcontext.gregs[REG_RSP]; }
static long result_of(const ucontext_t *c) { return (long)c->uc_mcontext.gregs[REG_RAX]; }
static void set_result(ucontext_t *c, long result) { c->uc_mcontext.gregs[REG_RAX] = result; }
/* The number of a call that is to be made now is in the register of the result. */
static long number_of(const ucontext_t *c) { return result_of(c); }
static long second_argument_of(const ucontext_t *c) { return c->uc_mcontext.gregs[REG_RSI]; }
static void skip(ucontext_t *c, size_t bytes) { c->uc_mcontext.gregs[REG_RIP] += (long)bytes; }
static const char call_code[] = {0x0f, 0x05};

#elif defined(__aarch64__)
__asm__(".text\n.globl acre_gc_wait_call, acre_gc_wait_end\n"
        ".hidden acre_gc_wait_call, acre_gc_wait_end\n"
        ".type acre_gc_wait_call, %function\n"
        "acre_gc_wait_call:\n.cfi_startproc\n"
        "  mov x8, x0\n  mov x9, x1\n"
        "  ldp x0, x1, [x9]\n  ldp x2, x3, [x9, 16]\n  ldp x4, x5, [x9, 32]\n"
        "  svc 0\n"
        "acre_gc_wait_end:\n"
        "  ret\n.cfi_endproc\n.size acre_gc_wait_call, . - acre_gc_wait_call\n");

static const char *pc_of(const ucontext_t *c) { return (const char *)c->uc_mcontext.pc; }
static uintptr_t sp_of(const ucontext_t *c) { return (uintptr_t)c->uc_mcontext.sp; }
static long result_of(const ucontext_t *c) { return (long)c->uc_mcontext.regs[0]; }
static void set_result(ucontext_t *c, long result) { c->uc_mcontext.regs[0] = (uint64_t)result; }
static long number_of(const ucontext_t *c) { return (long)c->uc_mcontext.regs[8]; }
static long second_argument_of(const ucontext_t *c) { return (long)c->uc_mcontext.regs[1]; }
static void skip(ucontext_t *c, size_t bytes) { c->uc_mcontext.pc += bytes; }
static const char call_code[] = {0x01, 0x00, 0x00, (char)0xd4};

#else
#error "acre_gc_wait_call makes a system call, which each architecture does in its own way"
#endif

/* What lies on the page before may be no code. */
static bool is_behind_call(const char *pc) {
  size_t size = sizeof call_code;
  return (uintptr_t)pc % PAGE_BYTES_LEAST >= size && memcmp(pc - size, call_code, size) == 0;
}

static int64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * NANOSECONDS + t.tv_nsec;
}

static int64_t nanoseconds(const struct timespec *t) {
  int64_t whole;
  return __builtin_mul_overflow(t->tv_sec, NANOSECONDS, &whole) ? INT64_MAX / 2
                                                                : whole + t->tv_nsec;
}

static struct timespec time_of(int64_t nanoseconds) {
  int64_t left = nanoseconds > 0 ? nanoseconds : 0;
  return (struct timespec){left / NANOSECONDS, left % NANOSECONDS};
}

static void set_mask(const uint64_t *mask) {
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, mask, NULL, MASK_BYTES);
}

/* -- The handler ------------------------------------------------------------------------------- */

/* Does the signal have a handler, with none of these flags? */
static bool has_handler(int signal, int without) {
  struct sigaction action;
  return sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
         action.sa_handler != SIG_IGN && !(action.sa_flags & without);
}

/* The signals that the thread gets as soon as its mask is this one. */
static uint64_t signals_due(uint64_t mask) {
  uint64_t pending = 0;
  syscall(SYS_rt_sigpending, &pending, MASK_BYTES);
  return pending & ~mask;
}

/* Will a handler of the program, with none of these flags, run for one of them? */
static bool is_handler_among(uint64_t signals, int without) {
  for (; signals; signals &= signals - 1)
    if (has_handler(__builtin_ctzll(signals) + 1, without))
      return true;
  return false;
}

/* With nothing done, or a part of what was asked for.  Where a handler of the program runs already,
   the interrupted instruction is that handler's first. */
static bool may_have_ended_call(const ucontext_t *c) {
  return (result_of(c) == -EINTR || result_of(c) > 0) && is_behind_call(pc_of(c));
}

/* The kernel's mask has no more bytes. */
static uint64_t mask_of(const ucontext_t *c) {
  uint64_t mask;
  memcpy(&mask, &c->uc_sigmask, sizeof mask);
  return mask;
}

void acre_gc_waits_begin_stop(void *context) {
  ucontext_t *c = context;
  const uint64_t blocked = ~ACRE_SIGNALS_OF_FAULTS;
  if (result_of(c) != -EINTR || pc_of(c) != acre_gc_wait_end)
    return;
  set_result(c, WAS_STOPPED);
  time_stopped = now(CLOCK_MONOTONIC);
  mask_before = mask_of(c);
  memcpy(&c->uc_sigmask, &blocked, sizeof blocked);
}

/* A signal to the process that came in a stop is pending for all threads.  The kernel would have
   given it to the first thread, if that does not block it: so others let that one go on first, for
   a while.  Returns what is due then. */
static uint64_t due_after_first_thread(uint64_t mask) {
  uint64_t due = signals_due(mask);
  bool is_first = acre_os_is_first_thread();
  for (int tries = 0; !is_first && tries < YIELDS_TO_FIRST && is_handler_among(due, 0); tries++) {
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0,
            &(struct timespec){.tv_nsec = YIELD_NANOSECONDS}, NULL);
    due = signals_due(mask);
  }
  return due;
}

/* Can a signal end the call with EINTR, and does the kernel begin it again after a handler with
   SA_RESTART? */
static bool is_restartable(long number, long second_argument) {
  switch (number) {
#ifdef SYS_open
  case SYS_open:
#endif
  case SYS_accept:
  case SYS_accept4:
  case SYS_connect:
  case SYS_fcntl:
  case SYS_flock:
  case SYS_getrandom:
  case SYS_ioctl:
  case SYS_mq_timedreceive:
  case SYS_mq_timedsend:
  case SYS_openat:
  case SYS_read:
  case SYS_readv:
  case SYS_recvfrom:
  case SYS_recvmmsg:
  case SYS_recvmsg:
  case SYS_sendmmsg:
  case SYS_sendmsg:
  case SYS_sendto:
  case SYS_splice:
  case SYS_wait4:
  case SYS_waitid:
  case SYS_write:
  case SYS_writev:
    return true;
  case SYS_futex: {
    int operation = (int)second_argument & FUTEX_CMD_MASK;
    return operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET;
  }
  default:
    return false;
  }
}

/* The kernel has set a call up to begin again, as the handler of stops wishes.  A handler of the
   program that is due now may wish otherwise: without the stop, it would have ended the call. */
static void end_call_for_handler(ucontext_t *c, uint64_t due) {
  if (memcmp(pc_of(c), call_code, sizeof call_code) != 0 ||
      !is_restartable(number_of(c), second_argument_of(c)) || !is_handler_among(due, SA_RESTART))
    return;
  skip(c, sizeof call_code);
  set_result(c, -EINTR);
}

void acre_gc_waits_end_stop(void *context) {
  ucontext_t *c = context;
  uint64_t due = due_after_first_thread(mask_of(c));
  if (may_have_ended_call(c) && !is_handler_among(due, 0))
    stopped_at = sp_of(c);
  else
    end_call_for_handler(c, due);
}

/* -- Calls that begin again -------------------------------------------------------------------- */

/* What the kernel does not say of these when they end early. */
static int64_t time_to_wait(long number, const long *a) {
  const struct timespec *t = (const void *)a[number == SYS_io_pgetevents ? 4 : 3];
  if (number == SYS_epoll_pwait)
    return (int)a[3] > 0 ? (int)a[3] * (NANOSECONDS / 1000) : 0;
  bool is_timed = t && (number == SYS_epoll_pwait2 || number == SYS_io_pgetevents);
  return is_timed ? nanoseconds(t) : 0;
}

/* Where it has written what is left of the others; null if they end without a time, or when a clock
 * says so. */
static struct timespec *time_left(long number, const long *a) {
  if (number == SYS_clock_nanosleep)
    return a[1] & TIMER_ABSTIME ? NULL : (struct timespec *)a[3];
  return number == SYS_ppoll      ? (struct timespec *)a[2]
         : number == SYS_pselect6 ? (struct timespec *)a[4]
                                  : NULL;
}

typedef struct again {
  long number, arguments[6];
  uint64_t mask;
  int64_t end; /* by the monotonic clock; 0: none */
  struct timespec *left, room;
  struct {
    const void *mask;
    size_t size;
  } sized;
} again;

/* Where the call has its mask: of the last ones it is the address of a mask and a size. */
static int mask_argument(long number) {
  switch (number) {
  case SYS_rt_sigsuspend:
    return 0;
  case SYS_ppoll:
    return 3;
  case SYS_epoll_pwait:
  case SYS_epoll_pwait2:
    return 4;
  default:
    return 5;
  }
}

/* Takes the program's mask where the call did not name one. */
static void set_mask_argument(again *g) {
  int at = mask_argument(g->number);
  long *argument = &g->arguments[at];
  if (at == 5) {
    if (*argument)
      memcpy(&g->sized, (const void *)*argument, sizeof g->sized);
    g->sized.mask = g->sized.mask ? g->sized.mask : &g->mask;
    g->sized.size = MASK_BYTES;
    *argument = (long)&g->sized;
  } else if (!*argument) {
    argument[0] = (long)&g->mask;
    argument[1] = MASK_BYTES;
  }
}

static void set_time_argument(again *g) {
  *g->left = time_of(g->end - now(CLOCK_MONOTONIC));
  if (g->number == SYS_epoll_pwait)
    g->arguments[3] = (long)((nanoseconds(g->left) + 999999) / 1000000);
  else if (g->left == &g->room)
    g->arguments[g->number == SYS_io_pgetevents ? 4 : 3] = (long)g->left;
}

static long wait_again(again *g) {
  if (g->end)
    set_time_argument(g);
  return acre_gc_wait_call(g->number, g->arguments);
}

/* Nothing but time and signals end it. */
static long wait_for(struct timespec *time, const uint64_t *mask) {
  return acre_gc_wait_call(SYS_ppoll, (long[6]){0, 0, (long)time, (long)mask, MASK_BYTES});
}

static bool counts_real_time(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME ||
         clock == CLOCK_TAI;
}

/* clock_nanosleep has no mask.  A clock that counts what processes do has no call that has, so that
   a signal which comes between the two calls does not end the second.
   The rest of a sleep is counted from its begin, by the monotonic clock: a thread that is stopped
   most of the time would else hardly come nearer to its end. */
static long sleep_again(again *g) {
  long *a = g->arguments;
  clockid_t clock = (clockid_t)a[0];
  bool is_until = a[1] & TIMER_ABSTIME;
  if (!counts_real_time(clock)) {
    set_mask(&g->mask);
    if (!is_until)
      a[2] = a[3];
    return acre_gc_wait_call(SYS_clock_nanosleep, a);
  }
  if (!is_until) {
    set_time_argument(g);
    return wait_for(g->left, &g->mask);
  }
  int64_t left = nanoseconds((const struct timespec *)a[2]) - now(clock);
  if (left <= 0)
    return 0;
  g->room = time_of(left < CLOCK_CHECK_NANOSECONDS ? left : CLOCK_CHECK_NANOSECONDS);
  long result = wait_for(&g->room, &g->mask);
  return result == 0 ? WAS_STOPPED : result;
}

static __attribute__((noinline)) long repeat(long number, const long *arguments, int64_t end) {
  again g = {
      .number = number, .mask = mask_before, .end = end, .left = time_left(number, arguments)};
  memcpy(g.arguments, arguments, sizeof g.arguments);
  if (g.left)
    g.end = time_stopped + nanoseconds(g.left);
  else
    g.left = &g.room;
  if (number != SYS_clock_nanosleep)
    set_mask_argument(&g);
  long result;
  do
    result = number == SYS_clock_nanosleep ? sleep_again(&g) : wait_again(&g);
  while (result == WAS_STOPPED);
  set_mask(&g.mask);
  return result;
}

/* These are points of cancellation, which may come while the call waits. */
long acre_rt_gc_wait(long number, const long arguments[6]) {
  bool has_threads = !acre_is_single_threaded();
  int64_t time = time_to_wait(number, arguments);
  int64_t end = time ? now(CLOCK_MONOTONIC) + time : 0;
  int type;
  if (has_threads)
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
  long result = acre_gc_wait_call(number, arguments);
  if (result == WAS_STOPPED)
    result = repeat(number, arguments, end);
  if (has_threads)
    pthread_setcanceltype(type, NULL);
  return result;
}

/* -- Other calls ------------------------------------------------------------------------------- */

void acre_rt_gc_forget_stop(void) { stopped_at = 0; }

int acre_rt_gc_was_only_stopped(const void *frame) {
  return stopped_at != 0 && (uintptr_t)frame - stopped_at < FRAME_BYTES_MAX;
}

/* -- Other programs ---------------------------------------------------------------------------- */

int acre_rt_gc_begin_exec(void) { return acre_gc_world_hold(); }
void acre_rt_gc_end_exec(void) { acre_gc_world_let_go(); }

/* SPDX-License-Identifier: MIT */
/* fault.c - see fault.h. */
#define _GNU_SOURCE
#include "platform/fault.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <ucontext.h>

#include "platform/check.h"
#include "platform/sanitizer.h"

static struct sigaction next_action; /* the program's */
static acre_fault_teller *tellers[ACRE_FAULT_TELLERS];

/* The call of the handler that leads on to the program's, which may call it again with the same
   information, further down the stack; or leave by longjmp. */
static _Thread_local struct {
  const siginfo_t *information;
  uintptr_t frame;
} handling __attribute__((tls_model("initial-exec")));

/* The store of this thread that may fail: the word it is to, and where it goes on then. */
static _Thread_local struct {
  uintptr_t slot; /* 0: there is none */
  sigjmp_buf *failed;
} storing __attribute__((tls_model("initial-exec")));

/* -- The handler ------------------------------------------------------------------------------- */

static uintptr_t code_of(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

static bool is_called_again(const siginfo_t *information, uintptr_t frame) {
  return handling.information == information && frame < handling.frame;
}

/* To return from the default action is to fault again, which ends the program. */
static void lead_on(int number, siginfo_t *information, void *context) {
  const bool has_function =
      (next_action.sa_flags & SA_SIGINFO) ||
      (next_action.sa_handler != SIG_DFL && next_action.sa_handler != SIG_IGN);
  if (!has_function) {
    sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    return;
  }
  if (next_action.sa_flags & SA_SIGINFO)
    next_action.sa_sigaction(number, information, context);
  else
    next_action.sa_handler(number);
}

static void on_fault(int number, siginfo_t *information, void *context) {
  const uintptr_t address = (uintptr_t)information->si_addr;
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  const bool is_fault = information->si_code > 0; /* else somebody has sent the signal */
  if (is_fault && storing.slot && address == storing.slot)
    siglongjmp(*storing.failed, 1);
  if (is_called_again(information, frame)) {
    sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    return;
  }
  for (size_t i = 0; is_fault && i < sizeof tellers / sizeof *tellers; i++) {
    acre_fault_teller *tell = __atomic_load_n(&tellers[i], __ATOMIC_ACQUIRE);
    if (tell)
      tell(address, code_of(context));
  }
  handling.information = information;
  handling.frame = frame;
  lead_on(number, information, context);
  handling.information = NULL;
}

void acre_fault_tell(acre_fault_teller *teller) {
  for (size_t i = 0; i < sizeof tellers / sizeof *tellers; i++) {
    acre_fault_teller *none = NULL;
    if (__atomic_compare_exchange_n(&tellers[i], &none, teller, false, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED))
      return;
  }
  ACRE_ASSERT(false);
}

void acre_fault_watch(void) {
  struct sigaction now;
  if (sigaction(SIGSEGV, NULL, &now) != 0 ||
      ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault))
    return;
  next_action = now;
  struct sigaction ours = {.sa_sigaction = on_fault,
                           .sa_mask = now.sa_mask,
                           .sa_flags = SA_SIGINFO | SA_ONSTACK | (now.sa_flags & SA_NODEFER)};
  sigaction(SIGSEGV, &ours, NULL);
}

/* -- The store --------------------------------------------------------------------------------- */

/* A checker would see a race with the program's own stores, which are not atomic. */
ACRE_RAW_READ static bool exchange(uintptr_t slot, void *expected, void *value) {
  return __atomic_compare_exchange_n((void **)slot, &expected, value, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_RELAXED);
}

/* A thread that blocks the signal of a fault is ended by it. */
bool acre_fault_exchange(uintptr_t slot, void *expected, void *value) {
  sigjmp_buf failed;
  sigset_t faults, before;
  volatile bool is_done = false;
  ACRE_ASSERT(slot % sizeof(void *) == 0 && !storing.slot);
  sigemptyset(&faults);
  sigaddset(&faults, SIGSEGV);
  pthread_sigmask(SIG_UNBLOCK, &faults, &before);
  acre_sanitizer_pause(); /* it would tell of the fault too */
  if (sigsetjmp(failed, 0) == 0) {
    storing.failed = &failed;
    storing.slot = slot;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    is_done = exchange(slot, expected, value);
  }
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  storing.slot = 0;
  acre_sanitizer_resume();
  pthread_sigmask(SIG_SETMASK, &before, NULL); /* the handler was left with more blocked */
  return is_done;
}

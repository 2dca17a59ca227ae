/* SPDX-License-Identifier: MIT */
/* trap.c - see trap.h. */
#define _GNU_SOURCE
#include "region/trap.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "counting/object.h"
#include "platform/os.h"

#define SPAN_SHIFT 16
#define SPAN ((uintptr_t)1 << SPAN_SHIFT)
/* Objects begin here in their span: so an index below 0 faults in it too. */
#define START (SPAN / 4)
#define TEXT_BYTES 1024

struct trap {
  const char *here; /* where the region was deleted */
  char text[TEXT_BYTES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct trap *traps; /* set last */
static uintptr_t base;
static size_t count, most; /* the last one is shared by all that come when there are no more */
static struct sigaction next_action; /* the program's */
/* The call of the handler that leads on to the program's, which may call it again with the same
   information, further down the stack; or leave by longjmp. */
static _Thread_local struct {
  const siginfo_t *information;
  uintptr_t frame;
} handling __attribute__((tls_model("initial-exec")));

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

static void tell(uintptr_t address, const ucontext_t *context) {
  const size_t number = (address - base) >> SPAN_SHIFT;
  const struct trap *trap = &traps[number];
  const intptr_t offset = (intptr_t)(address & (SPAN - 1)) - (intptr_t)START;
  acre_os_print(2, "acre: fatal: use of a pointer into a region that was deleted at %s\n",
                trap->here ? trap->here : "an unknown place");
  acre_os_print(2, "  %s%s\n", trap->text,
                number + 1 == most ? ", or it was severed after that" : "");
  Dl_info info;
  if (dladdr((void *)code_of(context), &info) && info.dli_sname)
    acre_os_print(2, "  used in %s, at offset %ld of what it pointed to\n", info.dli_sname,
                  (long)offset);
  else
    acre_os_print(2, "  used at offset %ld of what it pointed to\n", (long)offset);
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
  if (is_called_again(information, frame)) {
    sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    return;
  }
  if (information->si_code > 0 && address - base < most << SPAN_SHIFT)
    tell(address, context);
  handling.information = information;
  handling.frame = frame;
  lead_on(number, information, context);
  handling.information = NULL;
}

/* With the lock held. */
static void take_signal(void) {
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

/* -- Traps ------------------------------------------------------------------------------------- */

/* As many as the system grants.  With the lock held. */
static bool start(void) {
  static const size_t wanted[] = {(size_t)1 << 16, (size_t)1 << 12, (size_t)1 << 6};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !traps; i++) {
    void *range = acre_os_reserve(wanted[i] << SPAN_SHIFT, SPAN);
    struct trap *table = range ? acre_os_table(wanted[i] * sizeof *table) : NULL;
    if (range && !table)
      acre_os_unreserve(range, wanted[i] << SPAN_SHIFT);
    if (!table)
      continue;
    base = (uintptr_t)range;
    most = wanted[i];
    traps = table;
  }
  return traps;
}

/* With the lock held. */
static size_t take_number(struct acre_finding *words, const char *here) {
  const size_t number = count < most ? count++ : most - 1;
  if (count < most || !traps[number].text[0]) {
    acre_finding_end(words, traps[number].text, TEXT_BYTES);
    traps[number].here = here;
  } else {
    char text[1];
    acre_finding_end(words, text, sizeof text);
  }
  return number;
}

static size_t offset_of(const void *value) {
  const struct acre_object object = acre_object_find(value);
  const size_t offset = object.size ? (size_t)((const char *)value - object.start) : 0;
  return offset < SPAN / 2 ? offset : offset % sizeof(void *); /* what low bits say of it stays */
}

void acre_trap_watch(void) {
  pthread_mutex_lock(&lock);
  take_signal();
  pthread_mutex_unlock(&lock);
}

void *acre_trap_again(const void *value, void *address) {
  return (void *)(((uintptr_t)address & ~(SPAN - 1)) + START + offset_of(value));
}

void *acre_trap_make(const void *value, struct acre_finding *words, const char *here) {
  pthread_mutex_lock(&lock);
  void *address = NULL;
  if (traps || start()) {
    address = (void *)(base + (take_number(words, here) << SPAN_SHIFT) + START + offset_of(value));
  } else {
    char text[1];
    acre_finding_end(words, text, sizeof text);
  }
  pthread_mutex_unlock(&lock);
  return address;
}

/* SPDX-License-Identifier: MIT */
/* ended_locals.c - see ended_locals.h. */
#define _GNU_SOURCE
#include "foreign/ended_locals.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "platform/fault_spans.h"
#include "platform/os.h"
#include "platform/sanitizer.h"

#define SPANS ((size_t)1 << 12) /* a power of two, as is what is granted */
/* Spans that are looked at for one pair of lines before another pair gives way. */
#define PROBES 8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct acre_fault_spans spans;

void acre_ended_locals_lock(void) { pthread_mutex_lock(&lock); }
void acre_ended_locals_unlock(void) { pthread_mutex_unlock(&lock); }

bool acre_ended_locals_are_fatal(void) {
  static char known; /* 't' or 'a' */
  char policy = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!policy) {
    const char *wanted = acre_os_setting("ACRE_LOCALS");
    wanted = wanted && *wanted ? wanted : "trap";
    if (strcmp(wanted, "trap") != 0 && strcmp(wanted, "abort") != 0)
      acre_os_fatal("ACRE_LOCALS is '%s'; it may be trap or abort", wanted);
    policy = *wanted;
    __atomic_store_n(&known, policy, __ATOMIC_RELAXED);
  }
  return policy == 'a';
}

/* -- Telling ----------------------------------------------------------------------------------- */

static void print_place(const char *what, const acre_rt_where *where) {
  if (where && where->file)
    acre_os_print(2, "%s%s:%u in %s", what, where->file, where->line,
                  where->function ? where->function : "?");
}

static struct acre_ended_local *entry_of(size_t span) {
  return (struct acre_ended_local *)spans.entries + span;
}

static void tell(uintptr_t address, uintptr_t code) {
  size_t span;
  if (!acre_fault_span_of(&spans, address, &span))
    return;
  const struct acre_ended_local *ended = entry_of(span);
  acre_os_print(2, "acre: fatal: use of a pointer to ");
  if (ended->name)
    acre_os_print(2, "the local variable '%s', which has ended", ended->name);
  else
    acre_os_print(2, "a local variable that has ended");
  print_place(" at ", ended->ended);
  acre_os_print(2, "\n  slot %p held it", (void *)ended->slot);
  print_place(", stored at ", ended->stored);
  Dl_info info;
  if (dladdr((void *)code, &info) && info.dli_sname)
    acre_os_print(2, "\n  used in %s\n", info.dli_sname);
  else
    acre_os_print(2, "\n");
}

/* -- Spans ------------------------------------------------------------------------------------- */

static bool is_alike(const struct acre_ended_local *one, const struct acre_ended_local *other) {
  return one->stored == other->stored && one->ended == other->ended && one->name == other->name;
}

static size_t span_of(const struct acre_ended_local *ended) {
  const uintptr_t stored = (uintptr_t)ended->stored >> 3, end = (uintptr_t)ended->ended >> 3,
                  name = (uintptr_t)ended->name;
  const size_t first = ((stored * 31 + end) * 31 + name) & (spans.count - 1);
  for (size_t i = 0; i < PROBES; i++) {
    const size_t at = (first + i) & (spans.count - 1);
    if (!entry_of(at)->stored || is_alike(entry_of(at), ended))
      return at;
  }
  return first;
}

ACRE_RAW_READ static bool exchange(uintptr_t slot, void *expected, void *value) {
  return __atomic_compare_exchange_n((void **)slot, &expected, value, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
}

bool acre_ended_local_trap(const struct acre_ended_local *ended, bool is_on_stack) {
  if (ended->slot % sizeof(void *) != 0)
    return false;
  void *address = NULL;
  acre_ended_locals_lock();
  if (spans.entries || acre_fault_spans_reserve(&spans, SPANS, sizeof *ended, tell)) {
    const size_t span = span_of(ended);
    if (!is_alike(entry_of(span), ended))
      acre_fault_watch();
    *entry_of(span) = *ended;
    address = acre_fault_address(
        &spans, span, ended->start ? ended->held - ended->start : ended->held % sizeof(void *));
  }
  acre_ended_locals_unlock();
  /* Where it does not change, it has been overwritten, or its memory is gone. */
  if (address && is_on_stack)
    exchange(ended->slot, (void *)ended->held, address);
  else if (address)
    acre_fault_exchange(ended->slot, (void *)ended->held, address);
  return address;
}

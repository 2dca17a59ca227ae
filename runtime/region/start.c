/* SPDX-License-Identifier: MIT */
/* start.c - the runtime's start and settings.  Entry points called by generated code work before
   it: they need only tables that are zero at first.  The region API calls it. */
#define _GNU_SOURCE
#include "region/start.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "counting/globals.h"
#include "counting/kept.h"
#include "counting/pin.h"
#include "counting/record.h"
#include "counting/registry.h"
#include "evidence/log.h"
#include "evidence/report.h"
#include "evidence/snapshot.h"
#include "evidence/stats.h"
#include "evidence/verify.h"
#include "foreign/ended_locals.h"
#include "foreign/escaped_locals.h"
#include "gc/process/process.h"
#include "owner/cycles.h"
#include "platform/linked.h"
#include "platform/os.h"
#include "platform/thread.h"
#include "region/pool_table.h"
#include "region/scope.h"
#include "region/sever.h"
#include "region/tree.h"

bool acre_is_started;

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Fork with every lock held, so that the child finds none that another thread holds for ever.  They
   are taken in the order in which they are taken elsewhere: what holds one of these may enter the
   collected heap, and what is in there may need pages. Handlers that are registered first lock
   last. */
static void before_fork(void) {
  acre_ended_locals_lock();
  acre_sever_lock();
  acre_tree_lock();
  acre_pools_lock();
  acre_modules_lock();
  acre_registry_lock();
  acre_thread_lock();
  acre_cycles_lock();
}

static void after_fork_in_parent(void) {
  acre_cycles_unlock();
  acre_thread_unlock();
  acre_registry_unlock();
  acre_modules_unlock();
  acre_pools_unlock();
  acre_tree_unlock();
  acre_sever_unlock();
  acre_ended_locals_unlock();
}

static void after_fork_in_child(void) {
  acre_cycles_unlock();
  acre_thread_forget_others(acre_pin_drop_all);
  acre_thread_unlock();
  acre_registry_unlock();
  acre_stats_forget();
  acre_verify_in_child();
  acre_modules_unlock_in_child();
  acre_pools_unlock();
  acre_tree_unlock();
  acre_sever_unlock();
  acre_ended_locals_unlock();
}

/* The thread-local variables of a library that was opened while the program ran are in memory that
   the C library keeps for another thread, with what this one has left there. */
static int end_variables_of(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  (void)context;
  const uintptr_t start = (uintptr_t)info->dlpi_tls_data; /* 0: this thread has none of them */
  for (size_t i = 0; start && i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS)
      acre_record_release(start, start + info->dlpi_phdr[i].p_memsz);
  return 0;
}

/* The thread's stack also holds its static thread-local storage; both end with it. */
static void end_stack(struct acre_thread *self) {
  if (acre_thread_find_stack())
    acre_record_release(self->stack_low, self->stack_high);
  dl_iterate_phdr(end_variables_of, NULL);
}

static void watch_ends_of_threads(void) {
  acre_thread_at_end(acre_pin_end_thread);
  acre_thread_at_end(end_stack);
  acre_thread_at_end(acre_kept_end_thread);
  acre_thread_at_end(acre_scope_end_thread);
  acre_thread_at_end(acre_escaped_end_thread);
  acre_thread_at_end(acre_gc_process_end_thread);
  acre_pin_on_discard(acre_scope_note_discarded, acre_scope_end_discarded);
  acre_thread_start();
}

static void read_policy(const char *policy) {
  static const char *const names[] = {"abort", "refuse", "defer", "sever", "trap"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(policy, names[i]) == 0) {
      acre_set_delete_policy((acre_delete_policy)i);
      return;
    }
  acre_os_fatal("ACRE_DELETE is '%s'; it may be abort, refuse, defer, sever or trap", policy);
}

static void verify_at_exit(void) { acre_verify_or_abort("at exit"); }

static void read_report_limit(const char *limit) {
  char *end;
  errno = 0;
  acre_report_limit = strtoul(limit, &end, 10);
  if (*end || errno || *limit < '0' || *limit > '9')
    acre_os_fatal("ACRE_REPORT_LIMIT is '%s'; it may be a number", limit);
}

static bool is_verify_wanted(void) {
  const char *verify = acre_os_setting("ACRE_VERIFY");
  if (verify && *verify) {
    if (strcmp(verify, "0") != 0 && strcmp(verify, "1") != 0)
      acre_os_fatal("ACRE_VERIFY is '%s'; it may be 0 or 1", verify);
    return *verify == '1';
  }
  return &acre_rt_verify_by_default && acre_rt_verify_by_default;
}

static void start(void) {
  acre_registry_expect_start();
  watch_ends_of_threads();
  acre_gc_process_prepare_for_forks();
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  const char *policy = acre_os_setting("ACRE_DELETE"),
             *limit = acre_os_setting("ACRE_REPORT_LIMIT");
  if (policy && *policy)
    read_policy(policy);
  if (limit && *limit)
    read_report_limit(limit);
  const char *log = acre_os_setting("ACRE_LOG");
  if (log && *log)
    acre_log_start(log);
  acre_ended_locals_are_fatal(); /* says so if the setting is wrong */
  const char *snapshot = acre_os_setting("ACRE_SNAPSHOT");
  if (snapshot && *snapshot)
    acre_snapshot_start(snapshot);
  const char *check = acre_os_setting("ACRE_CHECK");
  if (check && *check) {
    if (strcmp(check, "cycles") != 0)
      acre_os_fatal("ACRE_CHECK is '%s'; it may be cycles", check);
    acre_cycles_start();
  }
  if (is_verify_wanted()) {
    acre_is_verifying = true;
    atexit(verify_at_exit);
  }
  __atomic_store_n(&acre_is_started, true, __ATOMIC_RELEASE);
}

void acre_runtime_start_slowly(void) { pthread_once(&once, start); }

__attribute__((constructor)) static void start_early(void) { acre_runtime_start(); }

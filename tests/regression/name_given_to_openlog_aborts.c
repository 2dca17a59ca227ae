// The name given to openlog is used by every later message.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: cannot delete the region created at [[FILE]]:[[@LINE+10]]: 1 reference from
// ABORT-SAME: outside remains
// ABORT-NEXT: deleteregion called at [[FILE]]:[[@LINE+10]]
// ABORT-NEXT: 1. the system log (openlog) points to text "daemon"
// ABORT-NEXT: hint: take the pointer back first: EPOLL_CTL_DEL, pthread_setspecific(key, NULL),
// ABORT-SAME: fclose, timer_delete, unsetenv
#include "../end_to_end/Inputs/check.h"
#include <syslog.h>

int main(void) deletes {
  region r = newregion();
  openlog(rstrdup(r, "daemon"), 0, LOG_USER);
  deleteregion(r);
  syslog(LOG_INFO, "gone");
}

// The name given to openlog is used by every later message.
// RUN: %each_level --expect-abort "the system log (openlog)" -o %t %s
#include "../end_to_end/Inputs/check.h"
#include <syslog.h>

int main(void) deletes {
  region r = newregion();
  openlog(rstrdup(r, "daemon"), 0, LOG_USER);
  deleteregion(r);
  syslog(LOG_INFO, "gone");
}

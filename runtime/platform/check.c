/* SPDX-License-Identifier: MIT */
/* check.c - see check.h. */
#include "platform/check.h"

#ifdef ACRE_ASSERTIONS
#include "platform/os.h"

void acre_assertion_failed(const char *condition, const char *file, int line) {
  acre_os_fatal("%s:%d: assertion failed: %s", file, line, condition);
}
#endif

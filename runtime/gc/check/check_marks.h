/* SPDX-License-Identifier: MIT */
/* check_marks.h - the verifier's own marking.  Internal. */
#ifndef ACRE_RUNTIME_GC_CHECK_CHECK_MARKS_H
#define ACRE_RUNTIME_GC_CHECK_CHECK_MARKS_H

#include "gc/check/check.h"

/* Everything reachable is there; nothing black refers to anything ecru. */
void acre_gc_check_marks(check *k);

#endif

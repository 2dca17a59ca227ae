// Acre's warnings have the options that Clang's have; the plugin gets them.
// RUN: %acre-cc -fsyntax-only %s 2>&1 | count 0
// RUN: %acre-cc -fsyntax-only -Wacre-int-to-pointer %s 2>&1 | FileCheck --check-prefix=WARNING %s
// RUN: %acre-cc -fsyntax-only -Wacre -Wno-acre-int-to-pointer %s 2>&1 | count 0
// RUN: %acre-cc -fsyntax-only -Wacre -Wno-acre %s 2>&1 | count 0
// RUN: not %acre-cc -fsyntax-only -Werror=acre-int-to-pointer %s 2>&1 | FileCheck \
// RUN:   --check-prefix=ERROR %s
// RUN: not %acre-cc -fsyntax-only -facre-strict %s 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not %acre-cc -fsyntax-only -Werror -Wacre-int-to-pointer %s 2>&1 | FileCheck \
// RUN:   --check-prefix=ERROR %s
// RUN: %acre-cc -fsyntax-only -Werror=acre-int-to-pointer -Wno-error=acre-int-to-pointer %s 2>&1 \
// RUN:   | FileCheck --check-prefix=WARNING %s
#include <stdint.h>
// WARNING: warning_options.c:[[#@LINE+2]]:{{.*}} warning: pointer made from an integer
// ERROR: warning_options.c:[[#@LINE+1]]:{{.*}} error: pointer made from an integer
int *load(uintptr_t bits) { return (int *)bits; }

// -facre-strict=own makes errors of what is said of owners, =regions of the rest, =all of both.
// RUN: not %acre-cc -fsyntax-only -facre-strict=own %s 2>&1 | FileCheck --check-prefix=OWN \
// RUN:   --implicit-check-not=error: %s
// RUN: not %acre-cc -fsyntax-only -facre-strict=regions %s 2>&1 | FileCheck \
// RUN:   --check-prefix=REGIONS --implicit-check-not=error: %s
// RUN: not %acre-cc -fsyntax-only -facre-strict=all %s 2>&1 | FileCheck --check-prefix=ALL %s
// RUN: not %acre-cc -fsyntax-only -facre-strict=some %s 2>&1 | FileCheck --check-prefix=OTHER %s
// OTHER: '-facre-strict=some': the choices are own, regions and all
#include <acre/own.h>
#include <stdint.h>
#include <stdlib.h>
// OWN: [[#@LINE+3]]:{{.*}} error: 'p' may be lost
// REGIONS: [[#@LINE+2]]:{{.*}} warning: 'p' may be lost
// ALL: [[#@LINE+1]]:{{.*}} error: 'p' may be lost
void lose(char *unique p) {}
// REGIONS: [[#@LINE+2]]:{{.*}} error: pointer made from an integer
// ALL: [[#@LINE+1]]:{{.*}} error: pointer made from an integer
int *load(uintptr_t bits) { return (int *)bits; }
// OWN: 1 error generated
// REGIONS: 1 error generated
// ALL: 2 errors generated

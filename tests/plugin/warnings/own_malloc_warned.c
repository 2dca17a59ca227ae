// An allocator of the program's own, which files that do not define it pass by where malloc is
// Acre's; not a function that hands the call on.
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-collected-malloc -Xclang -verify %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-collected-malloc \
// RUN:   -DLOOKS_UP -Xclang -verify=quiet %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-collected-malloc -DSTATIC=static \
// RUN:   -fno-builtin -Xclang -verify=quiet %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify=quiet %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-collected-malloc \
// RUN:   -fplugin-arg-acre-Wno-own-malloc -Xclang -verify=quiet %s
// quiet-no-diagnostics
#ifdef LOOKS_UP
#define _GNU_SOURCE
#include <dlfcn.h>
#endif
#ifndef STATIC
#define STATIC
#endif

static char arena[4096];
static __SIZE_TYPE__ used;

STATIC void *malloc(__SIZE_TYPE__ size) {
  // expected-warning@-1 {{other files do not call this 'malloc', but Acre's [-Wacre-own-malloc]}}
  return &arena[(used += size) - size];
}

void *take(__SIZE_TYPE__ size) { return malloc(size); }

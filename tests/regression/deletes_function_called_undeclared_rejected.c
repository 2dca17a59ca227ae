// Before C99 a call declares the function: the caller was not told that it deletes.
// RUN: %clang -std=gnu89 -w -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -fsyntax-only \
// RUN:   -Xclang -verify %s
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.c && cd %t && %acre fix a.c -- -std=gnu89 -w
// RUN: FileCheck %s < %t/a.c
#include <acre/region.h>

// CHECK: {{^}}int finish() deletes;
// CHECK-NEXT: {{^}}int rejected() deletes;
// CHECK-NEXT: {{^}}int rejected(r) region r; { return finish
int rejected(r) region r; { return finish(r); }
// expected-note@-1 {{it is called here before it is declared}}
int finish(region r) deletes { return deleteregion(r); }
// expected-error@-1 {{'finish' is declared with 'deletes' here but without it before}}

int known(region r) deletes;
int accepted(region r) deletes { return known(r); }
int known(region r) { return deleteregion(r); }

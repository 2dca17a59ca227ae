// A missing deletes was proposed for prototypes in the same file only: not for K&R definitions, for
// what macros wrote, and for the types of function pointers, which are most of a port.
// tests/cli/fix.test applies such proposals and compiles what comes of it.
// RUN: not %acre-cc -std=gnu17 -ferror-limit=0 -fsyntax-only -fdiagnostics-parseable-fixits \
// RUN:   -I%S/Inputs %s 2>&1 | FileCheck %s
#include <acre/acre.h>
#include "proposals.h"
struct item { region r; };

// CHECK: call of 'acre_region_delete', which may delete a region, in 'by_macro'
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE+1]]:{{.*}}:" deletes"
#define DEFINE(name) void name(struct item *x) { deleteregion(x->r); }
DEFINE(by_macro)

// CHECK: in 'old_style'
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE+1]]:{{.*}}:"static int old_style() deletes;\n"
static int old_style(x) struct item *x; { deleteregion(x->r); return 0; }

// An old-style definition that was declared before needs nothing itself.
// CHECK: in 'old_but_declared'
// CHECK-NOT: fix-it:"{{.*}}":{[[#@LINE+4]]
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE+1]]:{{.*}}:" deletes"
static int old_but_declared();

static int old_but_declared(x) struct item *x; { return old_style(x); }

// CHECK: in 'without_prototype'
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE+1]]:{{.*}}:" deletes"
static int without_prototype() { deleteregion(0); return 0; }

// By the name of a type; its caller is told in the same go.
// CHECK: in 'named'
// CHECK: this declaration of 'named' needs 'deletes' too
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE+1]]:{{.*}}:" deletes"
static release named;
static void named(struct item *x) { old_but_declared(x); }
// CHECK: in 'calls_named'
static void calls_named(struct item *x) { named(x); }

// A header that includes none of Acre's brings the include along.
// CHECK: in 'prototype'
// CHECK: fix-it:"{{.*}}proposals.h":{4:1-4:1}:"#include <acre/acre.h>\n"
// CHECK: fix-it:"{{.*}}proposals.h":{9:30-9:30}:" deletes"
void prototype(struct item *x) { calls_named(x); }
// CHECK: in 'in_macro'
// CHECK: fix-it:"{{.*}}proposals.h":{4:1-4:1}:"#include <acre/acre.h>\n"
// CHECK: fix-it:"{{.*}}proposals.h":{10:32-10:32}:" deletes"
void in_macro(struct item *x) { calls_named(x); }

void drop(struct item *x) deletes;
// CHECK: function initializing type 'hook'
// CHECK: fix-it:"{{.*}}proposals.h":{7:36-7:36}:" deletes"
hook on_end = drop;
// CHECK: function initializing type
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE+1]]:{{.*}}:" deletes"
static void (*table[])(struct item *) = {drop};
// CHECK: function initializing type
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE+1]]:{{.*}}:" deletes"
struct vtable { void (*end)(struct item *); void (*each)(void (*)(struct item *)); };
static struct vtable operations = {drop};
void call(void (*f)(struct item *));
// CHECK: passed to a parameter
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE-2]]:{{.*}}:" deletes"
// CHECK: passed to a parameter
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE-6]]:{{.*}}:" deletes"
// CHECK: cast to type
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE+4]]:{{.*}}:" deletes"
void pass(struct vtable *v) {
  call(drop);
  v->each(drop);
  ((void (*)(struct item *))drop)(0);
}

// CHECK: 'late' is declared with 'deletes' here but without it before
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE+1]]:{{.*}}:" deletes"
void late(struct item *x);
void late(struct item *x) deletes;

settled region unit;
// CHECK: 'unit' is 'settled'
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE+1]]:{{.*}}:" deletes"
void begin(void) { unit = newregion(); }
// CHECK: call of 'begin', which may delete a region, in 'restart'
void restart(void) { begin(); }
// CHECK: redeclaration of 'each' with different annotations
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE+2]]:{{.*}}:" deletes"
void each(void (*visit)(region) deletes, region r) deletes;
void each(void (*visit)(region), region r);
// CHECK: 'sameregion' on a parameter has no meaning
// CHECK: fix-it:"{{.*}}written.c":{[[#@LINE+1]]:{{.*}}:""
void push(struct vtable *sameregion head);
// Nothing can be proposed for a system header.
// CHECK: 'exit' is declared with
// CHECK-NOT: fix-it:
#include <stdlib.h>
void exit(int) deletes;

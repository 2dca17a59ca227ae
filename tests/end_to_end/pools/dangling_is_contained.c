// A pool that ends while a global, and an object of another pool, refer to its memory: by default
// both are told once, and a use ends the program with a message that says whose pointer it was.
// RUN: %acre-cc -O2 -g -facre-pools=%S/Inputs/home.map %s %S/Inputs/home.c -o %t -lpthread
// RUN: %t 2>&1 | sort | sed 's/acre.[0-9]*.:/acre:/' | %whole %s --check-prefix=TOLD
// RUN: not --crash %t use 2>&1 | sed -n '/fatal/,/used/p' | %whole %s --check-prefix=USED
// RUN: env ACRE_DELETE=sever %t severed 2>&1 | FileCheck %s --check-prefix=SEVERED
// RUN: env ACRE_DELETE=abort not --crash %t 2>&1 | %whole %s --check-prefix=ABORT
// RUN: env ACRE_DELETE=abort not --crash %t clear 2>&1 | %whole %s --check-prefix=CLEAR
// RUN: env ACRE_DELETE=defer ACRE_LOG=syslog %t kept 2>&1 | count 0
// RUN: env ACRE_DELETE=refuse ACRE_LOG=syslog %t kept 2>&1 | count 0
// RUN: rm -f %t.log && env ACRE_LOG=%t.log %t 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=SEVERED < %t.log
#include "../Inputs/check.h"
#include "Inputs/home.h"

#include <string.h>

struct request {
  int number;
  char *name;
};

static struct request *last;

static void serve(pool *connection, int number) {
  pool *p = pool_create(connection);
  struct request *r = pool_alloc(p, sizeof *r);
  r->number = number;
  r->name = pool_printf(p, "request %d", number);
  struct request **remembered = pool_alloc(connection, sizeof *remembered);
  *remembered = last = r;
  pool_destroy(p);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  pool *connection = pool_create(NULL);
  if (strcmp(what, "clear") == 0) {
    last = pool_alloc(connection, sizeof *last);
    pool_clear(connection);
  }
  for (int i = 0; i < 100; i++)
    serve(connection, i);
  if (strcmp(what, "use") == 0)
    return last->number;
  if (strcmp(what, "severed") == 0)
    CHECK(!last);
  if (strcmp(what, "kept") == 0)
    CHECK(last->number == 99 && strcmp(last->name, "request 99") == 0);
  last = NULL;
  pool_destroy(connection);
  return 0;
}

// TOLD: acre: 100 times: global variable 'last'{{.*}}
// TOLD: acre: 100 times: the word at offset 0 of struct request *{{.*}}
// TOLD: acre: global variable 'last' ([[FILE]]:23) pointed to struct request allocated at
// TOLD-SAME: [[FILE]]:27 in the region created at [[FILE]]:26, severed at [[FILE]]:32
// TOLD: acre: the word at offset 0 of struct request * allocated at [[FILE]]:30 in the region
// TOLD-SAME: created at [[FILE]]:37 pointed to struct request allocated at [[FILE]]:27
// TOLD-SAME: in the region created at [[FILE]]:26, severed at [[FILE]]:32
// CLEAR: acre: fatal: cannot clear the pool of the region created at
// CLEAR-SAME: [[FILE]]:37: 1 reference remains
// CLEAR-NEXT: the pool was cleared at [[FILE]]:40
// CLEAR-NEXT: 1. global variable 'last' ([[FILE]]:23) points to struct request allocated at
// CLEAR-SAME: [[FILE]]:39
// CLEAR-NEXT: hint: set these variables to null before the region is deleted
// SEVERED: global variable 'last'
// USED: acre: fatal: use of a pointer into a region that was deleted at [[FILE]]:32
// USED-NEXT: global variable 'last' ([[FILE]]:23) pointed to struct request allocated at
// USED-SAME: [[FILE]]:27 in the region created at [[FILE]]:26
// USED-NEXT: used {{(in main, )?}}at offset 0 of what it pointed to
// ABORT: acre: fatal: cannot end the pool of the region created at [[FILE]]:26:
// ABORT-SAME: 2 references from outside remain
// ABORT-NEXT: the pool was ended at [[FILE]]:32
// ABORT-NEXT: 1. the word at offset 0 of struct request * allocated at [[FILE]]:30
// ABORT-SAME: in the region created at [[FILE]]:37 points to struct request
// ABORT-SAME: allocated at [[FILE]]:27
// ABORT-NEXT: 2. global variable 'last' ([[FILE]]:23) points to struct request allocated at
// ABORT-SAME: [[FILE]]:27
// ABORT-NEXT: hint: set these variables to null before the region is deleted

// RUN: %acre-cc -O1 -g %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %acre-cc -O2 %s -o %t && not --crash %t 2>&1 | FileCheck %s --check-prefix=NAMES
// A report names the member of a static variable in which a pointer lies, of an array which element.
#include <acre/acre.h>

struct object {
  struct object *next;
};
struct holder {
  int number;
  struct object *direct;
  union {
    long number;
    struct object *object;
  } either;
  struct {
    struct object *sameregion links[3];
  } inner;
};
union first_a_number {
  double number;
  struct object *object;
};
struct packet {
  int length;
  struct object *parts[];
};

static struct holder single;
struct holder table[4];
static union first_a_number whole_union;
struct object *pointers[2][3];
static struct packet flexible = {2, {0, 0}};
static struct {
  char tag;
  struct object *object;
} unnamed;

int main(void) {
  static struct holder local;
  region r = newregion();
  struct object *object = ralloc(r, struct object);
  // CHECK: acre: fatal: cannot delete the region created at {{.*}}:[[@LINE-2]]: 9 references from outside remain
  // CHECK-DAG: global variable 'single.direct' ({{.*}}variables.c:29) points to struct object
  single.direct = object;
  // CHECK-DAG: global variable 'single.either.object' ({{.*}}variables.c:29) points to struct object
  single.either.object = object;
  // CHECK-DAG: global variable 'table[0].direct' ({{.*}}variables.c:30) points to struct object
  table[0].direct = object;
  // CHECK-DAG: global variable 'table[3].either.object' ({{.*}}variables.c:30) points to struct object
  table[3].either.object = object;
  // CHECK-DAG: global variable 'whole_union.object' ({{.*}}variables.c:31) points to struct object
  whole_union.object = object;
  // CHECK-DAG: global variable 'pointers[5]' ({{.*}}variables.c:32) points to struct object
  pointers[1][2] = object;
  // CHECK-DAG: global variable 'flexible.parts[1]' ({{.*}}variables.c:33) points to struct object
  flexible.parts[1] = object;
  // CHECK-DAG: global variable 'unnamed.object' ({{.*}}variables.c:37) points to struct object
  unnamed.object = object;
  // CHECK-DAG: global variable 'main.local.direct' ({{.*}}variables.c:40) points to struct object
  local.direct = object;
  // NAMES-DAG: global variable 'single.direct' ({{.*}}variables.c) points to struct object
  // NAMES-DAG: global variable 'table[3].either.object' ({{.*}}variables.c) points to struct object
  object = NULL;
  deleteregion(r);
  return 0;
}

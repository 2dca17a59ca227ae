// A report names the member of a static variable in which a pointer lies, of an array which
// element.
// RUN: for flags in "-O1 -g" -O2; do %acre-cc $flags %s -o %t && not --crash %t 2>&1 | %whole %s \
// RUN:   -D'AT=points to struct object allocated at report_names_members_of_variables.c:57' || \
// RUN:   exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:56: 9 references from
// CHECK-SAME: outside remain
// CHECK-NEXT: deleteregion called at [[FILE]]:68
// CHECK-DAG: {{[1-9]}}. global variable 'single.direct' ([[FILE]]{{(:[0-9]+)?}}) [[AT]]
// CHECK-DAG: {{[1-9]}}. global variable 'single.either.object' ([[FILE]]{{(:[0-9]+)?}}) [[AT]]
// CHECK-DAG: {{[1-9]}}. global variable 'table[0].direct' ([[FILE]]{{(:[0-9]+)?}}) [[AT]]
// CHECK-DAG: {{[1-9]}}. global variable 'table[3].either.object' ([[FILE]]{{(:[0-9]+)?}}) [[AT]]
// CHECK-DAG: {{[1-9]}}. global variable 'whole_union.object' ([[FILE]]{{(:[0-9]+)?}}) [[AT]]
// CHECK-DAG: {{[1-9]}}. global variable 'pointers[1][2]' ([[FILE]]{{(:[0-9]+)?}}) [[AT]]
// CHECK-DAG: {{[1-9]}}. global variable 'flexible.parts[1]' ([[FILE]]{{(:[0-9]+)?}}) [[AT]]
// CHECK-DAG: {{[1-9]}}. global variable 'unnamed.object' ([[FILE]]{{(:[0-9]+)?}}) [[AT]]
// CHECK-DAG: {{[1-9]}}. global variable 'main.local.direct' ([[FILE]]{{(:[0-9]+)?}}) [[AT]]
// CHECK: hint: set these variables to null before the region is deleted
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
  single.direct = object;
  single.either.object = object;
  table[0].direct = object;
  table[3].either.object = object;
  whole_union.object = object;
  pointers[1][2] = object;
  flexible.parts[1] = object;
  unnamed.object = object;
  local.direct = object;
  object = NULL;
  deleteregion(r);
  return 0;
}

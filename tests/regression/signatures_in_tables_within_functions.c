// A function with a signature was not checked where a table local to a function, or a compound
// literal, named it.
// RUN: %acre-cc -O1 %s -o %t
// RUN: %t good
// RUN: for how in local member literal; do not --crash %t $how 2>&1 | %whole %s || exit 1; done
#include <acre/acre.h>
#include <string.h>

struct node {
  struct node *next;
};
typedef void visitor(region, struct node *);
struct operations {
  visitor *visit;
};

// CHECK: acre: fatal: [[FILE]]:[[@LINE+4]]: in visit: inregion pointer may not point into the
// CHECK-SAME: region created at [[FILE]]:[[@LINE+13]]
// CHECK-NEXT: value {{0x[0-9a-f]+}}: struct node allocated at [[FILE]]:[[@LINE+14]]
// CHECK-NEXT: wanted: the region created at [[FILE]]:[[@LINE+11]]
static void visit(region r, struct node *inregion(r) node) {
  (void)r;
  (void)node;
}
static struct operations *literal = &(struct operations){visit};

int main(int argc, char **argv) {
  static visitor *const table[] = {visit};
  static struct operations operations = {.visit = visit};
  visitor *const *local = table;
  region r = newregion(), other = newregion();
  const char *how = argc > 1 ? argv[1] : "good";
  struct node *node = ralloc(strcmp(how, "good") == 0 ? r : other, struct node);
  __asm__("" : "+r"(local));
  (strcmp(how, "member") == 0    ? operations.visit
   : strcmp(how, "literal") == 0 ? literal->visit
                                 : local[0])(r, node);
  return 0;
}

// memccpy stops at the first zero byte, the seventh of an address: the pointer is whole when the
// last one was zero already, and was not counted.
// RUN: %acre-cc -O0 %s -o %t && %t
// RUN: %acre-cc -O2 %s -o %t && %t
#include <acre/acre.h>
#include <string.h>

struct node {
  int id;
};
static struct node *table[2];

int main(void) {
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
  region r = newregion();
  table[0] = ralloc(r, struct node);
  memccpy(table + 1, table, 0, sizeof *table);
  bool is_copied = table[0] == table[1];
  table[0] = NULL;
  return is_copied && deleteregion(r);
}

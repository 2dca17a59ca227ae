// Struct assignment within a region accepts its sameregion fields and counts its plain ones.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct list {
  struct list *sameregion next;
  node *plain;
  char *traditional name;
  struct list *parentptr up;
};

int main(void) deletes {
  region r = newregion(), s = newregion(), child = newsubregion(r);
  struct list *a = ralloc(r, struct list), *b = ralloc(r, struct list),
              *c = ralloc(child, struct list);
  *a = (struct list){.next = b, .plain = new_node(s), .name = "a", .up = b};
  *b = *a;
  CHECK_COUNT(s, 2);
  CHECK_COUNT(r, 0);
  *c = (struct list){.next = c, .up = a, .name = "c", .plain = a->plain};
  CHECK_COUNT(s, 3);
  CHECK_COUNT(r, 0);
  struct list saved = *c;
  c->up = 0;
  *c = saved;
  CHECK(c->up == a && c->next == c);
  DELETE_ACCEPTED(child);
  DELETE_ACCEPTED(r);
  CHECK_COUNT(s, 0);
  DELETE_ACCEPTED(s);
}

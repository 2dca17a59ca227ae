// Annotated and plain lvalues with side effects are evaluated once, and so are the values stored.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct list {
  struct list *sameregion next;
  node *plain;
};
static int calls;
static node *counted(region r) {
  calls++;
  return new_node(r);
}
static struct list **advance(struct list ***cursor) {
  calls++;
  return (*cursor)++;
}

int main(void) deletes {
  region r = newregion(), s = newregion();
  struct list *l[4], **cursor = l;
  for (int i = 0; i < 4; i++)
    l[i] = ralloc(r, struct list);
  (*advance(&cursor))->next = *advance(&cursor);
  CHECK(calls == 2 && cursor == l + 2 && (l[0]->next == l[1] || l[1]->next == l[0]));
  int i = 0;
  l[i++]->plain = counted(s);
  CHECK(i == 1 && calls == 3);
  struct list *sameregion *slot = &l[2]->next;
  *slot = l[3];
  *slot++ = l[2];
  CHECK(slot == &l[2]->next + 1 && l[2]->next == l[2]);
  node *array[3] = {counted(s), counted(s), counted(s)};
  opaque(array);
  CHECK(calls == 6);
  CHECK_HELD(s, 4);
  struct list *chain = l[0]->next = l[1]->next = l[2];
  CHECK(chain == l[2] && l[0]->next == l[2]);
  CHECK_HELD(r, 4); /* cursor has made l an object that other code can reach */
}

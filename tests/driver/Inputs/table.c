#include "table.h"

struct entry *table_head;

struct entry *table_add(region r, int value) {
  struct entry *e = ralloc(r, struct entry);
  e->value = value;
  e->next = table_head;
  table_head = e;
  return e;
}

// Pointers at unaligned addresses, in packed structs, count and are released.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct __attribute__((packed)) packed {
  char tag;
  node *first;
  short pad;
  node *second;
};
static struct packed global;
static node *plain;

int main(void) deletes {
  region r = newregion();
  struct packed *p = calloc(10, sizeof *p);
  node *n = new_node(r);
  global.first = n;
  DELETE_REFUSED(r);
  CHECK(global.first->value == 42);
  n = new_node(r);
  for (int i = 0; i < 10; i++)
    p[i].first = p[i].second = n;
  global.first = 0;
  DELETE_REFUSED(r);
  CHECK(p[9].second->value == 42);
  n = p[3].first;
  for (int i = 0; i < 10; i++)
    p[i] = (struct packed){.second = i == 5 ? n : 0};
  DELETE_REFUSED(r);
  CHECK(p[5].second->value == 42);
  global = p[5];
  free(p);
  DELETE_REFUSED(r);
  plain = global.second;
  CHECK(plain->value == 42);
  memset(&global, 0, sizeof global);
  plain = 0;
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}

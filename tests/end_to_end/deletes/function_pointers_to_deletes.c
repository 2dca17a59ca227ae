// Calls of deletes functions through pointers, tables, struct members and callbacks pin the
// caller's locals.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

typedef bool deleter(region) deletes;
typedef bool (*deleter_pointer)(region) deletes;
struct operations {
  int pad;
  bool (*destroy)(region) deletes;
};

static NOINLINE bool destroy(region r) deletes {
  acre_region_set_delete_policy(r, ACRE_DELETE_REFUSE);
  return deleteregion(r);
}
static deleter *table[2] = {destroy, destroy};
static const struct operations operations = {0, destroy};

static NOINLINE bool call(deleter_pointer callback, region r) deletes { return callback(r); }
static NOINLINE deleter_pointer choose(void) { return destroy; }

int main(void) deletes {
  region r = newregion();
  node *n = new_node(r);
  int which = (int)(long)opaque((void *)1);
  deleter *volatile hidden = destroy, *pointer = hidden;
  const struct operations *ops = opaque((void *)&operations);
  CHECK(!pointer(r));
  CHECK(n->value == 42);
  CHECK(!(*pointer)(r));
  CHECK(n->value == 42);
  CHECK(!table[which](r));
  CHECK(n->value == 42);
  CHECK(!ops->destroy(r));
  CHECK(n->value == 42);
  CHECK(!call(destroy, r));
  CHECK(n->value == 42);
  CHECK(!choose()(r));
  CHECK(n->value == 42);
  CHECK(!(which ? table[0] : table[1])(r));
  CHECK(n->value == 42);
  CHECK_COUNT(r, 0);
  CHECK(table[which](r));
}

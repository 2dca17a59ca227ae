// The records of a part of the stack named its address, so a large local there seemed to be held.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

/* Longer than a filter area, so that one begins in it. */
typedef struct table {
  node *nodes[9000];
} table;

static void fill(table *t, node *n) { t->nodes[8999] = t->nodes[0] = n; }
static void (*volatile fill_unseen)(table *, node *) = fill;
static table *held;
static NOINLINE void hold(table *t) { held = t; }

static NOINLINE void nobody_has_its_address(region r) deletes {
  table t = {{NULL}};
  fill_unseen(&t, new_node(r));
  DELETE_ACCEPTED(r);
}

static NOINLINE void somebody_has_its_address(region r) deletes {
  table t = {{NULL}};
  fill_unseen(&t, new_node(r));
  hold(&t);
  DELETE_REFUSED(r);
  hold(NULL);
  DELETE_ACCEPTED(r);
}

int main(void) deletes {
  region r = newregion(), s = newregion();
  nobody_has_its_address(r);
  somebody_has_its_address(s);
}

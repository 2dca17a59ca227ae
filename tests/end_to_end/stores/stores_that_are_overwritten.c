// Slots that are stored several times before anybody looks count what they hold in the end; who
// looks between sees that.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

static struct record {
  node *a, *b, *c;
  long number;
  node *d;
} global;

static NOINLINE void initialise(struct record *p, node *a, node *b) {
  p->a = 0;
  p->b = a;
  p->c = b;
  p->number = 7;
  p->d = 0;
  p->a = b;
  p->b = 0;
}
static NOINLINE void on_both_ways(struct record *p, node *a, node *b, int which) {
  p->a = a;
  p->c = 0;
  if (which)
    p->a = b;
  else
    p->a = 0;
}
static NOINLINE void on_one_way(struct record *p, node *a, node *b, int which) {
  p->a = a;
  if (which)
    p->a = b;
}
static NOINLINE void two_objects(struct record *p, struct record *q, node *a) {
  p->a = a;
  q->b = 0;
  q->a = 0;
  p->b = a;
}
static NOINLINE void looked_at_between(struct record *p, node *a, region r) deletes {
  p->d = a;
  a = 0;
  DELETE_REFUSED(r);
  p->d = 0;
}

int main(void) deletes {
  region r = newregion(), other = newregion();
  node *a = new_node(r), *b = new_node(other);
  struct record *object = malloc(sizeof *object);
  memset(object, 0, sizeof *object);
  for (int round = 0; round < 2; round++) {
    struct record *p = round ? object : &global;
    initialise(p, a, b);
    CHECK_COUNT(r, 0);
    CHECK_COUNT(other, 2);
    on_both_ways(p, a, b, 1);
    CHECK_COUNT(r, 0);
    CHECK_COUNT(other, 1);
    on_both_ways(p, a, b, 0);
    CHECK_COUNT(other, 0);
    on_one_way(p, a, b, 0);
    CHECK_COUNT(r, 1);
    on_one_way(p, a, b, 1);
    CHECK_COUNT(r, 0);
    CHECK_COUNT(other, 1);
    two_objects(p, p, a);
    CHECK(!p->a && p->b == a);
    CHECK_COUNT(r, 1);
    CHECK_COUNT(other, 0);
    p->b = 0;
    looked_at_between(p, a, r);
    CHECK_COUNT(r, 0);
  }
  free(object);
  a = b = 0;
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(other);
  return 0;
}

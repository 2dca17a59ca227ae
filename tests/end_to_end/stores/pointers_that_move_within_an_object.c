// A slot whose pointer only moves within its object counts what it did; one that was set in between
// counts the new object.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

static struct cursor {
  node *at, *other;
} global;

static NOINLINE void move(struct cursor *p) { p->at++; }
static NOINLINE void move_in_a_loop(struct cursor *p, int rounds) {
  node *at = p->at;
  while (rounds--)
    p->at = at - 1, at--;
}
static NOINLINE void set_between(struct cursor *p, struct cursor *q, node *b) {
  node *at = p->at;
  q->at = b; /* perhaps the same */
  p->at = at + 1;
}
static NOINLINE void set_and_put_back(struct cursor *p, node *b) {
  node *at = p->at;
  p->at = b;
  p->at = at - 1;
}
static NOINLINE void take_the_other(struct cursor *p) { p->at = p->other + 1; }
static NOINLINE void one_or_the_other(struct cursor *p, int which) {
  p->at = which ? p->at + 1 : p->other;
}
/* Not C, and yet what many programs do when a block was moved. */
static NOINLINE void follow(struct cursor *p, node *from, node *to) {
  p->at = (node *)((char *)p->at + ((char *)to - (char *)from));
}

int main(void) deletes {
  region r = newregion(), other = newregion();
  node *a = rarrayalloc(r, 8, node), *b = rarrayalloc(other, 8, node);
  struct cursor *object = malloc(sizeof *object);
  memset(object, 0, sizeof *object);
  for (int round = 0; round < 2; round++) {
    struct cursor *p = round ? object : &global;
    p->at = a;
    move(p);
    move(p);
    CHECK(p->at == a + 2);
    CHECK_COUNT(r, 1);
    move_in_a_loop(p, 2);
    CHECK(p->at == a);
    CHECK_COUNT(r, 1);
    set_between(p, p, b);
    CHECK_COUNT(r, 1);
    CHECK_COUNT(other, 0);
    set_and_put_back(p, b);
    CHECK(p->at == a);
    CHECK_COUNT(r, 1);
    CHECK_COUNT(other, 0);
    p->other = b;
    one_or_the_other(p, 1);
    CHECK_COUNT(r, 1);
    CHECK_COUNT(other, 1);
    one_or_the_other(p, 0);
    CHECK_COUNT(r, 0);
    CHECK_COUNT(other, 2);
    p->at = a;
    take_the_other(p);
    CHECK_COUNT(r, 0);
    CHECK_COUNT(other, 2);
    p->at = a + 1;
    follow(p, a, b);
    CHECK(p->at == b + 1);
    CHECK_COUNT(r, 0);
    CHECK_COUNT(other, 2);
    p->at = p->other = 0;
  }
  free(object);
  a = b = 0;
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(other);
  return 0;
}

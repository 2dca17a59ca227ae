// Nothing is marked where no code is generated, and everything where it is.
// RUN: %frontend -w -std=gnu2x -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s
#include <acre/annotations.h>
#include <stddef.h>
struct node { struct node *sameregion next; int value; };
int count(void *) deletes;

// CHECK-LABEL: define {{.*}} @never(
// CHECK-NOT: @__acre
// CHECK: ret
int never(struct node *n, int k) deletes {
  static unsigned long size = sizeof(n->next->value);
  static int known = 1 || count(0);
  static struct node at = (struct node){.next = 0};
  _Static_assert(sizeof(n->next) == 8, "");
  enum { N = sizeof(n->next) };
  int fixed[sizeof(n->next)];
  __typeof__(n->next->value) v = 0;
  switch (k) {
  case sizeof(n->next): v = 1;
  }
  v += offsetof(struct node, value) + _Alignof(struct node *) + sizeof(fixed);
  v += _Generic(n->next, struct node *: 1, default: count(n));
  v += __builtin_choose_expr(1, 2, count(n));
  v += __builtin_constant_p(n->next);
  v += sizeof(count(n)) + size + known + N;
  return v;
}

// CHECK-LABEL: define {{.*}} @always(
// CHECK-COUNT-17: call ptr @__acre_{{slot_sameregion|deletes}}(
// CHECK-NOT: @__acre
// CHECK: ret
int always(struct node *n, int m, int parameter[count(n)]) deletes {
  int vla[count(n)];
  int v = sizeof(int[count(n)]) + sizeof vla;
  typedef int row[count(n)];
  v += sizeof(*(int(*)[count(n)])n);
  v += _Generic(1, int: count(n), default: 1);
  v += __builtin_choose_expr(0, 2, count(n));
  v += ({ struct node *t = n->next; t->value; });
  struct node copy = {.value = n->next->value};
  int list[] = {[2] = n->next->value};
  v += ((struct node){.value = n->next->value}).value;
  v += (0, n->next)->value;
  v += (n->next ?: n)->value;
  for (struct node *i = n->next; i; i = i->next)
    v++;
  if (m && n->next)
    return v;
  return m ? count(n) : v + copy.value + list[2];
}

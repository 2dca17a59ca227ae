// Writing what overlays a pointer is marked, whatever the way to it; other members and unions are
// not.
// RUN: %frontend -w -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s
union value {
  char *p;
  long l;
  double d;
  unsigned bits : 5;
  char bytes[16];
  struct { int lo, hi; struct { short s; } deep; } parts;
  struct { int inside; };
  _Complex float z;
  int v __attribute__((vector_size(16)));
};
struct box { int tag; union value u; union { long number; char *text; }; };
union numbers { long l; double d; };

// CHECK-LABEL: define {{.*}} @scalars(
// CHECK-COUNT-4: call ptr @__acre_slot_union(
// CHECK-NOT: @__acre
// CHECK: ret
void scalars(union value *u, struct box *b) {
  u->l = 1;
  u->l += 2;
  u->d++;
  b->number = 3;
}

// CHECK-LABEL: define {{.*}} @parts(
// CHECK-COUNT-9: call ptr @__acre_slot_union(
// CHECK-NOT: @__acre
// CHECK: ret
void parts(union value *u, struct box *b, int i) {
  u->bytes[i] = 1;
  *u->bytes = 1;
  u->parts.hi = 1;
  u->parts.deep.s = 1;
  u->inside = 1;
  b->u.bits = 1;
  u->bits++;
  __real u->z = 1;
  u->v[i] = 1;
}

// A record is copied as bytes, which the pass rescans.
// CHECK-LABEL: define {{.*}} @unmarked(
// CHECK-NOT: @__acre
// CHECK: ret
long unmarked(union value *u, union numbers *n, struct box *b, long *l) {
  u->p = 0;
  n->l = 1;
  b->tag = 1;
  *u = b->u;
  *l = 1;
  return u->l;
}

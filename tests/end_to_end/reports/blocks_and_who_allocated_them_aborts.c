// Memory from malloc is told with the call that gave it: a function's that is declared to return
// memory of its own is the caller's.  An array that has just grown or has not has one name, and the
// name of a slot ends at a union.
// RUN: for level in -O0 -O2; do %acre-cc $level -g -facre-sites %s -o %t && \
// RUN:   not --crash %t 2>&1 | %whole %s || exit 1; done
// CHECK: acre: fatal: cannot delete the region created at [[FILE]]:49: 2 references from outside
// CHECK-SAME: remain
// CHECK-NEXT: deleteregion called at [[FILE]]:52
// CHECK-NEXT: 1. the word at offset 8 of a block of 24 bytes from malloc (called at [[FILE]]:47 in
// CHECK-SAME: main), stored as 'in->u' at [[FILE]]:43 in set, points to text "some text" allocated
// CHECK-SAME: at [[FILE]]:51
// CHECK-NEXT: 2. the word at offset 0 of a block of 40 bytes from malloc (called at [[FILE]]:40 in
// CHECK-SAME: add), stored as 'l->items[]' at [[FILE]]:41 in add, points to struct entry allocated
// CHECK-SAME: at [[FILE]]:50
// CHECK-NEXT: hint: clear or free the memory that still points in
#include <acre/acre.h>
#include <stdlib.h>

struct entry {
  struct entry *next;
  union {
    char *text;
    struct entry *other;
  } u;
  long number;
};
struct list {
  struct entry **items;
  size_t count, room;
};

static __attribute__((malloc, noinline)) void *get(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory)
    abort();
  return memory;
}
static __attribute__((noinline)) void add(struct list *l, struct entry *e) {
  if (l->count == l->room)
    l->items = realloc(l->items, (l->room += 4) * sizeof *l->items);
  l->items[l->count++] = e;
}
static __attribute__((noinline)) void set(struct entry *in, char *text) { in->u.text = text; }

int main(void) {
  struct list *list = get(1, sizeof *list);
  struct entry *outside = get(1, sizeof *outside);
  free(malloc(sizeof *list));
  region r = newregion();
  add(list, ralloc(r, struct entry));
  set(outside, rstrdup(r, "some text"));
  deleteregion(r);
  return list->count != 1 || !outside->u.text;
}
// QEMU does not say in its list of mappings which one is the heap.
// UNSUPPORTED: foreign

// Flexible array members: plain elements count to the end of the object, annotated ones are checked
// there.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <stddef.h>

struct vector {
  int length;
  struct {
    char tag;
    node *n;
  } items[];
};
struct internal {
  int length;
  node *sameregion items[];
};

static struct vector *allocate(region r, int length) {
  struct vector *v = acre_region_alloc(r, sizeof *v + length * sizeof v->items[0],
                                       _Alignof(struct vector), ACRE_TYPE(struct vector));
  v->length = length;
  return v;
}

int main(void) deletes {
  region r = newregion(), s = newregion();
  struct vector *v = allocate(s, 100), *w = malloc(sizeof *w + 100 * sizeof w->items[0]);
  for (int i = 0; i < 100; i++)
    v->items[i].n = new_node(r);
  CHECK_COUNT(r, 100);
  memcpy(w, v, sizeof *w + 100 * sizeof w->items[0]);
  CHECK_COUNT(r, 200);
  *w = *v;
  CHECK_COUNT(r, 200);
  w->items[7] = w->items[8];
  w->items[9].n = 0;
  CHECK_COUNT(r, 199);
  free(w);
  struct internal *in = acre_region_alloc(s, sizeof *in + 10 * sizeof in->items[0],
                                          _Alignof(struct internal), ACRE_TYPE(struct internal));
  for (int i = 0; i < 10; i++)
    in->items[i] = new_node(s);
  CHECK_COUNT(s, 0);
  CHECK(acre_verify());
  DELETE_REFUSED(r);
  DELETE_ACCEPTED(s);
  DELETE_ACCEPTED(r);
}

// A function that takes the nodes of a list out of a slot until that is null was taken to leave an
// owner there, so its caller was warned of a leak: the test at the end of the loop was not asked.
// RUN: %acre-cc -fsyntax-only -Xclang -verify=leak %s
// RUN: %acre-cc -fsyntax-only -Werror -DRIGHT %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  struct node *unique next;
};
struct list {
  struct node *unique first;
  int count;
};

struct node *unique make(void);

static void begin(struct list *borrowed l) { acre_drop(acre_swap(&l->first, make())); }

static void end(struct list *borrowed l) {
#ifndef RIGHT
  if (!l->first)
    return;
#else
  while (l->first)
#endif
  {
    struct node *unique n = acre_take(&l->first);
    l->first = acre_take(&n->next);
    free(n);
  }
}

int use(int count) {
  struct list l = {.count = count};
  begin(&l);
  end(&l);
  return 0; // leak-warning {{'l.first' may be lost at the end of its scope}}
}

#include <acre/acre.h>

struct item {
  struct item *sameregion next;
};
struct list {
  struct item *sameregion first;
};
struct context {
  int depth, line;
  struct list *list;
};

void add(region r, struct context context);
void add(region r, struct context context) {
  struct item *item = ralloc(r, struct item);
  context.list->first = item;
}

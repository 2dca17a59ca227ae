/* A list in a region, whose signatures say where everything points. */
#include <acre/acre.h>

struct list {
  struct list *sameregion next;
  struct list *parentptr above;
  int value;
};

extern region current;
struct list *inregion(r) list_new(region r, struct list *inregion(r) next,
                                  struct list *inparent(r) above);
struct list *inregion(list) list_tail(struct list *list);
struct list *inparent(list) list_above(struct list *list);
struct list *inregion(list) list_copy(struct list *list);
/* Three regions, named as messages call them; r is below up. */
struct regions {
  region up, r, s;
};
static inline struct regions named_regions(void) {
  region up = newregion();
  struct regions all = {up, newsubregion(up), newregion()};
  acre_region_set_name(all.up, "up");
  acre_region_set_name(all.r, "r");
  acre_region_set_name(all.s, "s");
  return all;
}

/* Into the region that current names. */
struct list *inregion(current) list_add(struct list *inregion(current) list, int value);

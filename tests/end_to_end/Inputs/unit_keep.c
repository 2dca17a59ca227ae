#include "units.h"

extern inline void keep_in(struct list **slot, struct list *l);

static struct list *keeping;

void keep(struct list *l) { keep_in(&keeping, l); }
struct list *kept(void) { return keeping; }
bool destroy(region r) deletes {
  acre_region_set_delete_policy(r, ACRE_DELETE_REFUSE);
  return deleteregion(r);
}

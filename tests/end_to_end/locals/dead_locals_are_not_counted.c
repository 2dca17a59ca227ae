// Figure 1 of "Language Support for Regions": rl and last are in scope but dead at deleteregion,
// which succeeds.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct finfo {
  int size;
};
static int more = 10;
static long total;

struct rlist {
  struct rlist *sameregion next;
  struct finfo *sameregion data;
};

static void output_rlist(struct rlist *l) {
  for (; l; l = l->next)
    total += l->data->size;
}

int main(void) deletes {
  struct rlist *rl, *last = NULL;
  region r = newregion();

  while (more-- > 0) { /* build list */
    rl = ralloc(r, struct rlist);
    rl->data = ralloc(r, struct finfo);
    rl->data->size = more;
    rl->next = last;
    last = rl;
  }
  output_rlist(last);
  deleteregion(r);
  CHECK(total == 45);
  CHECK(!acre_region_is_live(r));
}

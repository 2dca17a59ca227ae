// A packed local whose address was kept was dropped at a delete: it has ranges from several bytes.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

struct packed {
  char number;
  node *pointer;
} __attribute__((packed));

static struct packed *kept;

static NOINLINE void store(struct packed *at, node *pointer) { at->pointer = pointer; }
static NOINLINE bool is_deleted(region r) deletes { return deleteregion(r); }

int main(void) {
  struct packed local[3] = {{0, NULL}};
  region r = newregion();
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
  kept = local;
  store(&kept[2], new_node(r));
  CHECK(!is_deleted(r));
  store(&kept[2], NULL);
  CHECK(is_deleted(r));
  kept = NULL;
}

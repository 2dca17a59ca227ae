#include <acre/acre.h>
#include "item.h"
#include "pool.h"

struct item { region memory; const char *name; };
static int count;
action *at_end;

DEFINE_END(item)

int item_count(void) { return count; }

struct item *item_new(const char *name) {
  region memory = newregion();
  struct item *made = ralloc(memory, struct item);
  made->memory = memory;
  made->name = name;
  ++count;
  return made;
}

static void drop(struct item *old) {
  item_finish(old);
  --count;
}

void item_end(struct item *old) {
  at_end = drop;
  at_end(old);
}

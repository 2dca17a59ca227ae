/* handles.h - an array whose fields name regions under each rule, and the regions that they may be
 * given. */
#ifndef ACRE_TEST_HANDLES_H
#define ACRE_TEST_HANDLES_H

#include "check.h"

struct array {
  region sameregion own;
  region parentptr above;
  region traditional none;
};

static region parent, child, grandchild, other, gone;

static inline region named(region r, const char *name) {
  acre_region_set_name(r, name);
  return r;
}

/* In child, with null handles. */
static inline struct array *array_in_child(void) deletes {
  parent = named(newregion(), "parent");
  child = named(newsubregion(parent), "child");
  grandchild = named(newsubregion(child), "grandchild");
  other = named(newregion(), "other");
  region copy_of_gone = gone = newregion();
  deleteregion(copy_of_gone);
  return ralloc(child, struct array);
}

#endif

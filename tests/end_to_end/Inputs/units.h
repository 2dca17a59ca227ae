/* units.h - three translation units that share types, inline functions and globals. */
#ifndef ACRE_TEST_UNITS_H
#define ACRE_TEST_UNITS_H

#include <acre/region.h>

struct list {
  struct list *sameregion next;
  void *item;
};
extern struct list *kept_elsewhere;

static inline struct list *list_cons(region r, void *item, struct list *next) {
  struct list *l = ralloc(r, struct list);
  l->item = item;
  l->next = next;
  return l;
}
inline void keep_in(struct list **slot, struct list *l) { *slot = l; }

int list_length(const struct list *l);
void keep(struct list *l);
struct list *kept(void);
bool destroy(region r) deletes;

#endif

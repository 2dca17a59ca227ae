#include "signature_list.h"

region current;

struct list *inregion(r) list_new(region r, struct list *inregion(r) next,
                                  struct list *inparent(r) above) {
  struct list *list = ralloc(r, struct list);
  list->next = next;
  list->above = above;
  return list;
}

struct list *inregion(list) list_tail(struct list *list) { return list->next; }

struct list *inparent(list) list_above(struct list *list) { return list->above; }

struct list *inregion(list) list_copy(struct list *list) {
  struct list *tail = list->next ? list_copy(list->next) : NULL;
  struct list *copy = list_new(regionof(list), tail, list->above);
  copy->value = list->value;
  return copy;
}

struct list *inregion(current) list_add(struct list *inregion(current) list, int value) {
  struct list *added = list_new(current, list, NULL);
  added->value = value;
  return added;
}

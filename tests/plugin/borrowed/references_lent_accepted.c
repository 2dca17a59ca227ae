// References that are lent, and what may be made of them; the twins of references_lent_rejected.c.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// expected-no-diagnostics
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct object {
  char *unique name;
  struct object *refcounted next;
  struct object *plain;
  int number;
};
static struct object *refcounted kept;
struct text {
  int length;
  char bytes[8];
};

struct object *refcounted of_lent(struct object *refcounted borrowed p) { return rc_alias(p); }
struct object *refcounted other_order(struct object *borrowed refcounted p) { return rc_alias(p); }
acre_weak *unique weak_of_lent(const struct object *refcounted borrowed p) {
  return acre_weak_new(p);
}
struct object *refcounted of_owner(struct object *refcounted borrowed p) {
  struct object *refcounted mine = rc_alias(p), *refcounted again = rc_alias(mine);
  rc_drop(mine);
  return again;
}
struct object *refcounted of_a_field(struct object *refcounted borrowed p) {
  return rc_alias(p->next);
}
struct object *refcounted of_a_global(void) { return rc_alias(kept); }
struct object *refcounted of_a_cursor(struct object *refcounted borrowed p) {
  struct object *last = p;
  while (last->next)
    last = last->next;
  return rc_alias(last);
}
struct object *refcounted of_a_choice(struct object *refcounted borrowed p, int way) {
  struct object *q = way ? p : kept;
  return rc_alias(q ? q : NULL);
}
struct object *refcounted of_a_cast(struct object *refcounted borrowed p) {
  return rc_alias((struct object *refcounted)p->plain);
}
static struct object *refcounted borrowed first(struct object *refcounted borrowed p) { return p; }
struct object *refcounted of_a_result(struct object *refcounted borrowed p) {
  return rc_alias(first(p));
}

void keep(struct object *refcounted borrowed p) { rc_drop(acre_swap(&kept, rc_alias(p))); }
void lends(struct object *refcounted p, void (*callback)(struct object *refcounted borrowed)) {
  struct object *q = p;
  keep(p);
  keep(q);
  callback(p);
  rc_drop(p);
}
int used(struct object *refcounted borrowed p) { return p->number + (p->name ? p->name[0] : 0); }
/* Nothing hangs below it that others could take out. */
void look_at(struct text *borrowed t);
void without_owners(struct text *refcounted t) {
  look_at(t);
  rc_drop(t);
}

// What takes a reference is given no other object, and what relies on being alone is given no
// reference.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
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

struct object *refcounted of_borrowed(struct object *borrowed p) {
// expected-note@-1 {{'refcounted borrowed' says}}
  return rc_alias(p); // expected-error {{this is not known to be a reference}}
}
acre_weak *unique weak_of_borrowed(struct object *borrowed p) {
// expected-note@-1 {{'refcounted borrowed' says}}
  return acre_weak_new(p); // expected-error {{this is not known to be a reference}}
}
struct object *refcounted of_plain(struct object *p) {
// expected-note@-1 {{'refcounted borrowed' says}}
  return rc_alias(p); // expected-error {{this is not known to be a reference}}
}
struct object *refcounted of_owner(struct object *unique p) {
  struct object *refcounted r = rc_alias(p);
  // expected-error@-1 {{this is not known to be a reference}}
  free(p);
  return r;
}
struct object *refcounted of_local(void) {
  struct object o = {0};
  return rc_alias(&o); // expected-error {{this is not known to be a reference}}
}
int *refcounted of_a_part(struct object *refcounted borrowed p) {
  return rc_alias(&p->number); // expected-error {{this is not known to be a reference}}
}
struct object *refcounted of_fresh(void) {
  return rc_alias((struct object *)malloc(sizeof(struct object)));
  // expected-warning@-1 {{the result is unique and is dropped}}
  // expected-error@-2 {{this is not known to be a reference}}
}
struct object *refcounted of_a_plain_field(struct object *refcounted borrowed p) {
  return rc_alias(p->plain); // expected-error {{this is not known to be a reference}}
}
struct object *refcounted of_one_or_the_other(struct object *unique u,
                                              struct object *refcounted borrowed r) {
  struct object *p = u->number ? u : r;
  struct object *refcounted other = rc_alias(p);
  // expected-error@-1 {{this is not known to be a reference}}
  free(u);
  return other;
}
struct object *refcounted cast_of_an_owner(struct object *unique u) {
  struct object *p = u;
  struct object *refcounted r = rc_alias((struct object *refcounted)p);
  // expected-error@-1 {{this is not known to be a reference}}
  free(u);
  return r;
}
size_t count_of_plain(struct object *p) { // expected-note {{'refcounted borrowed' says}}
  return acre_ref_count(p); // expected-error {{this is not known to be a reference}}
}

void keep(struct object *refcounted borrowed p); // expected-note {{'keep' is declared here}}
void lends_owner(struct object *unique p) {
  keep(p); // expected-error {{this is not known to be a reference}}
  free(p);
}
void lends_plain(struct object *p) { // expected-note {{'refcounted borrowed' says}}
  keep(p); // expected-error {{this is not known to be a reference}}
}
void lends_borrowed(struct object *borrowed p) { // expected-note {{'refcounted borrowed' says}}
  keep(p); // expected-error {{this is not known to be a reference}}
}
void (*of_less)(struct object *borrowed) = keep;
// expected-error@-1 {{changes the annotation}}
// expected-note@-2 {{'of_less' is declared here}}
struct object *refcounted borrowed gives(struct object *borrowed p) {
// expected-note@-1 {{'refcounted borrowed' says}}
  return p; // expected-error {{this is not known to be a reference}}
}
void freed(struct object *refcounted borrowed p) {
  rc_drop(p); // expected-error {{made unique or freed}}
}
void stored(struct object *refcounted borrowed p) {
  kept->plain = p; // expected-error {{stored in memory}}
}

void look(struct object *borrowed p); // expected-note 3 {{'refcounted borrowed' says}}
void look_at_text(const char *borrowed p);
void reference_lent(struct object *refcounted p) {
  look(p); // expected-error {{a reference is lent to a parameter that is 'borrowed'}}
  rc_drop(p);
}
void borrower_lent(struct object *refcounted p) {
  struct object *q = p;
  look(q); // expected-error {{a reference is lent to a parameter that is 'borrowed'}}
  rc_drop(p);
}
void lent_on(struct object *refcounted borrowed p) {
  look(p); // expected-error {{a reference is lent to a parameter that is 'borrowed'}}
}
/* Others may take out what hangs below. */
void below_lent(struct object *refcounted borrowed p) {
  look_at_text(p->name);
  // expected-error@-1 {{what hangs on a unique pointer in memory that others can reach}}
}
void below_kept(struct object *refcounted borrowed p, void (*any)(void)) {
  const char *name = p->name;
  any();
  look_at_text(name); // expected-error {{'name' is used after}} expected-note@-1 {{lost here}}
}

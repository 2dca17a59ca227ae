// A call that is lent a member ended all pointers below the same owner, also those to objects of a
// type that nothing in the member leads to.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct version {
  unsigned part[3];
  char *unique tag;
};
struct package {
  struct package *unique next;
  struct version version;
  struct package *unique *unique uses;
  void *unique bytes;
};
struct index {
  struct package *unique first;
};
int is_stable(struct version *borrowed v);
void change(struct package *borrowed p);
struct holder {
  struct package *unique held;
};
void change_holder(struct holder *borrowed h);
struct shelf {
  struct holder holder;
  struct shelf *unique next;
};

const struct package *borrowed best_of(struct index *borrowed x) {
  struct package *best = NULL;
  for (struct package *p = x->first; p; p = p->next)
    if (!best || is_stable(&p->version))
      best = p->next ? p : best;
  return best;
}
unsigned whole(struct index *borrowed x) {
  struct package *p = x->first, *after = p ? p->next : NULL;
  if (!after)
    return 0;
  change(p);
  return after->version.part[0]; // expected-error {{'after' is used after 'x'}}
}
unsigned of_tag(struct index *borrowed x) {
  struct package *p = x->first;
  if (!p)
    return 0;
  const char *tag = p->version.tag;
  is_stable(&p->version);
  return tag ? (unsigned)*tag : 0; // expected-error {{'tag' is used after 'x'}}
}
unsigned of_holder(struct shelf *borrowed s) {
  struct shelf *second = s->next;
  if (!second)
    return 0;
  struct package *held = second->holder.held;
  change_holder(&second->holder);
  return held ? held->version.part[0] : 0; // expected-error {{'held' is used after 's'}}
}
unsigned cast(struct index *borrowed x) {
  struct package *p = x->first;
  if (!p)
    return 0;
  struct package *hidden = (struct package *)p->version.tag;
  is_stable(&p->version);
  return hidden ? hidden->version.part[0] : 0; // expected-error {{'hidden' is used after 'x'}}
}
unsigned copied(struct index *borrowed x) {
  struct package *p = x->first;
  if (!p)
    return 0;
  struct package *hidden = (struct package *)p->version.tag, *again = NULL;
  if (hidden)
    again = hidden->next;
  is_stable(&p->version);
  return again ? again->version.part[0] : 0; // expected-error {{'again' is used after 'x'}}
}

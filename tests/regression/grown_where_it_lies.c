// p = realloc(s->buf, n) with a test of p was rejected without acre_take, though s->buf is as it
// was where p is null, and is set to p where it is not.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>

struct text {
  char *unique bytes; // expected-note 8 {{'bytes' is declared here}}
  char *unique name;
  size_t room;
};
int look(struct text *borrowed t);
void note(int number);
extern struct text *all;

int grow(struct text *borrowed t, size_t room) {
  char *unique p = realloc(t->bytes, room);
  if (!p)
    return -1;
  note(t->name[0]); // another slot
  t->bytes = p;
  t->room = room;
  return 0;
}
int grow_own(size_t room) {
  struct text *unique t = calloc(1, sizeof *t);
  char *unique p = NULL;
  if (!t)
    return -1;
  if (!(p = realloc(t->bytes, room))) {
    acre_drop(t);
    return -1;
  }
  t->bytes = p;
  acre_drop(t);
  return 0;
}
int grow_by_itself(struct text *borrowed t, size_t room) {
  t->bytes = realloc(t->bytes, room); // expected-warning {{lost where realloc returns null}}
  if (!t->bytes)
    return -1;
  return 0;
}
void grow_or_end(struct text *borrowed t, size_t room) {
  t->bytes = realloc(t->bytes, room);
  if (!t->bytes)
    abort();
}
int looks(struct text *borrowed t, size_t room) {
  char *unique p = realloc(t->bytes, room); // expected-error {{is taken with 'acre_take'}}
  if (!p)
    return -1;
  p[0] = t->bytes[0]; // expected-note {{the slot may be used here before it is set}}
  t->bytes = p;
  return 0;
}
int lends(struct text *borrowed t, size_t room) {
  char *unique p = realloc(t->bytes, room); // expected-error {{is taken with 'acre_take'}}
  if (!p)
    return -1;
  int seen = look(t); // expected-note {{the slot may be used here before it is set}}
  t->bytes = p;
  return seen;
}
int lends_global(size_t room) {
  char *unique p = realloc(all->bytes, room); // expected-error {{is taken with 'acre_take'}}
  if (!p)
    return -1;
  note(1); // expected-note {{the slot may be used here before it is set}}
  all->bytes = p;
  return 0;
}
int forgets(struct text *borrowed t, size_t room) {
  char *unique p = realloc(t->bytes, room); // expected-error {{is taken with 'acre_take'}}
  if (!p)
    return -1;
  free(p); // expected-note {{the slot may be used here before it is set}}
  return 0;
}
int moves(struct text *borrowed t, struct text *borrowed other, size_t room) {
  char *unique p = realloc(t->bytes, room); // expected-error {{is taken with 'acre_take'}}
  if (!p)
    return -1;
  t = other; // expected-note {{the slot may be used here before it is set}}
  free(acre_swap(&t->bytes, p));
  return 0;
}
int drops(struct text *unique t, size_t room) {
  char *unique p = realloc(t->bytes, room); // expected-error {{is taken with 'acre_take'}}
  acre_drop(t); // expected-note {{the slot may be used here before it is set}}
  free(p);
  return 0;
}
struct holder {
  struct text *unique text;
  int count;
};
int drops_holder(struct holder *unique h, size_t room) {
  struct text *t = h->text;
  char *unique p = realloc(t->bytes, room); // expected-error {{is taken with 'acre_take'}}
  acre_drop(h); // expected-note {{the slot may be used here before it is set}}
  free(p);
  return 0;
}
void takes_what_leads_there(struct holder *borrowed h, size_t room) {
  char *unique p = realloc(h->text->bytes, room); // expected-error {{is taken with 'acre_take'}}
  acre_drop(acre_take(&h->text)); // expected-note {{the slot may be used here before it is set}}
  free(p);
}
int grows_below(struct holder *borrowed h, size_t room) {
  char *unique p = realloc(h->text->bytes, room);
  if (!p)
    return -1;
  h->text->room = room;
  h->count++;
  h->text->bytes = p;
  return 0;
}

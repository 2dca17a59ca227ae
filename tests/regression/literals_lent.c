// What a structure without a name owned was lost without a word when it was only lent, and so was
// what a function was given in a structure by value.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct pair {
  char *unique first, *unique second;
  int kind;
};
char *unique make(void);
void look(const char *borrowed text);
void look_pair(const struct pair *borrowed p);
void change_pair(struct pair *borrowed p);
void give_pair(struct pair p);
static void clear_pair(struct pair *borrowed p) {
  free(acre_take(&p->first));
  free(acre_take(&p->second));
}
static int kind_of(struct pair *borrowed p) { return p->first ? p->kind : 0; }

void looked_at(void) {
  look_pair(&(struct pair){make(), make(), 0}); // expected-warning {{'(struct pair){...}.first'}}
}
int read_by_a_seen_function(void) {
  char *unique text = make();
  return kind_of(&(struct pair){.second = text}); // expected-warning {{.second' may be}}
}
void through_a_pointer(void) {
  struct pair *p = &(struct pair){0}; // expected-warning {{}.first' may be lost}}
  p->first = make();
  free(acre_take(&p->second));
}
void in_each_round(int rounds) {
  while (rounds-- > 0) {
    struct pair *p = &(struct pair){make(), make(), 0}; // expected-warning {{}.second'}}
    free(acre_take(&p->first));
  }
}
void by_value(struct pair p) {
  look(p.first);
  free(acre_take(&p.second));
} // expected-warning {{'p.first' may be lost}}

void cleared(void) {
  clear_pair(&(struct pair){make(), make(), 0});
  change_pair(&(struct pair){make(), make(), 0}); // which may do so, too
}
int with_nothing(void) { return kind_of(&(struct pair){.kind = 1}); }
void given(void) { give_pair((struct pair){make(), make(), 0}); }
void by_a_pointer(void) {
  struct pair *p = &(struct pair){make(), NULL, 0};
  p->second = make();
  clear_pair(p);
}
void by_value_cleared(struct pair p) { clear_pair(&p); }
struct pair by_value_returned(struct pair p) { return p; }

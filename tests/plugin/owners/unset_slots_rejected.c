// Owning fields of local structures and of what malloc returns, that are used before they are set.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  char *unique first, *unique second;
  int number;
};
struct nested {
  int kind;
  struct pair inside;
  struct pair *unique next;
};
int maybe(void);
void fill(char *unique *slot);
void show(const struct pair *borrowed p);

void taken(void) {
  struct pair p;
  free(acre_take(&p.first));
  // expected-error@-1 {{the unique pointer 'p.first' is used before it is surely set}}
}
void swapped(void) {
  struct pair p;
  free(acre_swap(&p.first, strdup(""))); // expected-error {{the unique pointer 'p.first'}}
  free(acre_take(&p.first));
}
void other_field(void) {
  struct pair p;
  p.first = strdup("");
  free(acre_take(&p.first));
  free(acre_take(&p.second)); // expected-error {{the unique pointer 'p.second'}}
}
void on_one_path(void) {
  struct pair p;
  if (maybe())
    p.first = NULL;
  free(acre_take(&p.first)); // expected-error {{the unique pointer 'p.first'}}
}
int read_only(void) {
  struct pair p;
  return p.first[0]; // expected-error {{the unique pointer 'p.first'}}
}
void deep_inside(void) {
  struct nested n;
  n.inside.first = NULL;
  n.next = NULL;
  free(acre_take(&n.inside.first));
  free(acre_take(&n.inside.second)); // expected-error {{the unique pointer 'n.inside.second'}}
}
void through_a_pointer(void) {
  struct pair p, *q = &p;
  free(acre_take(&q->first)); // expected-error {{the unique pointer 'p.first'}}
}
void filled_by_address(void) {
  struct pair p;
  fill(&p.first); // expected-error {{the unique pointer 'p.first'}}
  free(acre_take(&p.first));
}
void shown(void) {
  struct pair p;
  p.number = 1;
  show(&p); // expected-error {{the unique pointer 'p.first'}}
}
void array(void) {
  char *unique all[4];
  free(acre_take(&all[1])); // expected-error {{the unique pointer 'all[...]'}}
}
void array_of_variable_size(int n) {
  struct pair all[n];
  free(acre_take(&all[1].second)); // expected-error {{the unique pointer 'all[...].second'}}
}
void again_in_a_loop(void) {
  for (int i = 0; i < 2; i++) {
    struct pair p;
    if (i == 1)
      free(acre_take(&p.first)); // expected-error {{the unique pointer 'p.first'}}
    p.first = NULL;
  }
}
void jumped_over(int way) {
  if (way)
    goto inside;
  {
    struct pair p;
    p.first = NULL;
  inside:
    free(acre_take(&p.first)); // expected-error {{the unique pointer 'p.first'}}
  }
}

void dropped(void) {
  struct nested *unique n = malloc(sizeof *n);
  if (!n)
    return;
  n->inside.first = NULL;
  n->next = NULL;
  acre_drop(n);
  // expected-error@-1 {{the unique pointer 'n->inside.second' is used before it is surely set}}
}
void taken_from_fresh(void) {
  struct pair *unique p = malloc(sizeof(struct pair));
  if (p)
    free(acre_take(&p->second)); // expected-error {{the unique pointer 'p->second'}}
  free(p);
}
void moved_and_dropped(void) {
  struct pair *unique p = aligned_alloc(16, sizeof *p), *unique q = p;
  acre_drop(q); // expected-error {{the unique pointer 'q->first'}}
}
void plain_pointer_to_fresh(void) {
  struct pair *unique p = malloc(sizeof *p);
  if (p) {
    struct pair *q = p;
    free(acre_take(&q->first)); // expected-error {{the unique pointer 'p->first'}}
  }
  free(p);
}

// A pointer that only an operand had was taken to last while another operand of the same expression
// took, freed or moved what it points to.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box {
  char *unique text, *unique other;
};
struct node {
  struct node *unique next;
  char *unique key;
};
struct list {
  struct node *unique first;
};
struct vector {
  int *unique items;
  size_t count;
};

int put(const char *borrowed key, char *unique value);
int add(const char *borrowed key, struct node *unique node);
int use(const char *borrowed text, int number);
int swap_rows(struct vector *unique *borrowed rows, int number);

static int reset(struct box *b) {
  free(acre_take(&b->text));
  return 1;
}
static size_t grow(struct vector *v) {
  int *unique items = realloc(acre_take(&v->items), (v->count + 1) * sizeof *items);
  if (!items)
    abort();
  v->items = items;
  return v->count++;
}
static const char *rename_box(struct box *b) {
  free(acre_swap(&b->text, strdup("n")));
  return b->text;
}

int take(struct box *borrowed b) {
  return put(b->text, acre_take(&b->text)); // expected-error {{'b->text' is used after 'b'}}
}
int take_inside(struct box *borrowed b) {
  // expected-error@+1 {{'b->text + 1' is used after 'b'}}
  return put(b->text + 1, acre_take(&b->text));
}
int take_node(struct list *borrowed l) {
  return add(l->first->key, acre_take(&l->first)); // expected-error {{is used after 'l'}}
}
int take_local(void) {
  struct box b = {0};
  b.text = strdup("x");
  return put(b.text, acre_take(&b.text)); // expected-error {{'b.text' is used after 'b'}}
}
void call(struct box *borrowed b) {
  printf("%s %d\n", b->text, reset(b)); // expected-error {{'b->text' is used after 'b'}}
}
void results(struct box *borrowed b) {
  printf("%s %s\n", rename_box(b), rename_box(b)); // expected-error {{is used after 'b'}}
}
int *sum(struct vector *borrowed v) {
  // expected-error@+2 {{'v->items' is used after 'v'}}
  // expected-error@+1 {{what is borrowed from 'v' returned could be used after}}
  return v->items + grow(v);
}
int element(struct vector *borrowed v) {
  return v->items[grow(v)]; // expected-error {{'v->items' is used after 'v'}}
}
int in_a_choice(struct box *borrowed b, int is_last) {
  return use(b->text, is_last ? reset(b) : 0); // expected-error {{'b->text' is used after 'b'}}
}

int take_other(struct box *borrowed b) { return put(b->text, acre_take(&b->other)); }
int take_of_another(struct box *borrowed a, struct box *borrowed b) {
  return put(a->text, acre_take(&b->text));
}
int take_deeper(struct list *borrowed l) {
  return put(l->first->next->key, acre_take(&l->first->key));
}
void in_turn(struct box *borrowed b) {
  use(b->text, 1), reset(b);
  use(b->text, 2);
}
void exchange(struct box *unique *borrowed all, size_t i, size_t j) {
  all[i] = acre_swap(&all[j], acre_take(&all[i]));
}
void replace(struct box *borrowed b) { free(acre_swap(&b->text, strdup(b->text))); }
int read_only(const struct box *borrowed b, int count(const struct box *borrowed)) {
  return use(b->text, count(b));
}

// What slots own is lost where they are overwritten, or their object goes without them: each is
// named.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang \
// RUN:   -verify -Xclang -verify-ignore-unexpected=note %s
#define _GNU_SOURCE
#include <acre/own.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *unique next;
  char *unique name;
};
struct pair {
  char *unique first, *unique second;
};
char *unique make(void);
struct node *unique make_node(void);
struct pair make_pair(void);
static char *plain;
static char *unique title;

// An object that is freed alone.
void filled_here(const char *text) {
  struct node *unique n = calloc(1, sizeof *n);
  if (!n)
    return;
  n->name = strdup(text);
  free(n);
  // expected-warning@-1 {{'n' is freed with what 'n->name' may own: nothing frees what it owns; \
acre_drop would}}
}
void child_forgotten(struct node *unique n) {
  while (n) {
    struct node *unique next = acre_take(&n->next);
    free(n); // expected-warning {{'n' is freed with what 'n->name' may own}}
    n = next;
  }
}
void recursive(struct node *unique n) {
  if (!n)
    return;
  recursive(acre_take(&n->next));
  free(n); // expected-warning {{'n' is freed with what 'n->name' may own}}
}
void made_elsewhere(void) {
  struct node *unique n = make_node();
  free(n); // expected-warning {{'n' is freed with what 'n->next' may own}}
}
void one_of_two(struct pair *unique p) {
  free(acre_take(&p->first));
  free(p); // expected-warning {{'p' is freed with what 'p->second' may own}}
}
void taken_on_one_path(struct pair *unique p) {
  free(acre_take(&p->first));
  if (plain)
    free(acre_take(&p->second));
  free(p); // expected-warning {{'p' is freed with what 'p->second' may own}}
}
void moved_on(void) {
  struct node *unique n = calloc(1, sizeof *n);
  if (!n)
    return;
  n->name = make();
  struct node *unique other = n;
  free(other); // expected-warning {{'other' is freed with what 'other->name' may own}}
}
void grown(struct node *unique n) {
  struct node *unique more = realloc(n, 200);
  if (!more) {
    acre_drop(n);
    return;
  }
  free(more); // expected-warning {{'more' is freed with what 'more->next' may own}}
}
// A slot that is overwritten.
void over_parameter(char *unique *s) {
  *s = make(); // expected-warning {{'*s' may be overwritten}}
}
void over_field(struct node *borrowed n) {
  n->name = make(); // expected-warning {{'n->name' may be overwritten}}
}
void over_own(void) {
  struct node *unique n = calloc(1, sizeof *n);
  if (!n)
    return;
  n->name = make();
  n->name = make(); // expected-warning {{'n->name' may be overwritten}}
  acre_drop(n);
}
void over_null(struct node *borrowed n) {
  n->name = NULL; // expected-warning {{'n->name' may be overwritten}}
}
void over_global(void) {
  title = make(); // expected-warning {{'title' may be overwritten}}
}
void after_another(struct node *borrowed a, struct node *borrowed b) {
  free(acre_take(&a->name));
  b->name = make(); // expected-warning {{'b->name' may be overwritten}}
}
void after_test_of_another(struct pair *borrowed p) {
  if (!p->first)
    p->second = make(); // expected-warning {{'p->second' may be overwritten}}
}
void twice(struct pair *borrowed p) {
  free(acre_take(&p->first));
  p->first = make();
  p->first = make(); // expected-warning {{'p->first' may be overwritten}}
}
void take_then_called(struct node *borrowed n, void (*fill)(struct node *borrowed)) {
  free(acre_take(&n->name));
  fill(n);
  n->name = make(); // expected-warning {{'n->name' may be overwritten}}
}
void formatted(struct node *borrowed n) {
  if (asprintf(&n->name, "%d", 3) < 0) // expected-warning {{'n->name' may be overwritten}}
    return;
}
void formatted_twice(void) {
  char *unique text = make();
  if (asprintf(&text, "%d", 3) < 0) // expected-warning {{'text' may be overwritten}}
    return;
  free(text);
}
void formatted_behind(char *unique *text) {
  if (asprintf(text, "%d", 3) < 0) // expected-warning {{'*text' may be overwritten}}
    return;
}
void below_an_own_object(struct node *unique n) {
  if (n && n->next)
    n->next->name = make(); // expected-warning {{'n->next->name' may be overwritten}}
  acre_drop(n);
}
// A structure that ends.
void local(void) {
  struct pair p = {0};
  p.first = make();
} // expected-warning {{'p.first' may be lost at the end of its scope}}
void listed(void) {
  struct pair p = {make(), NULL};
} // expected-warning {{'p.first' may be lost at the end of its scope}}
void result_kept(void) {
  struct pair p = make_pair();
  free(acre_take(&p.first));
} // expected-warning {{'p.second' may be lost at the end of its scope}}
void result_dropped(void) {
  make_pair(); // expected-warning {{the result has unique pointers and is dropped}}
}
void result_over(void) {
  struct pair p = {0};
  p.first = make();
  p = make_pair(); // expected-warning {{'p' may be overwritten}}
  free(acre_take(&p.first));
  free(acre_take(&p.second));
}
// What a call fills.
int make_text(char *unique *acre_out text);
bool make_flag(char *unique *acre_out text);
void success_forgotten(void) {
  char *unique text = NULL;
  if (make_text(&text) == 0)
    return; // expected-warning {{'text' may be lost at the end of its scope}}
  free(text);
}
void flag_forgotten(void) {
  char *unique text = NULL;
  bool made = make_flag(&text);
  if (made)
    return; // expected-warning {{'text' may be lost at the end of its scope}}
}
void filled_twice(void) {
  char *unique text = NULL;
  if (make_text(&text))
    return;
  if (make_text(&text)) // expected-warning {{'text' may be overwritten}}
    return;
  free(text);
}
int set_twice(char *unique *acre_out text) {
  *text = make();
  *text = make(); // expected-warning {{'*text' may be overwritten}}
  return 0;
}
void init(struct pair *acre_out p);
void initialized_twice(void) {
  struct pair p = {0};
  p.first = make();
  init(&p); // expected-warning {{'p' may be overwritten}}
}
void grows(char *unique p) {
  p = realloc(p, 100); // expected-warning {{'p' is lost where realloc returns null}}
  free(p);
}

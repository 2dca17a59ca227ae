// Bodies that are seen, and do what they must not, or need not be those that run.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *unique next;
  char *unique name;
  int value;
};
struct list {
  struct node *unique head;
};
static struct list all;
static struct node *kept;
void other(void);

void cuts(struct node *p) {
  acre_drop(acre_take(&all.head));
  puts(p->name);
}
void lent_to_who_cuts(void) { cuts(all.head); }
// expected-error@-1 {{what hangs on a unique pointer in memory that others can reach cannot be \
lent}}
void calls_unknown(struct node *p) {
  other();
  puts(p->name);
}
void calls_who_does(struct node *p) { calls_unknown(p); }
void lent_to_who_calls_unknown(void) { calls_who_does(all.head); }
// expected-error@-1 {{cannot be lent}}
void keeps(struct node *p) { kept = p; }
void lent_to_who_keeps(struct node *p) { // expected-note {{the parameter is declared here}}
  keeps(p->next);                        // expected-error {{cannot be lent}}
}
__attribute__((weak)) void weakly(struct node *p) { puts(p->name); }
void lent_to_a_weak_one(void) { weakly(all.head); } // expected-error {{cannot be lent}}
inline void inline_here(struct node *p) { puts(p->name); }
void lent_to_an_inline_one(void) { inline_here(all.head); } // expected-error {{cannot be lent}}
void calls_back(struct node *p, void (*back)(void)) {
  back();
  puts(p->name);
}
void lent_to_who_calls_back(void) { calls_back(all.head, other); }
// expected-error@-1 {{cannot be lent}}
static int cut_and_compare(const void *a, const void *b) {
  acre_drop(acre_take(&all.head));
  return a < b;
}
void sorts(struct node *p) {
  int numbers[2] = {1, 0};
  qsort(numbers, 2, sizeof *numbers, cut_and_compare);
  puts(p->name);
}
void lent_to_who_sorts(void) { sorts(all.head); } // expected-error {{cannot be lent}}
void overwrites(struct node *p) {
  all = (struct list){0}; // expected-warning {{may be overwritten}}
  puts(p->name);
}
void lent_to_who_overwrites(void) { overwrites(all.head); } // expected-error {{cannot be lent}}
void sets(struct node *p) {
  all.head = NULL; // expected-warning {{may be overwritten}}
  puts(p->name);
}
void lent_to_who_sets(void) { sets(all.head); } // expected-error {{cannot be lent}}
void frees(struct node *p) {
  free(kept);
  puts(p->name);
}
void lent_to_who_frees(void) { frees(all.head); } // expected-error {{cannot be lent}}
void assembles(struct node *p) {
  __asm__ volatile("" ::: "memory");
  puts(p->name);
}
void lent_to_who_assembles(void) { assembles(all.head); } // expected-error {{cannot be lent}}
void at_the_end(char *block) {
  (void)block;
  other();
}
void cleans(struct node *p) {
  __attribute__((cleanup(at_the_end))) char block = 0;
  (void)block;
  puts(p->name);
}
void lent_to_who_cleans(void) { cleans(all.head); } // expected-error {{cannot be lent}}
void varies(int count, ...);
void varies(int count, ...) { (void)count; }
void lent_to_who_varies(void) { varies(1, all.head); } // expected-error {{cannot be lent}}
void shows(struct node *p) { puts(p->name); }
void lent_by_pointer(void (*show)(struct node *)) { show(all.head); }
// expected-error@-1 {{cannot be lent}}

int cut_all(void) {
  acre_drop(acre_take(&all.head));
  return 1;
}
void used_after(struct node *p) {
  struct node *n = p->next;
  shows(n);      // expected-error {{cannot be lent}} // expected-note {{lost here}}
  cut_all();     // expected-note {{lost here}}
  puts(n->name);
  // expected-error@-1 {{'n' is used after 'p', which it was borrowed from, was consumed or \
changed}}
}
// expected-note@-8 {{the parameter is declared here}}
void used_in_a_loop(struct node *p, int count) {
  struct node *n = p->next;
  for (int i = 0; i < count; i++) {
    puts(n->name);
    // expected-error@-1 {{'n' is used after 'p', which it was borrowed from, was consumed or \
changed}}
    cut_all();     // expected-note {{lost here}}
  }
}
int used_beside(struct node *p) { // expected-note {{the parameter is declared here}}
  struct node *n = p->next;
  shows(n); // expected-error {{cannot be lent}} expected-note {{lost here}}
  return n->value + cut_all(); // expected-error {{'n' is used after}}
}
void cuts_below(struct node *p);
void cut_below(struct node *p) {
  struct node *n = p->next;
  cuts_below(p); // expected-note {{lost here}}
  puts(n->name); // expected-error {{'n' is used after}}
}
void cuts_below(struct node *p) { acre_drop(acre_take(&p->next)); }

// -- Static functions that rely on being the only way
// -----------------------------------------------------------------

static void change_one(struct node *a, struct node *b) {
// expected-note@-1 2 {{the parameter is declared here}}
  struct node *n = a->next;
  acre_drop(acre_take(&b->next)); // expected-note {{lost here}}
  puts(n->name);             // expected-error {{'n' is used after 'a'}}
}
static void lends_both(struct node *p) { change_one(p, p); }
static void change_other(struct node *a, void *b) {
// expected-note@-1 {{the parameter is declared here}}
  struct node *n = a->next, *c = b;
  acre_drop(acre_take(&c->next)); // expected-note {{lost here}}
  puts(n->name);             // expected-error {{'n' is used after 'a'}}
}
static void lends_both_untyped(struct node *p) { change_other(p, p); }
void lends_an_owner(struct node *unique p) {
  lends_both(p);
  lends_both_untyped(p);
  free(p);
}
static void reads_after(struct list *l) { // expected-note {{the parameter is declared here}}
  struct node *n = l->head;
  cut_all();     // expected-note {{lost here}}
  puts(n->name); // expected-error {{'n' is used after 'l'}}
}
static void passes_untyped(void *l) { reads_after(l); }
void lends_a_global(void) { passes_untyped(&all); }
void lends_its_own(struct list *l) { reads_after(l); } // its callers are not seen
static void reads_at_the_end(struct list *l) {
// expected-note@-1 {{the parameter is declared here}}
  struct node *n = l->head;
  cut_all();     // expected-note {{lost here}}
  puts(n->name); // expected-error {{'n' is used after 'l'}}
}
void lends_at_the_end(void) {
  __attribute__((cleanup(reads_at_the_end))) struct list l = {0};
  (void)l.head;
}
static void seen_from_outside(struct list *l) {
// expected-note@-1 {{the parameter is declared here}}
  struct node *n = l->head;
  cut_all();     // expected-note {{lost here}}
  puts(n->name); // expected-error {{'n' is used after 'l'}}
}
void passes_from_outside(struct list *l) { seen_from_outside(l); }
static void given_either(struct node *p) { // expected-note {{the parameter is declared here}}
  struct node *n = p->next;
  cut_all();     // expected-note {{lost here}}
  puts(n->name); // expected-error {{'n' is used after 'p'}}
}
void lends_either(struct node *unique p, int way) {
  given_either(way ? p : kept);
  free(p); // expected-warning {{'p' is freed with what 'p->next' may own}}
}
void replace(struct node **p);
static void given_a_replaced_one(struct node *p) {
// expected-note@-1 {{the parameter is declared here}}
  struct node *n = p->next;
  cut_all();     // expected-note {{lost here}}
  puts(n->name); // expected-error {{'n' is used after 'p'}}
}
static void passes_replaced(struct node *p) { // expected-note {{the parameter is declared here}}
  replace(&p);
  given_a_replaced_one(p);
}
static void given_an_assigned_one(struct node *p) {
// expected-note@-1 {{the parameter is declared here}}
  struct node *n = p->next;
  cut_all();     // expected-note {{lost here}}
  puts(n->name); // expected-error {{'n' is used after 'p'}}
}
static void passes_assigned(struct node *p) {
  if (!p->value)
    p = kept;
  given_an_assigned_one(p);
}
void lends_to_them(struct node *unique p) {
  passes_assigned(p);
  passes_replaced(p);
  // expected-error@-1 {{'p' is lent to 'passes_replaced', which is not known to give it back}}
  free(p);
}

// Each rule of unique and borrowed pointers, broken.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *unique next;
  char *unique name;
  int value;
};
char *global;
void take(char *unique p);
void look(char *borrowed p);
void look_node(struct node *borrowed n);
void two_nodes(struct node *borrowed a, struct node *borrowed b);
void unknown(char *p); // expected-note {{'borrowed' says that it is not kept}}
char *unique make(void);

void after_free(char *unique p) {
  free(p); // expected-note {{consumed here}}
  puts(p); // expected-error {{'p' is used after it was consumed}}
}
void after_copy(char *unique p) {
  char *unique q = p; // expected-note {{consumed here}}
  free(p);            // expected-error {{'p' is used after it was consumed}}
  free(q);
}
void after_pass(char *unique p) {
  take(p); // expected-note {{consumed here}}
  take(p); // expected-error {{'p' is used after it was consumed}}
}
void twice_in_a_call(char *unique p) {
  void both(char *unique, char *unique);
  both(p, p);
  // expected-error@-1 {{'p' is used after it was consumed}}
  // expected-note@-2 {{consumed here}}
}
void on_some_paths(char *unique p, int way) {
  switch (way) {
  case 0:
    free(p); // expected-note {{consumed here}}
    break;
  case 1:
    take(p); // expected-note {{consumed here}}
  }
  puts(p); // expected-error {{'p' is used after it was consumed on some path}}
}
void in_a_loop(char *unique p) {
  for (int i = 0; i < 2; i++)
    free(p);
    // expected-error@-1 {{'p' is used after it was consumed on some path}}
    // expected-note@-2 {{consumed here}}
}
// expected-warning@-1 {{'p' may be lost at the end of its scope}}
// expected-note@-5 {{consumed here on another path}}
void by_goto(char *unique p) {
again:
  free(p);
  // expected-error@-1 {{'p' is used after it was consumed on some path}}
  // expected-note@-2 {{consumed here}}
  goto again;
}
void by_choice(char *unique p, char *unique q, int way) {
  free(way ? p : q); // expected-note {{consumed here}}
  free(p);           // expected-error {{'p' is used after it was consumed on some path}}
}
// expected-warning@-1 {{'q' may be lost at the end of its scope}}
// expected-note@-4 {{consumed here on another path}}
void short_circuit(char *unique p, int way) {
  int keep(char *unique);
  if (way && keep(p)) // expected-note {{consumed here}}
    return;           // expected-warning 0-1 {{may be lost}}
  puts(p);            // expected-error {{'p' is used after it was consumed on some path}}
}
static jmp_buf back;
void over_a_jump(char *unique p) {
  if (setjmp(back)) {
    puts(p); // expected-error {{'p' is used after it was consumed on some path}}
    return;
  }
  take(p); // expected-note {{consumed here}}
  longjmp(back, 1);
}
static char *kept_name;
static void keeps_at_last(char *p) { // expected-note {{the parameter is declared here}}
  char *q = NULL;
  for (int i = 0; i != 2; i++) {
    kept_name = q;
    q = p + 1;
  }
}
static void keeps_on(char *p) { // expected-note {{the parameter is declared here}}
  char *q = ((void)p, p ? p : kept_name);
  keeps_at_last(q);
}
void lends_to_keepers(char *unique p) {
  keeps_on(p);
  // expected-error@-1 {{'p' is lent to 'keeps_on', which is not known to give it back}}
  keeps_at_last(p);
  // expected-error@-1 {{'p' is lent to 'keeps_at_last', which is not known to give it back}}
  free(p);
}
void uninitialized(void) {
  char *unique p;
  free(p); // expected-error {{'p' is used before it is initialized}}
}

int take_and_count(char *unique p);
int unordered(char *unique p) {
  return *p + take_and_count(p);
  // expected-error@-1 {{'p' is used and consumed in one expression, and C does not say which \
comes first}}
  // expected-note@-3 {{consumed here}}
}

char *unique copied_slot(struct node *n) {
  return n->name;
  // expected-error@-1 {{a unique pointer in memory is taken with 'acre_take' or 'acre_swap', \
not copied}}
}
void freed_slot(struct node *n) {
  free(n->name); // expected-error {{a unique pointer in memory is taken with}}
}
void copied_record(struct node *to, struct node *from) {
  *to = *from; // expected-error {{a copy of 'struct node' would copy its unique pointers}}
}
char *unique from_plain(char *p) { return p; }
// expected-error@-1 {{a plain pointer cannot become unique}}
char *unique swapped_after_free(char *unique p) {
  free(p);             // expected-note {{consumed here}}
  return acre_take(&p); // expected-error {{'p' is used after it was consumed}}
}
void swap_of_plain(char **slot) {
  free(acre_take(slot)); // expected-error {{need the address of a unique pointer}}
}
struct pair {
  char *unique a, *unique b;
};
void reset_twice(struct pair *borrowed to, char *unique a) {
  *to = (struct pair){a, NULL};  // expected-note {{consumed here}}
  *to = ((struct pair){a, NULL}); // expected-error {{'a' is used after it was consumed}}
}
void unformatted(int level, ...);
void lent_to_any(char *unique p) {
  unformatted(1, p);
  // expected-error@-1 {{borrowed from 'p' passed here could be used after its owner is gone}}
  free(p);
}
void moved(char *unique p) {
  p++; // expected-error {{arithmetic would make 'p' point into its object}}
  free(p);
}
void address(char *unique p) {
  static char *unique *q;
  q = &p;
  // expected-error@-1 {{the address of the unique pointer 'p' may only be swapped, passed}}
  free(acre_take(q));
} // expected-warning {{'p' may be lost}}

void stored(char *unique p) {
  global = p;
  // expected-error@-1 {{borrowed from 'p' stored in memory could be used after its owner is gone}}
  free(p);
}
char *returned(char *unique p) {
  char *q = p + 1;
  free(p); // expected-note {{lost here}}
  return q;
  // expected-error@-1 {{'q' is used after 'p', which it was borrowed from, was consumed or \
changed}}
}
char *returned_borrowed(char *borrowed p) {
  return p + 1; // expected-error {{returned could be used after its owner is gone}}
}
void freed_borrowed(char *borrowed p) {
  free(p); // expected-error {{made unique or freed could be used after its owner is gone}}
}
void lent_to_unknown(char *unique p) {
  unknown(p); // expected-error {{'p' is lent to 'unknown', which is not known to give it back}}
  free(p);
}
static void keeps(char *p) { global = p; }
// expected-note@-1 {{'borrowed' says that it is not kept}}
void lent_to_keeper(char *unique p) {
  keeps(p); // expected-error {{'p' is lent to 'keeps', which is not known to give it back}}
  free(p);
}
static void frees(char *p) { free(p); } // expected-note {{'borrowed' says that it is not kept}}
void lent_to_freer(char *unique p) {
  frees(p); // expected-error {{'p' is lent to 'frees', which is not known to give it back}}
  free(p);
}
void dangling(char *unique p) {
  char *space = strchr(p, ' ');
  free(p);     // expected-note {{lost here}}
  puts(space);
  // expected-error@-1 {{'space' is used after 'p', which it was borrowed from, was consumed or \
changed}}
}
void swapped_out(struct node *unique list) {
  struct node *second = list->next;
  look_node(list);               // expected-note {{lost here}}
  printf("%d\n", second->value);
  // expected-error@-1 {{'second' is used after 'list', which it was borrowed from}}
  free(list);
}
void open_slot(struct node *n) {
  char *name = n->name;
  look("other"); // expected-note {{lost here}}
  puts(name);
  // expected-error@-1 {{'name' is used after 'n', which it was borrowed from, was consumed or \
changed}}
}
void open_slot_lent(struct node *n) { // expected-note {{the parameter is declared here}}
  look(n->name);
  // expected-error@-1 {{what hangs on a unique pointer in memory that others can reach cannot \
be lent}}
}
void lent_twice(struct node *unique n) {
  two_nodes(n, n->next); // expected-error {{'n' is lent by another argument of the same call}}
  free(n);
}
void consumed_and_lent(char *unique p) {
  void end(char *unique p, char *borrowed tail);
  end(p, p + 1); // expected-error {{'p' is lent by another argument of the same call}}
}

void lent_both(struct node *borrowed p, struct node *borrowed q);
// expected-note@-1 4 {{'refcounted borrowed' says}}
void two_references_lent(struct node *refcounted p) {
  struct node *refcounted q = rc_alias(p);
  struct node *copy = q;
  // expected-error@+2 {{this may refer to the same object as another argument of the same call}}
  // expected-error@+1 2 {{a reference is lent to a parameter that is 'borrowed'}}
  lent_both(p, q);
  // expected-error@+2 {{this may refer to the same object as another argument of the same call}}
  // expected-error@+1 2 {{a reference is lent to a parameter that is 'borrowed'}}
  lent_both(p, copy);
  rc_drop(p);
  rc_drop(q);
}
void dropped_twice(char *refcounted p) {
  rc_drop(p); // expected-note {{consumed here}}
  rc_drop(p); // expected-error {{'p' is used after it was consumed}}
}
void copied_reference(char *refcounted p) {
  char *refcounted q = p; // expected-note {{consumed here}}
  rc_drop(q);
  rc_drop(p); // expected-error {{'p' is used after it was consumed}}
}
void freed_reference(char *refcounted p) { free(p); }
// expected-error@-1 {{a pointer that is 'refcounted' cannot become 'unique'}}
void dropped_unique(char *unique p) { rc_drop(p); }
// expected-error@-1 {{a pointer that is 'unique' cannot become 'refcounted'}}
char *refcounted wrong(char *unique p) { return p; }
// expected-error@-1 {{a pointer that is 'unique' cannot become 'refcounted'}}
char *refcounted from_malloc(void) { return malloc(8); }
// expected-error@-1 {{a pointer that is 'unique' cannot become 'refcounted'}}
void borrowed_reference(char *refcounted p) {
  char *q = p + 1;
  rc_drop(p); // expected-note {{lost here}}
  puts(q);
  // expected-error@-1 {{'q' is used after 'p', which it was borrowed from, was consumed or \
changed}}
}
struct view {
  char *borrowed text; // expected-error {{'borrowed' has no meaning here}}
};
char *borrowed file_scope; // expected-error {{'borrowed' has no meaning here}}
struct both {
  char *unique sameregion p; // expected-error {{'unique' and 'sameregion' on the same pointer}}
};
int unique number; // expected-error {{'unique' applies only to pointers, and 'int' is not one}}
void redeclared(char *unique p); // expected-note {{previous declaration is here}}
void redeclared(char *borrowed p);
// expected-error@-1 {{redeclaration of 'redeclared' with different annotations}}
void behind(char **p); // expected-note {{'p' is declared here}}
void hides(char *unique *p) { behind(p); }
// expected-error@-1 {{changes the annotation of the pointers behind it}}
// expected-note@-2 {{'p' is declared here}}
struct buffer {
  char *unique bytes;
  struct node *unique nodes;
};
void fill_buffer(struct buffer *borrowed b);
void both_lent(struct buffer *borrowed b, struct node *borrowed n);
void see(const char *borrowed text);
void keep_buffer(struct buffer *b); // no body: it may keep it
void lost_to_whom_it_is_lent(void) {
  struct buffer b = {0};
  const char *text = b.bytes;
  fill_buffer(&b); // expected-note {{lost here}}
  see(text);
  // expected-error@-1 {{'text' is used after 'b', which it was borrowed from, was consumed or \
changed}}
}
void lent_with_what_hangs_there(void) {
  struct buffer b = {0};
  both_lent(&b, b.nodes); // expected-error {{'b' is lent by another argument of the same call}}
}
void address_is_kept(void) {
  struct buffer b = {0};
  keep_buffer(&b);
  see(b.bytes);
  // expected-error@-1 {{what hangs on a unique pointer in memory that others can reach cannot \
be lent}}
}

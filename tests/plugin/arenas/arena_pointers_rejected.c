// Pointers into the region of a block that leave it for certain, and keys consumed while their
// arena is open; the accepted twins are in arena_pointers_accepted.c.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/scope.h>
#include <stdio.h>

struct node {
  struct node *next;
  int value;
};
struct holder {
  struct node *node;
};
void look(struct node *n);
struct node *inregion(r) make(acre_region r);
static struct node *global;
static struct node *array[4];

struct node *returned(void) {
  acre_scoped_region(r);
  struct node *n = ralloc(r, struct node);
  return n;
  // expected-error@-1 {{what points into the arena 'r' is returned and could be used after its \
block}}
}
struct node *returned_from_a_maker(void) {
  acre_scoped_region(r);
  return make(r); // expected-error {{what points into the arena 'r' is returned}}
}
char *returned_part(void) {
  acre_scoped_region(r);
  char *text = rstrdup(r, "text");
  return text + 1; // expected-error {{what points into the arena 'r' is returned}}
}
struct node **returned_inside(void) {
  acre_scoped_region(r);
  struct node *n = ralloc(r, struct node);
  return &n->next; // expected-error {{what points into the arena 'r' is returned}}
}
void stored_in_globals(void) {
  acre_scoped_region(r);
  global = ralloc(r, struct node);
  // expected-error@-1 {{what points into the arena 'r' is stored in memory outside it}}
  array[1] = ralloc(r, struct node);
  // expected-error@-1 {{what points into the arena 'r' is stored in memory outside it}}
}
void stored_in_static(void) {
  static struct node *kept;
  acre_scoped_region(r);
  kept = ralloc(r, struct node); // expected-error {{what points into the arena 'r' is}}
}
void stored_for_the_caller(struct holder *out, struct node **place) {
  acre_scoped_region(r);
  out->node = ralloc(r, struct node);
  // expected-error@-1 {{what points into the arena 'r' is stored in memory outside it}}
  *place = ralloc(r, struct node);
  // expected-error@-1 {{what points into the arena 'r' is stored in memory outside it}}
}
int used_after(void) {
  struct node *n;
  {
    acre_scoped_region(r);
    n = ralloc(r, struct node);
    n->value = 1;
  } // expected-note {{the block ends here}}
  return n->value;
  // expected-error@-1 {{'n' points into the arena 'r' and is used after its block}}
}
int used_after_break(void) {
  struct node *n = NULL;
  for (int i = 0; i < 3; i++) {
    acre_scoped_region(r);
    n = ralloc(r, struct node);
    if (i == 1)
      break; // expected-note {{the block ends here}}
    n = NULL;
  }
  return n->value;
  // expected-error@-1 {{'n' points into the arena 'r' and is used after its block}}
}
int used_in_the_next_round(int times) {
  struct node *before = NULL;
  int sum = 0;
  while (times--) {
    acre_scoped_region(r);
    sum += before ? before->value : 0;
    // expected-error@-1 {{'before' points into the arena 'r' and is used after its block}}
    before = ralloc(r, struct node);
  } // expected-note {{the block ends here}}
  return sum;
}
void stored_in_an_outer_arena(void) {
  acre_scoped_region(outer);
  struct node *kept = ralloc(outer, struct node);
  acre_scoped_region(inner);
  kept->next = ralloc(inner, struct node);
  // expected-error@-1 {{what points into the arena 'inner' is stored in memory outside it}}
}

struct node *returned_from_open(acre_key *borrowed key) {
  acre_open(r, key);
  return ralloc(r, struct node); // expected-error {{what points into the arena 'r' is returned}}
}
void root_kept(acre_key *borrowed key) {
  acre_open(r, key);
  global = ralloc(r, struct node);
  // expected-error@-1 {{what points into the arena 'r' is stored in memory outside it}}
}
void stored_in_an_opened_arena(acre_key *borrowed key) {
  acre_scoped_region(r);
  acre_open(other, key);
  acre_root(struct node, other) = ralloc(r, struct node);
  // expected-error@-1 {{what points into the arena 'r' is stored in memory outside it}}
}
int used_after_close(acre_key *borrowed key) {
  struct node *n;
  {
    acre_open(r, key);
    n = ralloc(r, struct node);
  } // expected-note {{the block ends here}}
  acre_open(r, key);
  return n->value;
  // expected-error@-1 {{'n' points into the arena 'r' and is used after its block}}
}

void dropped_while_open(acre_key *unique key) {
  acre_open(r, key);  // expected-note {{opened here}}
  acre_key_drop(key);
  // expected-error@-1 {{'key' is consumed while the arena 'r' that it opened is open}}
}
acre_key *unique returned_while_open(acre_key *unique key) {
  acre_open(r, key); // expected-note {{opened here}}
  return key;
  // expected-error@-1 {{'key' is consumed while the arena 'r' that it opened is open}}
}
void swapped_while_open(void) {
  acre_key *unique key = acre_key_new();
  acre_open(r, key);              // expected-note {{opened here}}
  acre_key_drop(acre_take(&key));
  // expected-error@-1 {{'key' is consumed while the arena 'r' that it opened is open}}
}
void reference_dropped_while_open(acre_key *refcounted key, int choice) {
  acre_open(r, key); // expected-note 2 {{opened here}}
  if (choice)
    rc_drop(key);
    // expected-error@-1 {{'key' is consumed while the arena 'r' that it opened is open}}
  else
    rc_drop(key);
    // expected-error@-1 {{'key' is consumed while the arena 'r' that it opened is open}}
}
struct cache {
  acre_key *unique key;
  struct cache *next;
};
void dropped_in_memory_while_open(struct cache *c) {
  acre_open(r, c->key);              // expected-note {{opened here}}
  acre_key_drop(acre_take(&c->key));
  // expected-error@-1 {{'key' is consumed while the arena 'r' that it opened is open}}
}
void holder_dropped_while_open(struct cache *unique c) {
  acre_open(r, c->key); // expected-note {{opened here}}
  acre_drop(c);
  // expected-error@-1 {{'c' is consumed while the arena 'r' that it opened is open}}
}
void holder_given_away_while_open(struct cache *unique c, struct cache *unique *list) {
  acre_open(r, c->key);        // expected-note {{opened here}}
  acre_drop(acre_swap(list, c));
  // expected-error@-1 {{'c' is consumed while the arena 'r' that it opened is open}}
}
static struct cache the_cache;
void replaced_in_memory_while_open(acre_key *unique other) {
  acre_open(r, the_cache.key); // expected-note {{opened here}}
  acre_key *unique old = acre_swap(&the_cache.key, other);
  // expected-error@-1 {{'key' is consumed while the arena 'r' that it opened is open}}
  acre_key_drop(old);
}
static struct node *kept_root;
void root_of_arena_kept(struct cache *c) {
  acre_open(r, c->key);
  kept_root = acre_root(struct node, r);
  // expected-error@-1 {{what points into the arena 'r' is stored in memory outside it}}
}
void root_slot_kept(struct cache *c) {
  static struct node **slot;
  acre_open(r, c->key);
  slot = &acre_root(struct node, r);
  // expected-error@-1 {{what points into the arena 'r' is stored in memory outside it}}
}
struct node *root_of_arena_returned(struct cache *c) {
  acre_open(r, c->key);
  return acre_root(struct node, r);
  // expected-error@-1 {{what points into the arena 'r' is returned}}
}
void opened_after(acre_key *unique key) {
  acre_key_drop(key); // expected-note {{consumed here}}
  acre_open(r, key);  // expected-error {{'key' is used after it was consumed}}
}
void key_lost(void) {
  acre_key *unique key = acre_key_new();
  acre_open(r, key);
} // expected-warning {{'key' may be lost at the end of its scope}}
void wrong_drop(acre_key *refcounted key) { acre_key_drop(key); }
// expected-error@-1 {{a pointer that is 'refcounted' cannot become 'unique'}}

// What acre_alias lends does not leave its block, and its owner is not changed meanwhile; the
// accepted twins are in aliases_accepted.c.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

struct node {
  struct node *unique next;
  char *unique name;
  int value;
};
struct view {
  const char *first, *second;
};
struct views {
  struct view *views;
};
void look(const char *borrowed p);
void touch(struct node *borrowed p);
void both(struct node *borrowed p, struct node *borrowed q);
void keep(const char *p); // expected-note {{the parameter is declared here}}
void look_view(struct view *borrowed v);
void fill_view(struct view *v);
const char **slot_of(struct view *borrowed v);
struct views views_of(struct view *borrowed v);
void log_pointers(int n, ...);
struct node *unique node_new(void);
static const char *kept;
static struct view kept_view;
static jmp_buf again;

// -- The owner is not consumed, assigned or changed below -----------------------------------------

void freed(char *unique p) {
  acre_alias(a, p); // expected-note {{lent here, until the block ends}}
  free(p);
  // expected-error@-1 {{'p' is consumed or changed while 'a' lends it for its block}}
}
char *unique returned_owner(char *unique p) {
  acre_alias(a, p); // expected-note {{lent here}}
  return p;
  // expected-error@-1 {{'p' is consumed or changed while 'a' lends it for its block}}
}
void moved(char *unique p) {
  acre_alias(a, p);    // expected-note {{lent here}}
  char *unique q = p;
  // expected-error@-1 {{'p' is consumed or changed while 'a' lends it for its block}}
  free(q);
}
void assigned(struct node *unique p) {
  {
    acre_alias(a, p); // expected-note {{lent here}}
    p = node_new();
    // expected-error@-1 {{'p' is consumed or changed while 'a' lends it for its block}}
    // expected-warning@-2 {{'p' may be overwritten}}
  }
  acre_drop(p);
}
void exchanged(char *unique p) {
  acre_alias(a, p);         // expected-note {{lent here}}
  free(acre_swap(&p, NULL));
  // expected-error@-1 {{'p' is consumed or changed while 'a' lends it for its block}}
  free(p);
}
void owner_lent_to_who_may_change_it(struct node *unique p) {
  {
    acre_alias(a, p); // expected-note {{lent here}}
    touch(p);
    // expected-error@-1 {{'p' is consumed or changed while 'a' lends it for its block}}
  }
  acre_drop(p);
}
void taken_below_the_owner(struct node *unique p) {
  {
    acre_alias(a, p);         // expected-note {{lent here}}
    free(acre_take(&p->name));
    // expected-error@-1 {{'p' is consumed or changed while 'a' lends it for its block}}
  }
  acre_drop(p);
}
void slot_taken(struct node *borrowed p) {
  acre_alias(a, p->name);   // expected-note {{lent here}}
  free(acre_take(&p->name));
  // expected-error@-1 {{'p' is consumed or changed while 'a' lends it for its block}}
}
void dropped_reference(struct node *refcounted p) {
  acre_alias(a, p); // expected-note {{lent here}}
  rc_drop(p);
  // expected-error@-1 {{'p' is consumed or changed while 'a' lends it for its block}}
}
void outer_alias_changed(struct node *unique p) {
  {
    acre_alias(a, p);
    acre_alias(b, a->next);      // expected-note {{lent here}}
    acre_drop(acre_take(&a->next));
    // expected-error@-1 {{'a' is consumed or changed while 'b' lends it for its block}}
  }
  acre_drop(p);
}
void shared_slot(struct node *p) {
  acre_alias(a, p->name);
  // expected-error@-1 {{what hangs on a unique pointer in memory that others can reach cannot \
be lent to a block}}
}
void consumed_before(char *unique p) {
  free(p);          // expected-note {{consumed here}}
  acre_alias(a, p); // expected-error {{'p' is used after it was consumed}}
}

// -- No copy leaves the block ---------------------------------------------------------------------

void made_unique(char *unique p) {
  {
    acre_alias(a, p);
    free(a);
    // expected-error@-1 {{what is borrowed from 'a' made unique or freed could be used after}}
  }
  free(p);
}
void stored_in_a_global(char *unique p) {
  {
    acre_alias(a, p);
    kept = a + 1; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}
char *returned(char *unique p) {
  acre_alias(a, p);
  return a;
  // expected-error@-1 {{what is borrowed from 'a' returned could be used after}}
  // expected-warning@-2 {{'p' may be lost}}
}
void passed_to_who_keeps(char *unique p) {
  {
    acre_alias(a, p);
    keep(a); // expected-error {{'a' is lent to 'keep', which is not known to give it back}}
  }
  free(p);
}
void variable_used_after(char *unique p) {
  char *b;
  {
    acre_alias(a, p);
    b = a;
  }        // expected-note {{the block ends here}}
  puts(b); // expected-error {{'b' is used after the block in which 'a' lends it}}
  free(p);
}
void value_of_a_statement_expression(char *unique p) {
  char *b = ({ // expected-note {{the block ends here}}
    acre_alias(a, p);
    a + 1;
  });
  free(p);
  puts(b); // expected-error {{'b' is used after the block in which 'a' lends it}}
}
void used_after_a_goto(char *unique p, int n) {
  char *b = p;
  {
    acre_alias(a, p);
    b = a;
    if (n)
      goto end; // expected-note {{the block ends here}}
    b = NULL;
  }
end:
  if (n)
    puts(b); // expected-error {{'b' is used after the block in which 'a' lends it}}
  free(p);
}
void used_after_a_longjmp(char *unique p) {
  const char *volatile unfollowed = NULL;
  const char *b = NULL;
  if (setjmp(again) == 0) { // expected-note {{the block ends here}}
    acre_alias(a, p);
    b = a;
    look(a);
    b = NULL;
  } else {
    puts(b); // expected-error {{'b' is used after the block in which 'a' lends it}}
  }
  free(p);
  (void)unfollowed;
}
void stored_in_an_outer_structure(char *unique p) {
  struct view v;
  {
    acre_alias(a, p);
    v.first = a; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}
void stored_by_an_outer_address(char *unique p, struct view *to) {
  {
    acre_alias(a, p);
    to->first = a; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}
void stored_in_a_static(char *unique p) {
  {
    acre_alias(a, p);
    static struct view v;
    v.first = a; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}
void inner_stored_in_the_outer_block(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {a, a};
    {
      acre_alias(b, a);
      v.second = b; // expected-error {{what is borrowed from 'b' stored in memory}}
    }
  }
  free(p);
}
void below_stored(struct node *unique p) {
  {
    acre_alias(a, p);
    struct node *all[] = {a, a->next};
    // expected-error@-1 {{what is borrowed from 'a' stored in memory}}
    all[0]->value = 1;
  }
  acre_drop(p);
}

// -- Nor out of a structure that holds it ---------------------------------------------------------

void read_back_and_stored(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {a, NULL}, *w = &v;
    kept = v.first;   // expected-error {{what is borrowed from 'a' stored in memory}}
    kept = w->second; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}
void read_back_through_two(char *unique p) {
  {
    acre_alias(a, p);
    struct view all[2] = {{a, a}, {NULL, NULL}};
    struct views list = {all}, *l = &list;
    kept = l->views[1].first; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}
void read_back_and_freed(char *unique p) {
  {
    acre_alias(a, p);
    struct iovec io = {a, 1};
    free(io.iov_base); // expected-error {{what is borrowed from 'a' made unique or freed}}
  }
  free(p);
}
void alias_by_its_address(char *unique p) {
  {
    acre_alias(a, p);
    char *const *q = &a;
    kept = *q; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}
void structure_copied(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {a, a};
    kept_view = v; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}
struct view structure_returned(char *unique p) {
  acre_alias(a, p);
  struct view v = {a, a};
  return v;
  // expected-error@-1 {{what is borrowed from 'a' stored in memory}}
  // expected-warning@-2 {{'p' may be lost}}
}
void structure_moved_by_bytes(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {a, a};
    memcpy(&kept_view, &v, sizeof v); // expected-error {{what is borrowed from 'a' passed here}}
  }
  free(p);
}
void structure_passed(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {a, a};
    look_view(&v);        // expected-error {{what is borrowed from 'a' passed here}}
    log_pointers(1, &v);  // expected-error {{what is borrowed from 'a' passed here}}
  }
  free(p);
}
void structure_known_elsewhere(char *unique p) {
  {
    acre_alias(a, p);
    struct view v;
    fill_view(&v);
    v.first = a; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}
void structure_known_by_another(char *unique p) {
  static struct views all;
  {
    acre_alias(a, p);
    struct view v;
    struct views list = {&v};
    all = list;
    v.first = a; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}

// -- What hangs below ends when it is changed, by whatever name -----------------------------------

void lent_twice(struct node *unique p) {
  {
    acre_alias(a, p);
    both(a, a); // expected-error {{'a' is lent by another argument of the same call}}
  }
  acre_drop(p);
}
void changed_by_another_copy(struct node *unique p) {
  {
    acre_alias(a, p);
    struct node *b = a, *n = a->next;
    acre_drop(acre_take(&b->next)); // expected-note {{lost here}}
    n->value = 1;
    // expected-error@-1 {{'n' is used after 'a', which it was borrowed from, was consumed or \
changed}}
  }
  acre_drop(p);
}
void changed_under_the_owners_borrower(struct node *unique p) {
  struct node *n = p->next;
  {
    acre_alias(a, p);
    acre_drop(acre_take(&a->next)); // expected-note {{lost here}}
    n->value = 1;
    // expected-error@-1 {{'n' is used after 'p', which it was borrowed from, was consumed or \
changed}}
  }
  acre_drop(p);
}

// -- Nothing jumps into the block -----------------------------------------------------------------

void case_inside(char *unique p, int n) {
  switch (n) {
  case 0:;
    acre_alias(a, p); // expected-note {{jump bypasses initialization of variable}}
    puts(a);
  case 1: // expected-error {{cannot jump from switch statement to this case label}}
    puts(p);
  }
  free(p);
}

// -- An alias is lent as what it was made from: who else reaches that, and where it points
// ----------

int changed_by_others(struct node *p) {
  acre_alias(a, p);
  struct node *q = a->next;
  log_pointers(0); // expected-note {{lost here}}
  return q->value; // expected-error {{'q' is used after}}
}
void read_through_an_address(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {a, NULL};
    acre_alias(b, &v);
    kept = b->first; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}
void held_where_others_reach_it(char *unique p, struct views *out) {
  {
    acre_alias(a, p);
    struct view v = {0};
    out->views = &v;
    v.first = a; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}

// What a function returns may lead back to what it was lent.
void kept_by_a_result(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {NULL, NULL};
    const char **first = slot_of(&v);
    v.first = a; // expected-error {{what is borrowed from 'a' stored in memory}}
    puts(*first);
  }
  free(p);
}
void kept_by_a_record(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {NULL, NULL};
    struct views all = views_of(&v);
    v.first = a; // expected-error {{what is borrowed from 'a' stored in memory}}
    puts(all.views->first);
  }
  free(p);
}

// Ways from variable to variable, and paths.
struct above {
  struct views *views;
};
void look_above(struct above *borrowed a);
void keep_views(struct views *v);
void lent_by_way_of_two(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {NULL, NULL};
    struct views all = {&v};
    struct above top = {&all};
    v.first = a;
    look_above(&top); // expected-error {{what is borrowed from 'a' passed here}}
  }
  free(p);
}
void kept_by_way_of_another(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {NULL, NULL};
    struct views all = {&v};
    keep_views(&all);
    v.first = a; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}
void held_on_one_path(char *unique p, int way) {
  {
    acre_alias(a, p);
    struct view v = {NULL, NULL};
    if (way)
      v.first = a;
    look_view(&v); // expected-error {{what is borrowed from 'a' passed here}}
  }
  free(p);
}
void kept_on_one_path(char *unique p, int way) {
  {
    acre_alias(a, p);
    struct view v = {NULL, NULL};
    if (way)
      fill_view(&v);
    v.first = a; // expected-error {{what is borrowed from 'a' stored in memory}}
  }
  free(p);
}

// Pointers that stay in the region of their block, and keys that outlive it, get no message; nor
// does what is left to the running program.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// RUN: %frontend -std=c23 -fsyntax-only -Xclang -verify %s
// RUN: %clang -fsyntax-only -Wall -Wextra -isystem %source/include -Werror %s
// expected-no-diagnostics
#include <acre/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
  int value;
};
void look(struct node *n);
struct node *find(struct node *list, int value);
struct node *inregion(r) make(acre_region r);
struct node *copied(acre_region r, const struct node *n);
int number;
static struct node *global;
acre_region handle;

int numbers_are_returned(void) {
  acre_scoped_region(r);
  struct node *n = ralloc(r, struct node);
  number = n->value;
  return n->value;
}
struct node *copied_out(acre_region to) {
  acre_scoped_region(r);
  struct node *n = make(r);
  struct node *result = ralloc(to, struct node);
  result->value = n->value;
  return result;
}
int list_inside(int length) {
  acre_scoped_region(r);
  struct node *list = NULL, sentinel = {ralloc(r, struct node), 0}, *all[3];
  for (int i = 0; i < length; i++) {
    struct node *fresh = ralloc(r, struct node);
    fresh->next = list;
    list = fresh;
    all[i % 3] = fresh;
    look(fresh);
  }
  sentinel.next = list;
  struct node *first = all[0];
  first->next = sentinel.next;
  return list == NULL;
}
void left_alone_after(void) {
  struct node *n;
  {
    acre_scoped_region(r);
    n = ralloc(r, struct node);
    look(n);
  }
  n = global;
  look(n);
}
void inner_refers_to_outer(void) {
  acre_scoped_region(outer);
  struct node *kept = ralloc(outer, struct node);
  acre_scoped_region(inner);
  struct node *n = ralloc(inner, struct node);
  n->next = kept;
}
void handles_are_no_pointers(void) {
  acre_scoped_region(r);
  handle = r;
}
/* Only the running program knows. */
struct node *left_to_the_count(struct node *list) {
  acre_scoped_region(r);
  struct node *n = make(r);
  global = n->next;
  struct node *found = find(n, 3);
  list->next = found;
  return copied(r, list);
}
void slots_behind_plain_pointers(void) {
  acre_scoped_region(r);
  global->next = make(r);
  global->next = NULL;
}

void opens(acre_key *unique key) {
  {
    acre_open(r, key);
    acre_root(struct node, r) = ralloc(r, struct node);
    acre_root(struct node, r)->next = make(r);
  }
  for (int i = 0; i < 3; i++) {
    acre_open(r, key);
    struct node *n = acre_root(struct node, r);
    n->value = i;
    if (i == 1)
      continue;
    look(n);
  }
  acre_key_drop(key);
}
struct stream {
  acre_key *unique key;
};
void opens_a_key_in_memory(struct stream *s) {
  acre_open(r, s->key);
  look(ralloc(r, struct node));
}
void reset(struct stream *s);
void takes_another_key(struct stream *s, struct stream *other) {
  {
    acre_open(r, s->key);
    reset(s);
    acre_key_drop(acre_take(&s->key)); // reset may have put it there
  }
  {
    acre_open(r, s->key);
    s = other;
    acre_key_drop(acre_take(&s->key));
  }
  {
    acre_open(r, s->key);
    look(acre_root(struct node, r));
  }
  acre_key_drop(acre_take(&s->key));
}
void moves_the_root(void) {
  static struct stream kept;
  acre_open(r, kept.key);
  struct node *first = acre_root(struct node, r);
  acre_root(struct node, r) = first->next;
  first->next = acre_root(struct node, r);
}
void drops_the_holder_after(struct stream *unique s) {
  {
    acre_open(r, s->key);
    ralloc(r, struct node)->value = 1;
  }
  acre_drop(s);
}
void gives_keys_away(struct stream *s) {
  acre_key *unique key = acre_key_new();
  {
    acre_open(r, key);
    look(make(r));
  }
  acre_key_drop(acre_swap(&s->key, key));
}
void counted(void) {
  acre_key *refcounted key = acre_key_new_counted(), *refcounted other = rc_alias(key);
  {
    acre_open(r, key);
    rc_drop(other);
    look(make(r));
  }
  rc_drop(key);
}

/* What only the running program knows. */
struct node *inregion(list) front(struct node *list);
struct node *inparent(r) above(acre_region r);
struct place {
  struct node *node;
};
struct node *front_of_what_may_be_inside(void) {
  acre_scoped_region(r);
  return front(ralloc(r, struct node)->next);
}
struct node *perhaps_of_a_parent(void) {
  acre_scoped_region(r);
  return above(r);
}
void into_what_may_be_in_the_arena(acre_key *borrowed key, struct place *out) {
  acre_open(r, key);
  out->node = ralloc(r, struct node);
}
void into_one_of_two(struct place *out, int way) {
  acre_scoped_region(r);
  struct place *to = way ? out : ralloc(r, struct place);
  if (!way)
    to->node = ralloc(r, struct node);
}
void into_what_may_be_inside(struct node *out, int way) {
  acre_scoped_region(r);
  struct node *to = way ? out : ralloc(r, struct node)->next;
  if (!way)
    to->next = ralloc(r, struct node);
}
struct node *either(struct node *a, struct node *b);
void into_what_a_function_chooses(struct node *out) {
  acre_scoped_region(r);
  struct node *to = either(out, ralloc(r, struct node));
  to->next = ralloc(r, struct node);
  to->next = NULL;
}

/* Another key by then, or another's. */
struct box {
  acre_key *unique key, *unique other;
  struct box *next;
};
static struct box *current;
void key_of_another_box(struct box *b, struct box *other) {
  acre_open(r, b->next->key);
  b->next = other;
  acre_key_drop(acre_take(&b->next->key));
}
void key_of_another_current_box(struct box *other) {
  acre_open(r, current->key);
  current = other;
  acre_key_drop(acre_take(&current->key));
}
void other_key_of_the_box(struct box *b) {
  acre_open(r, b->key);
  acre_key_drop(acre_take(&b->other));
}
void key_of_the_next_box(struct box *b) {
  acre_open(r, b->key);
  b++;
  acre_key_drop(acre_take(&b->key));
}
void key_of_a_later_box(struct box *b, int distance) {
  acre_open(r, b->key);
  b += distance + 1;
  acre_key_drop(acre_take(&b->key));
}
void key_of_another_on_one_path(struct box *b, struct box *other, int way) {
  acre_open(r, b->key);
  if (way)
    b = other;
  if (way)
    acre_key_drop(acre_take(&b->key));
}

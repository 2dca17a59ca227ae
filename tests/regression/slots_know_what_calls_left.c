// A call that failed was known to leave null in a variable but not in a member, or emptied the
// members beside it too; what a variable owned was told of its new object; a member that got a
// null owner was taken for filled; and a call that was lent one member's address ended loans of
// the others.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
  char *unique first, *unique second;
};
struct item {
  int value;
  char *unique name;
};
char *unique make(void);
struct item *unique make_item(void);
int get(char *unique *acre_out borrowed slot);
void refill(char *unique *borrowed slot);
void refill_item(struct item *unique *borrowed slot);
int look(const char *borrowed text);

int fails(void) {
  struct pair p = {0};
  if (get(&p.first) != 0)
    return -1;
  if (get(&p.second) != 0) {
    free(acre_take(&p.first));
    return -1;
  }
  free(acre_take(&p.first));
  free(acre_take(&p.second));
  return 0;
}
int fails_and_loses(void) {
  struct pair p = {0};
  if (get(&p.first) != 0)
    return -1;
  if (get(&p.second) != 0)
    return -1; // expected-warning {{may be lost}}
  free(acre_take(&p.first));
  free(acre_take(&p.second));
  return 0;
}
void again(void) {
  struct pair p = {0};
  while (get(&p.first) != 0)
    ;
  free(acre_take(&p.first));
}

void replaced(struct item *unique n) {
  n->name = make();
  refill_item(&n);
  free(n); // expected-warning {{'n->name' may own}}
}
void emptied(struct item *unique n) {
  free(acre_take(&n->name));
  n->name = make();
  refill_item(&n);
  if (n)
    free(acre_take(&n->name));
  free(n);
}

void put_null(void) {
  char *unique none = NULL;
  struct pair p = {.first = none}, q = {0};
  none = NULL;
  q.second = none;
}
void put_one(void) {
  char *unique one = make();
  struct pair p = {.first = one};
} // expected-warning {{may be lost}}

int beside(struct pair *borrowed p) {
  const char *second = p->second;
  refill(&p->first);
  return second[0];
}
int the_same(struct pair *borrowed p) {
  const char *first = p->first;
  refill(&p->first);
  return first[0]; // expected-error {{is used after}}
}
int below(struct pair *borrowed p, struct pair *borrowed q) {
  const char *second = q->second;
  refill(&p->first);
  return second[0];
}
struct reader {
  char *unique line, *unique name;
  size_t size;
};
int lines(struct reader *borrowed r, FILE *in) {
  const char *name = r->name;
  int found = 0;
  while (getline(&r->line, &r->size, in) >= 0)
    found += look(name);
  return found;
}

struct tree {
  char *unique text;
  struct tree *unique left, *right;
};
struct forest {
  char *unique name;
  struct tree *unique top;
  struct pair inner;
};
struct child {
  int value;
  struct parent *parent;
  char *unique text;
};
struct parent {
  char *unique name;
  struct child *unique only;
  struct child *friend;
};
void walk(struct tree *borrowed t);
void visit(struct child *borrowed c);
void reset(struct pair *borrowed p);

int over_the_tree(struct forest *borrowed f) {
  const char *name = f->name;
  walk(f->top);
  reset(&f->inner);
  return name[0];
}
int in_the_part(struct forest *borrowed f) {
  const char *second = f->inner.second;
  reset(&f->inner);
  return second[0]; // expected-error {{is used after}}
}
int from_the_child(struct parent *borrowed p) {
  const char *name = p->name;
  visit(p->only);
  return name[0]; // expected-error {{is used after}}
}

void elements(void) {
  char *unique row[2] = {0};
  row[0] = make();
  row[0] = make(); // expected-warning {{may be overwritten}}
  if (get(&row[1]) == 0)
    free(acre_take(&row[1]));
  row[1] = make();
  free(acre_take(&row[0]));
  free(acre_take(&row[1]));
}
void elements_filled(void) {
  char *unique row[2] = {0};
  if (get(&row[1]) == 0)
    puts(row[1]);
} // expected-warning {{may be lost}}

// A call that got the whole by way of a part, or an element of an array, changed nothing else.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang \
// RUN:   -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct base {
  int kind;
};
struct derived {
  struct base base;
  char *unique name;
};
struct table {
  char *unique names[4];
};
void drop_name(struct derived *borrowed d);
void drop_slot(char *unique *borrowed slot);
void drop_slots(char *unique *borrowed slots, int count);
void drop_until(char *unique *borrowed from, char *unique *borrowed end);
static void drop_three(char *unique *borrowed slots) {
  for (int i = 0; i < 3; i++)
    free(acre_take(&slots[i]));
}
static void drop_one(char *unique *borrowed slot, int why) {
  if (why)
    free(acre_take(slot));
}

void widened(struct derived *borrowed d) {
  char *borrowed name = d->name;
  drop_name((struct derived *)&d->base);
  puts(name); // expected-error {{'name' is used after 'd'}}
}
void computed(struct derived *borrowed d) {
  char *borrowed name = d->name;
  drop_slot((char *unique *)((char *)d + offsetof(struct derived, name)));
  puts(name); // expected-error {{'name' is used after 'd'}}
}
void counted(struct table *borrowed t) {
  char *borrowed name = t->names[2];
  drop_slots(&t->names[1], 2);
  puts(name); // expected-error {{'name' is used after 't'}}
}
void ended(struct table *borrowed t) {
  char *borrowed name = t->names[2];
  drop_until(&t->names[1], &t->names[3]);
  puts(name);                             // expected-error {{'name' is used after 't'}}
}
void seen(struct table *borrowed t) {
  char *borrowed name = t->names[2];
  drop_three(&t->names[1]);
  puts(name); // expected-error {{'name' is used after 't'}}
}

// The step to another element is what another function gives back.
struct item {
  char *unique name;
  int id;
};
struct items {
  struct item all[8];
};
static struct item *find(struct item *from, int id) {
  while (from->id && from->id != id)
    from++;
  return from;
}
static void drop_third(struct item *from) {
  struct item *third = find(from, 3);
  free(acre_take(&third->name));
}
int found(struct items *borrowed i) {
  const char *name = i->all[2].name;
  drop_third(&i->all[0]);
  return *name; // expected-error {{'name' is used after 'i'}}
}

// It is where a plain pointer of the part leads.
struct child {
  char *unique name;
  struct child *parent;
};
struct family {
  struct child all[8];
};
static void drop_parents(struct child *c) {
  if (c->parent)
    free(acre_take(&c->parent->name));
}
int led(struct family *borrowed f) {
  const char *name = f->all[0].name;
  drop_parents(&f->all[1]);
  return *name; // expected-error {{'name' is used after 'f'}}
}

// Two elements are two objects to who gets no further, and what is only read changes nothing.
static void exchange(char *unique *borrowed one, char *unique *borrowed other) {
  *one = acre_swap(other, acre_take(one));
}
static int is_later(const struct item *one, const struct item *other) {
  return one->id > other->id;
}
void sorted(char *unique *borrowed names, const struct item *borrowed items, int n) {
  for (int i = 0; i + 1 < n; i++)
    if (is_later(&items[i], &items[i + 1]))
      exchange(&names[i], &names[i + 1]);
}
void read_beside(const struct item *borrowed one, struct item *borrowed other);
void disturbed(struct item *borrowed item) {
  read_beside(item, item); // expected-error {{'item' is lent by another argument}}
}
static void print_beside(const struct item *borrowed one, struct item *borrowed other) {
  const char *name = one->name;
  free(acre_take(&other->name));
  puts(name);
}
void disturbed_seen(struct item *borrowed item) {
  print_beside(item, item); // expected-error {{'item' is lent by another argument}}
}

// One slot is another one.
void one(struct table *borrowed t) {
  char *borrowed name = t->names[2];
  drop_slot(&t->names[1]);
  puts(name);
}
void one_seen(struct table *borrowed t) {
  char *borrowed name = t->names[2];
  drop_one(&t->names[1], 1);
  puts(name);
}

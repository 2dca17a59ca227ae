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

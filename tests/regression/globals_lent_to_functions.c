// What a global variable owns could not be lent to a function that changes it, although all that
// runs meanwhile was seen and cannot reach the variable.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct entry {
  char *unique text;
};
struct table {
  struct entry *unique first;
  int count;
};
static struct table *unique table, *unique other, *unique pointed;
struct table *unique open_to_all;
void unknown(void);

static int put(struct table *borrowed t, const char *key) {
  acre_drop(acre_swap(&t->first, NULL));
  return t->count + key[0];
}
static void reset(void) { acre_drop(acre_take(&table)); }
static int put_and_reset(struct table *borrowed t) {
  acre_drop(acre_swap(&t->first, NULL));
  reset();
  return t->count;
}
static int put_and_more(struct table *borrowed t) {
  acre_drop(acre_swap(&t->first, NULL));
  unknown();
  return t->count;
}
static struct table *unique *place(void) { return &pointed; }
static int put_by_place(struct table *borrowed t) {
  acre_drop(acre_swap(&t->first, NULL));
  acre_drop(acre_take(place()));
  return t->count;
}

int seen(const char *key) { return table ? put(table, key) : 0; }
int by_variable(const char *key) {
  struct table *t = table;
  return t ? put(t, key) : 0;
}
int another(void) { return other ? put_and_reset(other) : 0; }

int itself(void) {
  return table ? put_and_reset(table) : 0; // expected-error {{cannot be lent to a function}}
}
int unseen(void) {
  return table ? put_and_more(table) : 0; // expected-error {{cannot be lent to a function}}
}
int with_its_part(void) {
  // expected-error@+1 2{{cannot be lent to a function}}
  return table && table->first ? put(table, table->first->text) : 0;
}
int by_address(void) {
  return pointed ? put_by_place(pointed) : 0; // expected-error {{cannot be lent to a function}}
}
static struct table *unique rows[2];
void fill_row(struct table *unique *row);
void fill(void) { fill_row(&rows[0]); }
int element(const char *key) {
  return rows[0] ? put(rows[0], key) : 0; // expected-error {{cannot be lent to a function}}
}
int of_another_file(const char *key) {
  return open_to_all ? put(open_to_all, key) : 0; // expected-error {{cannot be lent to a function}}
}

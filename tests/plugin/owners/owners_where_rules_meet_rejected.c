// Owners and borrowers where two rules meet: joins, calls, order, realloc, what signatures leave
// open; the accepted twins are in owners_where_rules_meet_accepted.c.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#define _GNU_SOURCE
#include <acre/scope.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *unique next;
  char *unique name;
  int value;
};
struct counted {
  char *unique name;
};
struct holder {
  struct counted *refcounted counted;
};
struct buffer {
  char *unique bytes;
};
char *unique make(void);
void take(char *unique p);
void fill(char *unique *out);
void look(const char *borrowed p);
void touch(struct node *borrowed n);
void touch_anything(void *borrowed p);
void touch_holder(struct holder *borrowed h);
void name_node(struct node *borrowed n, const char *borrowed name);
struct node *borrowed find(struct node *borrowed list, int value);
struct node *unknown_node(void);
int take_and_count(char *unique p);
int touch_and_count(struct node *borrowed n);
int two(int a, int b);
static char *kept;
static struct node *global;

// -- Calls ----------------------------------------------------------------------------------------

void filled_after_free(char *unique p) {
  free(p);  // expected-note {{consumed here}}
  fill(&p); // expected-error {{'p' is used after it was consumed}}
  free(p);
}
void lost_after_it_was_filled(void) {
  char *unique p = NULL;
  fill(&p);
} // expected-warning {{'p' may be lost}}
void borrowed_before_it_was_filled(char *unique p) {
  char *rest = p + 1;
  fill(&p);   // expected-note {{lost here}}
  puts(rest);
  // expected-error@-1 {{'rest' is used after 'p', which it was borrowed from, was consumed or \
changed}}
  free(p);
}
void lent_as_anything(struct node *unique list) {
  struct node *second = list->next;
  void *any = list;
  touch_anything(any);           // expected-note {{lost here}}
  printf("%d\n", second->value);
  // expected-error@-1 {{'second' is used after 'list', which it was borrowed from}}
  free(list);
}
void lent_with_what_it_owns(struct node *unique n) {
  name_node(n, n->name); // expected-error {{'n' is lent by another argument of the same call}}
  free(n);
}
static void names_node(struct node *n, const char *name) {
  free(acre_take(&n->name));
  n->value = (int)strlen(name);
}
void lent_with_what_it_owns_without_a_word(struct node *unique n) {
  names_node(n, n->name); // expected-error {{'n' is lent by another argument of the same call}}
  free(n);                // expected-warning {{'n' is freed with what 'n->next' may own}}
}
void alias_lent_with_what_it_owns(struct node *unique n) {
  {
    acre_alias(a, n);
    names_node(a, a->name);
    // expected-error@-1 {{'a' is lent by another argument of the same call}}
  }
  acre_drop(n);
}
void found_and_freed(struct node *unique list) {
  struct node *found = find(list, 1);
  free(list);                   // expected-note {{lost here}}
  printf("%d\n", found->value);
  // expected-error@-1 {{'found' is used after 'list', which it was borrowed from}}
}
void counted_below_an_owner(struct holder *unique h) {
  struct counted *c = h->counted;
  touch_holder(h); // expected-note {{lost here}}
  puts(c ? "" : "none"); // expected-error {{'c' is used after 'h', which it was borrowed from}}
  free(h);
}
void below_a_counted_object(struct holder *unique h) {
  struct counted *c = h->counted;
  char *name = c->name;
  look("other"); // expected-note {{lost here}}
  puts(name);    // expected-error {{'name' is used after what it was borrowed from}}
  acre_drop(h);
}
void below_a_result(void) {
  char *name = unknown_node()->name;
  look("other"); // expected-note {{lost here}}
  puts(name);    // expected-error {{'name' is used after what it was borrowed from}}
}
void below_a_global(void) {
  char *name = global->name;
  look("other"); // expected-note {{lost here}}
  puts(name);    // expected-error {{'name' is used after what it was borrowed from}}
}
void below_a_number(unsigned long address) {
  char *name = ((struct node *)address)->name;
  look("other"); // expected-note {{lost here}}
  puts(name);    // expected-error {{'name' is used after what it was borrowed from}}
}
void below_another_parameter(struct node *a, struct node *b) {
  char *name = a->name;
  free(acre_take(&b->name)); // expected-note {{lost here}}
  puts(name);
  // expected-error@-1 {{'name' is used after 'a', which it was borrowed from}}
}
void keep_buffer(struct buffer *b);
void below_a_kept_variable(void) {
  struct buffer b = {0};
  keep_buffer(&b);
  char *bytes = b.bytes;
  look("other"); // expected-note {{lost here}}
  puts(bytes);   // expected-error {{'bytes' is used after what it was borrowed from}}
}
struct buffer *borrowed same(struct buffer *borrowed b);
void address_comes_back(void) {
  struct buffer b = {0};
  same(&b);
  look(b.bytes);
  // expected-error@-1 {{what hangs on a unique pointer in memory that others can reach cannot \
be lent}}
}
void address_comes_back_from_the_library(void) {
  struct buffer b = {0};
  (void)memchr(&b, 0, sizeof b);
  look(b.bytes);
  // expected-error@-1 {{what hangs on a unique pointer in memory that others can reach cannot \
be lent}}
}
void set_by_the_library(struct buffer **kept) {
  struct buffer b = {0};
  memset(&b, 0, sizeof b);
  look(b.bytes);
  *kept = memset(&b, 0, sizeof b); // expected-error {{what is borrowed from 'b' stored in memory}}
}
void below_an_arena(void) {
  acre_scoped_region(r);
  struct buffer *b = ralloc(r, struct buffer);
  look(b->bytes);
  // expected-error@-1 {{what hangs on a unique pointer in memory that others can reach cannot \
be lent}}
}

// -- Parameters without a word, in functions that own something else ------------------------------

static void passes_on(char *p, char *unique q) {
// expected-note@-1 {{the parameter is declared here}}
  kept = p;
  free(q);
}
static void passes(char *p, char *unique q) { // expected-note {{the parameter is declared here}}
  passes_on(p, q);
}
static void calls_back(void (*callback)(char *), char *p, char *unique q) {
// expected-note@-1 {{the parameter is declared here}}
  callback(p);
  free(q);
}
static void adopts(char *p, char *unique q) { // expected-note {{the parameter is declared here}}
  char *unique mine = (char *unique)p;
  free(mine);
  free(q);
}
static char *skips(char *p, char *unique q) {
  free(q);
  return p + 1;
}
static char *skips_later(char *p);
void lent_to_them(char *unique p) {
  passes_on(p, make());
  // expected-error@-1 {{'p' is lent to 'passes_on', which is not known to give it back}}
  passes(p, make());
  // expected-error@-1 {{'p' is lent to 'passes', which is not known to give it back}}
  calls_back(NULL, p, make());
  // expected-error@-1 {{'p' is lent to 'calls_back', which is not known to give it back}}
  adopts(p, make());
  // expected-error@-1 {{'p' is lent to 'adopts', which is not known to give it back}}
  free(p);
}
void returned_by_them(char *unique p, char *unique q) {
  char *rest = skips(p, make());
  free(p);    // expected-note {{lost here}}
  puts(rest); // expected-error {{'rest' is used after 'p', which it was borrowed from}}
  rest = skips_later(q);
  free(q);    // expected-note {{lost here}}
  puts(rest); // expected-error {{'rest' is used after 'q', which it was borrowed from}}
}
static char *skips_later(char *p) { return p + 1; }

char *borrowed returned_of_an_owner(char *unique p) {
  return p;
  // expected-error@-1 {{returned could be used after its owner is gone}}
  // expected-warning@-2 {{'p' may be lost}}
}

// -- Slots ----------------------------------------------------------------------------------------

void put_below_itself(struct node *unique list) {
  struct node *last = list;
  last->next = list; // expected-error {{'list'}}
}
void swapped_below_itself(struct node *unique list) {
  struct node *last = list;
  // expected-warning@+1 {{'next' is freed with what}}
  free(acre_swap(&last->next, list)); // expected-error {{'list'}}
}
void overwritten_below(struct node *unique list) {
  struct node *second = list->next, *third = second->next;
  // expected-note@+2 {{lost here}}
  // expected-warning@+1 {{'second->next' may be overwritten}}
  second->next = NULL;
  printf("%d\n", third->value);
  // expected-error@-1 {{'third' is used after 'list', which it was borrowed from}}
  acre_drop(list);
}
union either {
  char *unique text;
  long number;
};
void put_in_a_union(char *unique p) {
  union either e = {p}; // expected-note {{consumed here}}
  free(p);              // expected-error {{'p' is used after it was consumed}}
  free(acre_take(&e.text));
}

// -- Owners ---------------------------------------------------------------------------------------

void moved_by(char *unique p) {
  p += 1; // expected-error {{arithmetic would make 'p' point into its object}}
  free(p);
}
void in_assembly(char *unique p) {
  __asm__ volatile("" : : "r"(p));
  // expected-error@-1 {{the address of the unique pointer 'p' may only be swapped, passed}}
  free(p);
}
void borrowed_by_arithmetic(char *unique p) {
  char *q = p, *rest = (q += 1);
  free(p);    // expected-note {{lost here}}
  puts(rest); // expected-error {{'rest' is used after 'p', which it was borrowed from}}
}
void ended_with_its_block(void) {
  char *rest;
  {
    char *unique p = make();
    rest = p;
  } // expected-warning {{'p' may be lost}} expected-note {{lost here}}
  puts(rest); // expected-error {{'rest' is used after 'p', which it was borrowed from}}
}

// -- Joins ----------------------------------------------------------------------------------------

void reallocated_on_one_path(char *unique p, int way) {
  char *unique q = NULL;
  if (way)
    q = realloc(p, 10); // expected-note {{consumed here}}
  else
    free(p); // expected-note {{consumed here}}
  if (!q)
    free(p); // expected-error {{'p' is used after it was consumed}}
  free(q);
}
void reallocated_and_freed(char *unique p) {
  char *unique q = realloc(p, 10); // expected-note {{consumed here}}
  free(q);
  q = NULL;
  if (!q)
    free(p); // expected-error {{'p' is used after it was consumed}}
}
void deep_on_one_path(struct node *unique list, int way) {
  struct node *n = list;
  if (way)
    n = list->next;
  touch(list);              // expected-note {{lost here}}
  printf("%d\n", n->value);
  // expected-error@-1 {{'n' is used after 'list', which it was borrowed from}}
  free(list);
}
static jmp_buf back;
void jumps_back_on_one_path(char *unique p, int way) {
  if (way)
    if (setjmp(back)) {
      puts(p); // expected-error {{'p' is used after it was consumed on some path}}
      return;
    }
  take(p); // expected-note {{consumed here}}
  longjmp(back, 1);
}

// -- Order ----------------------------------------------------------------------------------------

int freed_in_any_order(char *unique p) {
  return *p + (free(p), 1);
  // expected-error@-1 {{'p' is used and consumed in one expression}}
  // expected-note@-2 {{consumed here}}
}
int swapped_in_any_order(struct buffer *b, char *unique p) {
  return *p + (acre_swap(&b->bytes, p) != NULL);
  // expected-error@-1 {{'p' is used and consumed in one expression}}
  // expected-note@-2 {{consumed here}}
  // expected-warning@-3 {{the result is unique and is dropped}}
}
int assigned_in_any_order(char *unique p) {
  char *unique q;
  int sum = *p + ((q = p) != NULL);
  // expected-error@-1 {{'p' is used and consumed in one expression}}
  // expected-note@-2 {{consumed here}}
  free(q);
  return sum;
}
int chosen_in_any_order(char *unique p, char *unique q, int way) {
  int sum = *p + take_and_count(way ? q : p);
  // expected-error@-1 {{'p' is used and consumed in one expression}}
  // expected-note@-2 {{consumed here}}
  free(way ? p : q);
  // expected-error@-1 1+ {{is used after it was consumed on some path}}
  // expected-note@-5 1+ {{consumed here}}
  return sum;
}
int first_the_left_operand(char *unique p) {
  return *p && take_and_count(p);
  // expected-warning@-1 {{'p' may be lost}}
  // expected-note@-2 {{consumed here on another path}}
}
int arguments_in_any_order(char *unique p) {
  return two(*p, take_and_count(p));
  // expected-error@-1 {{'p' is used and consumed in one expression}}
  // expected-note@-2 {{consumed here}}
}
int index_in_any_order(char *unique p) {
  return p[take_and_count(p)];
  // expected-error@-1 {{'p' is used and consumed in one expression}}
  // expected-note@-2 {{consumed here}}
}
int list_in_any_order(char *unique p) {
  int both[2] = {*p, take_and_count(p)};
  // expected-error@-1 {{'p' is used and consumed in one expression}}
  // expected-note@-2 {{consumed here}}
  return both[0] + both[1];
}
int in_a_comma(char *unique p) {
  return two(*p, take_and_count((puts(""), p)));
  // expected-error@-1 {{'p' is used and consumed in one expression}}
  // expected-note@-2 {{consumed here}}
}
int in_a_statement(char *unique p) {
  return two(*p, ({
               free(p); // expected-note {{consumed here}}
               1;
             })); // expected-error@-3 {{'p' is used and consumed in one expression}}
}
int by_a_declaration(char *unique p) {
  return two(*p, ({
               char *unique q = p; // expected-note {{consumed here}}
               take_and_count(q);
             })); // expected-error@-3 {{'p' is used and consumed in one expression}}
}
int the_value_of_a_statement(char *unique p) {
  return two(*p, take_and_count(({ puts(""); p; })));
  // expected-error@-1 {{'p' is used and consumed in one expression}}
  // expected-note@-2 {{consumed here}}
}
int at_its_address(char *unique p) {
  return two(*p, take_and_count(*&p));
  // expected-error@-1 {{'p' is used and consumed in one expression}}
  // expected-note@-2 {{consumed here}}
}
int by_its_type(char *unique p) {
  return two(*p, take_and_count(_Generic(0, int : p)));
  // expected-error@-1 {{'p' is used and consumed in one expression}}
  // expected-note@-2 {{consumed here}}
}
int assigned_after_it_was_freed(char *unique p) {
  free(p);
  int sum = two((p = make(), 1), *p);
  // expected-error@-1 {{'p' is used and assigned in one expression}}
  // expected-note@-2 {{assigned here}}
  // expected-warning@-3 {{unsequenced modification}}
  free(p);
  return sum;
}
int borrowed_in_any_order(char *unique p) {
  char *rest = p + 1;
  return *rest + take_and_count(p);
  // expected-error@-1 {{'rest' is used and what it was borrowed from is consumed or changed in \
one expression}}
  // expected-note@-3 {{lost here}}
}
int borrowed_below_in_any_order(struct node *borrowed list) {
  struct node *second = list->next;
  return second->value + touch_and_count(list);
  // expected-error@-1 {{'second' is used and what it was borrowed from is consumed or changed \
in one expression}}
  // expected-note@-3 {{lost here}}
}
int filled_in_any_order(char *unique p) {
  char *rest = p + 1;
  int sum = *rest + (fill(&p), 1);
  // expected-error@-1 {{'rest' is used and what it was borrowed from is consumed or changed in \
one expression}}
  // expected-note@-3 {{lost here}}
  free(p);
  return sum;
}

// -- Callees that nobody can know -----------------------------------------------------------------

__attribute__((weak)) int weak_length(const char *p) { return p[0]; }
// expected-note@-1 {{the parameter is declared here}}
int lent_to_a_weak_function(char *unique p) {
  int length = weak_length(p);
  // expected-error@-1 {{'p' is lent to 'weak_length', which is not known to give it back}}
  free(p);
  return length;
}
long read_to_an_end(char *unique p) {
  char *end;
  long number = strtol(p, &end, 10);
  free(p);              // expected-note {{lost here}}
  return number + *end; // expected-error {{'end' is used after 'p'}}
}
int line_while_borrowed(FILE *in) {
  char *unique line = NULL;
  size_t size = 0;
  getline(&line, &size, in);
  char *rest = line;
  getline(&line, &size, in); // expected-note {{lost here}}
  int first = *rest;
  // expected-error@-1 {{'rest' is used after 'line', which it was borrowed from, was consumed \
or changed}}
  free(line);
  return first;
}
struct counted *refcounted counted_new(void);
void reference_dropped(void) {
  struct counted *refcounted p = counted_new();
  rc_alias(p); // expected-warning {{the result is refcounted and is dropped}}
  rc_drop(p);
}

// -- Static functions that are given what others reach too ----------------------------------------

static int given_a_global(struct node *p) { // expected-note {{the parameter is declared here}}
  touch(p);
  return p ? p->value + given_a_global(p->next) : 0;
  // expected-error@-1 {{what hangs on a unique pointer in memory that others can reach cannot \
be lent}}
}
int give_the_global(void) { return given_a_global(global); }
static int given_by_another(struct node *p) { // expected-note {{the parameter is declared here}}
  touch(p);
  return p ? p->value + given_by_another(p->next) : 0;
  // expected-error@-1 {{what hangs on a unique pointer in memory that others can reach cannot \
be lent}}
}
static int gives(struct node *p) { return given_by_another(p); }
int give_to_another(void) { return gives(unknown_node()); }
static int pointed_to(struct node *p) { // expected-note {{the parameter is declared here}}
  touch(p);
  return p ? p->value + pointed_to(p->next) : 0;
  // expected-error@-1 {{what hangs on a unique pointer in memory that others can reach cannot \
be lent}}
}
int (*pointer)(struct node *) = pointed_to;
static int given_an_alias(struct node *p, struct node *q) {
// expected-note@-1 2 {{the parameter is declared here}}
  struct node *second = p->next;
  touch(q); // expected-note {{lost here}}
  return second->value;
  // expected-error@-1 {{'second' is used after 'p', which it was borrowed from, was consumed or \
changed}}
}
int give_an_alias(struct node *borrowed p) {
  acre_alias(a, p);
  return given_an_alias(a, a);
}
int visible_to_others(struct node *p) { // expected-note {{the parameter is declared here}}
  touch(p);
  return p ? p->value + visible_to_others(p->next) : 0;
  // expected-error@-1 {{what hangs on a unique pointer in memory that others can reach cannot \
be lent}}
}
static int lost_though_alone(struct node *p) {
  struct node *second = p->next;
  touch(p);             // expected-note {{lost here}}
  return second->value;
  // expected-error@-1 {{'second' is used after 'p', which it was borrowed from, was consumed or \
changed}}
}
int give_the_only_way(struct node *borrowed p) { return lost_though_alone(p); }

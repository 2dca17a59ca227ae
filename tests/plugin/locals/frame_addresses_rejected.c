// Addresses of local variables that outlive them for certain; the accepted twins are in
// frame_addresses_accepted.c.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Wno-return-stack-address -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <string.h>

struct node {
  struct node *next;
  int values[4];
};
void look(struct node *n);
static struct node *global;
static char *text;

struct node *returned(void) {
  struct node n = {0};
  struct node *p = &n;
  return p;
  // expected-error@-1 {{the address of the local variable 'n' is returned and outlives it}}
}
int *returned_part(int i) {
  struct node n = {0};
  int *p = n.values + i;
  p++;
  return p; // expected-error {{the address of the local variable 'n' is returned}}
}
int *returned_parameter(struct node by_value) {
  return &by_value.values[1];
  // expected-error@-1 {{the address of the local variable 'by_value' is returned}}
}
char *returned_by_the_library(char c) {
  char buffer[16];
  snprintf(buffer, sizeof buffer, "%c", c);
  return strchr(buffer, c);
  // expected-error@-1 {{the address of the local variable 'buffer' is returned}}
}
char *returned_on_one_path(int n) {
  char buffer[16], *p = buffer;
  if (n > 3)
    return p; // expected-error {{the address of the local variable 'buffer' is returned}}
  return "";
}
int used_after_the_block(void) {
  int *p;
  {
    int n = 1;
    p = &n;
  } // expected-note {{the block ends here}}
  return *p;
  // expected-error@-1 {{'p' points into the local variable 'n' and is used after its block}}
}
int used_in_the_next_round(int n) {
  int sum = 0, *last = NULL;
  while (n--) {
    int square = n * n;
    if (last) // expected-error {{'last' points into the local variable 'square'}}
      sum += *last;
    last = &square;
  } // expected-note {{the block ends here}}
  return sum;
}
void left_in_a_global(void) {
  struct node n = {0};
  global = &n;
  // expected-error@-1 {{the address of the local variable 'n' is left in 'global' and outlives it}}
}
void left_in_a_static(void) {
  static char *last;
  char buffer[4] = "";
  last = buffer + 1;
  // expected-error@-1 {{the address of the local variable 'buffer' is left in 'last'}}
}
void left_on_a_path(int c) {
  char buffer[4] = "";
  text = NULL;
  if (c) {
    text = buffer;
    // expected-error@-1 {{the address of the local variable 'buffer' is left in 'text'}}
    return;
  }
}
void left_of_a_parameter(struct node by_value) {
  global = &by_value;
  // expected-error@-1 {{the address of the local variable 'by_value' is left in 'global'}}
}

// -- By way of a function that always gives back what it is given, and objects without a name
// ----------------------------

static int *same(int *p) { return p; }
int *next(int *p) { return p + 1; }
int *first_of(struct node *p) { return p->values; }
int *second(int *p) { return next(same(p)); }
int *returned_by_a_function(void) {
  int n = 0;
  return same(&n); // expected-error {{the address of the local variable 'n' is returned}}
}
int *returned_through_a_variable(void) {
  int numbers[2] = {0};
  int *p = second(numbers);
  return p; // expected-error {{the address of the local variable 'numbers' is returned}}
}
int *returned_member(void) {
  struct node n = {0};
  return first_of(&n); // expected-error {{the address of the local variable 'n' is returned}}
}
static int *number;
void left_by_a_function(void) {
  int n = 0;
  number = same(&n);
  // expected-error@-1 {{the address of the local variable 'n' is left in 'number'}}
}
int given_back_and_used(void) {
  int *p;
  {
    int n = 1;
    p = same(&n);
  } // expected-note {{the block ends here}}
  return *p;
  // expected-error@-1 {{'p' points into the local variable 'n' and is used after its block}}
}
int *returned_literal(void) {
  return &(int){1};
  // expected-error@-1 {{the address of a compound literal is returned and outlives it}}
}
int *returned_list(void) {
  int *p = (int[]){1, 2};
  return p; // expected-error {{the address of a compound literal is returned}}
}
void left_literal(void) {
  global = &(struct node){0};
  // expected-error@-1 {{the address of a compound literal is left in 'global'}}
}
char *returned_alloca(void) {
  char *p = __builtin_alloca(10);
  return memset(p, 0, 10); // expected-error {{the address of memory of alloca is returned}}
}
void left_alloca(void) {
  text = __builtin_alloca(10);
  // expected-error@-1 {{the address of memory of alloca is left in 'text'}}
}
int *returned_of_variable_size(int n) {
  int numbers[n];
  return numbers; // expected-error {{the address of the local variable 'numbers' is returned}}
}

// The rejected twins of cursors_accepted.c: what is kept, put elsewhere, used after its owner is
// gone, or cannot be seen.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify -Xclang \
// RUN:   -verify-ignore-unexpected=note %s
#define _GNU_SOURCE
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *kept; static char **where;
static void skip(char **at) { while (**at == ' ') ++*at; }
static void keeps(char **at) { kept = *at; }
static void keeps_address(char **at) { where = at; }
static char *tail(char **at) { return *at; }
static char **same(char **at) { return at; }
static void puts_in(char *s, char **at) { *at = s; }
static void swap_both(char **a, char **b) {
  char *t = *a;
  *a = *b;
  *b = t;
}
static void ends(char **at) { free(*at); }
static void copies_bytes(char **at) { memcpy(&kept, at, sizeof *at); }
static void copies_address(char **at) {
  char **q = at;
  kept = *q;
}
static void lets_keep(char **at) { keeps(at); }
static void resets(char **at) { *at = kept; }
void unknown(char **at);
static void passes(char **at) { unknown(at); }
struct view {
  char *first;
};
static void reads_as_structure(char **at) {
  struct view x = *(struct view *)at;
  kept = x.first;
}
static void gives_to_assembly(char **at) { __asm__("" : "+m"(*at)); }
// expected-warning@-1 {{assembly may store a pointer in 'char *' without counting it}}
static char *loads_atomically(char **at) { return __atomic_load_n(at, 0); }
static void gives_copy_to_assembly(char **at) {
  char *p = *at;
  __asm__("" :: "r"(p));
}
static void shows_copy_to_assembly(char **at) {
  char *p = *at;
  __asm__("" :: "m"(p));
}
static void stores_atomically(char **at) { __atomic_store_n(&kept, *at, 0); }
void used_after(char *unique line) {
  char *p = line;
  skip(&p);
  free(line);
  puts(p); // expected-error {{'p' is used after 'line'}}
}
void callee_keeps(char *unique line) {
  char *p = line;
  keeps(&p); // expected-error {{'line' is lent to 'keeps'}}
  free(line);
}
void callee_keeps_the_address(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  keeps_address(&p);
  free(line);
}
void result_used_after(char *unique line) {
  char *p = line;
  char *t = tail(&p);
  free(line);
  puts(t); // expected-error {{'t' is used after 'line'}}
}
void address_comes_back(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  char **q = same(&p);
  kept = *q;
  free(line);
}
void another_is_put_there(char *unique line) {
  char *p;
  puts_in(line, &p); // expected-error {{'line' is lent to 'puts_in'}}
  free(line);
  puts(p);
}
void two_swapped(char *unique line) {
  char *p = line, *q = 0;
  swap_both(&p, &q); // expected-error {{'line' is lent to 'swap_both'}}
  free(line);
  puts(q);
}
void callee_frees(char *unique line) {
  char *p = line;
  ends(&p); // expected-error {{'line' is lent to 'ends'}}
  free(line);
}
void bytes_copied(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  copies_bytes(&p);
  free(line);
}
void address_copied(char *unique line) {
  char *p = line;
  copies_address(&p); // expected-error {{'line' is lent to 'copies_address'}}
  free(line);
}
void kept_by_a_callee_of_it(char *unique line) {
  char *p = line;
  lets_keep(&p); // expected-error {{'line' is lent to 'lets_keep'}}
  free(line);
}
void set_to_another_perhaps(char *unique line) {
  char *p = line;
  resets(&p);
  free(line);
  puts(p); // expected-error {{'p' is used after 'line'}}
}
void given_on_to_unknown(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  passes(&p);
  free(line);
}
void read_as_a_structure(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  reads_as_structure(&p);
  free(line);
}
void given_to_assembly(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  gives_to_assembly(&p);
  free(line);
}
void stored_atomically(char *unique line) {
  char *p = line;
  stores_atomically(&p); // expected-error {{'line' is lent to 'stores_atomically'}}
  free(line);
}
void part_used_after(char *unique line) {
  char *p = line;
  char *w = strsep(&p, ",");
  free(line);
  puts(w); // expected-error {{'w' is used after 'line'}}
}
void moved_after(char *unique line) {
  char *p = line;
  free(line);
  strsep(&p, ","); // expected-error {{'p' is used after 'line'}}
}
void next_token_after(char *unique line) {
  char *s;
  strtok_r(line, ",", &s);
  free(line);
  strtok_r(NULL, ",", &s); // expected-error {{'s' is used after 'line'}}
}
void token_used_after(char *unique line) {
  char *s;
  strtok_r(line, ",", &s);
  char *t = strtok_r(NULL, ",", &s);
  free(line);
  puts(t); // expected-error {{'t' is used after 'line'}}
}
void rest_in_a_global(char *unique line) {
  strtok_r(line, ",", &kept); // expected-error {{what is borrowed from 'line' stored in memory}}
  free(line);
}
void end_in_a_global(char *unique line) {
  strtol(line, &kept, 10); // expected-error {{what is borrowed from 'line' stored in memory}}
  free(line);
}
void end_used_after(char *unique line) {
  char *e;
  strtol(line, &e, 10);
  free(line);
  puts(e); // expected-error {{'e' is used after 'line'}}
}
void unknown_callee(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  unknown(&p);
  free(line);
}
void moved_and_kept(char *unique line) {
  char *p = line;
  skip(&p);
  kept = p; // expected-error {{what is borrowed from 'line' stored in memory}}
  free(line);
}
char *moved_and_returned(char *unique line) {
  char *p = line;
  skip(&p);
  free(line);
  return p; // expected-error {{'p' is used after 'line'}}
}
static void kept_moved(char *t) {
  skip(&t);
  kept = t;
}
static void kept_behind(char *t) { keeps(&t); }
static void kept_part(char *t) { kept = strsep(&t, ","); }
static char *given_back(char *t) {
  skip(&t);
  return t;
}
static void kept_end(char *t) {
  char *e;
  strtol(t, &e, 10);
  kept = e;
}
static void kept_token(char *t) {
  char *e;
  strtok_r(t, ",", &e);
  kept = strtok_r(0, ",", &e);
}
static void put_by_number(char *t, char **u) { strtol(t, u, 10); }
static void put_into_itself(char *t) { put_by_number(t, &t); }
static void kept_result(char *t) { kept = tail(&t); }
void lends_to_kept_moved(char *unique line) {
  kept_moved(line); // expected-error {{'line' is lent to 'kept_moved'}}
  free(line);
}
void lends_to_kept_behind(char *unique line) {
  kept_behind(line); // expected-error {{'line' is lent to 'kept_behind'}}
  free(line);
}
void lends_to_kept_part(char *unique line) {
  kept_part(line); // expected-error {{'line' is lent to 'kept_part'}}
  free(line);
}
void lends_to_given_back(char *unique line) {
  char *r = given_back(line);
  free(line);
  puts(r); // expected-error {{'r' is used after 'line'}}
}
void lends_to_kept_end(char *unique line) {
  kept_end(line); // expected-error {{'line' is lent to 'kept_end'}}
  free(line);
}
void lends_to_kept_token(char *unique line) {
  kept_token(line); // expected-error {{'line' is lent to 'kept_token'}}
  free(line);
}
void lends_to_put_by_number(char *unique line) {
  put_by_number(line, &kept); // expected-error {{'line' is lent to 'put_by_number'}}
  free(line);
}
void lends_to_put_into_itself(char *unique line) {
  put_into_itself(line); // expected-error {{'line' is lent to 'put_into_itself'}}
  free(line);
}
void lends_to_kept_result(char *unique line) {
  kept_result(line); // expected-error {{'line' is lent to 'kept_result'}}
  free(line);
}
static void replaced(char **at);
void defined_later(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  replaced(&p);
  free(line);
}
static void replaced(char **at) { kept = *at; }
struct node {
  struct node *unique next;
};
static void advance(struct node **p) { *p = (*p)->next; }
// expected-error@-1 {{what is stored in memory}}
void walks_on_unique_pointers(struct node *unique line) {
  struct node *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  advance(&p);
  free(acre_take(&line->next));
  (void)p->next;
  free(line);
}
static void keeps_one_of_two(char **a, char **b, int c) { kept = *(c ? a : b); }
void one_of_two(char *unique line) {
  char *p = line, *q = 0;
  keeps_one_of_two(&q, &p, 1); // expected-error {{'line' is lent to 'keeps_one_of_two'}}
  free(line);
}
void moved_before_and_after(char *unique line) {
  char *p = 0;
  skip(&p);
  p = line;
  skip(&p);
  char *q = p;
  free(line);
  puts(q); // expected-error {{'q' is used after 'line'}}
}
static void reads_as_array(char **a) { kept = a[0]; }
void read_as_an_array(char *unique line) {
  char *p = line;
  reads_as_array(&p); // expected-error {{'line' is lent to 'reads_as_array'}}
  free(line);
}
static void copies_and_keeps(char **a) {
  char *b = *a;
  skip(&b);
  kept = b;
}
void copied_moved_and_kept(char *unique line) {
  char *p = line;
  copies_and_keeps(&p); // expected-error {{'line' is lent to 'copies_and_keeps'}}
  free(line);
}
static void puts_end(char **a, char **b) { strtol(*a, b, 10); }
void end_of_it_in_a_global(char *unique line) {
  char *p = line;
  puts_end(&p, &kept); // expected-error {{'line' is lent to 'puts_end'}}
  free(line);
}
void loaded_atomically(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  char *q = loads_atomically(&p);
  free(line);
  puts(q);
}
void copy_given_to_assembly(char *unique line) {
  char *p = line;
  gives_copy_to_assembly(&p); // expected-error {{'line' is lent to 'gives_copy_to_assembly'}}
  free(line);
}
void copy_readable_by_assembly(char *unique line) {
  char *p = line;
  shows_copy_to_assembly(&p); // expected-error {{'line' is lent to 'shows_copy_to_assembly'}}
  free(line);
}
void rest_of_another_line(char *unique first, char *unique second) {
  char *rest;
  strtok_r(first, ",", &rest);
  free(first);
  strtok_r(second, ",", &rest); // expected-error {{'rest' is used after 'first'}}
  free(second);
}
static void lets_copy_bytes(char **at) { copies_bytes(at); }
void bytes_copied_by_a_callee_of_it(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  lets_copy_bytes(&p);
  free(line);
}
static void sets_the_other(char **at, char **to) {
  char **first = at;
  at = to;
  *at = *first;
}
void other_place_set(char *unique line) {
  char *p = line, *q;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  sets_the_other(&p, &q);
  free(line);
  puts(q);
}
void weak_later(char **at) { ++*at; }
void moved_by_one_that_is_weak_later(char *unique line) {
  char *p = line;
  weak_later(&p); // expected-error 1+ {{is lent to 'weak_later'}}
  free(line);
}
void known_to_one_that_is_weak_later(char *unique line) {
  char *p = kept;
  weak_later(&p); // expected-error {{'p' is lent to 'weak_later'}}
  p = line;
  free(line);
}
#pragma weak weak_later

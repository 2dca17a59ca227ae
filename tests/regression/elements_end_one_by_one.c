// What hangs on one element of an array ended when another one was taken, unless both had constant
// numbers in an array of the object itself.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>

struct run {
  struct run *unique older;
  char *unique path;
};
struct store {
  struct run *unique levels[7];
  char *unique *unique names;
};
void sort_names(char *unique *borrowed names);

void sink(struct store *borrowed s, unsigned level) {
  struct run *unique *end = &s->levels[level + 1];
  while (*end)
    end = &(*end)->older;
  *end = acre_take(&s->levels[level]);
}
void sink_itself(struct store *borrowed s, unsigned level) {
  struct run *unique *end = &s->levels[level];
  while (*end)
    end = &(*end)->older;
  struct run *unique all = acre_take(&s->levels[level]);
  acre_drop(acre_swap(end, all)); // expected-error {{'end' is used after 's'}}
}
void counted(struct store *borrowed s, unsigned level) {
  struct run *first = s->levels[level + 1];
  level++;
  acre_drop(acre_take(&s->levels[level]));
  puts(first->path); // expected-error {{'first' is used after 's'}}
}
void constants(struct store *borrowed s) {
  const char *first = s->names[0];
  free(acre_take(&s->names[1]));
  puts(first);
  free(acre_take(&s->names[0]));
  puts(first); // expected-error {{'first' is used after 's'}}
}
void other_number(struct store *borrowed s, size_t i, size_t j) {
  const char *first = s->names[i];
  free(acre_take(&s->names[j]));
  puts(first); // expected-error {{'first' is used after 's'}}
}
void other_array(struct store *borrowed s, char *unique *unique names) {
  const char *first = s->names[0];
  free(acre_swap(&s->names, names));
  puts(first); // expected-error {{'first' is used after 's'}}
}
void lent(struct store *borrowed s) {
  const char *first = s->names[0];
  sort_names(&s->names[1]);
  puts(first); // expected-error {{'first' is used after 's'}}
}
void moved(struct store *borrowed s, size_t i) {
  char *unique *at = &s->names[i];
  const char *next = at[1];
  free(acre_take(&s->names[i + 1]));
  puts(next); // expected-error {{'next' is used after 's'}}
}
void either(struct store *borrowed s, size_t i, int which) {
  const char *text = s->names[i];
  if (which)
    text = s->names[i + 1];
  free(acre_take(&s->names[i + 1]));
  puts(text); // expected-error {{'text' is used after 's'}}
}

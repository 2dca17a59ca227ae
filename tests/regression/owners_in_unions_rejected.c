// A plain member of a union that lies where a unique one does gave the owner a second holder, or
// what was stored there was freed as one.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>

struct value {
  int kind;
  union {
    char *unique text;
    const char *name;
    long number;
  };
};
char *unique make(void);
const char *kept;

void copied(struct value *borrowed v) {
  kept = v->name; // expected-error {{stored in memory could be used after its owner is gone}}
  puts(v->name);
  printf("%ld\n", v->number);
}
void freed(struct value *borrowed v) {
  free((char *)v->name); // expected-error {{made unique or freed could be used after its owner}}
  free(acre_take(&v->text));
}
void set(struct value *borrowed v) {
  v->name = "";
  free(acre_take(&v->text)); // expected-error {{'v->text' is used before it is surely set}}
}
void set_again(struct value *borrowed v) {
  v->name = "";
  puts(v->name);
  v->text = make();
  free(acre_take(&v->text));
}
void local(void) {
  struct value v = {.kind = 1, .name = "x"}, w = {.kind = 1, .text = NULL};
  free(acre_take(&v.text)); // expected-error {{'v.text' is used before it is surely set}}
  free(acre_take(&w.text));
}
void lost(void) {
  struct value v = {0};
  v.text = make();
  v.number = 7; // expected-warning {{'v.text' may be overwritten}}
  v.text = make();
  free(acre_take(&v.text));
  v.number = 7;
}
void addressed(struct value *borrowed v, void (*fill)(const char **borrowed),
               void (*count)(long *borrowed)) {
  fill(&v->name); // expected-error {{a unique pointer is kept under the type 'const char **'}}
  count(&v->number);
}

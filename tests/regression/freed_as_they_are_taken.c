// What an object owned was lost without a word where it was freed as it was taken, from a global
// variable, an array, by a swap, or as a result.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct box {
  char *unique text;
  int number;
};
struct plain {
  int number;
};
struct holder {
  struct box *unique box, *unique boxes[4];
  struct plain *unique plain;
};
struct box *unique pop(struct holder *borrowed from);
struct plain *unique pop_plain(struct holder *borrowed from);
static struct box *unique global;

void by_swap(struct holder *borrowed h, struct box *unique other) {
  free(acre_swap(&h->box, other)); // expected-warning {{'box' is freed with what 'h->box->text'}}
}
void of_global(void) {
  free(acre_take(&global)); // expected-warning {{'global' is freed with what 'global->text'}}
}
void of_element(struct holder *borrowed h, int i) {
  free(acre_take(&h->boxes[i])); // expected-warning {{'boxes' is freed with what}}
}
void of_result(struct holder *borrowed h) {
  free(pop(h)); // expected-warning {{'pop' is freed with what 'pop(...)->text' may own}}
}

void emptied(struct holder *borrowed h, struct box *unique other, int i) {
  if (h->box)
    free(acre_take(&h->box->text));
  free(acre_swap(&h->box, other));
  if (h->boxes[i])
    free(acre_take(&h->boxes[i]->text));
  free(acre_take(&h->boxes[i]));
}
void global_emptied(void) {
  if (!global)
    return;
  free(acre_take(&global->text));
  free(acre_take(&global));
}
void owns_nothing(struct holder *borrowed h) {
  free(acre_take(&h->plain));
  free(pop_plain(h));
}

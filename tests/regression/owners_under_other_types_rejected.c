// The address of a unique pointer, cast to that of a plain one or of a number, let it be copied,
// lost and made up: a warning was all that was said, and of numbers nothing.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

struct holder {
  char *unique text;
  char *unique *arguments;
};
const char *kept;
int fill(void **place);

void set(struct holder *borrowed h) {
  *(char **)&h->text = "x"; // expected-error {{a unique pointer is set under the type 'char **'}}
  *(void **)(void *)&h->text = 0; // expected-error {{set under the type 'void **'}}
  *(long *)&h->text = 0; // expected-error {{set under the type 'long *'}}
  free(acre_swap(&h->text, NULL));
}
void copied(struct holder *borrowed h) {
  kept = *(char **)&h->text; // expected-error {{read under the type 'char **'}}
  kept = ((char *const *)h->arguments)[1]; // expected-error {{read under the type 'char *const *'}}
}
void kept_in_variables(struct holder *borrowed h) {
  char **slot = (char **)&h->text; // expected-error {{kept under the type 'char **'}}
  uintptr_t *bits;
  bits = (uintptr_t *)&h->text; // expected-error {{kept under the type 'uintptr_t *'}}
  char *unique *cell = &h->text;
  free(acre_take(cell));
  *slot = 0;
  *bits = 0;
}
unsigned looked_at(const struct holder *borrowed h) {
  const unsigned char *byte = (const unsigned char *)&h->text;
  return byte[0] + *(unsigned char *)&h->text;
}
void filled(struct holder *borrowed h) {
  char *unique p = NULL;
  if (posix_memalign((void **)&p, 64, 64) == 0)
    free(p);
  execv("x", (char *const *)h->arguments);
}
void believed(void) {
  char *unique p = NULL;
  fill((void **)&p); // expected-warning {{casting 'char *unique *' to 'void **' changes}}
  free(p);
}

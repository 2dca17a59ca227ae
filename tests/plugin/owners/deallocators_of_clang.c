// What malloc(F, N) names ends what the function makes. Clang 19 rejects its arguments.
// REQUIRES: llvm-22
// RUN: %frontend -fsyntax-only -Wno-ignored-attributes -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>

struct item;
void item_end(struct item *i);
void item_close(int how, struct item *i);
struct item *item_new(void) __attribute__((malloc(item_end)));
struct item *item_open(void) __attribute__((malloc(item_close, 2)));
struct item *item_plain(void);

void made(void) {
  struct item *unique one = item_new(), *unique other = item_open();
  item_end(one);
  item_close(1, other);
}
void plain(void) {
  struct item *unique one = item_plain(); // expected-error {{a plain pointer cannot become unique}}
  item_end(one);
}
void ended_twice(void) {
  struct item *unique one = item_new();
  item_end(one);
  item_end(one); // expected-error {{'one' is used after it was consumed}}
}
void ended_with_another(void) {
  struct item *unique one = item_open();
  item_close(1, one);
  item_close(2, one); // expected-error {{'one' is used after it was consumed}}
}
void lost(void) {
  struct item *unique one = item_new();
  (void)one;
} // expected-warning {{'one' may be lost at the end of its scope}}

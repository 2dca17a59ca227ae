// Two arguments, one of which hangs on the other, could not be given to a function that takes
// nothing out of memory.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct define {
  char *unique name, *unique text;
};
struct book {
  struct define *unique all;
  size_t count;
};

static size_t depth(struct book *borrowed b, const char *borrowed text) {
  for (size_t i = 0; i < b->count; i++)
    if (strcmp(b->all[i].name, text) == 0)
      return 1 + depth(b, b->all[i].text);
  return 0;
}
size_t right(struct book *borrowed b) {
  size_t sum = 0;
  for (size_t i = 0; i < b->count; i++) {
    const struct define *each = &b->all[i];
    sum += depth(b, each->text);
    sum += strlen(each->name);
  }
  return sum;
}

static size_t undefine(struct book *borrowed b, const char *borrowed text) {
  free(acre_take(&b->all[0].text));
  return strlen(text);
}
size_t wrong(struct book *borrowed b) {
  return undefine(b, b->all[0].text); // expected-error {{'b' is lent by another argument}}
}

static size_t by_another(struct book *borrowed b, const char *borrowed text);
size_t before(struct book *borrowed b) {
  return by_another(b, b->all[0].text); // expected-error {{'b' is lent by another argument}}
}
static size_t by_another(struct book *borrowed b, const char *borrowed text) {
  free(acre_take(&b->all[0].text));
  return strlen(text);
}
void unseen(struct book *borrowed b, const char *borrowed text);
void lent(struct book *borrowed b) {
  unseen(b, b->all[0].text); // expected-error {{'b' is lent by another argument}}
}

// What is freed at once when it is taken out of a slot was not asked for what it owns.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>

struct document {
  char *unique end, *unique body;
};
struct redirection {
  struct document *unique document;
};
void clear(struct document *borrowed d);

void end_one(struct redirection *borrowed r) {
  if (!r->document)
    return;
  free(acre_take(&r->document->end));
  // expected-warning@+1 {{'document' is freed with what 'r->document->body' may own}}
  free(acre_take(&r->document));
}
void end_none(struct redirection *borrowed r) {
  // expected-warning@+1 {{'document' is freed with what 'r->document->end' may own}}
  free(acre_take(&r->document));
}
void end_both(struct redirection *borrowed r) {
  if (!r->document)
    return;
  free(acre_take(&r->document->end));
  free(acre_take(&r->document->body));
  free(acre_take(&r->document));
}
void end_by_name(struct redirection *borrowed r) {
  struct document *d = r->document;
  if (!d)
    return;
  free(acre_take(&d->end));
  free(acre_take(&d->body));
  free(acre_take(&r->document));
}
void end_by_call(struct redirection *borrowed r) {
  if (r->document)
    clear(r->document);
  free(acre_take(&r->document));
}

// So it was with the elements of an array.
typedef char *unique copy_function(const char *text);
char *unique *unique copies(const char *const *from, size_t count, copy_function *copy) {
  char *unique *unique all = calloc(count, sizeof *all);
  size_t made = 0;
  if (!all)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    char *unique one = copy(from[i]);
    if (!one) {
      free(all); // expected-warning {{'all[...]' may be lost at the end of its scope}}
      return NULL;
    }
    all[made++] = one;
  }
  return all;
}
char *unique *unique copies_or_none(const char *const *from, size_t count, copy_function *copy) {
  char *unique *unique all = calloc(count, sizeof *all);
  size_t made = 0;
  if (!all)
    return NULL;
  for (; made < count; made++)
    if (!(all[made] = copy(from[made]))) {
      while (made > 0)
        free(acre_take(&all[--made]));
      free(all);
      return NULL;
    }
  return all;
}

// Owning pointers that no descriptor can follow are named where they are declared; all others are
// followed.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>

struct in_union {
  int kind;
  union {
    char *unique text;
    // expected-warning@-1 {{what 'text' owns does not die with its object: of a union nobody \
knows what is in use}}
    long number;
    void *refcounted references[2];
    // expected-warning@-1 {{what 'references' owns does not die with its object}}
  };
};
struct flexible {
  int length;
  char *unique texts[];
  // expected-warning@-1 {{what 'texts' owns does not die with its object: of a flexible array \
member nobody knows}}
};
struct followed {
  char *unique text, *unique texts[4];
  struct {
    void *refcounted reference;
  } inner;
  union {
    char *plain;
    long number;
  };
};

/* acre_drop consumes as free does. */
void dropped(struct followed *unique p) { acre_drop(p); }
void dropped_array(struct followed *unique p) { acre_drop_array(p, 3); }
void dropped_slot(struct followed *p) { acre_drop(acre_take(&p->text)); }
void dropped_twice(struct followed *unique p) {
  acre_drop(p); // expected-note {{consumed here}}
  acre_drop(p); // expected-error {{'p' is used after it was consumed}}
}
void dropped_reference(struct followed *refcounted p) { acre_drop(p); }
// expected-error@-1 {{a pointer that is 'refcounted' cannot become 'unique'}}
void dropped_borrowed(struct followed *borrowed p) { acre_drop(p); }
// expected-error@-1 {{could be used after its owner is gone}}

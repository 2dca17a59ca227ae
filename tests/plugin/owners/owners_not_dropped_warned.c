// Owning pointers that no descriptor can follow are named once, where they are declared, if such an
// object is dropped; all others are followed.
// RUN: %frontend -fsyntax-only -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct in_union {
  int kind;
  union {
    char *unique text;
    // expected-warning@-1 {{what 'text' owns does not die with an object that is \
dropped: of a union nobody}}
    long number;
    void *refcounted references[2];
    // expected-warning@-1 {{what 'references' owns does not die with an object that is dropped}}
  };
};
struct flexible {
  int length;
  char *unique texts[];
  // expected-warning@-1 {{what 'texts' owns does not die with an object that is \
dropped: of a flexible array member}}
};
struct freed_by_hand {
  int kind;
  union {
    char *unique text;
    long number;
  };
};
struct holder {
  struct in_union *unique next;
};
struct mail {
  char *unique from;
  char *unique *unique to;
  // expected-warning@-1 {{what 'to' owns does not die with an object that is dropped: of an array \
only the first element}}
};
struct message {
  char *unique *unique to;
  int count;
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

void drop_below(struct holder *unique p) { acre_drop(p); }
void drop_again(struct in_union *unique p) { acre_drop(p); }
void drop_flexible(struct flexible *unique p) { acre_drop(p); }
void drop_array(struct mail *unique m) { acre_drop(m); }
void drop_emptied(struct message *unique m) {
  while (m->count > 0)
    free(acre_take(&m->to[--m->count]));
  acre_drop(m);
}
void by_hand(struct freed_by_hand *unique p) {
  if (p->kind == 1)
    free(acre_take(&p->text));
  free(p);
}

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

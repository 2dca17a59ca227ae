// A definition without a word takes those of the declarations before it: its parameters, its
// result and all that its body makes of them.  Until then each was an error (ACRE-R005), and an
// old-style definition was followed as if it had plain parameters.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note -Wno-deprecated-non-prototype %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *unique next;
  char *unique name;
};

char *unique make(size_t size);
void take(char *unique p);
void look(const char *borrowed p);
void set(struct node *borrowed n, char *unique name);
int fill(char *unique *acre_out place);
void put(char *unique *place, char *unique value);
char *unique choose(char *unique one, char *unique other, int way);
void visit(char *unique (*maker)(size_t size));
void old_style(char *unique p);
void deferred(char *unique p) __attribute__((nonnull));
char *unique itself(int depth);
extern char *unique kept;

char *make(size_t size) { return malloc(size); }

void take(char *p) {
  free(p);
  free(p); // expected-error {{'p' is used after it was consumed}}
}

void look(const char *p) {
  free((char *)p); // expected-error {{borrowed from 'p' made unique or freed}}
}

void set(struct node *n, char *name) { free(acre_swap(&n->name, name)); }

int fill(char **place) {
  *place = malloc(10);
  return *place ? 0 : -1;
}

void put(char **place, char *value) {
  free(*place); // expected-error {{a unique pointer in memory is taken with}}
  free(acre_take(place));
  __auto_type same = place;
  __typeof__(*place) old = acre_swap(same, value);
  free(old);
  free(old); // expected-error {{'old' is used after it was consumed}}
}

char *choose(char *one, char *other, int way) {
  return way ? one : other;
  // expected-warning@-1 {{'one' may be lost}} expected-warning@-1 {{'other' may be lost}}
}

void visit(char *(*maker)(size_t)) {
  char *unique p = maker(1);
  free(p);
  char *unique lost = maker(2);
} // expected-warning {{'lost' may be lost}}

void old_style(p) char *p;
{
  take(p);
  take(p); // expected-error {{'p' is used after it was consumed}}
}

void deferred(char *const p); // says nothing either: what comes next has the words
void deferred(char *p) {
} // expected-warning {{'p' may be lost}}

char *itself(int depth) {
  char *unique q = depth ? itself(depth - 1) : make(1);
  if (depth == 5)
    itself(1); // expected-warning {{the result is unique and is dropped}}
  return q;
}

char *kept;
char *unique taken(void) {
  return kept; // expected-error {{a unique pointer in memory is taken with}}
}

// A parameter that is const: the words stand around that.
void constant(char *unique const p, char *unique q);
void constant(char *const p, char *const q) {
  free(p);
  free(p); // expected-error {{'p' is used after it was consumed}}
  free(q);
  free(q); // expected-error {{'q' is used after it was consumed}}
}
void once_constant(char *unique const p); // expected-note {{previous declaration}}
void once_constant(char *p) { free(p); }
// expected-error@-1 {{redeclaration of 'once_constant' with different annotations}}

// Callers behind the definition are told what callers before it are.
void call(void) {
  char *unique p = make(3);
  look(p);
  take(p);
  look(p); // expected-error {{'p' is used after it was consumed}}
  make(4); // expected-warning {{the result is unique and is dropped}}
}

// What the name of a type says is not said by the declaration, but must be the same in both.
typedef void visitor(char *unique p);
visitor by_name;
void with_visitor(char *unique p, visitor *each);
void other_visitor(char *unique p, void (*each)(char *p)); // expected-note {{previous}}
void by_name(char *p) { free(p); }
void with_visitor(char *p, visitor *each) { each(p); }
void other_visitor(char *p, visitor *each) { each(p); }
// expected-error@-1 {{redeclaration of 'other_visitor' with different annotations}}
// expected-error@-2 {{a plain pointer cannot become unique}}

// One word is enough to say that all are meant as they stand.
void two(char *unique one, char *borrowed other); // expected-note {{previous declaration}}
void two(char *unique one, char *other);
// expected-error@-1 {{redeclaration of 'two' with different annotations ('void (char *unique, \
char *)' and 'void (char *unique, char *borrowed)')}}
// How slots are counted is repeated.
void slots(struct node *sameregion *place, char *unique p); // expected-note {{previous}}
void slots(struct node **place, char *p);
// expected-error@-1 {{redeclaration of 'slots' with different annotations}}
// Inside of a function a declaration is one of its own.
void inside(void) {
  void take(char *p); // expected-error {{redeclaration of 'take' with different annotations}}
}
// Words that come late do not reach back.
void late(char *p);
void late(char *unique p); // expected-error {{redeclaration of 'late' with different annotations}}

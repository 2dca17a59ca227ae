// inregion and inparent stand on parameters and results, name what is there, and bind all
// declarations and calls.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/region.h>
struct node { struct node *sameregion next; };
region shared;
struct node *list;
int number;
_Thread_local region own;

struct node *inregion(r) accepted(region r, struct node *inregion(r) next,
                                  struct node *inparent(r) up);
struct node *inregion(x) tail(struct node *x);
struct node *inregion(shared) of_global(struct node *inparent(list) above);
struct node *inregion(r) const first(region r);
void unnamed_subject(region r, struct node *inregion(r));

struct node *inregion(r) a(region);
// expected-error@-1 {{'r' in 'inregion' is no parameter of 'a' and no variable of file scope \
that is a region or points into one}}
void b(int n, struct node *inregion(n) p);
// expected-error@-1 {{'n' in 'inregion' is no parameter}}
void c(struct node *inregion(number) p);
// expected-error@-1 {{'number' in 'inregion' is no parameter}}
void d(struct node *inregion(own) p); // expected-error {{'own' in 'inregion' is no parameter}}
void e(struct node *inregion(regionof(list)) p);
// expected-error@-1 {{'acre_region_of(list)' in 'inregion' is no parameter}}

struct held { struct node *inregion(shared) p; };
// expected-error@-1 {{'inregion' has no meaning here: it stands on parameters and results of \
functions}}
struct node *inregion(shared) variable; // expected-error {{'inregion' has no meaning here}}
typedef struct node *inparent(shared) name; // expected-error {{'inparent' has no meaning here}}
void f(struct node *inregion(r) *p, region r);
// expected-error@-1 {{'inregion' has no meaning here}}
void g(void (*visit)(region r, struct node *inregion(r) p));
// expected-error@-1 {{'inregion' has no meaning here}}
void h(int inregion(shared) n);
// expected-error@-1 {{'inregion' applies only to pointers, and 'int' is not one}}
void i(void) {
  struct node *inregion(shared) local = 0; // expected-error {{'inregion' has no meaning here}}
  (void)local;
}

void j(region r, struct node *inregion(r) p); // expected-note {{previous declaration is here}}
void j(region r, struct node *p);
// expected-error@-1 {{redeclaration of 'j' with different annotations}}
void k(region r, struct node *inregion(r) p); // expected-note {{previous declaration is here}}
void k(region r, struct node *inparent(r) p);
// expected-error@-1 {{redeclaration of 'k' with different annotations}}
void l(region r, region s, struct node *inregion(r) p);
// expected-note@-1 {{previous declaration is here}}
void l(region s, region r, struct node *inregion(r) p);
// expected-error@-1 {{redeclaration of 'l' with different annotations}}
void m(region r, struct node *inregion(r) p);
void m(region s, struct node *inregion(s) q);

struct node *inregion(r) changed(region r, struct node *inregion(r) p, region s) {
  p = 0;
  s = r;
  r = s;
  // expected-error@-1 {{'r' names a region in the signature of this function and may not be \
changed}}
  region *place = &r; // expected-error {{'r' names a region in the signature}}
  (void)place;
  return p;
}

void variadic(region r, struct node *inregion(r) p, ...);
void maybe(region r, struct node *inregion(r) p) __attribute__((weak));
void by_pointer(void) {
  void (*visit)(region, struct node *) = m;
  void (*log)(region, struct node *, ...) = variadic;
  // expected-error@-1 {{'variadic' is variadic and has parameters with 'inregion' or 'inparent': \
it can only be called by its name}}
  (&maybe)(shared, 0);
  // expected-error@-1 {{'maybe' is weak and has parameters with 'inregion' or 'inparent'}}
  if (maybe) // expected-error {{'maybe' is weak}}
    maybe(shared, 0);
  variadic(shared, 0, 1);
  (variadic)(shared, 0);
  (void)sizeof(m(shared, 0));
  struct node *(*read)(struct node *) = tail;
  (void)visit, (void)read, (void)log;
}
static void drop(struct node **inparent(shared) p) { (void)p; }
void with_cleanup(void) {
  __attribute__((cleanup(drop))) struct node *p = 0;
  // expected-error@-1 {{'drop' is called as a cleanup and has parameters with 'inregion' or \
'inparent'}}
  (void)p;
}
struct node *traditional outside(void) __attribute__((alias("anywhere")));
// expected-error@-1 {{redeclaration of 'outside' with different annotations}}
struct node *anywhere(void) { return list; } // expected-note {{it is an alias of this function}}
void other(region r, struct node *p) __attribute__((alias("target")));
// expected-error@-1 {{redeclaration of 'other' with different annotations}}
void target(region r, struct node *inregion(r) p) { (void)r, (void)p; }
// expected-note@-1 {{it is an alias of this function}}

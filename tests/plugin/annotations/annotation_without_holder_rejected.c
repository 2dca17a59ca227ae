// sameregion and parentptr compare with the region of a holder, so they need one.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/annotations.h>
struct node { struct node *sameregion next; };
typedef struct node *sameregion slot;

struct node *sameregion result(void);
// expected-error@-1 {{'sameregion' on a function result has no meaning}}
void parameter(struct node *parentptr p);
// expected-error@-1 {{'parentptr' on a parameter has no meaning}}
void (*callback)(char *sameregion);
// expected-error@-1 {{'sameregion' on a parameter has no meaning}}

void locals(struct node *n) {
  struct node *sameregion p = n->next;
  // expected-error@-1 {{'sameregion' on a local variable has no meaning}}
  struct node *parentptr many[3] = {0};
  // expected-error@-1 {{'parentptr' on a local variable has no meaning}}
  (void)p, (void)many;
  (void)(struct node *sameregion)n;
  // expected-error@-1 {{'sameregion' on the result of a cast has no meaning}}
  static struct node *sameregion kept;
  (void)kept;
}

/* What is pointed to may be annotated, traditional needs no holder, and a name of a slot's type
 * names slots. */
struct node *sameregion *pointer_result(struct node *sameregion *p, struct node *sameregion list[]);
char *traditional words(char *traditional s);
struct node *sameregion global;
void accepted(struct node *n) {
  struct node *sameregion *p = &n->next;
  char *traditional s = "";
  __typeof__(n->next) copy = n->next;
  slot named = n->next;
  __auto_type deduced = n->next;
  (void)p, (void)s, (void)copy, (void)named, (void)deduced;
}

// An annotation of a pointer on something else, and deletes on something that is no function.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/annotations.h>
typedef struct node *link;

struct node {
  int sameregion number;
  // expected-error@-1 {{'sameregion' applies only to pointers, and 'int' is not one}}
  struct node parentptr *before_star;
  // expected-error@-1 {{'parentptr' applies only to pointers, and 'struct node' is not one}}
  char *list[4] traditional;
  // expected-error@-1 {{'traditional' applies only to pointers, and 'char *[4]' is not one}}
  void (*deletes callback)(void);
  // expected-error@-1 {{'deletes' applies only to functions, and 'void (*)(void)' is not one}}
  char *deletes text;
  // expected-error@-1 {{'deletes' applies only to functions, and 'char *' is not one}}
  int (*traditional function)(int);
  struct node *sameregion after_star;
  link sameregion after_name;
  char *traditional elements[4];
  void (*hook)(void) deletes;
  void (*hooks[2])(void) deletes;
  void (*(*returns_pointer)(void) deletes)(int);
  struct node *sameregion(*pointer_to_array)[4];
  struct node *sameregion *pointer_to_slot;
};

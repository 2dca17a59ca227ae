// An annotation of a pointer on something else, and deletes on something that is no function.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang -verify %s
#include <acre/annotations.h>
typedef struct node *link;

struct node {
  int sameregion number;              // expected-error {{'sameregion' applies only to pointers, and 'int' is not one}}
  struct node parentptr *before_star; // expected-error {{'parentptr' applies only to pointers, and 'struct node' is not one}}
  char *list[4] traditional;          // expected-error {{'traditional' applies only to pointers, and 'char *[4]' is not one}}
  void (*deletes callback)(void);     // expected-error {{'deletes' applies only to functions, and 'void (*)(void)' is not one}}
  char *deletes text;                 // expected-error {{'deletes' applies only to functions, and 'char *' is not one}}
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

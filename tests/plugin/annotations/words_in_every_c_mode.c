/* The words are silent under -pedantic-errors in every C mode, and mean the same. */
/* RUN: %frontend -std=c89 -pedantic-errors -Wall -Wextra -fsyntax-only -Xclang -verify %s */
/* RUN: %frontend -std=gnu89 -pedantic-errors -Wall -Wextra -fsyntax-only -Xclang -verify %s */
/* RUN: %frontend -std=c99 -pedantic-errors -Wall -Wextra -fsyntax-only -Xclang -verify %s */
/* RUN: %frontend -std=c11 -pedantic-errors -Wall -Wextra -fsyntax-only -Xclang -verify %s */
/* RUN: %frontend -std=c17 -pedantic-errors -Wall -Wextra -fsyntax-only -Xclang -verify %s */
/* RUN: %frontend -std=c23 -pedantic-errors -Wall -Wextra -fsyntax-only -Xclang -verify %s */
/* RUN: %frontend -std=gnu23 -pedantic-errors -Wall -Wextra -fsyntax-only -Xclang -verify %s */
#include <acre/region.h>
typedef struct node *link_to;
struct node {
  struct node *sameregion next;
  link_to parentptr up;
  char *traditional name;
  void (*close)(struct node *) deletes;
};
extern void drop(region r) deletes;
void drop(region r) deletes { deleteregion(r); }
void fail(region r) { drop(r); } /* expected-error {{which is not declared 'deletes'}} */
int main(void) {
  region r = newregion();
  struct node *n = ralloc(r, struct node);
  n->next = rarrayalloc(r, 3, struct node);
  n->name = "name";
  n = 0;
  drop(r);
  return n != 0;
}

// -Wacre-arena and -facre-strict: what only the running program could decide is reported.
// RUN: %frontend -fsyntax-only -Xclang -verify=warned -Xclang -plugin-arg-acre -Xclang \
// RUN:   Wacre-arena %s
// RUN: not %frontend -fsyntax-only -Xclang -plugin-arg-acre -Xclang strict %s 2>&1 | FileCheck %s
// CHECK: error: what is stored here may outlive the block of the arena 'r': only the running
// CHECK-SAME: {{^ }}program knows [-Werror,-Wacre-arena]
#include <acre/scope.h>

struct node {
  struct node *next;
  int value;
};
struct node *find(struct node *list, int value);
// warned-note@-1 {{the parameter is declared here}}
void look(const struct node *borrowed n);
struct node *inregion(list) front(struct node *borrowed list, struct node *inregion(list) n);
static struct node *global;

void read_from_the_arena(void) {
  acre_scoped_region(r);
  struct node *n = ralloc(r, struct node);
  global = n->next;
  // warned-warning@-1 {{what is stored here may outlive the block of the arena 'r'}}
}
void stays_in_the_arena(void) {
  acre_scoped_region(r);
  struct node *n = ralloc(r, struct node);
  n->next = n->next;
  struct node *m = n->next;
  look(m);
  m = front(n, n);
}
struct node *returned(void) {
  acre_scoped_region(r);
  struct node *found = find(ralloc(r, struct node), 1);
  // warned-warning@-1 {{what is passed here may outlive the block of the arena 'r'}}
  return found; // warned-warning {{what is returned may outlive the block of the arena 'r'}}
}
void behind_a_plain_pointer(void) {
  acre_scoped_region(r);
  global->next = ralloc(r, struct node);
  // warned-warning@-1 {{what is stored here may outlive the block of the arena 'r'}}
}
int used_after(void) {
  struct node *n;
  {
    acre_scoped_region(r);
    n = ralloc(r, struct node)->next;
  } // warned-note {{the block ends here}}
  return n->value; // warned-warning {{this pointer may outlive the block of the arena 'r'}}
}
int used_after_an_alias(void) {
  struct node *m;
  {
    acre_scoped_region(r);
    struct node *n = ralloc(r, struct node)->next;
    acre_alias(a, n);
    m = a->next;
  } // warned-note {{the block ends here}}
  return m->value; // warned-warning {{this pointer may outlive the block of the arena 'r'}}
}
int used_after_on_one_path(int way) {
  struct node *m = NULL;
  if (way) {
    acre_scoped_region(r);
    m = ralloc(r, struct node)->next;
  } // warned-note {{the block ends here}}
  return m ? m->value : 0;
  // warned-warning@-1 {{this pointer may outlive the block of the arena 'r'}}
}
int pointed_in_on_one_path(int way) {
  struct node *m = NULL;
  {
    acre_scoped_region(r);
    struct node *n = ralloc(r, struct node);
    if (way)
      m = n->next;
  } // warned-note {{the block ends here}}
  return m ? m->value : 0;
  // warned-warning@-1 {{this pointer may outlive the block of the arena 'r'}}
}
void see(struct node **p);
void kept_in_an_outer_variable(void) {
  struct node *n = NULL;
  see(&n);
  acre_scoped_region(r);
  n = ralloc(r, struct node);
  // warned-warning@-1 {{what is kept in this variable may outlive the block of the arena 'r'}}
}
void kept_in_a_variable_of_the_block(void) {
  acre_scoped_region(r);
  struct node *n = NULL;
  see(&n);
  n = ralloc(r, struct node);
}

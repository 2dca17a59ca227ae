// Assembly that stores in a pointer's memory; registers and locals are the compiler's to store.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
struct node { struct node *next; long count; };
void warned(struct node *n, struct node **slot) {
  __asm__("" : "=m"(n->next));
  // expected-warning@-1 {{assembly may store a pointer in 'struct node *' without counting it \
[-Wacre-asm]}}
  __asm__("" : "+m"(*slot));   // expected-warning {{assembly may store a pointer}}
}
void accepted(struct node *n, struct node **slot) {
  struct node *local;
  __asm__("" : "=m"(local) : "m"(n->next), "r"(slot));
  __asm__("" : "=r"(n->next));
  __asm__("" : "+m"(n->count) : : "memory");
}

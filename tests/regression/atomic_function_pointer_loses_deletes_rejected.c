// A deletes function could be put into an atomic pointer without the word, and called unnoticed.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/region.h>
void drop(region r) deletes;           // expected-note 2 {{'drop' is declared here}}
static void (*_Atomic hook)(region);   // expected-note 2 {{'hook' is declared here}}
static void (*_Atomic deleting)(region) deletes;
struct node { struct node *sameregion next; }; // expected-note {{'next' is declared here}}
static struct node **_Atomic slot;     // expected-note {{'slot' is declared here}}

void rejected(struct node *n) {
  hook = drop;     // expected-error {{'deletes' function assigned to type}}
  hook = &drop;    // expected-error {{'deletes' function assigned to type}}
  slot = &n->next; // expected-error {{changes the annotation of the pointers behind it}}
}

void accepted(void) {
  deleting = drop;
  deleting = hook;
}

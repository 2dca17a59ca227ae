// What a test had found in the slot of an object of its own was overwritten without a word.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct node {
  char *unique text;
  struct node *unique next;
};

struct node *unique found(struct node *unique n, char *unique text) {
  if (n->text)
    n->text = text; // expected-warning {{'n->text' may be overwritten: nothing frees what it owns}}
  else
    free(text);
  return n;
}
struct node *unique not_found(struct node *unique n, char *unique text) {
  if (!n->text)
    n->text = text;
  else
    free(text);
  return n;
}
struct node *unique freed(struct node *unique n, char *unique text) {
  if (n->text)
    free(acre_take(&n->text));
  n->text = text;
  return n;
}
struct node *unique swapped(struct node *unique n, char *unique text) {
  if (n->text && n->text[0])
    free(acre_swap(&n->text, text));
  else if (!n->text)
    n->text = text;
  else
    free(text);
  return n;
}
struct node *unique begun(char *unique text) {
  struct node *unique n = malloc(sizeof *n);
  if (!n)
    abort();
  n->text = text;
  n->next = NULL;
  return n;
}

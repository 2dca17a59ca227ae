// Two tests of one variable were two conditions: the list that a merge leaves over, a flag and the
// states of a machine drew warnings of leaks, and so did a null that stands for nothing to give.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
  struct node *unique next;
  int value;
};
char *unique make(void);
void eat(char *unique p);

struct node *unique merge(struct node *unique a, struct node *unique b) {
  struct node *unique head = NULL, *unique *tail = &head;
  while (a && b) {
    struct node *unique *from = a->value <= b->value ? &a : &b;
    struct node *unique n = acre_take(from);
    *from = acre_take(&n->next);
    *tail = n;
    tail = &(*tail)->next;
  }
  *tail = a ? acre_take(&a) : acre_take(&b);
  return head;
}
char *unique pick(char *unique a, char *unique b, bool first) {
  free(first ? acre_take(&b) : acre_take(&a));
  return first ? acre_take(&a) : acre_take(&b);
}
void flagged(int flag) {
  char *unique p = NULL;
  if (flag)
    p = make();
  if (flag)
    free(p);
}
enum state { Start, Word, Done };
char *unique scan(int (*next)(void)) {
  enum state state = Start;
  char *unique word = NULL;
  while (state != Done) {
    int c = next();
    switch (state) {
    case Start:
      if (c == ' ')
        continue;
      word = make();
      state = Word;
      break;
    case Word:
      if (c == ' ')
        state = Done;
      break;
    default:
      break;
    }
  }
  return word;
}
void or_null(char *unique p) { eat(p ?: NULL); }
void if_any(char *unique p) { eat(p ? p : NULL); }

// Not where the variable has another value meanwhile, nor where the other owner has.
void changed(int flag) {
  char *unique p = NULL;
  if (flag)
    p = make();
  flag = !flag;
  if (flag)
    free(p);
} // expected-warning {{'p' may be lost}}
// expected-note@-2 {{consumed here on another path}}
void set_again(int flag) {
  char *unique p = NULL;
  if (flag)
    p = make();
  free(p);
  p = make();
  if (flag)
    free(p);
} // expected-warning {{'p' may be lost}}
// expected-note@-2 {{consumed here on another path}}

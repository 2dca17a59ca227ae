// A slot that a callee might have emptied was taken for empty also where it was set since then, on
// some path: what was there was lost in silence.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct pair {
  char *unique first, *unique second;
};
struct list {
  char *unique items[8];
  struct list *unique next;
};
char *unique make(void);
void clear(struct pair *borrowed p);
void clear_list(struct list *borrowed l);

void on_one_path(struct pair *borrowed p, int c) {
  clear(p);
  if (c)
    p->first = make();
  p->first = make(); // expected-warning {{'p->first' may be overwritten}}
}
void falls_through(struct pair *borrowed p, int kind) {
  clear(p);
  switch (kind) {
  case 1:
    p->first = make();
    __attribute__((fallthrough));
  case 2:
    p->first = make(); // expected-warning {{'p->first' may be overwritten}}
    break;
  default:
    p->second = make();
  }
}
void in_a_loop(struct pair *borrowed p, int n) {
  clear(p);
  for (int i = 0; i < n; i++)
    p->first = make(); // expected-warning {{'p->first' may be overwritten}}
}
void beside_another(struct pair *borrowed p, struct pair *q) {
  clear(p);
  p->first = make();
  q->first = make(); // expected-warning {{'q->first' may be overwritten}}
  p->first = make(); // expected-warning {{'p->first' may be overwritten}}
}

void cleared_each_time(struct pair *borrowed p, int n) {
  for (int i = 0; i < n; i++) {
    clear(p);
    p->first = make();
  }
}
void taken_meanwhile(struct pair *borrowed p, int c) {
  clear(p);
  if (c) {
    p->first = make();
    free(acre_take(&p->first));
  }
  p->first = make();
}
void each_its_own(struct list *borrowed l) {
  clear_list(l);
  for (int i = 0; i < 8; i++)
    l->items[i] = make();
}

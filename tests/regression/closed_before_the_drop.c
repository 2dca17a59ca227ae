// That a field is closed, and not freed, was warned of although it had been closed and taken out
// before its object was dropped.
// RUN: %acre-cc -fsyntax-only -Xclang -verify=lost %s
// RUN: %acre-cc -fsyntax-only -Werror -DRIGHT %s
#include <acre/own.h>
#include <stdio.h>

#ifndef RIGHT
struct wrong {
  FILE *unique in; // lost-warning {{what 'in' owns does not die with an object that is dropped}}
  char *unique name;
};
void wrong_end(struct wrong *unique w) {
  if (w->name)
    fclose(acre_take(&w->in));
  acre_drop(w);
}

struct chain {
  FILE *unique in; // lost-warning {{what 'in' owns does not die with an object that is dropped}}
  struct chain *unique next;
};
void chain_end(struct chain *unique c) {
  if (c->in)
    fclose(acre_take(&c->in));
  acre_drop(c);
}
#else
struct right {
  FILE *unique in;
  char *unique name;
};
void right_end(struct right *unique r) {
  if (r->in)
    fclose(acre_take(&r->in));
  acre_drop(r);
}

struct chain {
  FILE *unique in;
  struct chain *unique next;
};
void chain_end(struct chain *unique c) {
  while (c) {
    struct chain *unique next = acre_take(&c->next);
    if (c->in)
      fclose(acre_take(&c->in));
    acre_drop(c);
    c = acre_take(&next);
  }
}
#endif

// A part of an object with a handle of the C library in it, as iconv_t is, was not lent together
// with what hangs on another part: a way back to the whole was seen in the handle.
// RUN: %acre-cc -fsyntax-only -Xclang -verify=wrong -Xclang -verify-ignore-unexpected=note %s
// RUN: %acre-cc -fsyntax-only -Werror -DRIGHT %s
#include <acre/own.h>
#include <iconv.h>
#include <stdio.h>

struct item {
  struct item *unique next;
};
struct reader {
  struct item *unique first;
  iconv_t converter;
  FILE *unique in;
};
struct linked {
  struct item *unique first;
  void *whole;
};
struct whole {
  struct reader one, two;
  struct linked back;
  struct item *unique rest;
};

void read_item(struct reader *borrowed r, struct item *borrowed i);
void read_both(struct reader *borrowed r, struct reader *borrowed other);
void link_item(struct linked *borrowed l, struct item *borrowed i);

#ifndef RIGHT
void wrong_below(struct whole *borrowed w) {
  struct item *i = w->one.first;
  if (i)
    read_item(&w->one, i); // wrong-error {{'w' is lent by another argument}}
}

void wrong_twice(struct whole *borrowed w) {
  read_both(&w->one, &w->one); // wrong-error {{'w' is lent by another argument}}
}

void wrong_way_back(struct whole *borrowed w) {
  struct item *i = w->rest;
  if (i)
    link_item(&w->back, i); // wrong-error {{'w' is lent by another argument}}
}
#else
void right(struct whole *borrowed w) {
  for (struct item *i = w->rest; i; i = i->next)
    read_item(&w->one, i);
  read_both(&w->one, &w->two);
}
#endif

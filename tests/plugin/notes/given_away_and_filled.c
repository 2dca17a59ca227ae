// What notes say is taken is given away, but needs no closer; what fills says for the way that
// fails, or for any, is looked at there.
// RUN: printf 'makes item_new item_named\nfrees item_free\ncloses item_free : item\n' > %t.notes
// RUN: printf 'takes 1 box_put box_put_both\ntakes 2 box_put_both\n' >> %t.notes
// RUN: printf 'fills-failing 1 load item_named\nfills-always 0 open_item\nlends use\n' >> %t.notes
// RUN: %acre-cc -fsyntax-only -facre-notes=%t.notes -Xclang -verify %s
// RUN: %acre-cc -fsyntax-only -facre-notes=%t.notes -Werror -DRIGHT %s
#include <acre/own.h>
#include <stdlib.h>

struct item;
struct box;
struct item *item_new(void);
struct item *item_named(const char *name, char **why);
void item_free(struct item *);
void box_put(struct box *, struct item *);
void box_put_both(struct box *, struct item *, struct item *);
int load(const char *name, char **why);
int open_item(struct item **);
int use(struct item *);

#ifndef RIGHT
void freed_after(struct box *borrowed b) {
  struct item *unique i = item_new(); // expected-note@+1 {{consumed here}}
  box_put(b, i);
  item_free(i); // expected-error {{'i' is used after it was consumed}}
}

void put_twice(struct box *borrowed b, struct item *unique i) {
  box_put_both(b, i, i); // expected-error {{'i' is used after it was consumed}}
  // expected-note@-1 {{consumed here}}
}

void put_what_is_lent(struct box *borrowed b, struct item *borrowed i) {
  box_put(b, i); // expected-error {{borrowed from 'i'}} expected-note@-1 {{declared here}}
}

int reason_lost(const char *name) {
  char *unique why = NULL;
  if (load(name, &why) != 0)
    return -1; // expected-warning {{'why' may be lost}}
  return 0;
}

struct item *unique reason_of_none_lost(const char *name) {
  char *unique why = NULL;
  struct item *unique found = item_named(name, &why);
  if (!found)
    return NULL; // expected-warning {{'why' may be lost}}
  return found;
}

int left_open(void) {
  struct item *unique i = NULL;
  if (open_item(&i) != 0)
    return -1; // expected-warning {{'i' may be lost}}
  item_free(i);
  return 0;
}
#else
void put(struct box *borrowed b) {
  struct item *unique i = item_new(), *unique other = item_new();
  if (i)
    box_put(b, i);
  box_put_both(b, other, NULL);
}

int reason_freed(const char *name) {
  char *unique why = NULL;
  if (load(name, &why) != 0) {
    free(why);
    return -1;
  }
  return 0;
}

struct item *unique reason_of_none_freed(const char *name) {
  char *unique why = NULL;
  struct item *unique found = item_named(name, &why);
  if (!found) {
    free(why);
    return NULL;
  }
  return found;
}

int closed_anyway(void) {
  struct item *unique i = NULL;
  const int status = open_item(&i);
  item_free(i);
  return status;
}
#endif

// Programs that move owners as they may, and copy memory that has none; the twins of
// owners_copied_rejected.c.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// expected-no-diagnostics
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct base {
  int kind;
};
struct node {
  int kind;
  struct node *unique next;
  char *unique name;
};
struct numbers {
  int all[4];
};
struct unsigned_name {
  unsigned char *unique name;
};
struct shadow { // other words, the same owner
  int kind;
  void *unique next;
};
char *unique make(void);

void moved(struct node *borrowed to, struct node *borrowed from) {
  free(acre_swap(&to->name, acre_take(&from->name)));
  acre_drop(acre_swap(&to->next, acre_take(&from->next)));
}
void shifted(struct node all[4]) {
  for (int i = 0; i < 3; i++)
    free(acre_swap(&all[i].name, acre_take(&all[i + 1].name)));
}
void numbers_copied(struct numbers *to, const struct numbers *from) {
  memcpy(to, from, sizeof *to);
}
void text_copied(struct node *borrowed n, const char *text) { memcpy(n->name, text, 4); }
void grown(struct node *unique *borrowed all, size_t count) {
  struct node *unique more = realloc(acre_take(all), count * sizeof *more);
  acre_drop_array(acre_swap(all, more), count);
}
int counted_up(struct node *n) { return __atomic_add_fetch(&n->kind, 1, __ATOMIC_RELAXED); }
int of_a_base(struct node *borrowed n) { return ((struct base *)n)->kind; }
struct node *unique of_a_derived(struct base *unique b) { return (struct node *)b; }
const unsigned char *as_bytes(struct node *n) { return (const unsigned char *)n; }
void *next_of(struct node *n) { return ((struct shadow *)n)->next ? n : NULL; }
void characters(struct unsigned_name *borrowed u, struct node *borrowed n) {
  free(acre_swap(&u->name, make()));
  free(acre_swap(&n->name, malloc(3)));
}

// What is counted by two members, or shifted towards where the loop comes from, loses nothing; a
// shift to where the loop goes does. So does an array that acre_out has filled.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang \
// RUN:   -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

#define CAP 16
struct ring {
  char *unique v[CAP];
  unsigned head, count;
};
struct list {
  char *unique v[CAP];
  int n;
};

int push(struct ring *borrowed r, char *unique s) {
  if (r->count == CAP) {
    free(s);
    return -1;
  }
  r->v[(r->head + r->count++) & (CAP - 1)] = s;
  return 0;
}
int push_at(struct ring *borrowed r, char *unique s) {
  if (r->count == CAP) {
    free(s);
    return -1;
  }
  unsigned at = (r->head + r->count) % CAP;
  r->v[at] = s;
  r->count++;
  return 0;
}
void push_anywhere(struct ring *borrowed r, char *unique s, unsigned at) {
  r->v[(r->head + at) % CAP] = s; // expected-warning {{may be overwritten}}
}

void removed(struct list *borrowed l, int i) {
  free(acre_take(&l->v[i]));
  for (int k = i; k + 1 < l->n; k++)
    l->v[k] = acre_take(&l->v[k + 1]);
  l->n--;
}
void removed_from_behind(struct list *borrowed l, int i) {
  free(acre_take(&l->v[i]));
  for (int k = i + 1; k < l->n; k++)
    l->v[k - 1] = acre_take(&l->v[k]);
  l->n--;
}
void removed_the_wrong_way(struct list *borrowed l, int i) {
  free(acre_take(&l->v[i]));
  for (int k = i; k + 1 < l->n; k++)
    l->v[k + 1] = acre_take(&l->v[k]); // expected-warning {{may be overwritten}}
  l->n--;
}
void inserted(struct list *borrowed l, int i, char *unique s) {
  if (l->n == CAP) {
    free(s);
    return;
  }
  for (int k = l->n; k > i; k--)
    l->v[k] = acre_take(&l->v[k - 1]);
  l->v[i] = s;
  l->n++;
}
void inserted_from_before(struct list *borrowed l, int i, char *unique s) {
  if (l->n == CAP) {
    free(s);
    return;
  }
  for (int k = l->n - 1; k >= i; k--)
    l->v[k + 1] = acre_take(&l->v[k]);
  l->v[i] = s;
  l->n++;
}
void inserted_the_wrong_way(struct list *borrowed l, int i, char *unique s) {
  for (int k = i; k + 1 < CAP; k++)
    l->v[k + 1] = acre_take(&l->v[k]); // expected-warning {{may be overwritten}}
  l->v[i] = s;                         // expected-warning {{may be overwritten}}
}

void begin(struct list *borrowed acre_out l);
int try_to_begin(struct list *borrowed acre_out l);
void end(struct list *borrowed l);
void begun(void) {
  struct list l;
  begin(&l);
} // expected-warning {{'l.v[...]' may be lost}}
void ended(void) {
  struct list l;
  begin(&l);
  end(&l);
}
void begun_or_not(void) {
  struct list l;
  if (try_to_begin(&l) != 0)
    return;
  end(&l);
}
void ended_by_hand(void) {
  struct list l;
  begin(&l);
  for (int i = 0; i < l.n; i++)
    free(acre_take(&l.v[i]));
}
struct list returned(void) {
  struct list l;
  begin(&l);
  return l;
}

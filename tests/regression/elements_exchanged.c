// The hole that a taken element leaves was lost where a loop gave its number another name, and
// where one moved over the array: insertion sorts, heaps and rotations were warned of.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct list {
  char *unique *unique items;
  int count;
};
char *unique make(void);

void insertion_sort(char *unique *borrowed a, int n) {
  for (int i = 1; i < n; i++) {
    char *unique t = acre_take(&a[i]);
    int j = i;
    for (; j > 0 && strcmp(a[j - 1], t) > 0; j--)
      a[j] = acre_take(&a[j - 1]);
    a[j] = t;
  }
}
void sift_down(char *unique *borrowed a, int n, int i) {
  char *unique t = acre_take(&a[i]);
  for (int child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && strcmp(a[child], a[child + 1]) < 0)
      child++;
    if (strcmp(t, a[child]) >= 0)
      break;
    a[i] = acre_take(&a[child]);
  }
  a[i] = t;
}
void rotate_left(char *unique *borrowed a, int n) {
  if (n < 1)
    return;
  char *unique t = acre_take(&a[0]);
  for (int i = 1; i < n; i++)
    a[i - 1] = acre_take(&a[i]);
  a[n - 1] = t;
}
void rotate_right(char *unique *borrowed a, int n) {
  if (n < 1)
    return;
  char *unique t = acre_take(&a[n - 1]);
  for (int i = n - 1; i > 0; i--)
    a[i] = acre_take(&a[i - 1]);
  a[0] = t;
}
void reversed(char *unique *borrowed a, int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--)
    a[i] = acre_swap(&a[j], acre_take(&a[i]));
}
void removed(struct list *borrowed l, int at) {
  free(acre_take(&l->items[at]));
  l->count--;
  for (int i = at; i < l->count; i++)
    l->items[i] = acre_take(&l->items[i + 1]);
}
void inserted(struct list *borrowed l, int at, char *unique text) {
  for (int i = l->count; i > at; i--)
    l->items[i] = acre_take(&l->items[i - 1]);
  l->items[at] = text;
  l->count++;
}
void filtered(struct list *borrowed l, const char *without) {
  int kept = 0;
  for (int i = 0; i < l->count; i++)
    if (strcmp(l->items[i], without) == 0) {
      free(acre_take(&l->items[i]));
    } else {
      if (kept != i)
        l->items[kept] = acre_take(&l->items[i]);
      kept++;
    }
  l->count = kept;
}

void removed_unfreed(struct list *borrowed l, int at) {
  l->count--;
  for (int i = at; i < l->count; i++)
    l->items[i] = acre_take(&l->items[i + 1]); // expected-warning {{'l->items[i]' may be over}}
}
void replaced_by_the_last(struct list *borrowed l, int at) {
  l->items[at] = acre_take(&l->items[--l->count]); // expected-warning {{'l->items[at]' may be}}
}
void another_set(char *unique *borrowed a, int i, int j) {
  char *unique t = acre_take(&a[i]);
  a[j] = t; // expected-warning {{'a[j]' may be overwritten}}
}
void inserted_over(struct list *borrowed l, int at, char *unique text) {
  for (int i = l->count - 1; i > at; i--)
    l->items[i] = acre_take(&l->items[i - 1]); // expected-warning {{'l->items[i]' may be over}}
  l->items[at] = text; // expected-warning {{'l->items[at]' may be overwritten}}
}

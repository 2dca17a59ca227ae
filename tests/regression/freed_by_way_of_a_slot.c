// An object that is freed alone as it is taken out by way of a pointer to its slot was lost in
// silence with what its own slots own.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct edge {
  struct edge *unique next;
  int bottom;
};

void rest_lost(struct edge *unique *borrowed list, int y) {
  struct edge *unique *at = list;
  while (*at) {
    if ((*at)->bottom <= y)
      free(acre_take(at)); // expected-warning {{'at' is freed with what '*at->next' may own}}
    else
      at = &(*at)->next;
  }
}
void rest_kept(struct edge *unique *borrowed list, int y) {
  struct edge *unique *at = list;
  while (*at) {
    if ((*at)->bottom <= y) {
      struct edge *unique rest = acre_take(&(*at)->next);
      free(acre_swap(at, rest));
    } else {
      at = &(*at)->next;
    }
  }
}
void last_freed(struct edge *unique *borrowed list) {
  struct edge *unique *at = list;
  if (!*at)
    return;
  while ((*at)->next)
    at = &(*at)->next;
  free(acre_take(at));
}

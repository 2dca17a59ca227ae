// An array of owners could be freed alone without a word, whatever its elements owned.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct list {
  char *unique *unique items;
  char *unique name;
  size_t count;
};

void list_free(struct list *unique l) {
  free(acre_take(&l->name));
  free(acre_take(&l->items));
  // expected-warning@-1 {{'l->items[...]' may own: nothing frees what it owns; acre_drop_array}}
  free(l);
}
void items_free(char *unique *unique items) {
  free(items);
  // expected-warning@-1 {{'items[...]' may own: nothing frees what it owns; acre_drop_array}}
}
void items_forget(struct list *borrowed l) {
  char *unique *unique items = acre_take(&l->items);
  free(items);
  // expected-warning@-1 {{'items[...]' may own: nothing frees what it owns; acre_drop_array}}
}

// Its twins take out what is there, or give the array to a function that may.
void list_free_all(struct list *unique l) {
  for (size_t i = 0; i < l->count; i++)
    free(acre_take(&l->items[i]));
  free(acre_take(&l->items));
  free(acre_take(&l->name));
  free(l);
}
void items_free_all(char *unique *unique items, size_t count) {
  for (char *unique *at = items; at < items + count; at++)
    free(acre_take(at));
  free(items);
}
static void clear(char *unique *borrowed items, size_t count) {
  while (count-- > 0)
    free(acre_take(&items[count]));
}
void list_free_by_another(struct list *unique l) {
  clear(l->items, l->count);
  free(acre_take(&l->items));
  free(acre_take(&l->name));
  free(l);
}
static void list_clear(struct list *borrowed l) {
  clear(l->items, l->count);
  l->count = 0;
}
void list_free_cleared(struct list *unique l) {
  list_clear(l);
  free(acre_take(&l->items));
  free(acre_take(&l->name));
  free(l);
}
char *unique *unique items_new(size_t count, int fails) {
  char *unique *unique items = calloc(count, sizeof *items);
  if (fails) {
    free(items); // nothing is in it yet
    return NULL;
  }
  return items;
}
static void items_end(char *unique *unique items) { free(items); } // callers have emptied it
void items_use(char *unique *unique items, size_t count) {
  clear(items, count);
  items_end(items);
}

// Elements that were moved towards the beginning of an array were said to be overwritten there.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct vector {
  char *unique *unique items;
  size_t count;
};
struct pair {
  char *unique name, *unique value;
};
bool is_old(const char *borrowed text);
void sink(char *unique text);

void without_null(struct vector *borrowed v) {
  size_t to = 0;
  for (size_t from = 0; from < v->count; from++) {
    if (!v->items[from])
      continue;
    if (from != to)
      v->items[to] = acre_take(&v->items[from]);
    to++;
  }
  v->count = to;
}

void without_old(struct vector *borrowed v) {
  size_t kept = 0;
  for (size_t i = 0; i < v->count; i++) {
    if (is_old(v->items[i])) {
      free(acre_take(&v->items[i]));
      continue;
    }
    char *unique item = acre_take(&v->items[i]);
    v->items[kept++] = item;
  }
  v->count = kept;
}

size_t pairs(struct pair *borrowed all, size_t count) {
  size_t to = 0;
  for (size_t from = 0; from < count; from++) {
    char *unique name = acre_take(&all[from].name), *unique value = acre_take(&all[from].value);
    if (!name) {
      free(value);
      continue;
    }
    all[to].name = name;
    all[to].value = value;
    to++;
  }
  return to;
}

size_t by_element(struct pair *borrowed all, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    struct pair *each = &all[i];
    if (is_old(each->name)) {
      free(acre_take(&each->name));
      free(acre_take(&each->value));
      continue;
    }
    if (kept != i) {
      all[kept].name = acre_take(&each->name);
      all[kept].value = acre_take(&each->value);
    }
    kept++;
  }
  return kept;
}
size_t by_element_lost(struct pair *borrowed all, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    struct pair *each = &all[i];
    if (is_old(each->name)) {
      free(acre_take(&each->name));
      continue;
    }
    all[kept].name = acre_take(&each->name);
    // expected-warning@+1 {{'all[kept].value' may be overwritten}}
    all[kept].value = acre_take(&each->value);
    kept++;
  }
  return kept;
}

// What stays where it is may be overwritten later.
void without_old_lost(struct vector *borrowed v) {
  size_t kept = 0;
  for (size_t i = 0; i < v->count; i++) {
    if (is_old(v->items[i]))
      continue;
    char *unique item = acre_take(&v->items[i]);
    v->items[kept++] = item; // expected-warning {{'v->items[kept++]' may be overwritten}}
  }
  v->count = kept;
}
void from_second(struct vector *borrowed v) {
  size_t to = 0;
  for (size_t from = 1; from < v->count; from++) {
    char *unique item = acre_take(&v->items[from]);
    v->items[to++] = item; // expected-warning {{'v->items[to++]' may be overwritten}}
  }
}

// Two elements change places.
void swap_elements(struct vector *borrowed v, size_t one, size_t other) {
  char *unique held = acre_swap(&v->items[other], acre_take(&v->items[one]));
  v->items[one] = held;
}

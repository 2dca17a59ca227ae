// Only the running program knows which elements of an array of owners were set: the others are
// null, and so is what a local structure holds that a function may or may not have initialized.
// RUN: %each_level -o %t %s
// RUN: %if sanitizers %{ %acre-cc -g -O1 -fsanitize=address %s -o %t.asan && %t.asan %}
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  char *unique first, *unique second;
};

__attribute__((noinline)) static void leave_garbage(void) {
  volatile unsigned long words[256];
  for (unsigned i = 0; i < 256; i++)
    words[i] = 0x4141414141414141;
}

__attribute__((noinline)) static int array(int count) {
  char *unique all[8];
  for (int i = 0; i < count; i++)
    all[i] = strdup("set");
  int set = 0;
  for (int i = 0; i < 8; i++) {
    set += all[i] != NULL;
    free(acre_take(&all[i]));
  }
  return set;
}

__attribute__((noinline)) static int of_variable_size(int size, int count) {
  struct pair all[size];
  for (int i = 0; i < count; i++)
    all[i].second = strdup("set");
  int set = 0;
  for (int i = 0; i < size; i++) {
    set += all[i].second != NULL;
    free(acre_take(&all[i].second));
  }
  return set;
}

__attribute__((noinline)) static void maybe_initialize(struct pair *borrowed p, int way) {
  if (way)
    free(acre_swap(&p->first, strdup("set")));
}

__attribute__((noinline)) static int by_a_function(int way) {
  struct pair p;
  maybe_initialize(&p, way);
  int is_set = p.first != NULL;
  free(acre_take(&p.first));
  free(acre_take(&p.second));
  return is_set;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    leave_garbage();
    if (array(i) != i)
      return 1;
    leave_garbage();
    if (of_variable_size(i + 3, i) != i)
      return 2;
    leave_garbage();
    if (by_a_function(i & 1) != (i & 1))
      return 3;
  }
  return 0;
}

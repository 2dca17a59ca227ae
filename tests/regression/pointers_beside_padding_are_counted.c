// What a copy of a struct with padding may carry beside its pointers is counted: text, unions,
// words of the program's own.
// RUN: %each_level -o %t %s
// RUN: %each_level -o %t %s -- -fno-strict-aliasing
#include "../end_to_end/Inputs/check.h"

struct item {
  char flag;
  node *pointer;
  union {
    double number;
    node *other;
  };
  char bytes[16];
  short end;
};
struct words {
  char flag;
  uintptr_t word;
  node *pointer;
};

static struct item to, many[3];
static struct words words;

NOINLINE static void copy(const struct item *from, size_t count) {
  to = *from;
  memcpy(many, from, count * sizeof *from);
  memmove(&many[2], from, sizeof *from);
}
NOINLINE static void copy_words(const struct words *from) { memcpy(&words, from, sizeof words); }

int main(void) {
  region r = newregion();
  node *n = new_node(r);
  struct item from[2];
  memset(from, 0, sizeof from);
  for (int i = 0; i < 2; i++) {
    from[i].pointer = from[i].other = n;
    memcpy(from[i].bytes + 8, &n, sizeof n);
  }
  copy(opaque(from), 2);
  CHECK_COUNT(r, 12);
  struct words other = {0, (uintptr_t)n, n};
  copy_words(opaque(&other));
  CHECK_COUNT(r, 14);
}

// Memory copied word by word through pointers to integers lost the pointers in it.
// RUN: %each_level -o %t %s
// RUN: %each_level -o %t %s -- -fno-strict-aliasing
#include "../Inputs/check.h"

struct message {
  long kind;
  node *body;
  node *other;
};
#define WORDS (sizeof(struct message) / sizeof(long))

NOINLINE static void copy_long(long *d, const long *s, size_t n) {
  while (n--)
    *d++ = *s++;
}
NOINLINE static void copy_words(uintptr_t *d, const uintptr_t *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    d[i] = s[i];
}
NOINLINE static void copy_backwards(size_t *d, const unsigned long long *s, size_t n) {
  while (n-- > 0)
    *(d + n) = s[n];
}
NOINLINE static void copy_cast(void *d, void *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    ((intptr_t *)d)[i] = ((volatile intptr_t *)s)[i];
}

static struct message to;

int main(void) {
  region r = newregion();
  struct message from = {1, new_node(r), new_node(r)};
  void *source = opaque(&from), *target = opaque(&to);
#define COUNTED(copy) \
  (copy(target, source, WORDS), CHECK_COUNT(r, 2), memset(&to, 0, sizeof to), CHECK_COUNT(r, 0))
  COUNTED(copy_long);
  COUNTED(copy_words);
  COUNTED(copy_backwards);
  COUNTED(copy_cast);
}

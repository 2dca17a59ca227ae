// What stands for functions of the C library had no type for control flow integrity, and a call by
// a pointer to free, realloc, memmove or qsort ended the program.
// RUN: %acre-cc -O2 -flto -fuse-ld=lld -fsanitize=cfi-icall -fvisibility=hidden %s -o %t && %t
// RUN: %acre-cc -O2 -flto=thin -fuse-ld=lld -fsanitize=cfi-icall -fvisibility=hidden %s -o %t && %t
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

int main(void) {
  void (*volatile end)(void *) = free;
  void *(*volatile resize)(void *, size_t) = realloc;
  void *(*volatile move)(void *, const void *, size_t) = memmove;
  void (*volatile sort)(void *, size_t, size_t, int (*)(const void *, const void *)) = qsort;
  char *text = resize(NULL, 4);
  if (!text)
    return 1;
  move(text, "cba", 4);
  sort(text, 3, 1, compare);
  int is_sorted = strcmp(text, "abc") == 0;
  end(text);
  return !is_sorted;
}

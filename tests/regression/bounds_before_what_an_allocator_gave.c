// An allocator of the program's own keeps a header before what it hands out; with -facre-bounds its
// use was an access before the object, of the size that was asked for, where it had been inlined.
// RUN: %acre-cc -facre-bounds %s -o %t && %t
// RUN: %acre-cc -facre-bounds -DMALLOC %s -o %t && %t
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct header {
  size_t size, rest;
} header;

static _Alignas(16) char arena[4096];
static size_t used;

#ifdef MALLOC
#define ALLOCATE malloc
void *malloc(size_t size);
#else
#define ALLOCATE allocate
void *allocate(size_t size) __attribute__((alloc_size(1)));
#endif

void *ALLOCATE(size_t size) {
  size = (size + 15) & ~(size_t)15;
  header *h = (header *)(arena + used);
  used += size + sizeof *h;
  h->size = size;
  return h + 1;
}

static inline size_t usable_size(const void *p) { return ((const header *)p - 1)->size; }

static char *copy(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(ALLOCATE(size), text, size);
}

int main(void) {
  char *text = copy("x");
  return usable_size(text) != 16 || strcmp(text, "x") != 0;
}

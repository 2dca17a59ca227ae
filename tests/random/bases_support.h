/* What the programs of bases.py share: objects that only the function under test refers to, and
   places where a collection may run. */
#ifndef BASES_SUPPORT_H
#define BASES_SUPPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
typedef unsigned long word;
typedef struct record {
  long number;
  int half;
  short quarter;
  char letter, pad;
} record;
/* Several arrays of so many elements each, and a list of boxes. */
typedef struct box {
  void *a, *b, *c;
  struct box *next;
} box;
typedef struct test {
  const char *name;
  word (*run)(long rounds);
} test;

/* May collect. */
void tick(void);
/* The same number; nobody knows. */
long opaque(long number);
/* A result in the first register may stay there, and callees push that to align the stack. */
typedef struct made {
  long nothing;
  void *object;
} made;
/* Memory of size bytes, filled in a way that depends on seed; or three boxes with three times as
   much each. */
made make(size_t size, word seed);
made make_boxes(size_t size, word seed);
/* Reads so many bytes through each of count pointers. */
word read_all(int count, size_t size, ...);
word read_bytes(const void *from, size_t size);

extern const test tests[];
extern const int test_count;

#endif

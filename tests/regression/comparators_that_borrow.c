// A comparator whose parameters are borrowed was rejected by qsort, whose own are plain: a function
// that keeps nothing may be called by those who do not know that.  Not where a pointer to such a
// function may be given another one, nor for any other word.
// RUN: %acre-cc -facre-strict=own -fsyntax-only %s 2>&1 | count 0
// RUN: not %frontend -DWRONG -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *borrowed a, const void *borrowed b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}
void sort(char *unique *borrowed v, size_t n) { qsort(v, n, sizeof *v, compare); }

typedef int comparison(const void *, const void *);
comparison *chosen(void) { return compare; }

#ifdef WRONG
void set(comparison **to);
void give(int (*how)(const void *borrowed, const void *borrowed)) {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}changes the annotation of the pointers behind it
  set(&how);
}
typedef void taker(char *);
void take(char *unique text);
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}changes the annotation of the pointers behind it
taker *takes(void) { return take; }
#endif

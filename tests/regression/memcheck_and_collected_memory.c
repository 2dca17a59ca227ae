// Valgrind's memcheck reported the collector for reading what the program may not read, and then
// the program for what the collector had seen in memory that was never set.
// REQUIRES: valgrind
// RUN: %acre-cc -O0 -g -facre-malloc=collected %s -o %t
// RUN: env ACRE_HEAP=growth=256K,poison,check valgrind -q --error-exitcode=9 %t 2>&1 | count 0
// RUN: env ACRE_HEAP=growth=256K valgrind -q --error-exitcode=9 %t 2>&1 | count 0
// RUN: not env ACRE_HEAP=growth=256K valgrind -q --error-exitcode=9 %t wrong 2>&1 | FileCheck %s
#include <stdlib.h>
#include <string.h>

// CHECK: depends on uninitialised value
// CHECK-NEXT: {{.*}}: read_unset ({{.*}}memcheck_and_collected_memory.c

struct node {
  struct node *next;
  char text[40];
};

static struct node *volatile list;

static __attribute__((noinline)) void read_unset(void) {
  volatile char unset[64];
  if (unset[1] == 'x')
    abort();
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 30000; i++) {
    struct node *new = malloc(sizeof *new);
    new->next = list;
    list = i % 100 ? new : NULL;
    strcpy(new->text, "text");
    free(strdup("gone"));
  }
  int length = 0;
  for (struct node *each = list; each; each = each->next)
    length += each->text[0] == 't';
  if (argc > 1)
    read_unset();
  return length == 99 ? 0 : 1;
}
// Valgrind would run QEMU, not the program.
// UNSUPPORTED: foreign

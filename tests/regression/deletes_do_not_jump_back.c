// What a later return of setjmp reads counted at a delete behind it, although a delete leads to no
// setjmp; and so did the registers that pthread_cleanup_push keeps.
// RUN: %acre-cc -O0 %s -o %t && %t | FileCheck %s
// RUN: %acre-cc -O2 %s -o %t && %t | FileCheck %s
// CHECK: 0 7
// CHECK-NEXT: 2 7
// CHECK-NEXT: seen 7
#include <acre/acre.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

struct number {
  int value;
};
static jmp_buf failed;

static void print(struct number *n, int i) {
  if (i == 1)
    longjmp(failed, 1);
  printf("%d %d\n", i, n->value);
}

static int in_a_loop(void) deletes {
  region r = newregion();
  struct number *n = ralloc(r, struct number);
  n->value = 7;
  for (volatile int i = 0; i < 3; i++)
    if (setjmp(failed) == 0)
      print(n, i);
  return deleteregion(r);
}

static void see(void *number) { printf("seen %d\n", (*(struct number **)number)->value); }

static int with_cleanup(void) deletes {
  region r = newregion();
  struct number *n = ralloc(r, struct number);
  n->value = 7;
  pthread_cleanup_push(see, &n);
  fflush(stdout);
  pthread_cleanup_pop(1);
  n = NULL;
  return deleteregion(r);
}

int main(void) { return !(in_a_loop() && with_cleanup()); }

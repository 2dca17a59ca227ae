// Where a variable ends, slots were read through the system: a handler stack in a global variable
// took 900 times as long, and a process that may only read and write was killed.
// RUN: %acre-cc -O2 -facre-locals %s -o %t && %t
// RUN: %acre-cc -O0 -facre-locals %s -o %t && %t
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct frame {
  struct frame *up;
  long *root;
};
static struct frame *top;

__attribute__((noinline)) static long sum(long n) {
  struct frame here = {top, &n};
  top = &here;
  long result = n ? *top->root + sum(n - 1) : 0;
  top = here.up;
  return result;
}

struct context {
  int *data;
};
__attribute__((noinline)) static int first(const struct context *c) { return c->data[0]; }

static int count(struct context *context) {
  int total = 0;
  for (int i = 0; i < 100; i++) {
    int data[4] = {i};
    context->data = data;
    total += first(context);
    context->data = NULL;
  }
  return total;
}

int main(void) {
  struct context *context = malloc(sizeof *context);
  if (!context)
    return 1;
  bool is_right = count(context) == 4950 && sum(100) == 5050; // the runtime makes its tables
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
    return is_right ? 0 : 1;
  is_right = is_right && count(context) == 4950 && sum(100) == 5050;
  syscall(SYS_exit, is_right ? 0 : 1);
}

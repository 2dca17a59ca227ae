// A function at the end of a pool leaves by longjmp, out of the function that ends the pool: what
// that had ended goes with the next pool that ends, and pools that are made meanwhile at the same
// addresses have regions of their own.
// RUN: %each_level -o %t %s %S/Inputs/home.c -- -facre-pools=%S/Inputs/home.map -lpthread
#include "../Inputs/check.h"
#include "Inputs/home.h"

#include <acre/pool.h>
#include <setjmp.h>

static jmp_buf back;

static void leave(void *with) {
  (void)with;
  longjmp(back, 1);
}

static void end_and_leave(pool *outer) {
  pool *inner = pool_create(outer);
  pool_at_end(inner, leave, NULL);
  int *kept = pool_alloc(outer, sizeof *kept);
  *kept = 1;
  if (setjmp(back) == 0)
    pool_destroy(outer);
}

int main(void) {
  for (int i = 0; i < 100; i++) {
    end_and_leave(pool_create(NULL));
    pool *next = pool_create(NULL);
    int *number = pool_alloc(next, sizeof *number);
    *number = i;
    CHECK(acre_region_of(number) == acre_region_of_pool(next));
    pool_destroy(next);
    CHECK(!acre_region_of_pool(next));
  }
  return acre_verify() ? 0 : 1;
}

// Each word of a cache of bytes that had held an address was told by itself, and got a trap of its
// own: a test of Subversion wrote thousands of lines about one array.
// RUN: %acre-cc -O1 %s %S/../end_to_end/pools/Inputs/home.c -o %t \
// RUN:   -facre-pools=%S/../end_to_end/pools/Inputs/home.map
// RUN: rm -f %t.log && env ACRE_LOG=%t.log %t
// RUN: grep 'pointed to' %t.log | grep -vc times: | FileCheck %s
// CHECK: {{^}}33{{$}}
#include "../end_to_end/Inputs/check.h"
#include "../end_to_end/pools/Inputs/home.h"

#include <string.h>

enum { PLACES = 400, WORD = sizeof(char *) };

int main(void) {
  pool *home = pool_create(NULL);
  char *cache = pool_alloc(home, PLACES * WORD);
  for (int i = 0; i < PLACES; i++) {
    pool *p = pool_create(home);
    node *there = pool_alloc(p, sizeof *there);
    memcpy(cache + i * WORD, &there, sizeof there);
    pool_destroy(p);
    void *left;
    memcpy(&left, cache + i * WORD, sizeof left);
    CHECK(left != there);
  }
  pool_destroy(home);
  return 0;
}

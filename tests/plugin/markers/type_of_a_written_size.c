// An allocation that states a size has the type that the size is written with.
// RUN: %frontend -fplugin-arg-acre-Wint-to-pointer -Wall -Wextra -Werror -S -emit-llvm -Xclang \
// RUN:   -disable-llvm-passes %s -o - | FileCheck %s
#include <acre/region.h>

struct node { struct node *sameregion next; };
#define pool_alloc(r, size) acre_region_alloc((r), (size), 8, ACRE_TYPE_OF_SIZE(size))

void *known(region r, struct node *p, int n, size_t each) {
  // CHECK-DAG: ;[[#@LINE+1]];known|struct node;8;8;1;0;0,1,8,s,next\00
  (void)pool_alloc(r, sizeof(struct node));
  // CHECK-DAG: ;[[#@LINE+1]];known|struct node;
  (void)pool_alloc(r, sizeof *p);
  // CHECK-DAG: ;[[#@LINE+1]];known|struct node;
  (void)pool_alloc(r, n * sizeof(struct node));
  // CHECK-DAG: ;[[#@LINE+1]];known|struct node;
  (void)pool_alloc(r, sizeof(struct node[3]) * 2);
  // CHECK-DAG: ;[[#@LINE+1]];known|int;4;4;0;0\00
  (void)pool_alloc(r, (size_t)n * sizeof(int) * each);
  // CHECK-DAG: ;[[#@LINE+1]];known|void *;8;8;1;0;
  return pool_alloc(r, (n + 1) * sizeof(void *));
}

void *unknown(region r, struct node *p, int n) {
  (void)pool_alloc(r, n);                                // CHECK-DAG: ;[[#@LINE]];unknown|\00
  (void)pool_alloc(r, 0);                                // CHECK-DAG: ;[[#@LINE]];unknown|\00
  (void)pool_alloc(r, sizeof *p + n);                    // CHECK-DAG: ;[[#@LINE]];unknown|\00
  (void)pool_alloc(r, sizeof(struct node) * sizeof(int)); // CHECK-DAG: ;[[#@LINE]];unknown|\00
  return pool_alloc(r, _Alignof(struct node));           // CHECK-DAG: ;[[#@LINE]];unknown|\00
}

int not_evaluated(int n) {
  // CHECK-LABEL: @not_evaluated(
  // CHECK-NOT: add
  // CHECK: ret i32
  (void)ACRE_TYPE_OF_SIZE(n++ * sizeof(int));
  return n;
}

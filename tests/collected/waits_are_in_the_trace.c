// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: rm -f %t.json
// RUN: env ACRE_TRACE=%t.json %t.O2
// RUN: FileCheck --input-file=%t.json %s
// CHECK-DAG: "name":"begin","dur":
// CHECK-DAG: "name":"idle","dur":
// CHECK-DAG: "name":"allocate","dur":{{[0-9.]+}},"args":{"amount":16777216,"thread":
// CHECK-DAG: "name":"wait","dur":
// CHECK-DAG: "name":"increment","dur":{{.*}},"stopped":{{[1-9]}}
// CHECK-DAG: "name":"finish","dur":
// A program that waits for the collector finds each wait in its trace: steps and for how long they
// stop other threads, the start of a collection, what is left to do after it, memory that is
// cleared, and turns in the heap.
#include "Inputs/check.h"
#include <pthread.h>
#include <stdatomic.h>

enum { LARGE = 16 << 20, LIST = 200000, COLLECTIONS = 12 };
static atomic_int is_over;

static void *allocate(void *argument) {
  (void)argument;
  for (unsigned long i = 0; !is_over; i++)
    CHECK(is_whole(new_item(i), i));
  return NULL;
}

/* As long as it takes for collections in steps to come and go. */
static void replace_list(void) {
  item *list = NULL;
  for (unsigned long i = 0; i < LIST; i++) {
    item *first = new_item(i);
    first->next = list;
    list = first;
  }
  CHECK(is_whole(list, LIST - 1));
}

int main(void) {
  pthread_t other;
  for (int i = 0; i < 4; i++)
    memset(malloc(LARGE), 'x', LARGE);
  CHECK(pthread_create(&other, NULL, allocate, NULL) == 0);
  for (int i = 0; i < COLLECTIONS; i++) {
    replace_list();
    acre_collected_collect();
  }
  is_over = 1;
  CHECK(pthread_join(other, NULL) == 0);
  puts("ok");
}

// Locals that are structures of numbers hold no pointer that is counted: a call that may delete
// pins none of them.  Bytes and unions may hold one.
// RUN: %acre-cc -O1 -S -emit-llvm %s -o - | FileCheck %s \
// RUN:   --implicit-check-not='c"{{time|state|grid}}\00"'
// RUN: %acre-cc -O0 -S -emit-llvm %s -o - | FileCheck %s \
// RUN:   --implicit-check-not='c"{{time|state|grid}}\00"'
#include <acre/acre.h>
#include <sys/stat.h>
#include <time.h>

struct mixed {
  union {
    void *pointer;
    long number;
  } either;
};
struct bytes {
  char all[16];
};
void use(void *);
void may_delete(void) deletes;

// CHECK-DAG: c"mixed\00"
// CHECK-DAG: c"bytes\00"
void f(void) deletes {
  struct timespec time;
  struct stat state;
  struct {
    struct timespec each[2];
    double scale;
  } grid;
  struct mixed mixed;
  struct bytes bytes;
  use(&time), use(&state), use(&grid), use(&mixed), use(&bytes);
  may_delete();
  use(&time), use(&state), use(&grid), use(&mixed), use(&bytes);
}

// RUN: %acre-cc -O1 -g -c %s -o %t.o -Rpass=acre -Rpass-missed=acre 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not="sameregion store"
// RUN: %acre-cc -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// What is read from a settled variable is one region in a function that is not deletes, and in no
// other.
#include <acre/acre.h>

#define NOINLINE __attribute__((noinline))
typedef struct list {
  struct list *sameregion next;
} list;
extern settled region unit;
static settled list *head;
extern region changed;
void elsewhere(void);
void restart(void) deletes;

// IR: define {{.*}} @calls_deletes({{.*}} #[[#SETTLES:]] {{.*}}{
// IR: define {{.*}} @sets({{.*}} #[[#SETTLES]] {{.*}}{
// IR: attributes #[[#SETTLES]] = {{.*}}"acre-sets-them"
// IR: !acre.set_by_deletes = !{![[#]], ![[#]]}

void not_deletes(void) {
  list *x = ralloc(unit, list);
  elsewhere();
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store removed: by 'unit'
  x->next = ralloc(unit, list);
}

void of_an_object(void) {
  list *x = ralloc(regionof(head), list);
  elsewhere();
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store removed: by 'head'
  x->next = head;
}

// Two variables name two regions.
void of_another(void) {
  list *x = ralloc(unit, list);
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept
  x->next = head;
}

void not_settled(void) {
  list *x = ralloc(changed, list);
  elsewhere();
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept: {{.*}} or declare it settled
  x->next = ralloc(changed, list);
}

void calls_deletes(void) deletes {
  list *x = ralloc(unit, list);
  restart();
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept
  x->next = ralloc(unit, list);
}

// deletes by its type alone: it sets the variable itself.
void sets(region r) deletes {
  list *x = ralloc(unit, list);
  head = x;
  unit = r;
  elsewhere();
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept
  x->next = ralloc(unit, list);
}

// A deletes function in line in one that is deletes.
static inline void set_again(region r) deletes { unit = r; }
void sets_in_line(region r) deletes {
  list *x = ralloc(unit, list);
  set_again(r);
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept
  x->next = ralloc(unit, list);
}

// What a function that is not deletes is passed by one that is.
NOINLINE static void passed(list *x) {
  // CHECK: [[#@LINE+1]]:11: remark: check of sameregion store kept
  x->next = ralloc(unit, list);
}
void passes(void) deletes {
  list *x = ralloc(unit, list);
  restart();
  passed(x);
}

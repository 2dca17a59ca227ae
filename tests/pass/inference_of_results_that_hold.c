// RUN: %acre-cc -O1 -g -c %s -o %t.o -Rpass=acre -Rpass-missed=acre 2>&1 | FileCheck %s
// A slot of what a function returned: the value may be known to be where all of its results are.
// Each function whose check stays would be wrong without it for some caller, result or run.
#include <acre/acre.h>

#define NOINLINE __attribute__((noinline))
typedef struct box {
  struct box *sameregion next;
  char *sameregion text;
} box;
static settled region document;
static settled region other;
static region changing;
static box *plain;
box *anywhere(void);
void consume(box *b);
region some(void);

static NOINLINE box *make(void) { return ralloc(document, box); }
static NOINLINE box *make_or_null(int n) { return n ? ralloc(document, box) : NULL; }
static NOINLINE box *make_deep(int n) { return n ? make_deep(n - 1) : make(); }
static NOINLINE box *make_in_other(void) { return ralloc(other, box); }
static NOINLINE box *make_in_either(int n) {
  return n ? ralloc(document, box) : ralloc(other, box);
}
static NOINLINE box *make_changing(void) { return ralloc(changing, box); }
static NOINLINE box *make_beside(box *b) { return ralloc(regionof(b), box); }
static NOINLINE box *make_or_given(box *b, int n) { return n ? b : ralloc(document, box); }
static NOINLINE box *make_or_read(int n) { return n ? plain : ralloc(document, box); }
static NOINLINE box *make_or_call(int n) { return n ? anywhere() : ralloc(document, box); }
static NOINLINE box *only_recursion(int n) { return n ? only_recursion(n - 1) : plain; }
__attribute__((weak)) NOINLINE box *make_weak(void) { return ralloc(document, box); }
static box *(*volatile pointer)(void) = make;

void holds(void) {
  // CHECK: [[#@LINE+1]]:16: remark: check of sameregion store removed
  make()->text = rstrdup(document, "a");
}

void holds_unless_null(int n) {
  box *b = make_or_null(n);
  if (b)
    // CHECK: [[#@LINE+1]]:13: remark: check of sameregion store removed
    b->text = rstrdup(document, "a");
}

void holds_through_recursion(int n) {
  // CHECK: [[#@LINE+1]]:22: remark: check of sameregion store removed
  make_deep(n)->text = rstrdup(document, "a");
}

void holds_what_is_made_beside(box *b) {
  // CHECK: [[#@LINE+1]]:24: remark: check of sameregion store removed
  make_beside(b)->next = b;
}

void is_of_another_region(void) {
  // CHECK: [[#@LINE+1]]:25: remark: check of sameregion store kept
  make_in_other()->text = rstrdup(document, "a");
}

void is_of_either(int n) {
  // CHECK: [[#@LINE+1]]:27: remark: check of sameregion store kept
  make_in_either(n)->text = rstrdup(document, "a");
}

void is_of_a_region_that_changes(void) {
  char *text = rstrdup(changing, "a");
  consume(NULL);
  // CHECK: [[#@LINE+1]]:25: remark: check of sameregion store kept
  make_changing()->text = text;
}

void is_given(box *b, int n) {
  // CHECK: [[#@LINE+1]]:29: remark: check of sameregion store kept
  make_or_given(b, n)->text = rstrdup(document, "a");
}

void is_read(int n) {
  // CHECK: [[#@LINE+1]]:25: remark: check of sameregion store kept
  make_or_read(n)->text = rstrdup(document, "a");
}

void is_unknown(int n) {
  // CHECK: [[#@LINE+1]]:25: remark: check of sameregion store kept
  make_or_call(n)->text = rstrdup(document, "a");
}

void rests_on_itself(int n) {
  // CHECK: [[#@LINE+1]]:27: remark: check of sameregion store kept
  only_recursion(n)->text = rstrdup(document, "a");
}

void is_replaced(void) {
  // CHECK: [[#@LINE+1]]:21: remark: check of sameregion store kept
  make_weak()->text = rstrdup(document, "a");
}

void is_called_through_a_pointer(void) {
  // CHECK: [[#@LINE+1]]:19: remark: check of sameregion store kept
  pointer()->text = rstrdup(document, "a");
}

// What is stored is known only by another parameter of the caller.
void is_beside_another(box *b, box *c) {
  // CHECK: [[#@LINE+1]]:24: remark: check of sameregion store kept
  make_beside(b)->next = c;
}

// A function that may set the variable between: it is deletes.
void is_set_between(void) deletes {
  char *text = rstrdup(document, "a");
  document = some();
  // CHECK: [[#@LINE+1]]:16: remark: check of sameregion store kept
  make()->text = text;
}

void begins(void) deletes {
  changing = some();
  other = some();
  document = some();
  plain = anywhere();
}

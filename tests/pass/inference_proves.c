// RUN: %acre-cc -O1 -g -c %s -o %t.o -Rpass=acre -Rpass-missed=acre 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not=kept
// The idioms of section 5.2 of the RC paper, and those that it leaves open but a proof exists for:
// no check is left.
#include <acre/acre.h>

#define NOINLINE __attribute__((noinline))
struct data;
typedef struct list {
  struct list *sameregion next;
  struct data *parentptr data;
  const char *traditional name;
} list;
void consume(list *l);

// Figure 1: a loop over locals.
void figure1(void) deletes {
  region r = newregion();
  list *last = 0;
  for (int i = 0; i < 10; i++) {
    list *l = ralloc(r, list);
    // CHECK-DAG: [[#@LINE+1]]:13: remark: check of sameregion store removed: by the call of 'acre_region_new'
    l->next = last;
    last = l;
  }
  consume(last);
  deleteregion(r);
}

// The contents of x are made after x.
void contents_later(region r) {
  list *x = ralloc(r, list);
  // CHECK-DAG: [[#@LINE+1]]:11: remark: check of sameregion store removed
  x->next = ralloc(regionof(x), list);
}

// From one heap object to another of its region.
void from_heap(list *y) {
  list *x = ralloc(regionof(y), list);
  // CHECK-DAG: [[#@LINE+1]]:11: remark: check of sameregion store removed: by 'y', an annotated slot that is read
  x->next = y->next;
  // CHECK-DAG: [[#@LINE+1]]:11: remark: check of parentptr store removed
  x->data = y->data;
  // CHECK-DAG: [[#@LINE+1]]:11: remark: check of traditional pointer removed
  x->name = y->name;
}

// The hand-written constructor, whose callers are all known: the paper's unsolved case.
static NOINLINE list *new_list(region r, list *next) {
  list *l = ralloc(r, list);
  // CHECK-DAG: [[#@LINE+1]]:11: remark: check of sameregion store removed: by 'r', the call of 'new_list'
  l->next = next;
  return l;
}
void construct(region r) {
  list *l = new_list(r, 0);
  for (int i = 0; i < 3; i++)
    l = new_list(r, l);
  consume(l);
}

// A global that holds a region for the whole run.
static region forever;
static NOINLINE list *remember(list *next) {
  list *l = ralloc(forever, list);
  // CHECK-DAG: [[#@LINE+1]]:11: remark: check of sameregion store removed: by 'forever'
  l->next = next;
  return l;
}

// A global that points to one object for the whole run.
static list *root;
void add_to_root(const char *name) {
  list *l = ralloc(regionof(root), list);
  l->name = name;
  // CHECK-DAG: [[#@LINE+1]]:11: remark: check of sameregion store removed
  l->next = root->next;
  // CHECK-DAG: [[#@LINE+1]]:14: remark: check of sameregion store removed
  root->next = l;
}

// A parse stack.
list *parse(region r, const char *text) {
  list *stack[64];
  int depth = 0;
  for (; *text; text++) {
    list *l = ralloc(r, list);
    if (*text == '+') {
      // CHECK-DAG: [[#@LINE+1]]:15: remark: check of sameregion store removed: by {{.*}}all that is stored in 'stack'
      l->next = stack[--depth & 63];
    }
    stack[depth++ & 63] = l;
  }
  return stack[0];
}

// A passed check and a test of the handle.
void passed(list *x, list *y, list *z) {
  // CHECK-DAG: [[#@LINE+2]]:13: remark: check of sameregion store removed: by {{.*}}a test
  if (regionof(x) == regionof(y))
    x->next = y;
  if (!z)
    // CHECK-DAG: [[#@LINE+1]]:13: remark: check of sameregion store removed
    y->next = z;
}

// Subregions.
void subregion(region r, list *up) {
  list *x = ralloc(r, list);
  region s = newsubregion(r);
  list *y = ralloc(s, list);
  // CHECK-DAG: [[#@LINE+1]]:11: remark: check of parentptr store removed
  y->data = (struct data *)x;
}

// Insertion in the middle, and reversal.
list *insert(list *after) {
  list *l = ralloc(regionof(after), list);
  // CHECK-DAG: [[#@LINE+1]]:11: remark: check of sameregion store removed
  l->next = after->next;
  // CHECK-DAG: [[#@LINE+1]]:15: remark: check of sameregion store removed
  after->next = l;
  return l;
}
void reverse_after(list *head) {
  list *done = 0, *rest = head->next;
  while (rest) {
    list *next = rest->next;
    // CHECK-DAG: [[#@LINE+1]]:16: remark: check of sameregion store removed
    rest->next = done;
    done = rest;
    rest = next;
  }
  // CHECK-DAG: [[#@LINE+1]]:14: remark: check of sameregion store removed
  head->next = done;
}

int main(void) deletes {
  forever = newregion();
  root = ralloc(newregion(), list);
  list *l = remember(0);
  for (int i = 0; i < 3; i++)
    l = remember(l);
  consume(l);
}

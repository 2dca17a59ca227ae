// A global that main sets once names one region for the whole run, however large main is and though
// main can be jumped back to: only a jump that leads to the place again makes it two regions.
// RUN: %acre-cc -O1 -g -c %s -o %t.o -Rpass=acre -Rpass-missed=acre 2>&1 | FileCheck %s
// RUN: %acre-cc -O1 -g -c %s -o %t.o -DTWICE -Rpass=acre -Rpass-missed=acre 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KEPT --implicit-check-not='store removed: '
// RUN: %each_level --expect-abort -o %t.TWICE %s -- -DTWICE
// RUN: %acre-cc -O1 -g -c %s -o %t.o -DROUND -Rpass=acre -Rpass-missed=acre 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KEPT --implicit-check-not='store removed: '
// RUN: %each_level --expect-abort -o %t.ROUND %s -- -DROUND
// RUN: %acre-cc -O1 -g -c %s -o %t.o -DCONTEXT -Rpass=acre -Rpass-missed=acre 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KEPT --implicit-check-not='store removed: '
// RUN: %each_level --expect-abort -o %t.CONTEXT %s -- -DCONTEXT
// RUN: %acre-cc -O1 -g -c %s -o %t.o -DOTHER -Rpass=acre -Rpass-missed=acre 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KEPT --implicit-check-not='store removed: '
// RUN: %each_level --expect-abort -o %t.OTHER %s -- -DOTHER
// RUN: %each_level -o %t %s -- -facre-checks=verified
#include <acre/acre.h>
#include <setjmp.h>
#include <ucontext.h>

typedef struct list {
  struct list *sameregion next;
} list;
static region all;
static list *kept;
static jmp_buf back, other;
static ucontext_t context;
static int times;

__attribute__((noinline)) static void add(void) {
  list *l = ralloc(all, list);
  if (!kept)
    kept = ralloc(all, list);
  // ABORT: acre: fatal: [[FILE]]:[[#@LINE+7]]: in add: sameregion pointer may not point into the
  // ABORT-SAME: region created at [[FILE]]:{{[0-9]+}}
  // ABORT-NEXT: value {{0x[0-9a-f]+}}: list allocated at [[FILE]]:[[#@LINE-3]]
  // ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'next' of list allocated at {{.*}}
  // ABORT-NEXT: held by the region created at [[FILE]]:{{[0-9]+}}
  // CHECK: [[#@LINE+2]]:11: remark: check of sameregion store removed
  // KEPT: [[#@LINE+1]]:11: remark: check of sameregion store kept
  l->next = kept;
}

#define STEP(n) \
  if (argc == (n) + 100) \
    times += (n) * argc;
#define STEPS(n) STEP(n) STEP(n + 1) STEP(n + 2) STEP(n + 3) STEP(n + 4) STEP(n + 5) STEP(n + 6)

int main(int argc, char **argv) {
#if defined TWICE
  // The jump back comes to the place again.
  setjmp(back);
  all = newregion();
#elif defined ROUND
  // It comes to the next call of setjmp, which returns null again.
  for (;;)
    if (!setjmp(back)) {
      all = newregion();
      break;
    }
#elif defined CONTEXT
  // Both returns of getcontext are null.
  if (!getcontext(&context))
    all = newregion();
#elif defined OTHER
  // It comes from before the setjmp whose result is looked at.
  setjmp(back);
  if (!setjmp(other))
    all = newregion();
#else
  if (!setjmp(back))
    all = newregion();
#endif
  add();
  for (int i = 0; i < argc; ++i) {
    STEPS(0) STEPS(10) STEPS(20) STEPS(30) STEPS(40)
    add();
  }
  if (times++ == 0)
#ifdef CONTEXT
    setcontext(&context);
#else
    longjmp(back, 1);
#endif
  return argv[0] == NULL;
}

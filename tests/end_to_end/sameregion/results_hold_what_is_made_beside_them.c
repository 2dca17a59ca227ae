// Slots of what functions returned: checks that were proved are executed and never fail, and the
// one that must fail is there.
// RUN: %each_level -o %t %s -- -facre-checks=verified
// RUN: %each_level --expect-abort -o %t.wrong %s -- -DWRONG
// ABORT: acre: fatal: [[FILE]]:[[#@LINE+38]]: in add_to_either: sameregion pointer may not point
// ABORT-SAME: into the region created at [[FILE]]:{{[0-9]+}}
// ABORT-NEXT: value {{0x[0-9a-f]+}}: {{.*}}
// ABORT-NEXT: slot {{0x[0-9a-f]+}}: field 'text' of box allocated at {{.*}}
// ABORT-NEXT: held by the region created at [[FILE]]:{{[0-9]+}}
#include <acre/acre.h>

#define NOINLINE __attribute__((noinline))
typedef struct box {
  struct box *sameregion next;
  char *sameregion text;
} box;
static settled region document, other;

static NOINLINE box *make(void) { return ralloc(document, box); }
static NOINLINE box *make_or_null(int n) { return n ? ralloc(document, box) : NULL; }
static NOINLINE box *make_deep(int n) { return n ? make_deep(n - 1) : make(); }
static NOINLINE box *make_in_either(int n) { return ralloc(n ? other : document, box); }
static NOINLINE box *make_beside(box *b) { return ralloc(regionof(b), box); }

static NOINLINE void add(int n) {
  make()->text = rstrdup(document, "a");
  box *b = make_or_null(n & 1);
  if (b)
    b->text = rstrdup(document, "b");
  box *deep = make_deep(n);
  deep->text = rstrdup(document, "c");
  deep->next = make();
}

static NOINLINE void add_beside(box *b) {
  box *made = make_beside(b);
  made->next = b;
  made->text = b->text;
}

static NOINLINE void add_to_either(int n) {
  box *b = make_in_either(n);
  b->text = rstrdup(document, "d");
}

int main(void) {
  for (int round = 0; round < 3; ++round) {
    document = newregion();
    other = newregion();
    for (int n = 0; n < 5; ++n)
      add(n);
    box *b = ralloc(other, box);
    b->text = rstrdup(other, "e");
    add_beside(b);
    add_beside(make());
#ifdef WRONG
    add_to_either(round);
#else
    add_to_either(0);
#endif
    b = NULL;
    deleteregion(document);
    deleteregion(other);
  }
  return 0;
}

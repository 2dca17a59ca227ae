// A program of RC builds with one include: RC's interface, with its words and no others.
// RUN: %each_level -o %t %s %S/../Inputs/rc_unit.c
// RUN: %acre-cc -std=gnu89 -O1 %s %S/../Inputs/rc_unit.c -o %t && %t
// RUN: %acre-cc -fno-acre -O1 %s %S/../Inputs/rc_unit.c -o %t && %t
// RUN: %acre-cc -O1 -DKEEPS %s %S/../Inputs/rc_unit.c -o %t
// RUN: not --crash %t 2>&1 | %whole %s \
// RUN:   -D"KEPT=1. global variable 'kept' (programs_of_rc.c) points to struct item allocated"
#include <acre/rc.h>

#include <stdio.h>
#include <stdlib.h>

#include "../Inputs/rc_unit.h"

/* Names that RC leaves to the program. */
typedef unsigned char bool;
static int settled = 1, inregion = 2, inparent = 3;

#define EXPECT(condition)                                            \
  do {                                                               \
    if (!(condition)) {                                              \
      printf("line %d: %s\n", __LINE__, #condition);                 \
      exit(1);                                                       \
    }                                                                \
  } while (0)

static type_t types[] = {rctypeof(struct item), rctypeof(double)};
static struct item *kept;

static void strings(region r) {
  char *text = rstralloc0(r, 4);
  long *numbers = (long *)rstralloc(r, 4 * sizeof(long));
  char *copy = rstrdup(r, "region");
  EXPECT(((unsigned long)numbers & (sizeof(double) - 1)) == 0);
  text[0] = 'a';
  text = rstrextend(r, text, 100);
  text = rstrextend0(r, (const char *)text, 1000);
  EXPECT(text[0] == 'a' && text[1] == 0 && text[999] == 0);
  EXPECT(rstrextend(r, NULL, 8) != NULL && copy[0] == 'r');
}

static void arrays(region r) {
  struct item *few = rarrayalloc(r, 3, struct item), *many = rarrayalloc(r, 10, struct item);
  int i;
  for (i = 0; i < 3; i++)
    few[i].next = ralloc(r, struct item);
  rarraycopy(many + 7, few, 3, struct item);
  EXPECT(many[9].next == few[2].next && !many[6].next);
  typed_rarraycopy(many, few, 3, sizeof(struct item), types[0]);
  EXPECT(many[2].next == few[2].next);
  few = rarrayextend(r, few, 50, struct item);
  EXPECT(few[2].next == many[2].next && !few[49].next);
}

static void typed(region r) {
  struct item *one = typed_ralloc(r, sizeof(struct item), types[0]);
  struct item *all = typed_rarrayalloc(r, 4, sizeof(struct item), types[0]);
  double *numbers = typed_rarrayalloc(r, 4, sizeof(double), types[1]);
  one->next = all;
  all[3].next = one;
  numbers[3] = 1;
  all = typed_rarrayextend(r, all, 40, sizeof(struct item), types[0]);
  EXPECT(all[3].next == one && regionof(all) == r);
}

static void nothing_left(void) {}

int region_main(int argc, char *argv[], char *envp[]) {
  region r, below, both[2];
  bool answer = 1;
  (void)argc, (void)argv, (void)envp;
  region_init();
  r = newregion();
  below = newsubregion(r);
  strings(r);
  arrays(below);
  typed(below);
  kept = make_item(permanent, NULL);
  kept->next = make_item(permanent, NULL);
  EXPECT(regionof(kept) == permanent);
  EXPECT(set_nomem_handler(nothing_left) == NULL && set_nomem_handler(NULL) == nothing_left);
#ifdef KEEPS
  kept = make_item(r, NULL);
  findgrefs(r);
  findrefs(r, NULL, NULL);
  findrrefs(r, permanent);
#endif
  deleteregion_ptr(&below);
  both[0] = r;
  both[1] = newregion();
  // CHECK: [[KEPT]] at rc_unit.c:5
  // CHECK-NEXT: [[KEPT]] at rc_unit.c:5
  // CHECK-NEXT: [[KEPT]] at rc_unit.c:5
  // CHECK-NEXT: acre: fatal: cannot delete the region created at [[FILE]]:73: 1 reference from
  // CHECK-SAME: outside remains
  // CHECK-NEXT: deleteregion called at [[FILE]]:[[@LINE+3]]
  // CHECK-NEXT: [[KEPT]] at rc_unit.c:5
  // CHECK-NEXT: hint: set these variables to null before the region is deleted
  deleteregion_array(2, both);
  return !(answer && settled + inregion + inparent == 6);
}

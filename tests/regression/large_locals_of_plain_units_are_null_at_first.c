// A unit that names no region need not clear a large local, which may be copied before all of it is
// set, until the process has had a region; from then on stale words of the frame would be counted.
// RUN: for level in -O0 -O2; do %acre-cc $level -DPLAIN -c %s -o %t.plain.o && \
// RUN:   %acre-cc $level %s %t.plain.o -o %t && %t || exit 1; done
#include <stdio.h>
#include <stdlib.h>

struct large {
  long used;
  void *slots[24];
};
void look_at(struct large *);
void copy_at_once(struct large *to);
void copy_later(struct large *to, void (*between)(void));

#ifdef PLAIN

__attribute__((noinline)) void look_at(struct large *l) { l->used++; }

__attribute__((noinline)) void copy_at_once(struct large *to) {
  struct large l;
  l.used = 0;
  look_at(&l);
  *to = l;
}

__attribute__((noinline)) void copy_later(struct large *to, void (*between)(void)) {
  struct large l;
  l.used = 0;
  look_at(&l);
  between();
  *to = l;
}

#else
#include <acre/acre.h>

struct node {
  struct node *next;
};

static region nodes;

/* Leaves pointers in the stack below its caller's frame. */
__attribute__((noinline)) static void leave_pointers(struct node *n) {
  struct node *volatile left[256];
  for (int i = 0; i < 256; i++)
    left[i] = n;
}

static void make_region(void) { nodes = newregion(), (void)ralloc(nodes, struct node); }

__attribute__((noinline)) static void run(struct large *kept) deletes {
  make_region();
  leave_pointers(ralloc(nodes, struct node));
  copy_at_once(kept);
  deleteregion(nodes);
  /* No region is left, but what the frames hold leads to where the next one will be. */
  copy_later(kept, make_region);
  deleteregion(nodes);
}

int main(void) deletes {
  struct large *kept = malloc(sizeof *kept);
  if (!kept)
    return 1;
  copy_at_once(kept);
  run(kept);
  free(kept);
  return 0;
}
#endif

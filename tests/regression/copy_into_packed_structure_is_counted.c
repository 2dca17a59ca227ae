// A copy into a member of a packed structure was not counted: its type seemed to say it is aligned.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

struct holder {
  void *pointer;
  int number;
};
struct choice {
  union {
    void *pointer;
    long number;
  } either;
  int number;
};
struct packed {
  short number;
  struct holder holders[2];
  struct choice choices[2];
} __attribute__((packed));

static struct packed packed;

static NOINLINE void copy(struct packed *at) {
  memcpy(at->holders + 1, at->holders, sizeof at->holders[0]);
}
static NOINLINE void assign(struct packed *at) { at->choices[1] = at->choices[0]; }

int main(void) {
  region r = newregion();
  packed.holders[0].pointer = packed.choices[0].either.pointer = new_node(r);
  CHECK_COUNT(r, 2);
  copy(&packed);
  CHECK_COUNT(r, 3);
  assign(&packed);
  CHECK_COUNT(r, 4);
}

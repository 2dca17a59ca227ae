/* SPDX-License-Identifier: MIT */
/* Linked to programs that know nothing of Acre: a region exists from the start, so every store of
 * theirs is a barrier. */
#include <acre/acre.h>

static region lives;

__attribute__((constructor)) static void make_region(void) {
  lives = newregion();
  void *volatile object = ralloc(lives, int);
  (void)object;
}

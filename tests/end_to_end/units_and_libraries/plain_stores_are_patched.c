// The stores of a unit that names no region are counted, whatever their address and value look
// like, and change nothing else that their functions need.
// RUN: %each_level -o %t %s %S/../Inputs/unit_patched.c
// RUN: %acre-cc -O2 -fno-pie -no-pie %s %S/../Inputs/unit_patched.c -o %t && %t
// RUN: %acre-cc -O2 -static %s %S/../Inputs/unit_patched.c -o %t && %t
// RUN: %acre-cc -O2 -ffunction-sections -Wl,--gc-sections %s %S/../Inputs/unit_patched.c \
// RUN:   -o %t && %t
// RUN: %acre-cc -O2 -fuse-ld=lld -ffunction-sections -Wl,--gc-sections %s \
// RUN:   %S/../Inputs/unit_patched.c -o %t && %t
// RUN: %acre-cc -O2 -facre-frames=conservative %s %S/../Inputs/unit_patched.c -o %t && %t
// RUN: %acre-cc -O2 -facre-barriers=inline %s %S/../Inputs/unit_patched.c -o %t && %t
#include "../Inputs/unit_patched.h"
#include "../Inputs/check.h"
#include <ucontext.h>

static region r;
static word united;
static void *slots[4];
static chain outside;
static const double numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static const unsigned char bytes[96] = {1, 2, 3};

static __attribute__((noinline)) chain *object(void) { return ralloc(r, chain); }

static void in_global(void) { set_global(object()); }
static void clear_global(void) { set_global(0); }
static void in_static(void) { set_static(object()); }
static void clear_static(void) { set_static(0); }
static void in_element(void) { set_element(7, &object()->key); }
static void clear_element(void) { set_element(7, 0); }
static void in_union(void) { set_pointer(&united, object()); }
static void number_in_union(void) { set_number(&united, 3); }
static void real_in_union(void) { set_real(&united, 3.5); }
static void as_number(void) { set_number(&united, (long)object()); }
static void by_halves(void) {
  const unsigned long address = (unsigned long)object();
  set_half(&united, 0, (unsigned)address);
  set_half(&united, 1, (unsigned)(address >> 32));
}
static void half_in_union(void) { clear_high_half(&united); }
static void beside_vectors(void) { CHECK(sum_and_set(numbers, slots, object(), 8) == 36); }
static void clear_beside_vectors(void) { CHECK(sum_and_set(numbers, slots, 0, 8) == 36); }
static void above_red_zone(void) { CHECK(set_above_red_zone(&slots[2], object(), bytes) == 6); }
static void clear_above_red_zone(void) { CHECK(set_above_red_zone(&slots[2], 0, bytes) == 6); }
static void from_outside(void) { join_chains(&outside, object()); }
static void clear_outside(void) { clear_chain(&outside); }
static void from_many_pages(void) {
  chain *last = object();
  for (int i = 0; i < 3000; i++) {
    chain *next = object();
    join_chains(last, next);
    last = next;
  }
  set_global(last);
}

/* Pages of another region, each with stores that stay in that region before one that does not. */
static region beside;
static chain *ends[16];
static void from_pages_of_another(void) deletes {
  CHECK(!beside || deleteregion(beside));
  beside = newregion();
  for (int i = 0; i < 16; i++) {
    for (int j = 0; j < 600; j++) {
      chain *last = ralloc(beside, chain);
      join_chains(last, ends[i] ? ends[i] : last);
      ends[i] = last;
    }
    clear_chain(ends[i]);
  }
  for (int i = 0; i < 16; i++)
    join_chains(ends[i], object());
}
static void clear_pages_of_another(void) deletes {
  for (int i = 0; i < 16; i++) {
    CHECK(regionof(ends[i]) == beside);
    CHECK(!deleteregion(r));
    clear_chain(ends[i]);
    join_chains(ends[i], ends[i]);
    clear_chain(ends[i]);
    ends[i] = 0;
  }
}

/* Frames of other stacks are counted, so what is left of them must not be. */
static ucontext_t on_main, on_other;
static void run_on_other(void) {
  void *p = object();
  CHECK(keep_in_locals(p));
  p = 0;
  swapcontext(&on_other, &on_main);
}
static void on_other_stack(void) deletes {
  static char stack[64 << 10];
  r = newregion();
  getcontext(&on_other);
  on_other.uc_stack.ss_sp = stack;
  on_other.uc_stack.ss_size = sizeof stack;
  makecontext(&on_other, run_on_other, 0);
  swapcontext(&on_main, &on_other);
  CHECK(deleteregion(r));
}

static void try(void (*set)(void) deletes, void (*clear)(void) deletes) deletes {
  r = newregion();
  set();
  CHECK(!deleteregion(r));
  clear();
  CHECK(deleteregion(r));
}

int main(void) deletes {
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
  for (int round = 0; round < 2; round++) {
    try(in_global, clear_global);
    try(in_static, clear_static);
    try(in_element, clear_element);
    try(in_union, number_in_union);
    try(in_union, real_in_union);
    try(as_number, number_in_union);
    try(by_halves, half_in_union);
    on_other_stack();
    try(beside_vectors, clear_beside_vectors);
    try(above_red_zone, clear_above_red_zone);
    try(from_outside, clear_outside);
    try(from_many_pages, clear_global);
    try(from_pages_of_another, clear_pages_of_another);
  }
  return 0;
}

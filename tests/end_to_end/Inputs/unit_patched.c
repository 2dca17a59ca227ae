/* SPDX-License-Identifier: MIT */
#include "unit_patched.h"

void *shared_slots[40];
void *global_slot;
static void *static_slot;

void set_global(void *p) { global_slot = p; }
void set_static(void *p) { static_slot = p; }
void set_element(int index, void *p) { shared_slots[index] = p; }
void set_pointer(word *to, void *p) { to->pointer = p; }
void set_number(word *to, long number) { to->number = number; }
void set_real(word *to, double real) { to->real = real; }
void set_half(word *to, int index, unsigned half) { to->halves[index & 1] = half; }
void clear_high_half(word *to) { to->halves[1] = 0; }

static __attribute__((noinline)) void fill(void **slots, void *p) {
  for (int i = 0; i < 6; i++)
    slots[i] = p;
}

/* Its locals die with the region's address in them. */
int keep_in_locals(void *p) {
  void *few[6], *many[30];
  fill(few, p);
  fill(many, p);
  fill(many + 24, p);
  return few[1] == many[29];
}

void join_chains(chain *first, chain *second) {
  first->next = second;
  second->previous = first;
}

void clear_chain(chain *of) {
  of->next = 0;
  of->previous = 0;
  of->value = 0;
}

/* The sum is in a vector register while pointers are stored. */
double sum_and_set(const double *numbers, void **slots, void *p, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    sum += numbers[i];
    slots[i & 3] = p;
  }
  return sum;
}

/* A function that calls nothing keeps its array below the stack pointer. */
int set_above_red_zone(void **to, void *p, const unsigned char *bytes) {
  volatile unsigned char copy[96];
  int sum = 0;
  for (int i = 0; i < 96; i++)
    copy[i] = bytes[i];
  *to = p;
  for (int i = 0; i < 96; i++)
    sum += copy[i];
  return sum;
}

/* SPDX-License-Identifier: MIT */
/* Stores of a unit that names no region. */
typedef union word {
  void *pointer;
  long number;
  double real;
  unsigned halves[2];
} word;
typedef struct chain {
  struct chain *next, *previous;
  int key;
  void *value;
} chain;
extern void *shared_slots[40];
void set_global(void *p);
void set_static(void *p);
void set_element(int index, void *p);
void set_pointer(word *to, void *p);
void set_number(word *to, long number);
void set_real(word *to, double real);
void set_half(word *to, int index, unsigned half);
void clear_high_half(word *to);
int keep_in_locals(void *p);
void join_chains(chain *first, chain *second);
void clear_chain(chain *of);
double sum_and_set(const double *numbers, void **slots, void *p, int count);
int set_above_red_zone(void **to, void *p, const unsigned char *bytes);

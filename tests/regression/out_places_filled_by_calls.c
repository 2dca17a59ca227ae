// What a call had put where an out parameter points, or into a slot of a structure that the
// function was lent, was overwritten without a word: only slots of the function's own structures
// knew that a call had filled them.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct pair {
  char *unique first, *unique second;
};
char *unique make(void);
int get(char *unique *acre_out borrowed slot);

int set_to_null(char *unique *acre_out out) {
  if (get(out) == 0)
    *out = NULL; // expected-warning {{'*out' may be overwritten}}
  return 0;
}
int set_by_address(char *unique *acre_out out) {
  int failed = get(&*out);
  if (!failed)
    *out = make(); // expected-warning {{'*out' may be overwritten}}
  return failed;
}
void untested(char *unique *acre_out out) {
  get(out);
  *out = make(); // expected-warning {{'*out' may be overwritten}}
}
int half(struct pair *acre_out out) {
  if (get(&out->first))
    return -1;
  if (get(&out->second)) {
    out->first = NULL; // expected-warning {{'out->first' may be overwritten}}
    return -1;
  }
  return 0;
}
void swapped_in(struct pair *borrowed p) {
  free(acre_swap(&p->first, make()));
  p->first = NULL; // expected-warning {{'p->first' may be overwritten}}
}

static void clear(struct pair *borrowed p) {
  free(acre_take(&p->first));
  free(acre_take(&p->second));
}
static int get_both(struct pair *acre_out p) {
  p->first = make();
  p->second = make();
  if (p->first && p->second)
    return 0;
  clear(p);
  return -1;
}
void one_of_both(void) {
  struct pair p;
  if (get_both(&p) == 0)
    free(acre_take(&p.first));
} // expected-warning {{'p.second' may be lost}}
void both(void) {
  struct pair p;
  if (get_both(&p) == 0)
    clear(&p);
}

int failed(char *unique *acre_out out) {
  int result = get(out);
  if (result != 0)
    *out = make();
  return result;
}
int again(char *unique *acre_out out) {
  int tries = 0;
  while (get(out) != 0)
    tries++;
  return tries;
}
int freed(char *unique *acre_out out) {
  if (get(out) == 0) {
    free(acre_take(out));
    *out = make();
  }
  return 0;
}
int all_or_none(struct pair *acre_out out) {
  if (get(&out->first))
    return -1;
  if (get(&out->second)) {
    free(acre_take(&out->first));
    return -1;
  }
  return 0;
}

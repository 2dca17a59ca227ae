// A call that may empty a slot was taken to have emptied it: that it leaves the slot alone on some
// paths was not known of a function without a result, and what was there was lost in silence.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  int count;
  char *unique first;
  char *unique second;
};
static void take_if(struct pair *borrowed p, int number) {
  if (number > 3)
    free(acre_take(&p->first));
}
static void take_both(struct pair *borrowed p) {
  free(acre_take(&p->first));
  free(acre_take(&p->second));
}
static void take_if_counted(struct pair *borrowed p) {
  if (p->count)
    free(acre_take(&p->first));
  p->count = 0;
}
static int take_and_tell(struct pair *borrowed p, int number) {
  if (number <= 3)
    return 0;
  free(acre_take(&p->first));
  return 1;
}

void over(struct pair *borrowed p, int number) {
  take_if(p, number);
  p->first = strdup("a"); // expected-warning {{'p->first' may be overwritten}}
}
void taken(struct pair *borrowed p) {
  take_both(p);
  p->first = strdup("a");
  p->second = strdup("b");
}
void by_a_constant(struct pair *borrowed p) {
  take_if(p, 4);
  p->first = strdup("a");
}
void by_the_object(struct pair *borrowed p) {
  take_if_counted(p);
  p->first = strdup("a");
}
void by_the_result(struct pair *borrowed p, int number) {
  if (take_and_tell(p, number))
    p->first = strdup("a");
}

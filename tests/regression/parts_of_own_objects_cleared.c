// A function that frees its own object, a part by another function, ended what others have borrowed
// of global variables.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct pair {
  char *unique first, *unique second;
};
struct item {
  int value;
  struct pair inside;
};
static struct item *unique front;

static void clear(struct pair *borrowed p) {
  free(acre_take(&p->first));
  free(acre_take(&p->second));
}
static void close(struct item *unique i) {
  if (!i)
    return;
  clear(&i->inside);
  free(i);
}
static void close_front(struct item *unique i) {
  if (front)
    clear(&front->inside);
  close(i);
}
static void clear_moved(struct pair *p) {
  if (front)
    p = &front->inside;
  free(acre_take(&p->first));
}
static void close_moved(struct item *unique i) {
  if (!i)
    return;
  clear_moved(&i->inside);
  acre_drop(i);
}

int own(struct item *unique i) {
  const char *text = front ? front->inside.first : NULL;
  close(i);
  return text ? *text : 0;
}
int of_the_variable(struct item *unique i) {
  const char *text = front ? front->inside.first : NULL;
  close_front(i);
  return text ? *text : 0; // expected-error {{'text' is used after}}
}
int moved(struct item *unique i) {
  const char *text = front ? front->inside.first : NULL;
  close_moved(i);
  return text ? *text : 0; // expected-error {{'text' is used after}}
}

// Code that calls through a pointer without deletes must not reach a function with it.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/annotations.h>
#include <signal.h>
#include <stdlib.h>
void drop(void) deletes;                           // expected-note 7 {{'drop' is declared here}}
int compare(const void *, const void *) deletes;
// expected-note@-1 {{'compare' is declared here}}
void handler(int) deletes;
// expected-note@-1 {{'handler' is declared here}}
typedef void (*plain)(void);
typedef void (*deleting)(void) deletes;
struct operations { plain stop; deleting go; };    // expected-note 3 {{'stop' is declared here}}
void take(plain);
// expected-note@-1 {{the parameter is declared here}}

plain global = drop;
// expected-error@-1 {{'deletes' function initializing type 'plain', which has no 'deletes'}}
// expected-note@-2 {{'global' is declared here}}
plain table[] = {0, &drop};
// expected-error@-1 {{'deletes' function initializing type}}
// expected-note@-2 {{'table' is declared here}}
struct operations o = {.stop = drop, .go = drop};
// expected-error@-1 {{'deletes' function initializing type}}

plain conversions(struct operations *p, int *k, void *v) {
// expected-note@-1 {{'conversions' is declared here}}
  p->stop = drop;
  // expected-error@-1 {{'deletes' function assigned to type 'plain'}}
  take(drop);
  // expected-error@-1 {{'deletes' function passed to a parameter of type 'plain'}}
  qsort(k, 1, sizeof *k, compare);
  // expected-error@-1 {{'deletes' function passed to}}
  // expected-note@-2 {{nothing can say 'deletes' in a header of the system}}
  // expected-note@stdlib.h:* {{'__compar' is declared here}}
  signal(SIGINT, handler);
  // expected-error@-1 {{'deletes' function passed to}}
  // expected-note@-2 {{a signal interrupts code that may use the region}}
  // expected-note@signal.h:* {{'__handler' is declared here}}
  *k = ((int (*)(void))drop)();
  // expected-error@-1 {{'deletes' function cast to type 'int (*)(void)'}}
  deleting *inner = 0;                  // expected-note {{'inner' is declared here}}
  plain *outer = inner;
  // expected-error@-1 {{'deletes' function initializing type}}
  // expected-note@-2 {{'outer' is declared here}}
  (void)outer;
  p->stop = *k ? drop : 0;              // expected-error {{'deletes' function assigned to}}
  return drop;
  // expected-error@-1 {{'deletes' function returned as type 'plain'}}
}

static void stop(void) {}
deleting accepted(struct operations *p, int k) {
  deleting d = stop;
  p->go = drop;
  p->go = p->stop;
  d = k ? drop : stop;
  (k ? p->stop : stop)();
  return d == drop ? d : (deleting)drop;
}

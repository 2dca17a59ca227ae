// A function that was seen to call through a pointer, or to take one slot, was taken to empty all
// that hangs on global variables: what their callers lost was not told.  One that was seen to call
// another was taken to empty nothing, and one without a body here to leave a global variable alone
// that it was lent, so callers who refilled that were warned.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

struct pair {
  char *unique first, *unique second;
};
struct node {
  struct node *unique next;
  char *unique name;
};
static struct pair current, spare;
static char *unique banner;
static struct node *unique nodes;
static void (*handler)(int event);
char *unique make(void);
struct node *unique make_node(void);
void log_number(__UINTPTR_TYPE__ number);
void refill(struct pair *borrowed p);

static void fire(int event) {
  if (handler)
    handler(event);
}
static void reset(void) {
  free(acre_take(&current.first));
  free(acre_take(&current.second));
}
static void reset_all(void) {
  reset();
  free(acre_take(&banner));
}
static void empty_first(struct pair *borrowed p) { free(acre_take(&p->first)); }
static void empty_current(void) { empty_first(&current); }
static void cut_nodes(void) {
  if (nodes)
    acre_drop(acre_take(&nodes->next));
}

void handled(void) {
  fire(1);
  banner = make();         // expected-warning {{'banner' may be overwritten}}
  current.first = make();  // expected-warning {{'current.first' may be overwritten}}
}
void as_a_number(struct pair *borrowed p) {
  log_number((__UINTPTR_TYPE__)p);
  p->first = make(); // expected-warning {{'p->first' may be overwritten}}
}
void another(void) {
  reset();
  current.second = make();
  banner = make();      // expected-warning {{'banner' may be overwritten}}
  spare.first = make(); // expected-warning {{'spare.first' may be overwritten}}
}
void by_what_it_calls(void) {
  reset_all();
  current.first = make();
  banner = make();
}
void lent(void) {
  refill(&current);
  current.first = make();
  banner = make(); // expected-warning {{'banner' may be overwritten}}
}
void lent_to_a_seen_one(void) {
  empty_first(&current);
  current.first = make();
  current.second = make(); // expected-warning {{'current.second' may be overwritten}}
  spare.first = make();    // expected-warning {{'spare.first' may be overwritten}}
}
void lent_inside(void) {
  empty_current();
  current.first = make();
  cut_nodes();
  if (nodes)
    nodes->next = make_node();
}
void one_of_two(struct pair *borrowed p) {
  empty_first(p);
  p->first = make();
  p->second = make(); // expected-warning {{'p->second' may be overwritten}}
}

// A cleanup frees what its variable still holds: so that may not be what was given away, nor what
// was never set.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

static inline void freep(void *p) { free(*(void **)p); }
#define _cleanup_free_ __attribute__((cleanup(freep)))
struct pair {
  char *unique first, *unique second;
};
static void pair_done(struct pair *p) {
  free(acre_take(&p->first));
  free(acre_take(&p->second));
}
static struct pair *unique all;
static void drop_all(int *unused) { acre_drop(acre_take(&all)); }
static void send(char *unique s) { free(s); }
int maybe(void);
#define PEEK(p) ({ __typeof__(p) *slot_ = &(p); __typeof__(p) value_ = *slot_; value_; })

void sent(void) {
  _cleanup_free_ char *unique s = strdup("sent");
  send(s); // expected-note {{consumed here}}
} // expected-error {{the cleanup of 's' would free it again: it was consumed}}
char *unique returned(void) {
  _cleanup_free_ char *unique s = strdup("returned");
  return s;
  // expected-error@-1 {{the cleanup of 's' would free it again: it was consumed}}
  // expected-note@-2 {{consumed here}}
}
void freed_on_a_path(void) {
  _cleanup_free_ char *unique s = strdup("freed");
  if (maybe())
    free(s); // expected-note {{consumed here}}
} // expected-error {{the cleanup of 's' would free it again: it was consumed on some path}}
void left_early(void) {
  _cleanup_free_ char *unique s;
  if (maybe())
    return; // expected-error {{'s' is used before it is initialized}}
  s = strdup("late");
}
void borrowed_longer(void) {
  const char *t;
  {
    _cleanup_free_ char *unique s = strdup("short");
    t = s;
  } // expected-note {{lost here}}
  t = t + 1; // expected-error {{'t' is used after}}
}
int global_freed(void) {
  const char *name = all ? all->first : NULL;
  {
    __attribute__((cleanup(drop_all))) int guard = 0;
    (void)guard;
  } // expected-note {{lost here}}
  return name ? *name : 0; // expected-error {{'name' is used after}}
}
void structure_unset(void) {
  __attribute__((cleanup(pair_done))) struct pair p;
  p.first = strdup("one");
} // expected-error {{the unique pointer 'p.second' is used before it is surely set}}
char *unique not_a_take(void) {
  _cleanup_free_ char *unique s = strdup("still there");
  return PEEK(s); // expected-error {{ACRE-U002}}
  // expected-error@-1 0+ {{}} expected-warning@-1 0+ {{}} expected-note@-1 0+ {{}}
}

// Cleanups that free what is still there: the idioms of systemd and GLib; the twins of
// cleanups_of_owners_rejected.c.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// expected-no-diagnostics
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

static inline void freep(void *p) { free(*(void **)p); }
#define _cleanup_free_ __attribute__((cleanup(freep)))
#define TAKE_GENERIC(var, type, nullvalue) \
  ({                                       \
    type *_pvar_ = &(var);                 \
    type _var_ = *_pvar_;                  \
    type _nullvalue_ = nullvalue;          \
    *_pvar_ = _nullvalue_;                 \
    _var_;                                 \
  })
#define TAKE_PTR(ptr) TAKE_GENERIC(ptr, __typeof__(ptr), NULL)
#define STEAL(ptr) ({ __auto_type *p_ = &(ptr); __auto_type v_ = *p_; *p_ = NULL; v_; })

struct pair {
  char *unique first, *unique second;
};
static struct pair *unique all;
static void pair_free(struct pair *unique *p) { acre_drop(acre_take(p)); }
static void pair_done(struct pair *p) {
  free(acre_take(&p->first));
  free(acre_take(&p->second));
}
static void count_up(int *number) { ++*number; }
#define auto_pair __attribute__((cleanup(pair_free))) struct pair *unique
static void send(char *unique s) { free(s); }
int maybe(void);

int freed_at_the_end(void) {
  _cleanup_free_ char *unique s = strdup("one"), *unique never = NULL;
  auto_pair p = calloc(1, sizeof *p);
  if (!s || !p)
    return -1;
  p->first = TAKE_PTR(s);
  return p->first[0] + (never != NULL);
}
char *unique returned(void) {
  _cleanup_free_ char *unique s = strdup("returned");
  if (!s || maybe())
    return NULL;
  return TAKE_PTR(s);
}
void sent(void) {
  _cleanup_free_ char *unique s = strdup("sent");
  send(acre_take(&s));
}
void sent_and_forgotten(void) {
  _cleanup_free_ char *unique s = strdup("sent");
  send(s);
  s = NULL;
}
void set_again(void) {
  _cleanup_free_ char *unique s = strdup("one");
  for (int i = 0; i < 3; i++) {
    free(s);
    s = strdup("other");
  }
}
char *unique of_a_field(struct pair *borrowed p) { return TAKE_PTR(p->first); }
char *unique in_two_ways(int way) {
  _cleanup_free_ char *unique one = strdup("one"), *unique other = strdup("other");
  return way ? STEAL(one) : STEAL(other);
}
void structure(void) {
  __attribute__((cleanup(pair_done))) struct pair p = {0};
  p.first = strdup("one");
}
int unrelated(void) {
  const struct pair *p = all;
  {
    __attribute__((cleanup(count_up))) int guard = 0;
    (void)guard;
  }
  return p ? p->first[0] : 0;
}

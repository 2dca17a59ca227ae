// A function that calls another one, which was not seen and is lent nothing, could not be lent two
// pointers below one owner, nor leave the caller's pointers there.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct target {
  struct target *unique next;
  char *unique name, *unique source;
  long made;
};
struct makefile {
  struct target *unique targets;
};
long changed_at(const char *borrowed path);
void look_at(struct makefile *borrowed m);

static struct target *find(struct makefile *borrowed m, const char *name) {
  for (struct target *t = m->targets; t; t = t->next)
    if (strcmp(t->name, name) == 0)
      return t;
  return NULL;
}
long update(struct makefile *borrowed m, const char *borrowed name) {
  struct target *t = find(m, name);
  if (!t || !t->source)
    return changed_at(name);
  long when = update(m, t->source);
  t->made = changed_at(t->name);
  return when > t->made ? when : t->made;
}
long by_stranger(struct makefile *borrowed m, const char *borrowed name) {
  struct target *t = find(m, name);
  if (!t || !t->source)
    return changed_at(name);
  look_at(m);
  // expected-error@+2 {{'t' is used after 'm'}}
  // expected-error@+1 {{cannot be lent to a function}}
  return by_stranger(m, t->source);
}
struct makefile *unique all;
// The stranger might end what is lent here.
static long of_global(const char *borrowed name) {
  return changed_at(name);
}
long below_global(void) {
  if (!all || !all->targets)
    return 0;
  return of_global(all->targets->name); // expected-error {{cannot be lent to a function}}
}

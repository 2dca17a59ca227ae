// A copy over a word that had just been stored was not counted: the copy's barrier, which covers
// that of the store, was taken for the store's, and a delete left a dangling pointer.
// RUN: %acre-cc -O0 -DNAMES_NO_REGION -c %s -o %t.o && %acre-cc %s %t.o -o %t && %t
// RUN: %acre-cc -O2 -DNAMES_NO_REGION -c %s -o %t.o && %acre-cc %s %t.o -o %t && %t
// RUN: %if x86 %{ %acre-cc -O2 -mavx -DNAMES_NO_REGION -c %s -o %t.o && \
// RUN:   %acre-cc %s %t.o -o %t && %t %}
typedef union {
  void *pointer;
  long number;
} word;
typedef struct {
  long kind;
  word word;
} value;

#ifdef NAMES_NO_REGION

void set_and_copy(value *to, const value *from, void *p) {
  to->word.pointer = p;
  *to = *from;
}

void clear_and_copy(value *to, const value *from) {
  to->word.pointer = 0;
  to->kind = 0;
  *to = *from;
}

void copy_and_set(value *to, const value *from, void *p) {
  *to = *from;
  to->word.pointer = p;
}

#else

#include "../end_to_end/Inputs/check.h"
#include <acre/acre.h>

void set_and_copy(value *to, const value *from, void *p);
void clear_and_copy(value *to, const value *from);
void copy_and_set(value *to, const value *from, void *p);
static value to, from;

static region begin(void) {
  region r = newregion();
  to = (value){0, {0}};
  from = (value){1, {ralloc(r, int)}};
  return r;
}

/* to is all that may refer to the region. */
static void end(region r, bool is_referred_to) deletes {
  from.word.pointer = 0;
  CHECK(deleteregion(r) == !is_referred_to);
  to.word.pointer = 0;
  if (is_referred_to)
    CHECK(deleteregion(r));
}

int main(void) deletes {
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
  region r = begin();
  set_and_copy(&to, &from, 0);
  end(r, true);
  r = begin();
  clear_and_copy(&to, &from);
  end(r, true);
  r = begin();
  copy_and_set(&to, &from, 0);
  end(r, false);
  return 0;
}

#endif

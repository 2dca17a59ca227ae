// A local that is read only where setjmp returned 0 refused the deletes behind it: longjmp never
// makes setjmp return 0, so nothing reads the local then.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"
#include <setjmp.h>

static jmp_buf env;

static NOINLINE void compared(region r) deletes {
  node *n = new_node(r);
  if (setjmp(env) == 0) {
    CHECK(n->value == 42);
    DELETE_ACCEPTED(r);
    longjmp(env, 1);
  }
}
static NOINLINE void negated(region r) deletes {
  node *n = new_node(r);
  if (!setjmp(env)) {
    CHECK(n->value == 42);
    DELETE_ACCEPTED(r);
  }
}
static NOINLINE void kept_code(region r) deletes {
  node *n = new_node(r);
  int code = setjmp(env);
  if (code == 0) {
    CHECK(n->value == 42);
    DELETE_ACCEPTED(r);
    longjmp(env, 3);
  }
  CHECK(code == 3);
}
static NOINLINE void chosen(region r) deletes {
  node *n = new_node(r);
  switch (sigsetjmp(env, 0)) {
  case 0:
    CHECK(n->value == 42);
    DELETE_ACCEPTED(r);
    siglongjmp(env, 2);
  case 2:
    break;
  default:
    CHECK(false);
  }
}
static NOINLINE void with_another_condition(region r, bool is_wanted) deletes {
  node *n = new_node(r);
  if (__builtin_expect(setjmp(env) == 0, 1) && is_wanted) {
    CHECK(n->value == 42);
    DELETE_ACCEPTED(r);
    longjmp(env, 1);
  }
}
struct pair {
  node *first, *second;
};
static NOINLINE void in_memory(region r) deletes {
  struct pair pair = {new_node(r), new_node(r)};
  opaque(&pair);
  if (setjmp(env) == 0) {
    CHECK(pair.first->value + pair.second->value == 84);
    pair = (struct pair){NULL, NULL};
    DELETE_ACCEPTED(r);
    longjmp(env, 1);
  }
}

/* What is right beside it: longjmp leads to the read after all. */
static NOINLINE void read_in_the_other_branch(region r) deletes {
  node *n = new_node(r);
  if (setjmp(env) != 0) {
    CHECK(n->value == 42);
    return;
  }
  DELETE_REFUSED(r);
  longjmp(env, 1);
}
static NOINLINE void read_where_they_meet(region r) deletes {
  node *n = new_node(r);
  if (setjmp(env) == 0) {
    DELETE_REFUSED(r);
    longjmp(env, 1);
  }
  CHECK(n->value == 42);
}
static NOINLINE void read_in_the_next_round(region r) deletes {
  node *n = new_node(r);
  volatile int rounds = 0;
  while (setjmp(env) != 0 || rounds == 0) {
    if (rounds++ == 2)
      return;
    CHECK(n->value == 42);
    DELETE_REFUSED(r);
    longjmp(env, 1);
  }
}
static NOINLINE void read_before_it_is_asked(region r) deletes {
  node *n = new_node(r);
  int code = setjmp(env);
  CHECK(n->value == 42);
  if (code == 0) {
    DELETE_REFUSED(r);
    longjmp(env, 1);
  }
}
static NOINLINE void chosen_by_default(region r) deletes {
  node *n = new_node(r);
  switch (setjmp(env)) {
  case 0:
    DELETE_REFUSED(r);
    longjmp(env, 7);
  case 1:
    break;
  default:
    CHECK(n->value == 42);
  }
}
/* The code is not what setjmp returned. */
static NOINLINE void another_code(region r) deletes {
  node *n = new_node(r);
  volatile int code = setjmp(env);
  code = *(int *)opaque(&(int){0});
  if (code == 0) {
    CHECK(n->value == 42);
    static int rounds;
    DELETE_REFUSED(r);
    if (rounds++ == 0)
      longjmp(env, 1);
  }
}

int main(void) deletes {
  region r[12];
  for (int i = 0; i < 12; i++)
    r[i] = newregion();
  compared(r[0]);
  negated(r[1]);
  kept_code(r[2]);
  chosen(r[3]);
  with_another_condition(r[4], true);
  in_memory(r[5]);
  read_in_the_other_branch(r[6]);
  read_where_they_meet(r[7]);
  read_in_the_next_round(r[8]);
  read_before_it_is_asked(r[9]);
  chosen_by_default(r[10]);
  another_code(r[11]);
  for (int i = 6; i < 12; i++)
    DELETE_ACCEPTED(r[i]);
  return 0;
}

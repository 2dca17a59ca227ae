// A dead jmp_buf refused deletes: it holds copies of registers, in which dead pointers may be.
// REQUIRES: x86
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"
#include <setjmp.h>

struct handler {
  struct handler *up;
  jmp_buf env;
  node *kept;
};
static struct handler *top;
static jmp_buf *last;

/* The registers that a function saves for its caller hold n, which is dead. */
#define LEAVE_IN_REGISTERS(n) \
  __asm__ volatile("mov %0, %%r12\n\tmov %0, %%r13\n\tmov %0, %%r14\n\tmov %0, %%r15" \
                   : \
                   : "r"(n) \
                   : "r12", "r13", "r14", "r15")

static NOINLINE void no_longer_used(region r) deletes {
  jmp_buf env;
  LEAVE_IN_REGISTERS(new_node(r));
  if (setjmp(env) == 0)
    DELETE_ACCEPTED(r);
}
static NOINLINE void known_elsewhere(region r) deletes {
  jmp_buf env;
  LEAVE_IN_REGISTERS(new_node(r));
  if (setjmp(env) == 0) {
    last = &env;
    DELETE_ACCEPTED(r);
    last = NULL;
  }
}
/* As a library that has exceptions does it. */
static NOINLINE void in_a_list_of_handlers(region r) deletes {
  struct handler h = {.up = top};
  top = &h;
  LEAVE_IN_REGISTERS(new_node(r));
  if (setjmp(h.env) == 0) {
    DELETE_ACCEPTED(r);
    if (opaque(top) == &h)
      longjmp(top->env, 1);
  }
  top = h.up;
}

/* What is right beside it. */
static NOINLINE void live_after_longjmp(region r) deletes {
  jmp_buf env;
  node *n = new_node(r);
  if (setjmp(env)) {
    CHECK(n->value == 42);
    return;
  }
  DELETE_REFUSED(r);
  longjmp(env, 1);
}
static NOINLINE node *kept_by_top(void) {
  struct handler *h = opaque(top);
  return h->kept;
}
static NOINLINE void member_beside_it(region r) deletes {
  struct handler h = {.up = top, .kept = new_node(r)};
  top = &h;
  if (setjmp(h.env) == 0) {
    DELETE_REFUSED(r);
    CHECK(kept_by_top()->value == 42);
  }
  top = h.up;
}
static NOINLINE node *kept_beside_last(void) {
  char *env = opaque(last);
  return ((struct handler *)(void *)(env - offsetof(struct handler, env)))->kept;
}
/* Only the address of the jmp_buf in the object is known. */
static NOINLINE void member_of_which_the_buffer_is_known(region r) deletes {
  struct handler h = {.up = NULL, .kept = new_node(r)};
  last = &h.env;
  if (setjmp(h.env) == 0) {
    DELETE_REFUSED(r);
    CHECK(kept_beside_last()->value == 42);
  }
  last = NULL;
}
union reused {
  jmp_buf env;
  node *n;
};
static NOINLINE void set(union reused *u, node *n) { u->n = n; }
static void (*volatile set_unseen)(union reused *, node *) = set;
static NOINLINE void memory_used_for_a_pointer(region r) deletes {
  union reused u;
  if (setjmp(u.env) == 0)
    set_unseen(&u, new_node(r));
  DELETE_REFUSED(r);
  CHECK(u.n->value == 42);
}

int main(void) deletes {
  region r[7];
  for (int i = 0; i < 7; i++)
    r[i] = newregion();
  no_longer_used(r[0]);
  known_elsewhere(r[1]);
  in_a_list_of_handlers(r[2]);
  live_after_longjmp(r[3]);
  member_beside_it(r[4]);
  member_of_which_the_buffer_is_known(r[5]);
  memory_used_for_a_pointer(r[6]);
  for (int i = 3; i < 7; i++)
    DELETE_ACCEPTED(r[i]);
  return 0;
}

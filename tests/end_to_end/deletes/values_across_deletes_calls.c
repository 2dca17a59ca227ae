// Arguments evaluated before a call that deletes, cursors, and pointers that only lead to a region
// keep it alive.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct big {
  node *a[5];
};

static NOINLINE long try_delete(region r) deletes {
  DELETE_REFUSED(r);
  return 1;
}
static NOINLINE struct big make(node *n) { return (struct big){{n, n, n, n, n}}; }
static NOINLINE struct big make_and_delete(node *n, region r) deletes {
  struct big b = {{n, n, n, n, n}};
  DELETE_REFUSED(r);
  return b;
}
static NOINLINE long use(struct big b, long v, node *n) { return b.a[4]->value + v + n->value; }

static NOINLINE long argument_before_call(region r) deletes {
  return use(make(new_node(r)), try_delete(r), new_node(r));
}
static NOINLINE long result_overwritten(region r, region s) deletes {
  struct big b = make(new_node(r));
  b = make_and_delete(new_node(s), s);
  return b.a[0]->value;
}
static NOINLINE node *comma(region r, int c) deletes {
  node *n = new_node(r);
  return c ? (DELETE_REFUSED(r), n) : 0;
}
static NOINLINE long pointer_to_array(region r, int length) deletes {
  node *(*p)[length] = malloc(sizeof *p);
  (*p)[length - 1] = new_node(r);
  DELETE_REFUSED(r);
  long value = (*p)[length - 1]->value;
  free(p);
  return value;
}
static NOINLINE long slot_address(region r) deletes {
  node *n = new_node(r);
  n->next = new_node(r);
  node **slot = &n->next;
  DELETE_REFUSED(r);
  return (*slot)->value;
}
static NOINLINE long either(region r, region s, int c) deletes {
  node *n = c ? new_node(r) : new_node(s);
  while (c-- > -1) {
    DELETE_REFUSED(r);
    n = n->next ? n->next : n;
  }
  return n->value;
}
static NOINLINE long moved(region r) deletes {
  char *base = rstralloc(r, 100), *middle = base + 50;
  memset(base, 7, 100);
  DELETE_REFUSED(r);
  return middle[-20];
}

int main(void) deletes {
  region r = newregion(), s = newregion();
  CHECK(argument_before_call(r) == 85);
  CHECK(result_overwritten(r, s) == 42);
  CHECK(comma(r, 1)->value == 42);
  CHECK(pointer_to_array(r, (int)(long)opaque((void *)3)) == 42);
  CHECK(slot_address(r) == 42);
  CHECK(either(r, s, 1) == 42);
  CHECK(moved(r) == 7);
  CHECK_COUNT(r, 0);
  CHECK_COUNT(s, 0);
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(s);
}

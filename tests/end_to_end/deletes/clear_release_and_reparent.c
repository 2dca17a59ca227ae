// A region is emptied under its handle, gives an object back early, and moves below another; each
// is refused while something refers to what goes.  Without the plugin nothing is counted, so
// nothing is refused.
// RUN: %each_level -o %t %s -- -DCOUNTED
// RUN: %acre-cc -O2 -fno-acre %s -o %t.norc && %t.norc
// RUN: %acre-cc -O2 -facre-bounds -DCOUNTED %s -o %t.bounds && %t.bounds
#include "../Inputs/check.h"

#include <setjmp.h>

#ifdef COUNTED
#define REFUSED(call) CHECK(!(call))
#else
#define REFUSED(call) ((void)0)
#endif

struct link {
  struct link *sameregion next;
  struct link *parentptr up;
  union {
    struct link *pointer;
    long number;
  } either;
};

static node *global;
static jmp_buf jump;

static NOINLINE void requests(region connection) deletes {
  region request = newsubregion(connection);
  acre_region_set_name(request, "request");
  for (int i = 0; i < 100; i++) {
    node *all = NULL;
    for (int j = 0; j < 50; j++) {
      node *one = new_node(request);
      CHECK(one->next == NULL && one->value == 42);
      one->next = all;
      all = one;
    }
    region part = newsubregion(request);
    new_node(part)->next = all;
    CHECK(clearregion(request));
    CHECK(!acre_region_is_live(part));
  }
  CHECK(strcmp(acre_region_name(request), "request") == 0);
  acre_region_set_delete_policy(request, ACRE_DELETE_REFUSE);
  node *local = new_node(request);
  REFUSED(clearregion(request));
  CHECK(local->value == 42);
  global = local;
  REFUSED(clearregion(request));
  global = NULL;
  CHECK(clearregion(request) && deleteregion(request));
}

static NOINLINE void subregions_that_stay(void) deletes {
  region above = newregion(), below = newsubregion(above);
  acre_region_set_delete_policy(above, ACRE_DELETE_REFUSE);
  struct link *low = ralloc(below, struct link);
  low->up = ralloc(above, struct link);
  REFUSED(clearregion_only(above));
  low->up = NULL;
  low->either.pointer = ralloc(above, struct link);
  REFUSED(clearregion_only(above));
  low->either.pointer = NULL;
  CHECK(clearregion_only(above) && acre_region_is_live(below));
  low->up = ralloc(above, struct link);
  CHECK(deleteregion(below) && deleteregion(above));
}

static NOINLINE void objects(void) deletes {
  region r = newregion();
  acre_region_set_delete_policy(r, ACRE_DELETE_REFUSE);
  struct link *first = ralloc(r, struct link), *second = ralloc(r, struct link);
  first->next = second;
  REFUSED(acre_region_release(r, second));
  first->next = NULL;
  CHECK(acre_region_release(r, second));
  CHECK(ralloc(r, struct link) != first);
  char *text = rstralloc(r, 1 << 20);
  memset(text, 'x', 1 << 20);
  acre_region_stats before, after;
  acre_region_get_stats(r, &before);
  CHECK(acre_region_release(r, text));
  acre_region_get_stats(r, &after);
  CHECK(after.bytes_reserved + (1 << 20) <= before.bytes_reserved);
  CHECK(acre_region_release(r, first));
  CHECK(deleteregion(r));
}

static NOINLINE void moves(void) deletes {
  region server = newregion(), request = newregion(), part = newsubregion(request);
  node *top = new_node(server), *low = new_node(part);
  low->next = top;
  CHECK(acre_region_reparent(request, server));
  struct link *up = ralloc(server, struct link), *down = ralloc(part, struct link);
  down->up = up;
  low->other = top;
#ifdef COUNTED
  CHECK_COUNT(server, 0);
#endif
  top->next = low;
  acre_region_set_delete_policy(request, ACRE_DELETE_REFUSE);
  CHECK(!acre_region_reparent(request, newregion()));
  top->next = NULL;
  CHECK(deleteregion(part) && deleteregion(request) && deleteregion(server));
}

/* A clear is over before a longjmp, or has not begun. */
static NOINLINE void leave(region r) deletes {
  node *local = new_node(r);
  global = local;
  global = NULL;
  CHECK(clearregion(r));
  longjmp(jump, 1);
}

static NOINLINE void jumps(void) deletes {
  region r = newregion();
  for (volatile int i = 0; i < 10; i++)
    if (!setjmp(jump))
      leave(r);
  CHECK(clearregion(r) && deleteregion(r));
}

int main(void) deletes {
  region connection = newregion();
  requests(connection);
  CHECK(deleteregion(connection));
  subregions_that_stay();
  objects();
  moves();
  jumps();
  CHECK(acre_verify());
}

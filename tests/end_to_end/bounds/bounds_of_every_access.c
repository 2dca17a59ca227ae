// With -facre-bounds an access just inside of its object is made, and one just outside ends the
// program, whatever form it has and wherever the object is.
// RUN: %each_level -o %t %s -- -facre-bounds
#include "../Inputs/check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 10 };

struct pair {
  int first, second[4];
};
/* Arrays of declared length: the length decides only where the access is inside of it. */
struct cells {
  int first, all[COUNT];
};
struct tail {
  int count, all[1];
};
struct grid {
  int rows[2][COUNT / 2];
};
struct halves {
  short all[COUNT + 1];
};

static int sink;

NOINLINE static int index_int(int *a, long i) { return a[i]; }
NOINLINE static void store_int(int *a, long i) { a[i] = 1; }
NOINLINE static int index_member(struct pair *a, long i) { return a[i].second[3]; }
NOINLINE static int walk(int *a, long n) {
  int sum = 0;
  for (long i = 0; i <= n; i++)
    sum += a[i];
  return sum;
}
NOINLINE static void fill_backwards(int *a, long n) {
  for (long i = n; i >= 0; i--)
    a[i] = 0;
}
NOINLINE static int walk_pointer(int *a, long n) {
  int sum = 0;
  for (int *p = a, *end = a + n; p <= end; p++)
    sum += *p;
  return sum;
}
NOINLINE static int until(int *a, long n) {
  int *p = a;
  while (n-- >= 0)
    if (*p++ == 7)
      break;
  return (int)(p - a);
}
NOINLINE static int *keep(int *a, long i) { return a + i; }
NOINLINE static int second_of(int *p) { return *p; }
NOINLINE static int through_call(int *a, long i) { return second_of(a + i); }
NOINLINE static void clear(char *to, long n) { memset(to, 0, (size_t)n + 1); }
NOINLINE static void copy(char *to, const char *from, long n) { memcpy(to, from, (size_t)n + 1); }
NOINLINE static int choose(int *a, int *b, long i) {
  int *p = i % 2 ? a + i : b + i;
  return p[0];
}
NOINLINE static int in_frame(long i) {
  int a[COUNT];
  for (int k = 0; k < COUNT; k++)
    a[k] = k;
  return a[i];
}
NOINLINE static int in_global(long i) {
  static int a[COUNT] = {1};
  return a[i];
}
NOINLINE static int atomic(int *a, long i) {
  return __atomic_fetch_add(&a[i], 1, __ATOMIC_RELAXED);
}

NOINLINE static int in_array(struct cells *c, long i) { return c->all[i]; }
NOINLINE static int beyond_length(struct tail *t, long i) { return t->all[i]; }
NOINLINE static int in_grid(struct grid *g, long i) {
  return g->rows[i / (COUNT / 2)][i % (COUNT / 2)];
}
NOINLINE static int wider_than_element(struct halves *h, long i) {
  int wide;
  memcpy(&wide, &h->all[i], sizeof wide);
  return wide;
}
NOINLINE static int *keep_in_array(struct cells *c, long i) { return &c->all[i]; }
NOINLINE static int largest(struct cells *c, long n) {
  int found = 0;
  for (long i = n; i >= 0; i--)
    if (c->all[i] > found)
      found = c->all[i];
  return found;
}

static int *ints, *others;
static struct cells *cells;
static struct tail *tail;
static struct grid *grid;
static struct halves *halves;
static struct pair *pairs;
static char *bytes, *more;

static void of(int form, long i) {
  switch (form) {
  case 0: sink = index_int(ints, i); break;
  case 1: store_int(ints, i); break;
  case 2: sink = index_member(pairs, i); break;
  case 3: sink = walk(ints, i); break;
  case 4: fill_backwards(ints, i); break;
  case 5: sink = walk_pointer(ints, i); break;
  case 6: sink = until(ints, i); break;
  case 7: sink = keep(ints, i + 1) != NULL; break;
  case 8: sink = through_call(ints, i + 1 > COUNT ? i + 1 : i); break;
  case 9: clear(bytes, i); break;
  case 10: copy(bytes, more, i); break;
  case 11: sink = choose(ints, others, i); break;
  case 12: sink = in_frame(i); break;
  case 13: sink = in_global(i); break;
  case 14: sink = atomic(ints, i); break;
  case 15: sink = in_array(cells, i); break;
  case 16: sink = beyond_length(tail, i); break;
  case 17: sink = in_grid(grid, i); break;
  case 18: sink = wider_than_element(halves, i); break;
  case 19: sink = keep_in_array(cells, i + 1) != NULL; break;
  case 20: sink = largest(cells, i); break;
  }
}
enum { FORMS = 21 };

static bool aborts(int form, long i) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    close(2);
    of(form, i);
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) || WTERMSIG(status) == SIGABRT);
  return WIFSIGNALED(status);
}

int main(void) {
  region r = newregion();
  ints = rarrayalloc(r, COUNT, int);
  others = rarrayalloc(r, COUNT, int);
  pairs = rarrayalloc(r, COUNT, struct pair);
  cells = ralloc(r, struct cells);
  tail = acre_region_alloc(r, sizeof *tail + (COUNT - 1) * sizeof *tail->all, _Alignof(struct tail),
                           ACRE_TYPE(struct tail));
  grid = ralloc(r, struct grid);
  halves = ralloc(r, struct halves);
  bytes = rstralloc(r, COUNT);
  more = rstralloc(r, COUNT);
  for (int form = 0; form < FORMS; form++) {
    bool accepted = !aborts(form, 0) && !aborts(form, COUNT - 1), refused = aborts(form, COUNT);
    if (!accepted || !refused)
      printf("form %d: %s\n", form, accepted ? "not refused outside" : "refused inside");
    CHECK(accepted && refused);
  }
  CHECK(aborts(0, -1) && aborts(1, -1) && aborts(7, -2) && aborts(9, COUNT + 100) &&
        aborts(12, -1));
  /* Before the array is another member. */
  CHECK(!aborts(15, -1) && aborts(15, -2) && aborts(17, -1) && aborts(19, -3));
  /* Objects that change their size, and neighbours that come after the first question. */
  CHECK(aborts(0, COUNT + 2));
  for (int i = 0; i < 1000; i++) {
    int size = 1 + i % 37;
    int *a = rarrayalloc(r, size, int);
    CHECK(index_int(a, size - 1) == 0);
    if (i % 100 == 0) {
      ints = a;
      CHECK(aborts(0, size));
    }
    a = rarrayextend(r, a, size + 3, int);
    CHECK(index_int(a, size + 2) == 0);
    if (i % 100 == 0) {
      ints = a;
      CHECK(!aborts(0, size + 2) && aborts(0, size + 3));
    }
  }
  /* Pages that held one large object hold small ones next, and the other way round. */
  for (int round = 0; round < 6; round++) {
    region s = newregion();
    long size = round % 2 ? 3 : 100000;
    int *before = round % 3 ? rarrayalloc(s, 5, int) : NULL;
    ints = rarrayalloc(s, size, int);
    CHECK(!before || index_int(before, 4) == 0);
    CHECK(index_int(ints, size - 1) == 0 && index_int(ints, size / 2) == 0 && aborts(0, size) &&
          aborts(0, -1));
    rarrayalloc(s, 7, int);
    CHECK(index_int(ints, size - 1) == 0 && aborts(0, size));
    ints = NULL;
    deleteregion(s);
  }
  ints = others = NULL;
  pairs = NULL;
  cells = NULL;
  tail = NULL;
  grid = NULL;
  halves = NULL;
  bytes = more = NULL;
  deleteregion(r);
}

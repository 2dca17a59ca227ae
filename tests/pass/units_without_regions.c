// With -facre-barriers=inline a unit that names no region tests in line only whether there are any;
// one that uses some tests more, but not that.
// RUN: %acre-cc -O2 -S -facre-barriers=inline %s -o - | FileCheck %s --check-prefixes=BOTH,SHORT
// RUN: %acre-cc -O2 -S -DREGIONS %s -o - | FileCheck %s --check-prefixes=BOTH,LONG
#ifdef REGIONS
#include <acre/acre.h>
void *object(region r) { return ralloc(r, int); }
#endif

// BOTH-LABEL: {{^}}store:
// LONG: acre_rt_stack
// SHORT-NOT: acre_rt_stack
// SHORT: acre_rt_active
// LONG: acre_rt_window_pages
// SHORT-NOT: acre_rt_window
// SHORT: acre.any.store
void store(char **slot, char *value) { *slot = value; }

typedef union {
  char *pointer;
  long number;
} word;

// BOTH-LABEL: {{^}}copy:
// SHORT: acre_rt_active
// SHORT-NOT: acre_rt_eager_lines
// LONG: acre_rt_eager_lines
// BOTH: acre.warm.rescan
void copy(word *to, const word *from) { *to = *from; }

void give(char **slot);

// BOTH-LABEL: {{^}}local:
// BOTH: give
// SHORT: acre_rt_active
// SHORT-NOT: acre_rt_filter
// SHORT: acre.warm.release
// LONG: acre_rt_filter
int local(void) {
  char *slot = 0;
  give(&slot);
  return slot != 0;
}

struct few {
  char *a, *b, *c;
};

// BOTH-LABEL: {{^}}clear:
// SHORT: acre_rt_active
// SHORT-NOT: acre_rt_lines
// SHORT: acre.near.release
// LONG: acre_rt_lines
void clear(struct few *p) { __builtin_memset(p, 0, sizeof *p); }

struct many {
  char *all[9];
};

// BOTH-LABEL: {{^}}clear_many:
// SHORT: acre.cold.release
void clear_many(struct many *p) { __builtin_memset(p, 0, sizeof *p); }
// BOTH-LABEL: {{^}}.Lfunc_end

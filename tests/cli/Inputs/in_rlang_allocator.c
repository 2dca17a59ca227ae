/* An allocator whose result is void *, and a switch of more cases than blocks may be nested. */
#include <acre/acre.h>

struct list {
  struct list *sameregion next;
};

static void *get(region r, size_t size) { return rstralloc(r, size); }

struct list *pair(region r) {
  struct list *first = get(r, sizeof *first);
  struct list *second = get(r, sizeof *second);
  first->next = second;
  return first;
}

#define CASE(n) \
  case n: \
    l->next = at[n]; \
    break;
#define CASES4(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3)
#define CASES16(n) CASES4(n) CASES4(n + 4) CASES4(n + 8) CASES4(n + 12)
#define CASES64(n) CASES16(n) CASES16(n + 16) CASES16(n + 32) CASES16(n + 48)

void choose(int kind, struct list *l, struct list **at) {
  switch (kind) { CASES64(0) CASES64(64) CASES64(128) CASES64(192) CASES64(256) }
}

// RUN: %each_level -o %t %s
// RUN: env ACRE_FLAGS=-facre-checks=verified %each_level -o %t %s
// Small objects with annotated slots that are copied whole are looked at in line: what a copy
// leaves is counted once.
#include "../Inputs/check.h"

struct other {
  struct other *sameregion next;
  union {
    node *p;
    long n;
  } u;
};
struct upward {
  struct upward *parentptr up;
  union {
    node *p;
    char text[8];
  } u;
  long value;
};
struct outside {
  char *traditional text;
  union {
    node *p;
    long n;
  } a, b;
};
struct pair {
  struct other of[2];
};

static region r, s;
static node *target;

#define COPIES_OF(T)                                                                         \
  static NOINLINE void assign_##T(struct T *to, struct T *from) { *to = *from; }             \
  static NOINLINE void move_##T(volatile struct T *to, struct T *from) { *to = *from; }      \
  static NOINLINE void twice_##T(struct T *to, struct T *from) {                             \
    memmove(to, from, 2 * sizeof *to);                                                       \
  }                                                                                          \
  static NOINLINE struct T made_##T(struct T *from) { return *from; }                        \
  static NOINLINE void take_##T(struct T *to, struct T *from) { *to = made_##T(from); }
COPIES_OF(other)
COPIES_OF(upward)
COPIES_OF(outside)
COPIES_OF(pair)

/* One pointer into s was copied; what overwrites it takes it back. */
#define CHECK_COPY(copy, to, from, zero) \
  do {                                   \
    copy(to, from);                      \
    CHECK_COUNT(s, before + 1);          \
    copy(to, from);                      \
    CHECK_COUNT(s, before + 1);          \
    copy(to, zero);                      \
    CHECK_COUNT(s, before);              \
  } while (0)

#define CHECK_SHAPE(T, fill)                       \
  do {                                             \
    struct T *from = rarrayalloc(r, 2, struct T);  \
    struct T *to = rarrayalloc(r, 2, struct T);    \
    struct T *zero = rarrayalloc(r, 2, struct T);  \
    fill;                                          \
    size_t before = acre_region_count(s);          \
    CHECK_COPY(assign_##T, to, from, zero);        \
    CHECK_COPY(move_##T, to, from, zero);          \
    CHECK_COPY(twice_##T, to, from, zero);         \
    CHECK_COPY(take_##T, to, from, zero);          \
    memset(from, 0, 2 * sizeof *from);             \
  } while (0)

/* The same where the annotated slots hold nothing: then objects outside the region may have it. */
#define CHECK_OUTSIDE(T, fill)                     \
  do {                                             \
    struct T *from = rarrayalloc(r, 2, struct T);  \
    struct T *zero = rarrayalloc(r, 2, struct T);  \
    struct T *heap = calloc(2, sizeof *heap);      \
    struct T local[2] = {0};                       \
    opaque(local);                                 \
    fill;                                          \
    size_t before = acre_region_count(s);          \
    CHECK_COPY(assign_##T, heap, from, zero);      \
    CHECK_COPY(twice_##T, heap, from, zero);       \
    assign_##T(local, from);                       \
    CHECK_COUNT(s, before);                        \
    CHECK_HELD(s, before + 1);                     \
    assign_##T(local, zero);                       \
    CHECK_HELD(s, before);                         \
    opaque(local);                                 \
    free(heap);                                    \
    memset(from, 0, 2 * sizeof *from);             \
  } while (0)

/* A word that had a record before it became an annotated slot loses it. */
static NOINLINE void check_old_records(void) {
  struct other *from = ralloc(r, struct other);
  void **words = malloc(sizeof(struct other));
  size_t before = acre_region_count(s);
  words[0] = target;
  CHECK_COUNT(s, before + 1);
  assign_other((struct other *)words, from);
  CHECK_COUNT(s, before);
  free(words);
}

int main(void) deletes {
  r = newregion();
  s = newregion();
  target = new_node(s);
  CHECK_SHAPE(other, (from->next = from, from->u.p = target));
  CHECK_SHAPE(other, (from->next = to, from->u.p = target));
  CHECK_SHAPE(upward, (from->up = zero, from->u.p = target, from->value = 1));
  CHECK_SHAPE(outside, (from->text = "text", from->b.p = target));
  CHECK_SHAPE(outside, (from->text = NULL, from->a.p = target));
  CHECK_SHAPE(pair, (from->of[1].next = from->of, from->of[0].u.p = target));
  CHECK_OUTSIDE(other, from->u.p = target);
  CHECK_OUTSIDE(upward, from->u.p = target);
  CHECK_OUTSIDE(outside, (from->text = "text", from->b.p = target));
  CHECK_OUTSIDE(pair, from->of[1].u.p = target);
  check_old_records();
  target = NULL;
  DELETE_ACCEPTED(s);
  DELETE_ACCEPTED(r);
  return 0;
}

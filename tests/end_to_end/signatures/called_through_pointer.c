// Functions with signatures are called through pointers, from tables too, and compare equal from
// whatever file.
// RUN: %each_level -o %t %s %S/../Inputs/signature_list.c %S/../Inputs/signature_pointers.c
#include "../Inputs/check.h"
#include "../Inputs/signature_list.h"

typedef struct list *maker(region, struct list *, struct list *);
maker *maker_of_other_file(void);

struct big {
  double parts[5];
  struct list *list;
};

static struct big measure(struct list *list, struct list *inregion(list) other, float scale,
                          struct big in) {
  in.parts[4] += scale * (float)(other ? other->value : list->value);
  return in;
}
static void set(struct list *inregion(current) list, int value) { list->value = value; }
static _Noreturn void finish(struct list *list, struct list *inregion(list) other) {
  CHECK(list != other);
  exit(0);
}
_Bool is_shared_inline(struct list *list, struct list *inregion(list) other);
inline _Bool is_shared_inline(struct list *list, struct list *inregion(list) other) {
  return list == other;
}

static const struct {
  maker *make;
  void (*set)(struct list *, int);
  void (*erased)(void);
} table[] = {{list_new, set, (void (*)(void))measure}};

static int visit(struct list *list, void (*each)(struct list *, int)) {
  int count = 0;
  for (; list; list = list_tail(list))
    each(list, ++count);
  return count;
}

int main(void) {
  struct regions in = named_regions();
  static maker *const makers[] = {[1] = &list_new};
  struct list *above = makers[1](in.up, NULL, NULL);
  struct list *list = table[0].make(in.r, NULL, above);
  maker *chosen = above ? list_new : NULL;
  list = (*chosen)(in.r, list, above);
  list = (&list_new)(in.r, list, NULL);
  CHECK(maker_of_other_file() == list_new && table[0].make == chosen && table[0].set != NULL);

  current = in.r;
  CHECK(visit(list, table[0].set) == 3 && visit(list, set) == 3 && list->next->next->value == 3);
  struct big (*measured)(struct list *, struct list *, float, struct big) = (void *)table[0].erased;
  struct big result =
      measured(list, list->next, 2.0f, (struct big){.parts = {1, [4] = 1}, .list = list});
  CHECK(result.parts[0] == 1 && result.parts[4] == 5 && result.list == list);
  _Bool (*compare)(struct list *, struct list *) = is_shared_inline;
  CHECK(compare(list, list) && !compare(list, list->next));

  void (*last)(struct list *, struct list *) = finish;
  last(list, list->next);
  return 1;
}

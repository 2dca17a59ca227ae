// memcpy of a derived struct through a pointer to its base took each part of it for another base,
// and checked its numbers.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

struct base {
  long kind;
  struct base *sameregion next;
};
struct derived {
  long kind;
  struct base *sameregion next;
  long number;
  node *plain;
  long last;
  struct derived *sameregion twin;
};

/* Of memory from malloc nobody knows more than the source says. */
NOINLINE static void copy_base(struct base *to, const struct base *from, size_t size) {
  memcpy(to, from, size);
}
NOINLINE static void move_base(struct base *to, const struct base *from, size_t size) {
  memmove((void *)to, (const void *)from, size);
}

int main(void) {
  region r = newregion(), other = newregion();
  struct derived *from = ralloc(r, struct derived), *to = ralloc(r, struct derived);
  from->number = 1;
  from->plain = new_node(other);
  from->next = (struct base *)to;
  from->twin = to;
  copy_base((struct base *)to, (const struct base *)from, sizeof *from);
  move_base((struct base *)to, (const struct base *)from, sizeof *from);
  CHECK(to->twin == to);
  CHECK_COUNT(other, 2);

  from->next = NULL;
  from->twin = NULL;
  struct derived *foreign = malloc(2 * sizeof *foreign);
  copy_base((struct base *)foreign, (const struct base *)from, sizeof *from);
  copy_base((struct base *)(foreign + 1), (const struct base *)foreign, sizeof *from);
  CHECK_COUNT(other, 4);
  char *bytes = rstralloc(other, sizeof *from);
  copy_base((struct base *)bytes, (const struct base *)foreign, sizeof *from);
  copy_base((struct base *)to, (const struct base *)bytes, sizeof *from);
  CHECK_COUNT(other, 4);
  free(foreign);
  CHECK_COUNT(other, 2);
}

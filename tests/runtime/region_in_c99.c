/* The region API with allocation in line, in C99 without a warning. */
#include <acre/acre.h>

struct pair {
  struct pair *next;
  long double value;
};

int region_in_c99(void);
int region_in_c99(void) {
  region r = newregion();
  struct pair *one = ralloc(r, struct pair), *many = rarrayalloc(r, 7, struct pair);
  char *bytes = rstralloc(r, 3);
  int is_good =
      !one->next && !many[6].next && !bytes[2] && regionof(one) == r && regionof(bytes) == r;
  deleteregion(r);
  return is_good;
}

#include "units.h"

struct list *kept_elsewhere;

int list_length(const struct list *l) {
  int length = 0;
  for (; l; l = l->next)
    length++;
  return length;
}

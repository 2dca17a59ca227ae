/* A second file that includes the header. */
#include "rc_unit.h"

struct item *make_item(region r, struct item *next) {
  struct item *made = ralloc(r, struct item);
  made->next = next;
  return made;
}

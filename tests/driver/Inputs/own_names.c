#include <acre/acre.h>
#define new_in(r, T) acre_ralloc(r, T)
typedef char bool;
static int ralloc = 1;
struct node {
  struct node *ACRE_SAMEREGION next;
};

static bool end(region r) deletes { return acre_deleteregion(r); }

int main(void) {
  region r = acre_newregion();
  struct node *one = new_in(r, struct node);
  one->next = new_in(r, struct node);
  return !end(r) || !ralloc;
}

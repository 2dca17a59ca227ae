#include "constructor.h"

int main(int argc, char **argv) {
  (void)argv;
  region r = newregion();
  struct node *list = make(r, 0);
  while (argc--)
    list = make(r, list);
  list->next->next = list;
#ifdef OTHER_REGION
  region s = newregion();
  make(s, list);
#endif
  return 0;
}

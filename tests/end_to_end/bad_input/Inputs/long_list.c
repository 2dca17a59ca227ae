#include <stdio.h>

#include <acre/acre.h>

struct node {
  struct node *sameregion next;
  char bytes[1000];
};

static bool free_nothing(size_t bytes) {
  printf("handler asked for %zu bytes\n", bytes);
  fflush(stdout);
  return false;
}

int main(int argc, char **argv) deletes {
  (void)argv;
  if (argc > 1)
    acre_set_oom_handler(free_nothing);
  region r = newregion();
  acre_region_set_name(r, "list");
  if (argc > 2)
    acre_region_set_limit(r, 1 << 20);
  struct node *list = NULL;
  for (int i = 0; i < 100000; i++) {
    struct node *node = ralloc(r, struct node);
    node->next = list;
    list = node;
  }
  deleteregion(r);
  puts("done");
  return 0;
}

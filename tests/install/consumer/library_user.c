#include <acre/acre.h>

struct node;
struct node *make(region r);
void keep(struct node *n);

int main(int argc, char **argv) {
  region r = newregion();
  struct node *n = make(r);
  if (argc > 1 && argv[1])
    keep(n);
  return deleteregion(r) ? 0 : 1;
}

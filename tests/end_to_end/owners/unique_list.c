// A list of unique pointers, walked by borrowers and taken apart by swaps; its objects point into a
// counted region.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <acre/own.h>

struct link {
  struct link *unique next;
  node *in_region;
};

static void push(struct link *unique *head, node *value) {
  struct link *unique fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    abort();
  fresh->in_region = value;
  fresh->next = acre_take(head);
  free(acre_swap(head, fresh));
}

static int length(const struct link *list) {
  int n = 0;
  for (const struct link *each = list; each; each = each->next)
    n++;
  return n;
}

static void drop(struct link *unique list) {
  while (list) {
    struct link *unique next = acre_take(&list->next);
    free(list);
    list = next;
  }
}

int main(void) deletes {
  region r = newregion();
  struct link *unique list = NULL;
  for (int i = 0; i < 10; i++)
    push(&list, new_node(r));
  if (length(list) != 10)
    exit(1);
  CHECK_COUNT(r, 10);
  drop(list);
  CHECK_COUNT(r, 0);
  deleteregion(r);
  return 0;
}

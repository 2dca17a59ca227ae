// A list's head on the stack refused the delete, though only the deleted region had its address.
// If something else refuses it, the head is counted again: what is in the region still leads to it.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"

struct link {
  struct link *next, *previous;
};
struct element {
  struct link link;
  long value;
};

static void insert(struct link *head, struct link *link) {
  *link = (struct link){head->next, head};
  head->next->previous = link;
  head->next = link;
}

static long sum(const struct link *head) {
  long total = 0;
  for (const struct link *at = head->next; at != head; at = at->next)
    total += ((const struct element *)at)->value;
  return total;
}

static NOINLINE long head_on_the_stack(region r) deletes {
  struct link head = {&head, &head};
  for (long i = 0; i < 3; i++) {
    struct element *e = ralloc(r, struct element);
    e->value = i;
    insert(&head, &e->link);
  }
  long total = sum(&head);
  DELETE_ACCEPTED(r);
  return total;
}

static struct element *obstacle;
static struct link *leak;

/* The first delete is refused because of the global. Then the region gives away the head's address:
   the second must be refused because of the head. */
static NOINLINE void refused_twice(region r) deletes {
  struct element *e = obstacle;
  DELETE_REFUSED(r);
  leak = e->link.previous;
  obstacle = NULL;
  e = NULL;
  DELETE_REFUSED(r);
}

static NOINLINE void head_is_counted_again(region r) deletes {
  struct link head = {&head, &head};
  obstacle = ralloc(r, struct element);
  insert(&head, &obstacle->link);
  refused_twice(r);
}

static NOINLINE struct link *found_by_another_region(region r, region other) deletes {
  struct link head = {&head, &head};
  struct element *e = ralloc(r, struct element), *kept = ralloc(other, struct element);
  insert(&head, &e->link);
  kept->link.previous = &head;
  e = NULL;
  DELETE_REFUSED(r);
  return ((struct element *)kept)->link.previous->next;
}

int main(void) deletes {
  CHECK(head_on_the_stack(newregion()) == 3);
  region r = newregion(), other = newregion();
  head_is_counted_again(r);
  leak = NULL;
  DELETE_ACCEPTED(r);
  r = newregion();
  CHECK(found_by_another_region(r, other));
  DELETE_ACCEPTED(other);
  DELETE_ACCEPTED(r);
  return 0;
}

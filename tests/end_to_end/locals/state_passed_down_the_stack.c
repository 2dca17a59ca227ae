// A state in a frame that is only passed down holds nothing until its frame waits in a call that
// may delete.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

struct reader {
  node **tail;
  node *last;
  node *found[2];
};
static node *in_global;

static NOINLINE void append(struct reader *reader, node *n) {
  *reader->tail = n;
  reader->tail = &n->next;
  reader->last = n;
}
static NOINLINE void find(struct reader *reader, int depth) {
  if (depth)
    return find(reader, depth - 1);
  reader->found[0] = reader->last;
  memcpy(&reader->found[1], &reader->found[0], sizeof reader->found[0]);
}
static NOINLINE void read_some(struct reader *reader, region r) {
  for (int i = 0; i < 1000; i++)
    append(reader, new_node(r));
  find(reader, 3);
}
/* first: where the list begins. */
static NOINLINE node *read_list(node **first, region r) {
  struct reader reader = {.tail = first};
  read_some(&reader, r);
  CHECK(reader.found[1] == reader.last && reader.tail == &reader.last->next);
  return reader.found[1];
}

struct pair {
  node *first, *second;
};
static NOINLINE void fill(struct pair *pair, node *n) {
  pair->first = n;
  pair->second = n->next;
}
static NOINLINE void fill_and_delete(struct pair *pair, region r) deletes {
  fill(pair, new_node(r));
  DELETE_REFUSED(r);
  CHECK_COUNT(r, 1);
  fill(pair, new_node(r));
}
static NOINLINE long waiting(region r) deletes {
  struct pair pair = {0};
  fill_and_delete(&pair, r);
  DELETE_REFUSED(r);
  return pair.first->value;
}

int main(void) deletes {
  region r = newregion(), other = newregion();
  node *head = new_node(r), *elsewhere = new_node(other);
  CHECK(read_list(&head->next, r)->next == 0);
  CHECK_COUNT(r, 0);
  CHECK(read_list(&elsewhere->next, r)->value == 42);
  CHECK_COUNT(r, 1);
  elsewhere->next = 0;
  CHECK(read_list(&in_global, r)->value == 42);
  CHECK_COUNT(r, 1);
  in_global = 0;
  head = 0;
  CHECK(waiting(r) == 42);
  CHECK_COUNT(r, 0);
  CHECK(acre_verify());
  DELETE_ACCEPTED(r);
  DELETE_ACCEPTED(other);
}

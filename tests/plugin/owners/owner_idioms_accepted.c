// The idioms that docs/guide/own.md names for what one owner cannot say: each compiles without a
// warning.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Werror %s
#include <acre/own.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

// A back pointer: the parent owns the child, and outlives it.
struct tree {
  struct tree *unique left, *unique right;
  struct tree *parent;
  int value;
};
void put_left(struct tree *borrowed parent, struct tree *unique child) {
  if (child)
    child->parent = acre_unowned(parent);
  acre_drop(acre_swap(&parent->left, child));
}
int depth(const struct tree *borrowed t) {
  int result = 0;
  for (const struct tree *up = t->parent; up; up = up->parent)
    result++;
  return result;
}

// Slices of a buffer of the same object: offsets move with it.
struct request {
  char *unique text;
  size_t method, path; /* where they begin in text */
};
const char *borrowed path_of(const struct request *borrowed r) { return r->text + r->path; }
int read_request(struct request *acre_out r, const char *line) {
  r->text = strdup(line);
  if (!r->text)
    return -1;
  r->method = 0;
  r->path = strcspn(r->text, " ");
  return 0;
}

// An intrusive list of <sys/queue.h>: it has plain pointers, so what it holds is given to it and
// taken back.
struct job {
  TAILQ_ENTRY(job) link;
  char *unique name;
};
TAILQ_HEAD(jobs, job);
void enqueue(struct jobs *all, struct job *unique j) {
  struct job *queued = acre_release(j);
  TAILQ_INSERT_TAIL(all, queued, link);
}
struct job *unique dequeue(struct jobs *all) {
  struct job *first = TAILQ_FIRST(all);
  if (!first)
    return NULL;
  TAILQ_REMOVE(all, first, link);
  return (struct job *unique)first;
}
size_t total_length(struct jobs *all) {
  size_t total = 0;
  struct job *each;
  TAILQ_FOREACH(each, all, link)
  total += strlen(each->name);
  return total;
}

// A sibling changes while another is lent.
struct entry {
  char *unique key, *unique value;
  int changes;
};
void set_value(struct entry *borrowed e, const char *value) {
  const char *key = e->key;
  e->changes++;
  free(acre_swap(&e->value, strdup(value)));
  if (*key == '#')
    e->changes = 0;
}

// The end of a list.
struct item {
  struct item *unique next;
  int value;
};
struct item *unique numbers(int count) {
  struct item *unique head = NULL, *unique *tail = &head;
  for (int i = 0; i < count; i++) {
    struct item *unique n = calloc(1, sizeof *n);
    if (!n)
      break;
    n->value = i;
    *tail = n;
    tail = &(*tail)->next;
  }
  return head;
}

// What a dead object owns dies with it: lists of any length, trees, arrays, references, weak
// references and keys of arenas.
// RUN: %each_level -o %t %s
// RUN: %if sanitizers %{ %acre-cc -fsanitize=address -O1 -g %s -o %t.asan && \
// RUN:   env ASAN_OPTIONS=detect_leaks=1 %t.asan %}
#include "../Inputs/check.h"
#include <acre/scope.h>

struct link {
  struct link *unique next;
  char *unique text;
  int value;
};
struct tree {
  struct tree *unique left, *unique right;
};
struct shared {
  struct shared *refcounted next;
  char *unique text;
};
struct mixed {
  struct {
    struct link *unique list;
    int number;
  } part[2];
  struct tree *unique trees[3];
  struct shared *refcounted reference;
  acre_weak *unique weak;
  acre_key *unique key;
  acre_key *refcounted counted_key;
  const char *plain;
};

static char *unique text_new(void) {
  char *unique text = malloc(16);
  if (text)
    strcpy(text, "text");
  return text;
}

static struct link *unique list_new(int length) {
  struct link *unique head = NULL;
  while (length--) {
    struct link *unique fresh = calloc(1, sizeof *fresh);
    if (!fresh)
      abort();
    fresh->next = head;
    fresh->text = text_new();
    head = fresh;
  }
  return head;
}

static struct tree *unique tree_new(int depth) {
  struct tree *unique fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    abort();
  if (depth) {
    fresh->left = tree_new(depth - 1);
    fresh->right = tree_new(depth - 1);
  }
  return fresh;
}

static struct shared *refcounted shared_new(int length) {
  struct shared *refcounted head = NULL;
  while (length--) {
    struct shared *refcounted fresh = rc_new(struct shared);
    if (!fresh)
      abort();
    fresh->next = head;
    fresh->text = text_new();
    head = fresh;
  }
  return head;
}

static void fill(struct mixed *m, struct shared *refcounted borrowed also) {
  acre_drop(acre_swap(&m->part[0].list, list_new(3)));
  acre_drop(acre_swap(&m->part[1].list, list_new(2)));
  acre_drop(acre_swap(&m->trees[2], tree_new(4)));
  rc_drop(acre_swap(&m->reference, shared_new(5)));
  acre_weak_drop(acre_swap(&m->weak, acre_weak_new(also)));
  acre_key_drop(acre_swap(&m->key, acre_key_new()));
  rc_drop(acre_swap(&m->counted_key, acre_key_new_counted()));
  m->plain = "not owned";
}

static size_t live(void) {
  acre_stats stats;
  acre_get_stats(&stats);
  return stats.regions_live;
}

static void lists(void) {
  acre_drop(list_new(1000000));
  acre_drop(tree_new(16));
  rc_drop(shared_new(1000000));
  struct link *unique none = NULL;
  acre_drop(none);
}

static void references_that_others_hold(void) {
  struct shared *refcounted tail = shared_new(1);
  struct shared *refcounted head = shared_new(10);
  struct shared *last = head;
  while (last->next)
    last = last->next;
  last->next = rc_alias(tail);
  rc_drop(head);
  CHECK(acre_ref_count(tail) == 1 && strcmp(tail->text, "text") == 0);
  rc_drop(tail);
}

static void mixtures(void) {
  struct shared *refcounted also = shared_new(2);
  struct mixed *unique one = calloc(1, sizeof *one);
  if (!one)
    abort();
  fill(one, also);
  CHECK(live() == 2);
  acre_drop(one);
  CHECK(live() == 0);
  struct mixed *unique many = calloc(4, sizeof *many);
  if (!many)
    abort();
  for (int i = 0; i < 4; i++)
    fill(&many[i], also);
  acre_drop_array(many, 4);
  CHECK(live() == 0);
  struct mixed *refcounted counted = rc_new(struct mixed);
  if (!counted)
    abort();
  fill(counted, also);
  rc_drop(counted);
  CHECK(live() == 0 && acre_ref_count(also) == 1);
  rc_drop(also);
}

/* What objects in regions own goes with the region. */
static void regions(void) deletes {
  struct shared *refcounted also = shared_new(2);
  region r = newregion();
  for (int i = 0; i < 100; i++) {
    struct mixed *m = ralloc(r, struct mixed);
    fill(m, also);
    (void)new_node(r);
  }
  struct link *array = rarrayalloc(r, 50, struct link);
  for (int i = 0; i < 50; i++)
    free(acre_swap(&array[i].text, text_new()));
  array = rarrayextend(r, array, 5000, struct link);
  acre_drop(acre_swap(&array[4999].next, list_new(3)));
  deleteregion(r);
  CHECK(live() == 0);
  {
    acre_scoped_region(s);
    struct mixed *m = ralloc(s, struct mixed);
    fill(m, also);
  }
  CHECK(live() == 0 && acre_ref_count(also) == 1);
  rc_drop(also);
}

int main(void) deletes {
  lists();
  references_that_others_hold();
  mixtures();
  regions();
}

/* SPDX-License-Identifier: MIT */
/* Lists: singly linked with an owner in each link, queues with a tail, merges and removals. */
#include "corpus.h"

struct node {
  struct node *unique next;
  char *unique name;
  int value;
};

struct list {
  struct node *unique head;
  size_t length;
};

// right
bool list_push(struct list *borrowed l, const char *name) {
  struct node *unique n = calloc(1, sizeof *n);
  if (!n) return false;
  n->name = strdup(name);
  if (!n->name) {
    free(n);
    return false;
  }
  n->next = acre_take(&l->head);
  l->head = n;
  l->length++;
  return true;
}

// leak: the rest of the list
bool list_push_loses(struct list *borrowed l, struct node *unique n) {
  acre_take(&l->head);
  l->head = n;
  return true;
}

// wrong: head is copied
bool list_push_copies(struct list *borrowed l, struct node *unique n) {
  n->next = l->head;
  l->head = n;
  return true;
}

// wrong: the node is used after it went into the list and may be gone
int list_push_then_pop(struct list *borrowed l, struct node *unique n) {
  n->next = acre_take(&l->head);
  l->head = n;
  acre_drop(acre_take(&l->head));
  return n->value;
}

// right
struct node *unique list_pop(struct list *borrowed l) {
  struct node *unique n = acre_take(&l->head);
  if (!n) return NULL;
  l->head = acre_take(&n->next);
  l->length--;
  return n;
}

// leak: what follows is lost
struct node *unique list_pop_loses(struct list *borrowed l) {
  struct node *unique n = acre_take(&l->head);
  if (!n) return NULL;
  struct node *unique rest = acre_take(&n->next);
  if (rest) l->length--;
  return n;
}

// right
void list_clear(struct list *borrowed l) {
  struct node *unique n = acre_take(&l->head);
  while (n) {
    struct node *unique next = acre_take(&n->next);
    free(acre_take(&n->name));
    free(n);
    n = next;
  }
  l->length = 0;
}

// wrong: next is read after the node was freed
void list_clear_late(struct list *borrowed l) {
  struct node *unique n = acre_take(&l->head);
  while (n) {
    free(acre_take(&n->name));
    free(n);
    n = acre_take(&n->next);
  }
}

// leak: names
void list_clear_names(struct list *borrowed l) {
  struct node *unique n = acre_take(&l->head);
  while (n) {
    struct node *unique next = acre_take(&n->next);
    free(n);
    n = next;
  }
}

// right
void list_clear_short(struct list *borrowed l) {
  acre_drop(acre_take(&l->head));
  l->length = 0;
}

// right
const struct node *borrowed list_find(const struct list *borrowed l, const char *name) {
  for (const struct node *n = l->head; n; n = n->next)
    if (strcmp(n->name, name) == 0) return n;
  return NULL;
}

// right
int list_sum(const struct list *borrowed l) {
  int total = 0;
  for (const struct node *n = l->head; n; n = n->next) total += n->value;
  return total;
}

// wrong: frees while it walks
void list_free_walking(struct list *borrowed l) {
  for (struct node *n = l->head; n; n = n->next) free(n);
}

// right
void list_append(struct list *borrowed l, struct node *unique n) {
  struct node *unique *p = &l->head;
  while (*p) p = &(*p)->next;
  *p = n;
  l->length++;
}

// leak: overwrites the first link
void list_append_first(struct list *borrowed l, struct node *unique n) {
  struct node *unique *p = &l->head;
  *p = n;
}

// right
bool list_remove(struct list *borrowed l, const char *name) {
  for (struct node *unique *p = &l->head; *p; p = &(*p)->next) {
    if (strcmp((*p)->name, name) != 0) continue;
    struct node *unique dead = acre_take(p);
    *p = acre_take(&dead->next);
    free(acre_take(&dead->name));
    free(dead);
    l->length--;
    return true;
  }
  return false;
}

// wrong: goes on from the freed node
int list_remove_all(struct list *borrowed l, int value) {
  int removed = 0;
  struct node *unique *p = &l->head;
  while (*p) {
    if ((*p)->value == value) {
      struct node *unique dead = acre_take(p);
      *p = acre_take(&dead->next);
      acre_drop(dead);
      removed += dead->value == value;
    } else {
      p = &(*p)->next;
    }
  }
  return removed;
}

// right
int list_remove_each(struct list *borrowed l, int value) {
  int removed = 0;
  struct node *unique *p = &l->head;
  while (*p) {
    if ((*p)->value == value) {
      struct node *unique dead = acre_take(p);
      *p = acre_take(&dead->next);
      acre_drop(dead);
      removed++;
    } else {
      p = &(*p)->next;
    }
  }
  return removed;
}

// leak: the removed node
bool list_unlink(struct list *borrowed l, int value) {
  for (struct node *unique *p = &l->head; *p; p = &(*p)->next) {
    if ((*p)->value != value) continue;
    struct node *unique dead = acre_take(p);
    *p = acre_take(&dead->next);
    return true;
  }
  return false;
}

// right
struct node *unique list_reverse(struct node *unique list) {
  struct node *unique done = NULL;
  while (list) {
    struct node *unique rest = acre_take(&list->next);
    list->next = done;
    done = list;
    list = rest;
  }
  return done;
}

// leak: what was turned so far
struct node *unique list_reverse_loses(struct node *unique list) {
  struct node *unique done = NULL;
  while (list) {
    struct node *unique rest = acre_take(&list->next);
    done = list;
    list = rest;
  }
  return done;
}

// wrong: list is read after it became done
struct node *unique list_reverse_reads(struct node *unique list) {
  struct node *unique done = NULL;
  while (list) {
    struct node *unique old = done;
    done = list;
    done->next = old;
    list = acre_take(&list->next);
  }
  return done;
}

// right
struct node *unique list_merge(struct node *unique a, struct node *unique b) {
  struct node *unique head = NULL, *unique *tail = &head;
  while (a && b) {
    if (a->value <= b->value) {
      struct node *unique rest = acre_take(&a->next);
      *tail = a;
      a = rest;
    } else {
      struct node *unique rest = acre_take(&b->next);
      *tail = b;
      b = rest;
    }
    tail = &(*tail)->next;
  }
  *tail = a ? acre_take(&a) : acre_take(&b);
  return head;
}

// right
struct node *unique list_merge_if(struct node *unique a, struct node *unique b) {
  struct node *unique head = NULL, *unique *tail = &head;
  while (a && b) {
    struct node *unique *from = a->value <= b->value ? &a : &b;
    struct node *unique n = acre_take(from);
    *from = acre_take(&n->next);
    *tail = n;
    tail = &(*tail)->next;
  }
  if (a)
    *tail = a;
  else
    *tail = b;
  return head;
}

// right
struct node *unique list_merge_recursive(struct node *unique a, struct node *unique b) {
  if (!a) return b;
  if (!b) return a;
  if (a->value <= b->value) {
    a->next = list_merge_recursive(acre_take(&a->next), b);
    return a;
  }
  b->next = list_merge_recursive(a, acre_take(&b->next));
  return b;
}

// leak: the rest of b
struct node *unique list_merge_loses(struct node *unique a, struct node *unique b) {
  struct node *unique head = NULL, *unique *tail = &head;
  while (a && b) {
    struct node *unique rest = acre_take(&a->next);
    *tail = a;
    tail = &(*tail)->next;
    a = rest;
  }
  *tail = a;
  return head;
}

// right
struct node *unique read_list(FILE *in) {
  struct node *unique head = NULL, *unique *tail = &head;
  char text[64];
  while (fgets(text, sizeof text, in)) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n) break;
    n->value = atoi(text);
    *tail = n;
    tail = &(*tail)->next;
  }
  return head;
}

// leak: the list so far
struct node *unique read_list_strict(FILE *in) {
  struct node *unique head = NULL, *unique *tail = &head;
  char text[64];
  while (fgets(text, sizeof text, in)) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n) return NULL;
    n->value = atoi(text);
    *tail = n;
    tail = &(*tail)->next;
  }
  return head;
}

// right
struct node *unique read_list_careful(FILE *in) {
  struct node *unique head = NULL, *unique *tail = &head;
  char text[64];
  while (fgets(text, sizeof text, in)) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n) {
      acre_drop(head);
      return NULL;
    }
    n->value = atoi(text);
    *tail = n;
    tail = &(*tail)->next;
  }
  return head;
}

// wrong: the head is returned after it was dropped
struct node *unique read_list_dropped(FILE *in) {
  struct node *unique head = NULL, *unique *tail = &head;
  char text[64];
  while (fgets(text, sizeof text, in)) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n) {
      acre_drop(head);
      break;
    }
    *tail = n;
    tail = &(*tail)->next;
  }
  return head;
}

struct queue {
  struct node *unique first;
  struct node *last;
};

// right
void queue_add(struct queue *borrowed q, struct node *unique n) {
  struct node *last = acre_unowned(n);
  if (q->first)
    q->last->next = n;
  else
    q->first = n;
  q->last = last;
}

// wrong: last points to what is not owned any more in the caller's view
void queue_add_borrowed(struct queue *borrowed q, struct node *borrowed n) { q->last = n; }

// right
struct node *unique queue_remove(struct queue *borrowed q) {
  struct node *unique n = acre_take(&q->first);
  if (!n) return NULL;
  q->first = acre_take(&n->next);
  if (!q->first) q->last = NULL;
  return n;
}

// wrong: two owners of the first node
struct node *unique queue_peek(struct queue *borrowed q) { return q->first; }

// right
const struct node *borrowed queue_first(const struct queue *borrowed q) { return q->first; }

// leak: the node if the queue is closed
bool queue_offer(struct queue *borrowed q, struct node *unique n, bool closed) {
  if (closed) return false;
  queue_add(q, n);
  return true;
}

// right
void list_insert_sorted(struct list *borrowed l, struct node *unique n) {
  struct node *unique *p = &l->head;
  while (*p && (*p)->value < n->value) p = &(*p)->next;
  n->next = acre_take(p);
  *p = n;
}

// wrong: the rest of the list has two owners
void list_insert_shared(struct list *borrowed l, struct node *unique n) {
  struct node *unique *p = &l->head;
  while (*p && (*p)->value < n->value) p = &(*p)->next;
  n->next = *p;
  *p = n;
}

// leak: the rest of the list
void list_insert_loses(struct list *borrowed l, struct node *unique n) {
  struct node *unique *p = &l->head;
  while (*p && (*p)->value < n->value) p = &(*p)->next;
  *p = n;
}

// right
void list_split(struct list *borrowed l, struct list *borrowed odd) {
  struct node *unique list = acre_take(&l->head);
  while (list) {
    struct node *unique rest = acre_take(&list->next);
    struct list *to = list->value % 2 ? odd : l;
    list->next = acre_take(&to->head);
    to->head = list;
    list = rest;
  }
}

// right
struct node *unique list_copy(const struct node *borrowed from) {
  struct node *unique head = NULL, *unique *tail = &head;
  for (; from; from = from->next) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n) goto fail;
    n->value = from->value;
    if (from->name && !(n->name = strdup(from->name))) {
      free(n);
      goto fail;
    }
    *tail = n;
    tail = &(*tail)->next;
  }
  return head;
fail:
  acre_drop(head);
  return NULL;
}

// leak: the node whose name could not be copied
struct node *unique list_copy_loses(const struct node *borrowed from) {
  struct node *unique head = NULL, *unique *tail = &head;
  for (; from; from = from->next) {
    struct node *unique n = calloc(1, sizeof *n);
    if (!n) goto fail;
    if (!(n->name = strdup(from->name))) goto fail;
    *tail = n;
    tail = &(*tail)->next;
  }
  return head;
fail:
  acre_drop(head);
  return NULL;
}

// right
struct node *unique list_concat(struct node *unique a, struct node *unique b) {
  if (!a) return b;
  struct node *last = a;
  while (last->next) last = last->next;
  last->next = b;
  return a;
}

// wrong: b is in the list and freed
struct node *unique list_concat_frees(struct node *unique a, struct node *unique b) {
  if (!a) return b;
  struct node *last = a;
  while (last->next) last = last->next;
  last->next = b;
  acre_drop(b);
  return a;
}

// leak: b when a is empty
struct node *unique list_concat_loses(struct node *unique a, struct node *unique b) {
  if (!a) return NULL;
  struct node *last = a;
  while (last->next) last = last->next;
  last->next = b;
  return a;
}

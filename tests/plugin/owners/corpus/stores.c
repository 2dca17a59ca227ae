/* SPDX-License-Identifier: MIT */
/* Stores of references, structures by value, directories, machines and compaction, written as
 * nobody had tried them: right, wrong and leaking. */
#include "corpus.h"

struct shared {
  char *unique bytes;
  size_t size;
  unsigned hits;
};
struct entry {
  struct entry *unique next;
  char *unique key;
  struct shared *refcounted value;
};
struct store {
  struct entry *unique *unique buckets;
  size_t room, count;
};
struct pair {
  char *unique left, *unique right;
};
struct walk {
  DIR *unique dir;
  char *unique path;
  struct walk *unique up;
};
enum phase { PHASE_NAME, PHASE_VALUE, PHASE_DONE };
struct machine {
  enum phase phase;
  char *unique name, *unique value;
  struct entry *unique done;
};
struct vector {
  char *unique *unique items;
  size_t count, room;
};
void entry_free(struct entry *unique e);
size_t hash(const char *borrowed text);
struct shared *refcounted shared_load(const char *borrowed path);
int open_pair(const char *borrowed name, struct pair *acre_out p);

/* -- References -- */

// right
struct shared *refcounted store_get(struct store *borrowed s, const char *key) {
  if (s->room == 0) return NULL;
  for (struct entry *e = s->buckets[hash(key) % s->room]; e; e = e->next)
    if (strcmp(e->key, key) == 0) return rc_alias(e->value);
  return NULL;
}

// right
bool store_put(struct store *borrowed s, const char *key, struct shared *refcounted value) {
  struct entry *unique e = s->room ? calloc(1, sizeof *e) : NULL;
  if (e) e->key = strdup(key);
  if (!e || !e->key) {
    rc_drop(value);
    free(e);
    return false;
  }
  e->value = value;
  struct entry *unique *at = &s->buckets[hash(key) % s->room];
  e->next = acre_take(at);
  *at = e;
  s->count++;
  return true;
}

// leak: the reference, where there is no room
bool store_put_room(struct store *borrowed s, const char *key, struct shared *refcounted value) {
  if (s->room == 0) return false;
  struct entry *unique e = calloc(1, sizeof *e);
  if (!e) {
    rc_drop(value);
    return false;
  }
  e->key = strdup(key);
  e->value = value;
  e->next = acre_take(&s->buckets[0]);
  s->buckets[0] = e;
  return true;
}

// right
struct shared *refcounted store_load(struct store *borrowed s, const char *path) {
  struct shared *refcounted found = store_get(s, path);
  if (found) {
    found->hits++;
    return found;
  }
  found = shared_load(path);
  if (!found) return NULL;
  if (!store_put(s, path, rc_alias(found))) note(1);
  return found;
}

// wrong: the store has the reference that is returned
struct shared *refcounted store_load_one(struct store *borrowed s, const char *path) {
  struct shared *refcounted found = shared_load(path);
  if (!found) return NULL;
  store_put(s, path, found);
  return found;
}

// leak: the reference that was got to look at it
size_t store_size(struct store *borrowed s, const char *key) {
  struct shared *refcounted found = store_get(s, key);
  return found ? found->size : 0;
}

// right
size_t store_size_dropped(struct store *borrowed s, const char *key) {
  struct shared *refcounted found = store_get(s, key);
  size_t size = found ? found->size : 0;
  rc_drop(found);
  return size;
}

// wrong: the bytes of what was given back
int store_first(struct store *borrowed s, const char *key) {
  struct shared *refcounted found = store_get(s, key);
  if (!found) return -1;
  const char *bytes = found->bytes;
  rc_drop(found);
  return bytes[0];
}

// right
bool store_grow(struct store *borrowed s, size_t room) {
  struct entry *unique *unique buckets = calloc(room, sizeof *buckets);
  if (!buckets) return false;
  for (size_t i = 0; i < s->room; i++) {
    while (s->buckets[i]) {
      struct entry *unique e = acre_take(&s->buckets[i]);
      s->buckets[i] = acre_take(&e->next);
      size_t to = hash(e->key) % room;
      e->next = acre_take(&buckets[to]);
      buckets[to] = e;
    }
  }
  free(acre_swap(&s->buckets, buckets));
  s->room = room;
  return true;
}

// leak: all but the first entry of each chain (known: a link of a node from an array)
bool store_grow_first(struct store *borrowed s, size_t room) {
  struct entry *unique *unique buckets = calloc(room, sizeof *buckets);
  if (!buckets) return false;
  for (size_t i = 0; i < s->room; i++) {
    struct entry *unique e = acre_take(&s->buckets[i]);
    if (!e) continue;
    size_t to = hash(e->key) % room;
    e->next = acre_take(&buckets[to]);
    buckets[to] = e;
  }
  free(acre_swap(&s->buckets, buckets));
  s->room = room;
  return true;
}

// right
void store_forget(struct store *borrowed s, const char *key) {
  if (s->room == 0) return;
  struct entry *unique *at = &s->buckets[hash(key) % s->room];
  while (*at && strcmp((*at)->key, key) != 0) at = &(*at)->next;
  if (!*at) return;
  struct entry *unique e = acre_take(at);
  *at = acre_take(&e->next);
  rc_drop(acre_take(&e->value));
  free(acre_take(&e->key));
  free(e);
  s->count--;
}

// leak: the reference of the entry
void store_forget_key(struct store *borrowed s) {
  struct entry *unique e = acre_take(&s->buckets[0]);
  if (!e) return;
  s->buckets[0] = acre_take(&e->next);
  free(acre_take(&e->key));
  free(e);
}

/* -- Places for results, structures by value -- */

// right
static struct pair pair_of(const char *text, char between) {
  struct pair p = {0};
  const char *at = strchr(text, between);
  if (!at) return p;
  p.left = strndup(text, (size_t)(at - text));
  p.right = strdup(at + 1);
  return p;
}

// right
bool pair_equal(const char *text) {
  struct pair p = pair_of(text, ':');
  bool equal = p.left && p.right && strcmp(p.left, p.right) == 0;
  free(acre_take(&p.left));
  free(acre_take(&p.right));
  return equal;
}

// leak: the right side
size_t pair_left_size(const char *text) {
  struct pair p = pair_of(text, ':');
  size_t size = p.left ? strlen(p.left) : 0;
  free(acre_take(&p.left));
  return size;
}

// wrong: the left side is used after it was freed
int pair_left(const char *text) {
  struct pair p = pair_of(text, ':');
  const char *left = p.left;
  if (!left) return -1;
  free(acre_take(&p.left));
  free(acre_take(&p.right));
  return *left;
}

// right
int pair_open(const char *name, char *unique *acre_out left) {
  struct pair p;
  *left = NULL;
  if (open_pair(name, &p) != 0) return -1;
  *left = acre_take(&p.left);
  free(acre_take(&p.right));
  return 0;
}

// right
int pair_open_either(const char *name, const char *other, char *unique *acre_out left) {
  if (pair_open(name, left) == 0) return 0;
  return pair_open(other, left);
}

// leak: the first one, where the second cannot be opened
int pair_open_both(const char *name, const char *other, struct pair *acre_out p) {
  char *unique first = NULL, *unique second = NULL;
  p->left = p->right = NULL;
  if (pair_open(name, &first) != 0) return -1;
  if (pair_open(other, &second) != 0) return -1;
  p->left = first;
  p->right = second;
  return 0;
}

// wrong: the name is freed by the caller and by the pair
int pair_fill(struct pair *acre_out p, char *unique name) {
  p->left = NULL;
  p->right = NULL;
  if (!name) return -1;
  p->left = name;
  if (strlen(p->left) < 2) {
    free(name);
    return -1;
  }
  return 0;
}

/* -- Directories -- */

// right
struct walk *unique walk_open(const char *path, struct walk *unique up) {
  struct walk *unique w = calloc(1, sizeof *w);
  if (!w) return up;
  w->dir = opendir(path);
  w->path = strdup(path);
  if (!w->dir || !w->path) {
    if (w->dir) closedir(acre_take(&w->dir));
    free(acre_take(&w->path));
    free(w);
    return up;
  }
  w->up = up;
  return w;
}

// leak: the walk so far
struct walk *unique walk_open_fresh(const char *path, struct walk *unique up) {
  struct walk *unique w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->dir = opendir(path);
  w->up = up;
  return w;
}

// right
struct walk *unique walk_close(struct walk *unique w) {
  struct walk *unique up = acre_take(&w->up);
  if (w->dir) closedir(acre_take(&w->dir));
  free(acre_take(&w->path));
  free(w);
  return up;
}

// leak: the directory stays open
struct walk *unique walk_close_path(struct walk *unique w) {
  struct walk *unique up = acre_take(&w->up);
  free(acre_take(&w->path));
  free(w);
  return up;
}

// right
unsigned long walk_count(const char *root) {
  unsigned long count = 0;
  struct walk *unique w = walk_open(root, NULL);
  while (w) {
    const struct dirent *d = readdir(w->dir);
    if (!d) {
      w = walk_close(w);
      continue;
    }
    if (d->d_name[0] == '.') continue;
    count++;
    if (d->d_type == DT_DIR) {
      char *unique inner = NULL;
      if (asprintf(&inner, "%s/%s", w->path, d->d_name) < 0) continue;
      w = walk_open(inner, w);
      free(inner);
    }
  }
  return count;
}

// wrong: the walk is closed and asked for its path
void walk_told(struct walk *unique w) {
  const char *path = w->path;
  struct walk *unique up = walk_close(w);
  puts(path);
  while (up) up = walk_close(up);
}

// stale: the name was read before the next entry
bool walk_pair(DIR *borrowed d) {
  const struct dirent *first = readdir(d);
  if (!first) return false;
  const struct dirent *second = readdir(d);
  return second && strcmp(first->d_name, second->d_name) == 0;
}

/* -- Machines and compaction -- */

// right
bool machine_feed(struct machine *borrowed m, const char *word) {
  switch (m->phase) {
    case PHASE_NAME:
      free(acre_swap(&m->name, strdup(word)));
      m->phase = PHASE_VALUE;
      return m->name != NULL;
    case PHASE_VALUE: {
      struct entry *unique e = calloc(1, sizeof *e);
      if (!e) return false;
      e->key = acre_take(&m->name);
      free(acre_swap(&m->value, strdup(word)));
      e->next = acre_take(&m->done);
      m->done = e;
      m->phase = PHASE_NAME;
      return true;
    }
    case PHASE_DONE: break;
  }
  return false;
}

// leak: the name that was fed before
bool machine_name(struct machine *borrowed m, const char *word) {
  m->name = strdup(word);
  m->phase = PHASE_VALUE;
  return m->name != NULL;
}

// wrong: the entry is shown after it was put on the list
bool machine_end(struct machine *borrowed m, struct entry *unique e) {
  e->key = acre_take(&m->name);
  e->next = acre_take(&m->done);
  m->done = e;
  m->phase = PHASE_DONE;
  look(e->key);
  return true;
}

// right
void vector_compact(struct vector *borrowed v) {
  size_t to = 0;
  for (size_t from = 0; from < v->count; from++) {
    if (!v->items[from]) continue;
    if (from != to) v->items[to] = acre_take(&v->items[from]);
    to++;
  }
  v->count = to;
}

// right
size_t vector_unique(struct vector *borrowed v) {
  size_t to = 0;
  for (size_t from = 0; from < v->count; from++) {
    char *unique item = acre_take(&v->items[from]);
    if (to > 0 && item && strcmp(v->items[to - 1], item) == 0) {
      free(item);
      continue;
    }
    free(acre_swap(&v->items[to++], item));
  }
  return v->count = to;
}

// leak: the items that are equal
size_t vector_unique_lost(struct vector *borrowed v) {
  size_t to = 0;
  for (size_t from = 0; from < v->count; from++) {
    char *unique item = acre_take(&v->items[from]);
    if (to > 0 && item && strcmp(v->items[to - 1], item) == 0) continue;
    free(acre_swap(&v->items[to++], item));
  }
  return v->count = to;
}

// wrong: the item is compared with one that was freed
size_t vector_runs(struct vector *borrowed v) {
  size_t runs = 0;
  const char *last = "";
  for (size_t i = 0; i < v->count; i++) {
    char *unique item = acre_take(&v->items[i]);
    if (!item) continue;
    runs += strcmp(last, item) != 0;
    last = item;
    free(item);
  }
  return runs;
}

// right
bool vector_push(struct vector *borrowed v, char *unique item) {
  if (v->count == v->room) {
    size_t room = v->room ? 2 * v->room : 4;
    char *unique *unique more = realloc(v->items, room * sizeof *more);
    if (!more) {
      free(item);
      return false;
    }
    v->items = more;
    v->room = room;
  }
  v->items[v->count++] = item;
  return true;
}

// wrong: a place in the items is kept while they move
bool vector_push_after(struct vector *borrowed v, char *unique item) {
  char *unique *first = &v->items[0];
  if (!vector_push(v, item)) return false;
  return *first != NULL;
}

// right
char *unique vector_pop(struct vector *borrowed v) {
  return v->count > 0 ? acre_take(&v->items[--v->count]) : NULL;
}

// leak: the last item
bool vector_pop_is(struct vector *borrowed v, const char *text) {
  char *unique item = vector_pop(v);
  if (!item || strcmp(item, text) != 0) return false;
  free(item);
  return true;
}

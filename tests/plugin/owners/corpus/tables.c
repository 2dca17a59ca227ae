/* SPDX-License-Identifier: MIT */
/* Hash tables with owners, caches in global variables, intrusive lists, rings of owners. */
#include "corpus.h"

struct entry {
  struct entry *unique next;
  char *unique key;
  char *unique value;
  unsigned hits;
};

#define BUCKETS 64

struct table {
  struct entry *unique bucket[BUCKETS];
  size_t count;
};

static unsigned hash(const char *s) {
  unsigned h = 5381;
  while (*s) h = h * 33 + (unsigned char)*s++;
  return h % BUCKETS;
}

// right
const char *borrowed table_get(const struct table *borrowed t, const char *key) {
  for (const struct entry *e = t->bucket[hash(key)]; e; e = e->next)
    if (strcmp(e->key, key) == 0) return e->value;
  return NULL;
}

// right
bool table_put(struct table *borrowed t, const char *key, const char *value) {
  struct entry *unique *slot = &t->bucket[hash(key)];
  for (struct entry *e = *slot; e; e = e->next) {
    if (strcmp(e->key, key) == 0) {
      char *unique copy = strdup(value);
      if (!copy) return false;
      free(acre_swap(&e->value, copy));
      return true;
    }
  }
  struct entry *unique e = calloc(1, sizeof *e);
  if (!e) return false;
  if (!(e->key = strdup(key)) || !(e->value = strdup(value))) {
    acre_drop(e);
    return false;
  }
  e->next = acre_take(slot);
  *slot = e;
  t->count++;
  return true;
}

// leak: the key when the value cannot be copied
bool table_add_loses(struct table *borrowed t, const char *key, const char *value) {
  struct entry *unique *slot = &t->bucket[hash(key)];
  struct entry *unique e = calloc(1, sizeof *e);
  if (!e) return false;
  e->key = strdup(key);
  e->value = strdup(value);
  if (!e->value) {
    free(e);
    return false;
  }
  e->next = acre_take(slot);
  *slot = e;
  return true;
}

// wrong: a value is kept that the update frees
bool table_update(struct table *borrowed t, const char *key, const char *value) {
  for (struct entry *e = t->bucket[hash(key)]; e; e = e->next) {
    if (strcmp(e->key, key) != 0) continue;
    const char *old = e->value;
    free(acre_swap(&e->value, strdup(value)));
    return strcmp(old, value) != 0;
  }
  return false;
}

// leak: the chain that was in the bucket
void table_add_first(struct table *borrowed t, struct entry *unique e) {
  unsigned h = hash(e->key);
  struct entry *unique chain = acre_take(&t->bucket[h]);
  t->bucket[h] = e;
  note(chain != NULL);
}

// right
bool table_remove(struct table *borrowed t, const char *key) {
  struct entry *unique *p = &t->bucket[hash(key)];
  while (*p && strcmp((*p)->key, key) != 0) p = &(*p)->next;
  if (!*p) return false;
  struct entry *unique dead = acre_take(p);
  *p = acre_take(&dead->next);
  acre_drop(dead);
  t->count--;
  return true;
}

// leak: key and value of the dead entry
bool table_remove_loses(struct table *borrowed t, const char *key) {
  struct entry *unique *p = &t->bucket[hash(key)];
  while (*p && strcmp((*p)->key, key) != 0) p = &(*p)->next;
  if (!*p) return false;
  struct entry *unique dead = acre_take(p);
  *p = acre_take(&dead->next);
  free(dead);
  return true;
}

// wrong: the key belongs to the dead entry
bool table_remove_logged(struct table *borrowed t, const char *key) {
  struct entry *unique *p = &t->bucket[hash(key)];
  while (*p && strcmp((*p)->key, key) != 0) p = &(*p)->next;
  if (!*p) return false;
  struct entry *unique dead = acre_take(p);
  const char *name = dead->key;
  *p = acre_take(&dead->next);
  acre_drop(dead);
  puts(name);
  return true;
}

// right
char *unique table_take(struct table *borrowed t, const char *key) {
  struct entry *unique *p = &t->bucket[hash(key)];
  for (; *p; p = &(*p)->next) {
    if (strcmp((*p)->key, key) != 0) continue;
    struct entry *unique e = acre_take(p);
    *p = acre_take(&e->next);
    char *unique value = acre_take(&e->value);
    acre_drop(e);
    return value;
  }
  return NULL;
}

// right
void table_clear(struct table *borrowed t) {
  for (int i = 0; i < BUCKETS; i++) acre_drop(acre_take(&t->bucket[i]));
  t->count = 0;
}

// right
void table_free(struct table *unique t) {
  if (!t) return;
  table_clear(t);
  free(t);
}

// leak: all entries
void table_free_loses(struct table *unique t) {
  if (!t) return;
  t->count = 0;
  free(t);
}

// wrong: cleared after it was freed
void table_free_order(struct table *unique t) {
  free(t);
  table_clear(t);
}

// right
void table_rehash(struct table *borrowed from, struct table *borrowed to) {
  for (int i = 0; i < BUCKETS; i++) {
    struct entry *unique e = acre_take(&from->bucket[i]);
    while (e) {
      struct entry *unique rest = acre_take(&e->next);
      unsigned h = hash(e->key);
      e->next = acre_take(&to->bucket[h]);
      to->bucket[h] = e;
      to->count++;
      e = rest;
    }
  }
  from->count = 0;
}

// wrong: the entry was moved before its key is hashed
void table_rehash_late(struct table *borrowed from, struct table *borrowed to) {
  struct entry *unique e = acre_take(&from->bucket[0]);
  if (!e) return;
  struct entry *unique rest = acre_take(&e->next);
  acre_drop(acre_swap(&to->bucket[0], e));
  note((int)hash(e->key));
  acre_drop(rest);
}

// leak: the rest of each chain
void table_rehash_loses(struct table *borrowed from, struct table *borrowed to) {
  for (int i = 0; i < BUCKETS; i++) {
    struct entry *unique e = acre_take(&from->bucket[i]);
    if (!e) continue;
    unsigned h = hash(e->key);
    struct entry *unique rest = acre_swap(&e->next, acre_take(&to->bucket[h]));
    to->bucket[h] = e;
    note(rest != NULL);
  }
}

// right
size_t table_count_hits(const struct table *borrowed t) {
  size_t total = 0;
  for (int i = 0; i < BUCKETS; i++)
    for (const struct entry *e = t->bucket[i]; e; e = e->next) total += e->hits;
  return total;
}

static struct table cache;
static char *unique cached_home;

// right
const char *borrowed home(void) {
  if (!cached_home) cached_home = strdup("/home");
  return cached_home ? cached_home : "/";
}

// leak: the old home
void home_set_loses(const char *path) {
  acre_swap(&cached_home, strdup(path));
}

// right
void home_set(const char *path) { free(acre_swap(&cached_home, strdup(path))); }

// right
void home_reset(void) {
  free(acre_take(&cached_home));
  cached_home = NULL;
}

// wrong: freed in place, the global still points there
void home_free(void) { free(cached_home); }

// wrong: old is what was freed
void home_change(const char *path) {
  const char *old = cached_home;
  home_set(path);
  if (old) puts(old);
}

// right
bool cache_lookup(const char *key, char *unique *acre_out value) {
  const char *found = table_get(&cache, key);
  if (!found) return false;
  char *unique copy = strdup(found);
  if (!copy) return false;
  *value = copy;
  return true;
}

// right
void cache_print(const char *key) {
  const char *found = table_get(&cache, key);
  if (found) puts(found);
}

// wrong: the cache is cleared while a value of it is used
void cache_clear_and_print(const char *key) {
  const char *found = table_get(&cache, key);
  table_clear(&cache);
  if (found) puts(found);
}

// right
const char *intern(const char *text) {
  for (struct entry *e = cache.bucket[hash(text)]; e; e = e->next)
    if (strcmp(e->key, text) == 0) return acre_unowned(e->key);
  struct entry *unique e = calloc(1, sizeof *e);
  if (!e || !(e->key = strdup(text))) {
    acre_drop(e);
    return NULL;
  }
  const char *key = acre_unowned(e->key);
  struct entry *unique *slot = &cache.bucket[hash(text)];
  e->next = acre_take(slot);
  *slot = e;
  return key;
}

// leak: the entry if the key cannot be copied
bool intern_loses(const char *text) {
  struct entry *unique e = calloc(1, sizeof *e);
  if (!e || !(e->key = strdup(text))) return false;
  struct entry *unique *slot = &cache.bucket[hash(text)];
  e->next = acre_take(slot);
  *slot = e;
  return true;
}

#define RING 16

struct message {
  char *unique text;
  int priority;
};

struct ring {
  struct message *unique slot[RING];
  unsigned head, tail;
};

// right
bool ring_put(struct ring *borrowed r, struct message *unique m) {
  if (r->tail - r->head == RING) {
    acre_drop(m);
    return false;
  }
  acre_drop(acre_swap(&r->slot[r->tail++ % RING], m));
  return true;
}

// leak: the message when the ring is full
bool ring_put_loses(struct ring *borrowed r, struct message *unique m) {
  if (r->tail - r->head == RING) return false;
  acre_drop(acre_swap(&r->slot[r->tail++ % RING], m));
  return true;
}

// wrong: the message is given back after it went in
struct message *unique ring_put_back(struct ring *borrowed r, struct message *unique m) {
  acre_drop(acre_swap(&r->slot[r->tail++ % RING], m));
  return m;
}

// right
struct message *unique ring_get(struct ring *borrowed r) {
  if (r->head == r->tail) return NULL;
  return acre_take(&r->slot[r->head++ % RING]);
}

// wrong: the ring still has it
struct message *unique ring_get_copy(struct ring *borrowed r) {
  if (r->head == r->tail) return NULL;
  return r->slot[r->head++ % RING];
}

// right
int ring_drain(struct ring *borrowed r) {
  int n = 0;
  struct message *unique m;
  while ((m = ring_get(r))) {
    n += m->priority;
    acre_drop(m);
  }
  return n;
}

// leak: the texts
int ring_drain_loses(struct ring *borrowed r) {
  int n = 0;
  struct message *unique m;
  while ((m = ring_get(r))) {
    n += m->priority;
    free(m);
  }
  return n;
}

// leak: every message
int ring_drain_count(struct ring *borrowed r) {
  int n = 0;
  while (ring_get(r)) n++;
  return n;
}

// wrong: priority is read too late
int ring_drain_late(struct ring *borrowed r) {
  int n = 0;
  struct message *unique m;
  while ((m = ring_get(r))) {
    acre_drop(m);
    n += m->priority;
  }
  return n;
}

// right
const char *borrowed ring_peek(const struct ring *borrowed r) {
  const struct message *m = r->slot[r->head % RING];
  return m ? m->text : NULL;
}

struct link {
  struct link *next, *prev;
};

struct job {
  struct link link;
  char *unique command;
};

#define job_of(l) ((struct job *)((char *)(l) - offsetof(struct job, link)))

static struct link jobs = {&jobs, &jobs};

// right
bool job_enqueue(const char *command) {
  struct job *unique j = calloc(1, sizeof *j);
  if (!j) return false;
  if (!(j->command = strdup(command))) {
    free(j);
    return false;
  }
  struct job *queued = acre_release(j);
  queued->link.prev = jobs.prev;
  queued->link.next = &jobs;
  jobs.prev->next = &queued->link;
  jobs.prev = &queued->link;
  return true;
}

// leak: the job when its command cannot be copied
bool job_enqueue_loses(const char *command) {
  struct job *unique j = calloc(1, sizeof *j);
  if (!j) return false;
  if (!(j->command = strdup(command))) return false;
  struct job *queued = acre_release(j);
  queued->link.next = jobs.next;
  jobs.next = &queued->link;
  return true;
}

// wrong: the job is freed after the list has it
bool job_enqueue_freed(const char *command) {
  struct job *unique j = calloc(1, sizeof *j);
  if (!j) return false;
  j->command = strdup(command);
  struct job *queued = acre_release(j);
  queued->link.next = jobs.next;
  jobs.next = &queued->link;
  if (!queued->command) acre_drop(j);
  return true;
}

// right
struct job *unique job_dequeue(void) {
  if (jobs.next == &jobs) return NULL;
  struct link *l = jobs.next;
  jobs.next = l->next;
  l->next->prev = &jobs;
  return (struct job *unique)job_of(l);
}

// right
int job_run_all(void) {
  int n = 0;
  for (struct job *unique j = job_dequeue(); j; j = job_dequeue()) {
    n += system(j->command) == 0;
    acre_drop(j);
  }
  return n;
}

// leak: each job
int job_run_all_loses(void) {
  int n = 0;
  for (struct job *unique j = job_dequeue(); j; j = job_dequeue()) n += system(j->command) == 0;
  return n;
}

// wrong: the command of a dropped job
int job_run_late(void) {
  struct job *unique j = job_dequeue();
  if (!j) return -1;
  const char *command = j->command;
  acre_drop(j);
  return system(command);
}

struct slot {
  char *unique name;
  int used;
};

static struct slot slots[8];

// right
int slot_assign(const char *name) {
  for (int i = 0; i < 8; i++) {
    if (slots[i].used) continue;
    char *unique copy = strdup(name);
    if (!copy) return -1;
    free(acre_swap(&slots[i].name, copy));
    slots[i].used = 1;
    return i;
  }
  return -1;
}

// leak: a copy for every slot in use
int slot_assign_loses(const char *name) {
  for (int i = 0; i < 8; i++) {
    char *unique copy = strdup(name);
    if (slots[i].used) continue;
    free(acre_swap(&slots[i].name, copy));
    slots[i].used = 1;
    return i;
  }
  return -1;
}

// right
void slot_release(int i) {
  slots[i].used = 0;
  free(acre_take(&slots[i].name));
}

// wrong: freed in place
void slot_release_in_place(int i) {
  slots[i].used = 0;
  free(slots[i].name);
}

// right
int slot_find(const char *name) {
  for (int i = 0; i < 8; i++)
    if (slots[i].used && slots[i].name && strcmp(slots[i].name, name) == 0) return i;
  return -1;
}

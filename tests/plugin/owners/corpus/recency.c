/* SPDX-License-Identifier: MIT */
/* An LRU cache, HTTP header tables, a cookie jar: right, wrong and leaking. */
#include "corpus.h"
#include <strings.h>

/* The chain of a bucket owns its entries; the list in order of use is plain. */
struct entry {
  char *unique key;
  void *unique data;
  size_t size;
  struct entry *unique chain;
  struct entry *newer, *older;
};

struct lru {
  struct entry *unique *unique buckets;
  size_t nbuckets, count, bytes, limit;
  struct entry *newest, *oldest;
};

struct header {
  char *unique name;
  char *unique value;
};

struct headers {
  struct header *unique list;
  size_t count, capacity;
};

struct cookie {
  char *unique name;
  char *unique value;
  char *unique domain;
  time_t expires;
  struct cookie *unique next;
};

struct jar {
  struct cookie *unique first;
  unsigned changes;
};

// right
static size_t hash(const char *s) {
  size_t h = 5381;
  while (*s)
    h = h * 33 ^ (unsigned char)*s++;
  return h;
}

// right
struct lru *unique lru_new(size_t nbuckets, size_t limit) {
  struct lru *unique c = calloc(1, sizeof *c);
  if (!c)
    return NULL;
  c->buckets = calloc(nbuckets, sizeof *c->buckets);
  if (!c->buckets) {
    free(c);
    return NULL;
  }
  c->nbuckets = nbuckets;
  c->limit = limit;
  return c;
}

// right: takes an entry out of the order of use
static void lru_unlink(struct lru *borrowed c, struct entry *e) {
  if (e->newer)
    e->newer->older = e->older;
  else
    c->newest = e->older;
  if (e->older)
    e->older->newer = e->newer;
  else
    c->oldest = e->newer;
  e->newer = e->older = NULL;
}

// right
const void *borrowed lru_get(struct lru *borrowed c, const char *key __attribute__((noescape))) {
  struct entry *e = c->buckets[hash(key) % c->nbuckets];
  while (e && strcmp(e->key, key) != 0)
    e = e->chain;
  return e ? e->data : NULL;
}

// right
bool lru_remove(struct lru *borrowed c, const char *borrowed key) {
  struct entry *unique *p = &c->buckets[hash(key) % c->nbuckets];
  while (*p && strcmp((*p)->key, key) != 0)
    p = &(*p)->chain;
  if (!*p)
    return false;
  struct entry *unique e = acre_take(p);
  *p = acre_take(&e->chain);
  lru_unlink(c, e);
  c->bytes -= e->size;
  c->count--;
  acre_drop(e);
  return true;
}

// right: takes data over in every case
bool lru_put(struct lru *borrowed c, const char *borrowed key, void *unique data, size_t size) {
  lru_remove(c, key);
  struct entry *unique e = calloc(1, sizeof *e);
  if (!e) {
    free(data);
    return false;
  }
  e->key = strdup(key);
  e->data = data;
  if (!e->key) {
    acre_drop(e);
    return false;
  }
  e->size = size;
  e->older = c->newest;
  if (c->newest)
    c->newest->newer = acre_unowned(e);
  else
    c->oldest = acre_unowned(e);
  c->newest = acre_unowned(e);
  c->bytes += size;
  c->count++;
  struct entry *unique *slot = &c->buckets[hash(e->key) % c->nbuckets];
  e->chain = acre_take(slot);
  *slot = e;
  return true;
}

// leak: where the entry cannot be made the copy stays
bool lru_put_copy(struct lru *borrowed c, const char *borrowed key, const void *borrowed data,
                  size_t size) {
  void *unique copy = malloc(size);
  if (!copy)
    return false;
  memcpy(copy, data, size);
  struct entry *unique e = calloc(1, sizeof *e);
  if (!e)
    return false;
  e->key = strdup(key);
  e->data = copy;
  e->size = size;
  struct entry *unique *slot = &c->buckets[hash(key) % c->nbuckets];
  e->chain = acre_take(slot);
  *slot = e;
  return true;
}

// right
void lru_free(struct lru *unique c) {
  if (!c)
    return;
  for (size_t i = 0; i < c->nbuckets; i++) {
    struct entry *unique e = acre_take(&c->buckets[i]);
    while (e) {
      struct entry *unique next = acre_take(&e->chain);
      free(acre_take(&e->key));
      free(acre_take(&e->data));
      free(e);
      e = next;
    }
  }
  free(acre_take(&c->buckets));
  free(c);
}

// wrong: what was found is removed before it is given out
size_t lru_refresh(struct lru *borrowed c, const char *borrowed key) {
  const char *old = lru_get(c, key);
  if (!old)
    return 0;
  lru_remove(c, key);
  return strlen(old);
}

// wrong: the data are used after they were put into the cache
int lru_adopt(struct lru *borrowed c, const char *borrowed key, const char *borrowed text) {
  char *unique copy = strdup(text);
  if (!copy)
    return -1;
  if (!lru_put(c, key, copy, strlen(copy) + 1)) {
    fprintf(stderr, "no room for %s\n", copy);
    return -1;
  }
  return 0;
}

// right
static struct header *borrowed header_find(struct headers *borrowed h, const char *name) {
  for (size_t i = 0; i < h->count; i++)
    if (strcasecmp(h->list[i].name, name) == 0)
      return &h->list[i];
  return NULL;
}

// right
bool headers_add(struct headers *borrowed h, const char *borrowed name,
                 const char *borrowed value) {
  if (h->count == h->capacity) {
    size_t n = h->capacity ? h->capacity * 2 : 4;
    struct header *unique list = realloc(h->list, n * sizeof *list);
    if (!list)
      return false;
    memset(list + h->count, 0, (n - h->count) * sizeof *list);
    h->list = list;
    h->capacity = n;
  }
  struct header *slot = &h->list[h->count];
  slot->name = strdup(name);
  slot->value = strdup(value);
  if (!slot->name || !slot->value) {
    free(acre_take(&slot->name));
    free(acre_take(&slot->value));
    return false;
  }
  h->count++;
  return true;
}

// right: folds a second value into the first, separated by a comma
bool headers_append(struct headers *borrowed h, const char *borrowed name,
                    const char *borrowed value) {
  struct header *found = header_find(h, name);
  if (!found)
    return headers_add(h, name, value);
  size_t n = strlen(found->value), m = strlen(value);
  char *unique longer = realloc(found->value, n + m + 3);
  if (!longer)
    return false;
  memcpy(longer + n, ", ", 2);
  memcpy(longer + n + 2, value, m + 1);
  found->value = longer;
  return true;
}

// right: fills the hole with the last one
bool headers_delete(struct headers *borrowed h, const char *borrowed name) {
  for (size_t i = 0; i < h->count; i++) {
    if (strcasecmp(h->list[i].name, name) != 0)
      continue;
    size_t last = --h->count;
    free(acre_take(&h->list[i].name));
    free(acre_take(&h->list[i].value));
    if (i != last) {
      h->list[i].name = acre_take(&h->list[last].name);
      h->list[i].value = acre_take(&h->list[last].value);
    }
    return true;
  }
  return false;
}

// leak: the old value is overwritten
bool headers_set(struct headers *borrowed h, const char *borrowed name,
                 const char *borrowed value) {
  struct header *found = header_find(h, name);
  if (!found)
    return headers_add(h, name, value);
  found->value = strdup(value);
  return found->value != NULL;
}

// right
int headers_parse(struct headers *borrowed h, const char *borrowed block) {
  char *unique copy = strdup(block);
  int n = 0;
  if (!copy)
    return -1;
  char *rest = copy, *line;
  while ((line = strsep(&rest, "\n"))) {
    line[strcspn(line, "\r")] = '\0';
    if (!*line)
      break;
    char *colon = strchr(line, ':');
    if (!colon) {
      n = -1;
      break;
    }
    *colon++ = '\0';
    colon += strspn(colon, " \t");
    if (!headers_append(h, line, colon)) {
      n = -1;
      break;
    }
    n++;
  }
  free(copy);
  return n;
}

// right: name=value; Domain=...; Max-Age=...
struct cookie *unique cookie_parse(const char *borrowed text, time_t now) {
  struct cookie *unique c = calloc(1, sizeof *c);
  char *unique copy = strdup(text);
  if (!c || !copy)
    goto fail;
  char *save = NULL;
  char *part = strtok_r(copy, ";", &save);
  char *eq = part ? strchr(part, '=') : NULL;
  if (!eq)
    goto fail;
  c->name = strndup(part, (size_t)(eq - part));
  c->value = strdup(eq + 1);
  if (!c->name || !c->value)
    goto fail;
  while ((part = strtok_r(NULL, ";", &save))) {
    while (*part == ' ')
      part++;
    if (strncasecmp(part, "Domain=", 7) == 0)
      free(acre_swap(&c->domain, strdup(part + 7)));
    else if (strncasecmp(part, "Max-Age=", 8) == 0)
      c->expires = now + atol(part + 8);
  }
  free(copy);
  return c;
fail:
  free(copy);
  acre_drop(c);
  return NULL;
}

// right
unsigned jar_expire(struct jar *borrowed j, time_t now) {
  unsigned n = 0;
  struct cookie *unique *p = &j->first;
  while (*p) {
    if ((*p)->expires && (*p)->expires <= now) {
      struct cookie *unique old = acre_swap(p, acre_take(&(*p)->next));
      acre_drop(old);
      n++;
    } else {
      p = &(*p)->next;
    }
  }
  j->changes += n;
  return n;
}

// wrong: the old cookie is freed twice where the names agree
void jar_replace(struct jar *borrowed j, struct cookie *unique fresh) {
  struct cookie *unique *p = &j->first;
  while (*p && strcmp((*p)->name, fresh->name) != 0)
    p = &(*p)->next;
  if (*p) {
    struct cookie *unique old = acre_take(p);
    fresh->next = acre_take(&old->next);
    acre_drop(old);
    if (old->expires)
      j->changes++;
    acre_drop(old);
  }
  *p = fresh;
}

// leak: a cookie that has ended already is forgotten
void jar_add(struct jar *borrowed j, struct cookie *unique c, time_t now) {
  if (c->expires && c->expires < now)
    return;
  c->next = acre_take(&j->first);
  j->first = c;
  j->changes++;
}

// leak: domain is a copy of its own that nobody frees
char *unique jar_line(const struct jar *borrowed j, const char *borrowed host) {
  char *unique line = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&line, &size);
  if (!out)
    return NULL;
  for (const struct cookie *c = j->first; c; c = c->next) {
    char *unique domain = c->domain ? strdup(c->domain) : strdup(host);
    if (domain && strcasecmp(domain, host) == 0)
      fprintf(out, "%s=%s; ", c->name, c->value);
  }
  fclose(out);
  return line;
}

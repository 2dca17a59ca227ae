/* SPDX-License-Identifier: MIT */
/* Packages that need others, makefiles that are scanned, and trees of sorted runs: right, wrong and
 * leaking. */
#include "corpus.h"

// right
struct version {
  unsigned part[3];
  char *unique tag;
};
struct need {
  struct need *unique next;
  char *unique package;
  struct version least;
};
struct package {
  struct package *unique next;
  char *unique name;
  struct version version;
  struct need *unique needs;
  bool chosen;
};
struct plan {
  struct package *steps[64];
  size_t count;
  char *unique why_not;
};
struct index {
  struct package *unique packages;
  char *unique *unique mirrors;
  size_t mirror_count;
};
struct target {
  struct target *unique next;
  char *unique name;
  char *unique *unique sources;
  size_t source_count, source_room;
  char *unique recipe;
  time_t made;
};
struct makefile {
  struct target *unique targets;
  struct define {
    char *unique name, *unique text;
  } *unique defines;
  size_t define_count;
  struct makefile *unique included;
};
struct pair {
  char *unique key;
  uint8_t *unique value;
  size_t size;
};
struct memtable {
  struct pair *unique pairs;
  size_t count, room;
};
struct run {
  struct run *unique older;
  FILE *unique file;
  char *unique path, *unique least, *unique most;
  uint64_t *unique offsets;
  size_t count;
};
struct store {
  struct memtable *unique young, *unique full;
  struct run *unique levels[7];
  FILE *unique journal;
  unsigned serial;
};
struct merger {
  struct run *unique inputs[16];
  struct pair ahead[16];
  unsigned count;
};
bool version_at_least(const struct version *borrowed v, const struct version *borrowed least);
bool read_pair(FILE *borrowed f, char *unique *acre_out key, uint8_t *unique *acre_out value,
               size_t *borrowed size);
bool write_pair(FILE *borrowed f, const struct pair *borrowed p);
time_t changed_at(const char *borrowed path);
int shell(const char *borrowed command);

/* -- Packages -- */

// right
bool version_parse(struct version *acre_out v, const char *text) {
  char *end;
  v->tag = NULL;
  for (int i = 0; i < 3; i++) {
    v->part[i] = (unsigned)strtoul(text, &end, 10);
    if (end == text) return false;
    text = *end == '.' ? end + 1 : end;
  }
  if (*text == '-') v->tag = strdup(text + 1);
  return *text != '-' || v->tag;
}

// right
struct need *unique need_parse(const char *text) {
  const char *at = strchr(text, '@');
  if (!at) return NULL;
  struct need *unique n = calloc(1, sizeof *n);
  if (!n) return NULL;
  n->package = strndup(text, (size_t)(at - text));
  if (n->package && version_parse(&n->least, at + 1)) return n;
  free(acre_take(&n->package));
  free(n);
  return NULL;
}

// leak: the name of the package, where its version is none
struct need *unique need_parse_lost(const char *text) {
  const char *at = strchr(text, '@');
  if (!at) return NULL;
  struct need *unique n = calloc(1, sizeof *n);
  if (!n) return NULL;
  n->package = strndup(text, (size_t)(at - text));
  if (n->package && version_parse(&n->least, at + 1)) return n;
  free(n);
  return NULL;
}

// right
bool package_need(struct package *borrowed p, const char *text) {
  struct need *unique n = need_parse(text);
  if (!n) return false;
  for (struct need *old = p->needs; old; old = old->next) {
    if (strcmp(old->package, n->package) != 0) continue;
    if (version_at_least(&n->least, &old->least)) {
      memcpy(old->least.part, n->least.part, sizeof old->least.part);
      free(acre_swap(&old->least.tag, acre_take(&n->least.tag)));
    }
    acre_drop(n);
    return true;
  }
  struct need *unique *end = &p->needs;
  while (*end) end = &(*end)->next;
  *end = n;
  return true;
}

// wrong: the text of a need that was dropped
bool package_need_twice(struct package *borrowed p, const char *text) {
  struct need *unique n = need_parse(text);
  if (!n) return false;
  for (struct need *old = p->needs; old; old = old->next) {
    if (strcmp(old->package, n->package) != 0) continue;
    acre_drop(n);
  }
  n->next = acre_take(&p->needs);
  p->needs = n;
  return true;
}

// right
static struct package *index_best(const struct index *borrowed x, const struct need *borrowed n) {
  struct package *best = NULL;
  for (struct package *p = x->packages; p; p = p->next) {
    if (strcmp(p->name, n->package) != 0) continue;
    if (!version_at_least(&p->version, &n->least)) continue;
    if (!best || version_at_least(&p->version, &best->version)) best = p;
  }
  return best;
}

// right (known: what hangs on the index is lent beside it)
bool plan_add(struct plan *borrowed plan, const struct index *borrowed x,
              const struct need *borrowed n) {
  const struct package *p = index_best(x, n);
  if (!p) {
    char *unique why = NULL;
    if (asprintf(&why, "nothing provides %s", n->package) < 0) return false;
    free(acre_swap(&plan->why_not, why));
    return false;
  }
  for (const struct need *inner = p->needs; inner; inner = inner->next)
    if (!plan_add(plan, x, inner)) return false;
  if (plan->count == 64) return false;
  plan->steps[plan->count++] = acre_unowned((struct package *)p);
  return true;
}

// leak: the reason that was there
bool plan_fail(struct plan *borrowed plan, const struct need *borrowed n) {
  char *unique why = NULL;
  if (asprintf(&why, "nothing provides %s", n->package) < 0) return false;
  plan->why_not = why;
  return false;
}

// right
struct package *unique index_take(struct index *borrowed x, const char *name) {
  struct package *unique *at = &x->packages;
  for (;;) {
    if (!*at) return NULL;
    if (strcmp((*at)->name, name) == 0) break;
    at = &(*at)->next;
  }
  struct package *unique p = acre_take(at);
  *at = acre_take(&p->next);
  return p;
}

// right
int index_prune(struct index *borrowed x, const char *const *names, size_t count) {
  int gone = 0;
  for (size_t i = 0; i < count; i++) {
    struct package *unique p;
    while ((p = index_take(x, names[i])) != NULL) {
      acre_drop(p);
      gone++;
    }
  }
  return gone;
}

// leak: every package but the first
int index_remove(struct index *borrowed x, const char *name) {
  struct package *unique p = index_take(x, name);
  if (!p) return 0;
  if ((p = index_take(x, name)) != NULL) acre_drop(p);
  return 1;
}

// wrong: the best one is looked at when packages of its name have been pruned
unsigned index_upgrade(struct index *borrowed x, const struct need *borrowed n) {
  const struct package *best = index_best(x, n);
  if (!best) return 0;
  const char *const names[] = {n->package};
  index_prune(x, names, 1);
  return best->version.part[0];
}

// right
bool index_mirror(struct index *borrowed x, const char *url) {
  char *unique *unique more = realloc(x->mirrors, (x->mirror_count + 1) * sizeof *more);
  if (!more) return false;
  x->mirrors = more;
  x->mirrors[x->mirror_count] = NULL;
  char *unique copy = strdup(url);
  if (!copy) return false;
  x->mirrors[x->mirror_count++] = copy;
  return true;
}

// right
void index_shuffle(struct index *borrowed x, unsigned seed) {
  for (size_t i = x->mirror_count; i > 1; i--) {
    seed = seed * 1103515245 + 12345;
    size_t j = seed % i;
    if (j == i - 1) continue;
    char *unique held = acre_take(&x->mirrors[i - 1]);
    x->mirrors[i - 1] = acre_swap(&x->mirrors[j], held);
  }
}

// leak: a mirror that is exchanged with itself (known: nobody knows that both are one)
void index_shuffle_self(struct index *borrowed x, unsigned seed) {
  for (size_t i = x->mirror_count; i > 1; i--) {
    size_t j = seed % i;
    char *unique held = acre_take(&x->mirrors[i - 1]);
    x->mirrors[i - 1] = acre_swap(&x->mirrors[j], held);
  }
}

// right
void index_prefer(struct index *borrowed x, size_t at) {
  if (at == 0 || at >= x->mirror_count) return;
  char *unique chosen = acre_take(&x->mirrors[at]);
  while (at > 0) {
    x->mirrors[at] = acre_take(&x->mirrors[at - 1]);
    at--;
  }
  x->mirrors[0] = chosen;
}

// right
struct package *unique package_parse(FILE *borrowed in) {
  struct package *unique p = calloc(1, sizeof *p);
  char *unique line = NULL;
  size_t room = 0;
  bool good = p != NULL;
  while (good && getline(&line, &room, in) > 1) {
    line[strcspn(line, "\n")] = 0;
    char *value = strstr(line, ": ");
    if (!value) {
      good = false;
      break;
    }
    *value = 0;
    value += 2;
    if (!strcmp(line, "Package")) {
      free(acre_swap(&p->name, strdup(value)));
      good = p->name != NULL;
    } else if (!strcmp(line, "Version")) {
      free(acre_take(&p->version.tag));
      good = version_parse(&p->version, value);
    } else if (!strcmp(line, "Depends")) {
      good = package_need(p, value);
    }
  }
  free(line);
  if (good && p->name) return p;
  acre_drop(p);
  return NULL;
}

// leak: the package, where a line of it is bad
struct package *unique package_parse_strict(FILE *borrowed in) {
  struct package *unique p = calloc(1, sizeof *p);
  char *unique line = NULL;
  size_t room = 0;
  if (!p) return NULL;
  while (getline(&line, &room, in) > 1) {
    if (!strchr(line, ':')) {
      free(line);
      return NULL;
    }
    free(acre_swap(&p->name, strdup(line)));
  }
  free(line);
  return p;
}

/* -- Makefiles -- */

// right
static struct target *makefile_target(struct makefile *borrowed m, const char *name) {
  for (struct makefile *each = m; each; each = each->included)
    for (struct target *t = each->targets; t; t = t->next)
      if (!strcmp(t->name, name)) return t;
  return NULL;
}

// right
bool target_source(struct target *borrowed t, const char *name, size_t length) {
  if (t->source_count == t->source_room) {
    size_t room = t->source_room + 8;
    char *unique *unique more = realloc(t->sources, room * sizeof *more);
    if (!more) return false;
    t->sources = more;
    memset(t->sources + t->source_room, 0, 8 * sizeof *more);
    t->source_room = room;
  }
  char *unique *slot = &t->sources[t->source_count];
  *slot = strndup(name, length);
  if (!*slot) return false;
  t->source_count++;
  return true;
}

// right
bool target_rule(struct makefile *borrowed m, char *text) {
  char *colon = strchr(text, ':');
  if (!colon) return false;
  *colon++ = '\0';
  struct target *unique t = calloc(1, sizeof *t);
  if (!t || !(t->name = strdup(text))) goto fail;
  while (*(colon += strspn(colon, " \t"))) {
    size_t length = strcspn(colon, " \t");
    if (!target_source(t, colon, length)) goto fail;
    colon += length;
  }
  t->next = acre_take(&m->targets);
  m->targets = t;
  return true;
fail:
  if (t) {
    for (size_t i = 0; i < t->source_count; i++) free(acre_take(&t->sources[i]));
    free(acre_take(&t->sources));
    free(acre_take(&t->name));
    free(t);
  }
  return false;
}

// leak: the target, where one of its sources cannot be copied
bool target_rule_lost(struct makefile *borrowed m, const char *name, const char *source) {
  struct target *unique t = calloc(1, sizeof *t);
  if (!t || !(t->name = strdup(name))) {
    free(t);
    return false;
  }
  if (!target_source(t, source, strlen(source))) return false;
  t->next = acre_take(&m->targets);
  m->targets = t;
  return true;
}

// right
char *unique makefile_expand(const struct makefile *borrowed m, const char *text) {
  char *unique out = NULL;
  size_t size = 0;
  FILE *unique to = open_memstream(&out, &size);
  if (!to) return NULL;
  while (*text) {
    const char *end = text[0] == '$' && text[1] == '(' ? strchr(text, ')') : NULL;
    if (!end) {
      fputc(*text++, to);
      continue;
    }
    size_t length = (size_t)(end - text) - 2;
    for (size_t i = 0; i < m->define_count; i++) {
      const struct define *d = &m->defines[i];
      if (strlen(d->name) != length || strncmp(d->name, text + 2, length) != 0) continue;
      char *unique inner = makefile_expand(m, d->text);
      if (inner) fputs(inner, to);
      free(inner);
      break;
    }
    text = end + 1;
  }
  if (fclose(to) != 0) {
    free(out);
    return NULL;
  }
  return out;
}

// right
bool makefile_define(struct makefile *borrowed m, const char *name, const char *text) {
  for (size_t i = 0; i < m->define_count; i++) {
    struct define *d = m->defines + i;
    if (strcmp(d->name, name)) continue;
    char *unique copy = strdup(text);
    if (!copy) return false;
    free(acre_swap(&d->text, copy));
    return true;
  }
  struct define *unique more = realloc(m->defines, (m->define_count + 1) * sizeof *more);
  if (!more) return false;
  m->defines = more;
  struct define *d = &m->defines[m->define_count];
  d->name = strdup(name);
  d->text = strdup(text);
  if (!d->name || !d->text) {
    free(acre_take(&d->name));
    free(acre_take(&d->text));
    return false;
  }
  m->define_count++;
  return true;
}

// leak: the text that was defined before
bool makefile_redefine(struct makefile *borrowed m, const char *name, const char *text) {
  for (size_t i = 0; i < m->define_count; i++) {
    struct define *d = m->defines + i;
    if (strcmp(d->name, name)) continue;
    d->text = strdup(text);
    return d->text != NULL;
  }
  return false;
}

// wrong: a definition that has moved when there is one more
const char *borrowed makefile_default(struct makefile *borrowed m, const char *name) {
  const struct define *d = NULL;
  for (size_t i = 0; i < m->define_count && !d; i++)
    if (!strcmp(m->defines[i].name, name)) d = &m->defines[i];
  if (!makefile_define(m, "MAKE", "make") || !d) return "";
  return d->text;
}

// right
time_t target_update(struct makefile *borrowed m, const char *name) {
  struct target *t = makefile_target(m, name);
  if (!t) return changed_at(name);
  if (t->made) return t->made;
  time_t newest = 0;
  for (size_t i = 0; i < t->source_count; i++) {
    time_t when = target_update(m, t->sources[i]);
    if (when > newest) newest = when;
  }
  t->made = changed_at(t->name);
  if (t->made < newest && t->recipe) {
    char *unique command = makefile_expand(m, t->recipe);
    if (command && shell(command) == 0) t->made = time(NULL);
    free(command);
  }
  return t->made;
}

// right
void makefile_free(struct makefile *unique m) {
  while (m) {
    struct makefile *unique inner = acre_take(&m->included);
    while (m->targets) {
      struct target *unique t = acre_take(&m->targets);
      m->targets = acre_take(&t->next);
      while (t->source_count) free(acre_take(&t->sources[--t->source_count]));
      acre_drop(t);
    }
    for (size_t i = 0; i < m->define_count; i++) {
      free(acre_take(&m->defines[i].name));
      free(acre_take(&m->defines[i].text));
    }
    free(acre_take(&m->defines));
    free(m);
    m = inner;
  }
}

// wrong: the makefile that is included is freed with the outer one, and again
void makefile_free_both(struct makefile *unique m) {
  struct makefile *inner = m->included;
  makefile_free(m);
  makefile_free((struct makefile *unique)inner);
}

// right
bool makefile_include(struct makefile *borrowed m, struct makefile *unique inner) {
  struct makefile *unique *end = &m->included;
  int depth = 0;
  while (*end && depth++ < 10) end = &(*end)->included;
  if (*end) {
    makefile_free(inner);
    return false;
  }
  *end = inner;
  return true;
}

/* -- Sorted runs -- */

// right
static size_t memtable_at(const struct memtable *borrowed t, const char *key) {
  size_t low = 0, high = t->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(t->pairs[middle].key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

// right
bool memtable_put(struct memtable *borrowed t, const char *key, uint8_t *unique value,
                  size_t size) {
  size_t at = memtable_at(t, key);
  if (at < t->count && strcmp(t->pairs[at].key, key) == 0) {
    free(acre_swap(&t->pairs[at].value, value));
    t->pairs[at].size = size;
    return true;
  }
  char *unique copy = strdup(key);
  if (!copy) goto fail;
  if (t->count == t->room) {
    size_t room = t->room ? t->room * 2 : 16;
    struct pair *unique more = realloc(t->pairs, room * sizeof *more);
    if (!more) goto fail;
    memset(more + t->room, 0, (room - t->room) * sizeof *more);
    t->pairs = more;
    t->room = room;
  }
  for (size_t i = t->count; i > at; i--) {
    struct pair *to = &t->pairs[i], *from = &t->pairs[i - 1];
    to->key = acre_take(&from->key);
    to->value = acre_take(&from->value);
    to->size = from->size;
  }
  t->pairs[at].key = copy;
  t->pairs[at].value = value;
  t->pairs[at].size = size;
  t->count++;
  return true;
fail:
  free(copy);
  free(value);
  return false;
}

// leak: the value, where there is no room
bool memtable_add(struct memtable *borrowed t, char *unique key, uint8_t *unique value) {
  if (t->count == t->room) {
    free(key);
    return false;
  }
  t->pairs[t->count].key = key;
  t->pairs[t->count].value = value;
  t->count++;
  return true;
}

// right
const uint8_t *borrowed memtable_get(const struct memtable *borrowed t, const char *key,
                                     size_t *size) {
  size_t at = memtable_at(t, key);
  if (at == t->count || strcmp(t->pairs[at].key, key)) return NULL;
  *size = t->pairs[at].size;
  return t->pairs[at].value;
}

// wrong: the value is compared when it has been replaced
bool memtable_set(struct memtable *borrowed t, const char *key, uint8_t *unique value,
                  size_t size) {
  size_t before = 0;
  const uint8_t *old = memtable_get(t, key, &before);
  if (!memtable_put(t, key, value, size)) return false;
  return !old || before != size || old[0] == 0;
}

// right
void memtable_free(struct memtable *unique t) {
  if (!t) return;
  for (struct pair *p = t->pairs; p < t->pairs + t->count; p++) {
    free(acre_take(&p->key));
    free(acre_take(&p->value));
  }
  free(acre_take(&t->pairs));
  free(t);
}

// right
struct run *unique run_write(const struct memtable *borrowed t, const char *path) {
  struct run *unique r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->path = strdup(path);
  r->file = fopen(path, "w+");
  r->offsets = calloc(t->count + 1, sizeof *r->offsets);
  if (!r->path || !r->file || !r->offsets) goto fail;
  for (; r->count < t->count; r->count++) {
    r->offsets[r->count] = (uint64_t)ftell(r->file);
    if (!write_pair(r->file, &t->pairs[r->count])) goto fail;
  }
  if (t->count > 0) {
    r->least = strdup(t->pairs[0].key);
    r->most = strdup(t->pairs[t->count - 1].key);
    if (!r->least || !r->most) goto fail;
  }
  return r;
fail:
  if (r->file) {
    fclose(acre_take(&r->file));
    unlink(path);
  }
  acre_drop(r);
  return NULL;
}

// leak: the file, where the run has no path
struct run *unique run_open(const char *path) {
  struct run *unique r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->file = fopen(path, "r");
  r->path = strdup(path);
  if (!r->file || !r->path) {
    free(acre_take(&r->path));
    free(r);
    return NULL;
  }
  return r;
}

// right
void run_close(struct run *unique r) {
  while (r) {
    struct run *unique older = acre_take(&r->older);
    if (r->file) fclose(acre_take(&r->file));
    acre_drop(r);
    r = older;
  }
}

// right
uint8_t *unique run_find(struct run *borrowed r, const char *key, size_t *size) {
  for (; r; r = r->older) {
    if (r->least && (strcmp(key, r->least) < 0 || strcmp(key, r->most) > 0)) continue;
    rewind(r->file);
    char *unique found = NULL;
    uint8_t *unique value = NULL;
    while (read_pair(r->file, &found, &value, size)) {
      bool same = found && strcmp(found, key) == 0;
      free(acre_take(&found));
      if (same) return value;
      free(acre_take(&value));
    }
  }
  return NULL;
}

// leak: the key of the pair that is found
uint8_t *unique run_find_lost(struct run *borrowed r, const char *key, size_t *size) {
  char *unique found = NULL;
  uint8_t *unique value = NULL;
  rewind(r->file);
  while (read_pair(r->file, &found, &value, size)) {
    if (strcmp(found, key) == 0) return value;
    free(acre_take(&found));
    free(acre_take(&value));
  }
  return NULL;
}

// right
bool store_rotate(struct store *borrowed s, const char *folder) {
  if (s->full) {
    char *unique path = NULL;
    if (asprintf(&path, "%s/%u", folder, s->serial) < 0) return false;
    struct run *unique r = run_write(s->full, path);
    free(path);
    if (!r) return false;
    s->serial++;
    r->older = acre_take(&s->levels[0]);
    s->levels[0] = r;
    memtable_free(acre_take(&s->full));
  }
  s->full = acre_take(&s->young);
  s->young = calloc(1, sizeof *s->young);
  return s->young != NULL;
}

// wrong: the table has been freed when its run is written
struct run *unique store_spill(struct store *borrowed s, const char *path) {
  struct memtable *unique t = acre_take(&s->full);
  if (!t) return NULL;
  memtable_free(t);
  return run_write(t, path);
}

// right
void store_sink(struct store *borrowed s, unsigned level) {
  if (level + 1 >= 7 || !s->levels[level]) return;
  struct run *unique *end = &s->levels[level + 1];
  while (*end) end = &(*end)->older;
  *end = acre_take(&s->levels[level]);
}

// leak: what the lower level had
void store_sink_lost(struct store *borrowed s) {
  if (!s->levels[0]) return;
  s->levels[1] = acre_take(&s->levels[0]);
}

// right
bool merger_next(struct merger *borrowed m, struct pair *acre_out out) {
  unsigned best = m->count;
  for (unsigned i = 0; i < m->count; i++) {
    if (!m->ahead[i].key) continue;
    if (best == m->count || strcmp(m->ahead[i].key, m->ahead[best].key) < 0) best = i;
  }
  if (best == m->count) return false;
  out->key = acre_take(&m->ahead[best].key);
  out->value = acre_take(&m->ahead[best].value);
  out->size = m->ahead[best].size;
  return true;
}

// right
size_t merger_write(struct merger *borrowed m, FILE *borrowed out) {
  struct pair p = {0};
  size_t written = 0;
  while (merger_next(m, &p)) {
    if (write_pair(out, &p)) written++;
    free(acre_take(&p.key));
    free(acre_take(&p.value));
  }
  return written;
}

// leak: the pair that cannot be written
size_t merger_write_all(struct merger *borrowed m, FILE *borrowed out) {
  struct pair p = {0};
  size_t written = 0;
  while (merger_next(m, &p)) {
    if (!write_pair(out, &p)) return written;
    written++;
    free(acre_take(&p.key));
    free(acre_take(&p.value));
  }
  return written;
}

// wrong: the key of a pair that the next step has replaced
size_t merger_unique(struct merger *borrowed m) {
  size_t count = 0;
  struct pair p = {0};
  const char *last = "";
  while (merger_next(m, &p)) {
    count += strcmp(last, p.key) != 0;
    last = p.key;
    free(acre_take(&p.key));
    free(acre_take(&p.value));
  }
  return count;
}

// right
void merger_end(struct merger *borrowed m) {
  for (unsigned i = m->count; i-- > 0;) {
    run_close(acre_take(&m->inputs[i]));
    free(acre_take(&m->ahead[i].key));
    free(acre_take(&m->ahead[i].value));
  }
  m->count = 0;
}

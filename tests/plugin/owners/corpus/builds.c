/* SPDX-License-Identifier: MIT */
/* Dependency graphs, settings that are reloaded, transactions, statements of SQL, cursors of a
 * database, regular expressions that are compiled, dictionaries: right, wrong and leaking. */
#include "corpus.h"

// right (known: a leaking case drops a target with its commands)
struct target {
  struct target *unique chain;
  char *unique name;
  char *unique *unique commands;
  size_t command_count;
  struct dependency *unique needs;
  time_t made;
  int state;
};
struct dependency {
  struct dependency *unique next;
  struct target *on;
  char *unique name;
};
struct graph {
  struct target *unique buckets[32];
  char *unique error;
};
struct settings {
  char *unique address, *unique root;
  int port;
  struct limit *unique limits;
};
struct limit {
  struct limit *unique next;
  char *unique key;
  long value;
};
struct daemon {
  struct settings *unique settings;
  struct settings *unique pending;
  char *unique path;
  FILE *unique log;
};
struct change {
  struct change *unique next;
  char *unique key, *unique before, *unique after;
};
struct transaction {
  struct change *unique changes;
  struct change *unique *end;
  bool failed;
};
struct table {
  char *unique keys[16], *unique values[16];
};
struct expression {
  int op;
  char *unique name;
  struct expression *unique left, *unique right;
  struct expressions *unique arguments;
};
struct expressions {
  size_t count;
  struct expression *unique *unique items;
};
struct select {
  struct expressions *unique columns;
  char *unique from;
  struct expression *unique where;
  struct select *unique prior;
};
struct page {
  uint8_t *unique bytes;
  unsigned number;
};
struct cursor {
  struct page *unique path[8];
  int depth;
  char *unique key;
  size_t at;
};
struct fragment {
  struct state *unique start;
  int dangling;
};
struct state {
  int symbol;
  struct state *unique out, *unique other;
};
struct trie {
  struct trie *unique children[26];
  char *unique word;
  unsigned count;
};
void expression_free(struct expression *unique e);
void select_free(struct select *unique s);
void settings_free(struct settings *unique s);
void page_free(struct page *unique p);
struct page *unique page_read(int fd, unsigned number);
unsigned child_of(const struct page *borrowed p, const char *borrowed key);
time_t stamp(const char *borrowed path);
int apply(struct settings *borrowed s);
bool trie_empty(const struct trie *borrowed t);
void trie_free(struct trie *unique t);

// right
struct target *borrowed graph_target(struct graph *borrowed g,
                                     const char *name __attribute__((noescape))) {
  struct target *unique *at = &g->buckets[(unsigned char)*name % 32];
  for (; *at; at = &(*at)->chain)
    if (!strcmp((*at)->name, name)) return *at;
  struct target *unique t = calloc(1, sizeof *t);
  if (!t) return NULL;
  if (!(t->name = strdup(name))) {
    free(t);
    return NULL;
  }
  t->made = stamp(name);
  *at = t;
  return *at;
}

// right
bool target_needs(struct target *borrowed t, struct target *other) {
  for (const struct dependency *d = t->needs; d; d = d->next)
    if (d->on == other) return true;
  return false;
}

// right
int target_depend(struct target *borrowed t, const char *name) {
  struct dependency *unique d = calloc(1, sizeof *d);
  char *unique copy = strdup(name);
  if (!d || !copy) {
    free(copy);
    free(d);
    return -1;
  }
  d->name = copy;
  struct dependency *unique *last = &t->needs;
  while (*last) last = &(*last)->next;
  *last = d;
  return 0;
}

// leak: the node, where the name cannot be copied
int target_depend_first(struct target *borrowed t, const char *name) {
  struct dependency *unique d = calloc(1, sizeof *d);
  if (!d) return -1;
  d->name = strdup(name);
  if (!d->name) return -1;
  d->next = acre_take(&t->needs);
  t->needs = d;
  return 0;
}

// right
int target_command(struct target *borrowed t, char *unique line) {
  size_t size = (t->command_count + 1) * sizeof *t->commands;
  char *unique *unique all = realloc(acre_take(&t->commands), size);
  if (!all) abort();
  memset(&all[t->command_count], 0, sizeof all[0]);
  all[t->command_count++] = line;
  t->commands = all;
  return 0;
}

// right
static bool sort_from(struct graph *borrowed g, struct target *borrowed t, FILE *borrowed out) {
  if (t->state == 2) return true;
  if (t->state == 1) {
    if (!g->error && asprintf(&g->error, "cycle at %s", t->name) < 0) g->error = NULL;
    return false;
  }
  t->state = 1;
  for (const struct dependency *d = t->needs; d; d = d->next) fprintf(out, "%s ", d->name);
  t->state = 2;
  return true;
}

// right
char *unique graph_order(struct graph *borrowed g) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (int i = 0; i < 32; i++) {
    for (const struct target *t = g->buckets[i]; t; t = t->chain)
      fprintf(out, "%s %ld\n", t->name, (long)t->made);
  }
  if (fclose(out) != 0) {
    free(text);
    return NULL;
  }
  return text;
}

// wrong: the text is read before its stream is closed
size_t graph_order_length(const struct graph *borrowed g) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out) return 0;
  for (const struct target *t = g->buckets[0]; t; t = t->chain) fprintf(out, "%s\n", t->name);
  size_t length = strlen(text);
  fclose(out);
  free(text);
  return length;
}

// right
void graph_prune(struct graph *borrowed g, time_t before) {
  for (size_t i = 0; i < sizeof g->buckets / sizeof g->buckets[0]; i++) {
    struct target *unique kept = NULL;
    while (g->buckets[i]) {
      struct target *unique t = acre_take(&g->buckets[i]);
      g->buckets[i] = acre_take(&t->chain);
      if (t->made < before) {
        for (size_t c = 0; c < t->command_count; c++) free(acre_take(&t->commands[c]));
        acre_drop(t);
      } else {
        t->chain = acre_take(&kept);
        kept = t;
      }
    }
    g->buckets[i] = kept;
  }
}

// leak: targets that are kept in no bucket
void graph_prune_lost(struct graph *borrowed g, time_t before) {
  for (int i = 0; i < 32; i++) {
    struct target *unique t = acre_take(&g->buckets[i]);
    while (t) {
      struct target *unique next = acre_take(&t->chain);
      if (t->made < before) acre_drop(t);
      t = next;
    }
  }
}

// right
struct settings *unique settings_read(const char *path) {
  FILE *unique in = fopen(path, "r");
  if (!in) return NULL;
  struct settings *unique s = calloc(1, sizeof *s);
  char *unique line = NULL;
  size_t room = 0;
  int number = 0;
  while (s && getline(&line, &room, in) != -1) {
    number++;
    char *key = line + strspn(line, " \t");
    if (*key == '#' || *key == '\n') continue;
    char *value = key + strcspn(key, " \t=");
    if (!*value) goto bad;
    *value++ = '\0';
    value[strcspn(value, "\n")] = '\0';
    if (strcmp(key, "address") == 0) {
      free(acre_swap(&s->address, strdup(value)));
    } else if (strcmp(key, "root") == 0) {
      char *unique real = realpath(value, NULL);
      if (!real) goto bad;
      free(acre_swap(&s->root, real));
    } else if (strcmp(key, "port") == 0) {
      s->port = atoi(value);
    } else {
      struct limit *unique l = calloc(1, sizeof *l);
      if (!l) goto bad;
      l->key = strdup(key);
      l->value = strtol(value, NULL, 10);
      l->next = acre_take(&s->limits);
      s->limits = l;
    }
  }
  free(line);
  fclose(in);
  return s;
bad:
  note(number);
  free(line);
  settings_free(s);
  fclose(in);
  return NULL;
}

// right
int daemon_reload(struct daemon *borrowed d) {
  struct settings *unique fresh = settings_read(d->path);
  if (!fresh) return -1;
  struct settings *unique old = acre_swap(&d->settings, fresh);
  if (apply(d->settings) < 0) {
    settings_free(acre_swap(&d->settings, old));
    return -1;
  }
  if (old) settings_free(old);
  return 0;
}

// leak: the settings before, where the new ones hold
int daemon_reload_new(struct daemon *borrowed d) {
  struct settings *unique old = acre_take(&d->settings);
  d->settings = settings_read(d->path);
  if (!d->settings) {
    d->settings = old;
    return -1;
  }
  return apply(d->settings);
}

// wrong: the address is compared after its settings were freed
bool daemon_moved(struct daemon *borrowed d) {
  const char *before = d->settings->address;
  struct settings *unique fresh = settings_read(d->path);
  if (!fresh) return false;
  settings_free(acre_swap(&d->settings, fresh));
  return strcmp(before, d->settings->address) != 0;
}

// right
int daemon_prepare(struct daemon *borrowed d) {
  struct settings *unique fresh = settings_read(d->path);
  if (!fresh) return -1;
  if (d->pending) settings_free(acre_take(&d->pending));
  d->pending = fresh;
  return 0;
}
int daemon_commit(struct daemon *borrowed d) {
  if (!d->pending) return -1;
  settings_free(acre_swap(&d->settings, acre_take(&d->pending)));
  return 0;
}

// leak: what was prepared before
int daemon_prepare_over(struct daemon *borrowed d) {
  struct settings *unique fresh = settings_read(d->path);
  if (!fresh) return -1;
  d->pending = fresh;
  return 0;
}

// right
int transaction_set(struct transaction *borrowed t, struct table *borrowed to, int slot,
                    const char *value) {
  struct change *unique c = calloc(1, sizeof *c);
  if (!c) return -1;
  c->after = strdup(value);
  if (!c->after) {
    free(c);
    return -1;
  }
  if (to->values[slot]) {
    c->before = strdup(to->values[slot]);
    if (!c->before) {
      acre_drop(c);
      return -1;
    }
  }
  c->next = acre_take(&t->changes);
  t->changes = c;
  return 0;
}

// right
void transaction_commit(struct transaction *borrowed t, struct table *borrowed to) {
  struct change *unique all = acre_take(&t->changes);
  while (all) {
    struct change *unique c = all;
    all = acre_take(&c->next);
    for (int i = 0; i < 16; i++) {
      if (!to->keys[i] || !c->key || strcmp(to->keys[i], c->key) != 0) continue;
      free(acre_swap(&to->values[i], acre_take(&c->after)));
      break;
    }
    free(acre_take(&c->key));
    free(acre_take(&c->before));
    free(acre_take(&c->after));
    free(c);
  }
}

// wrong: the change is on the list that was dropped
const char *borrowed transaction_last(struct transaction *borrowed t) {
  const struct change *c = t->changes;
  if (!c) return "";
  acre_drop(acre_take(&t->changes));
  return c->key ? c->key : "";
}

// right
void transaction_abort(struct transaction *unique t) {
  if (!t) return;
  while (t->changes) {
    struct change *unique c = acre_take(&t->changes);
    t->changes = acre_take(&c->next);
    acre_drop(c);
  }
  free(t);
}

// leak: what was there before
void table_replace(struct table *borrowed t, int slot, const char *value) {
  char *unique old = acre_take(&t->values[slot]);
  t->values[slot] = strdup(value);
  if (!t->values[slot]) t->values[slot] = old;
}

// right
void table_replace_or_keep(struct table *borrowed t, int slot, const char *value) {
  char *unique old = acre_take(&t->values[slot]);
  t->values[slot] = strdup(value);
  if (!t->values[slot])
    t->values[slot] = old;
  else
    free(old);
}

// right
struct expression *unique expression_new(int op, struct expression *unique left,
                                         struct expression *unique right) {
  struct expression *unique e = calloc(1, sizeof *e);
  if (e) {
    e->op = op;
    e->left = left;
    e->right = right;
  } else {
    expression_free(left);
    expression_free(right);
  }
  return e;
}

// right
struct expressions *unique expressions_append(struct expressions *unique list,
                                              struct expression *unique e) {
  if (!list) {
    list = calloc(1, sizeof *list);
    if (!list) goto no_memory;
  }
  if ((list->count & (list->count - 1)) == 0) {
    size_t room = list->count ? list->count * 2 : 1;
    struct expression *unique *unique items = realloc(list->items, room * sizeof *items);
    if (!items) goto no_memory;
    list->items = items;
    memset(list->items + list->count, 0, (room - list->count) * sizeof *items);
  }
  list->items[list->count++] = e;
  return list;
no_memory:
  expression_free(e);
  if (list) {
    for (size_t i = 0; i < list->count; i++) expression_free(acre_take(&list->items[i]));
    free(acre_take(&list->items));
    free(list);
  }
  return NULL;
}

// leak: the expression, where the list cannot grow
struct expressions *unique expressions_push(struct expressions *unique list,
                                            struct expression *unique e) {
  struct expression *unique *unique items =
      realloc(list->items, (list->count + 1) * sizeof *items);
  if (!items) return list;
  list->items = items;
  memset(&list->items[list->count], 0, sizeof list->items[0]);
  list->items[list->count++] = e;
  return list;
}

// right
struct expression *unique expression_fold(struct expression *unique e) {
  if (!e) return NULL;
  e->left = expression_fold(acre_take(&e->left));
  e->right = expression_fold(acre_take(&e->right));
  if (e->op == '!' && e->left && e->left->op == '!') {
    struct expression *unique inner = acre_take(&e->left->left);
    expression_free(e);
    return inner;
  }
  return e;
}

// wrong: the left side is used after the whole was freed
int expression_fold_op(struct expression *unique e) {
  struct expression *left = e->left;
  expression_free(e);
  return left ? left->op : 0;
}

// right
struct expression *unique expression_dup(const struct expression *borrowed e) {
  struct expression *unique d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->op = e->op;
  if (e->name && !(d->name = strdup(e->name))) goto fail;
  if (e->left && !(d->left = expression_dup(e->left))) goto fail;
  if (e->right && !(d->right = expression_dup(e->right))) goto fail;
  return d;
fail:
  expression_free(d);
  return NULL;
}

// right
struct select *unique select_new(struct expressions *unique columns, const char *from,
                                 struct expression *unique where) {
  struct select standing = {.columns = columns, .from = strdup(from), .where = where};
  struct select *unique s = calloc(1, sizeof *s);
  if (!s) {
    free(acre_take(&standing.from));
    expression_free(acre_take(&standing.where));
    acre_drop(acre_take(&standing.columns));
    return NULL;
  }
  s->columns = acre_take(&standing.columns);
  s->from = acre_take(&standing.from);
  s->where = acre_take(&standing.where);
  return s;
}

// leak: the name of the table
struct select *unique select_new_plain(struct expressions *unique columns, const char *from) {
  struct select standing = {.columns = columns, .from = strdup(from)};
  struct select *unique s = calloc(1, sizeof *s);
  if (!s) {
    acre_drop(acre_take(&standing.columns));
    return NULL;
  }
  s->columns = acre_take(&standing.columns);
  s->from = acre_take(&standing.from);
  return s;
}

// right
void select_push_down(struct select *borrowed s) {
  if (!s->prior || !s->where) return;
  struct expression *unique where = acre_take(&s->where);
  if (s->prior->where)
    s->prior->where = expression_new('&', acre_take(&s->prior->where), where);
  else
    s->prior->where = where;
}

// right
int cursor_seek(struct cursor *borrowed c, int fd, const char *key) {
  while (c->depth > 0) page_free(acre_take(&c->path[--c->depth]));
  unsigned number = 1;
  do {
    struct page *unique p = page_read(fd, number);
    if (!p) return -1;
    number = child_of(p, key);
    c->path[c->depth++] = p;
  } while (number && c->depth < 8);
  free(acre_swap(&c->key, strdup(key)));
  return c->key ? 0 : -1;
}

// right
static struct cursor cursor_first(int fd) {
  struct cursor c = {0};
  c.path[0] = page_read(fd, 1);
  if (c.path[0]) c.depth = 1;
  return c;
}
int cursor_count(int fd) {
  struct cursor c = cursor_first(fd);
  int number = c.path[0] ? (int)c.path[0]->number : -1;
  if (c.path[0]) page_free(acre_take(&c.path[0]));
  return number;
}

// wrong: the bytes belong to a page that the cursor has freed
int cursor_up(struct cursor *borrowed c) {
  if (c->depth < 1) return -1;
  const uint8_t *bytes = c->path[c->depth - 1]->bytes;
  page_free(acre_take(&c->path[--c->depth]));
  return bytes[0];
}

// leak: the page that was below
int cursor_replace(struct cursor *borrowed c, int fd, unsigned number) {
  struct page *unique p = page_read(fd, number);
  if (!p) return -1;
  c->path[c->depth - 1] = p;
  return 0;
}

// right
static struct state *unique state_new(int symbol, struct state *unique out,
                                      struct state *unique other) {
  struct state *unique s = calloc(1, sizeof *s);
  if (!s) {
    acre_drop(out);
    acre_drop(other);
    return NULL;
  }
  s->symbol = symbol;
  s->out = out;
  s->other = other;
  return s;
}
static struct fragment fragment_either(struct fragment a, struct fragment b) {
  struct fragment both = {.dangling = a.dangling + b.dangling};
  both.start = state_new(256, acre_take(&a.start), acre_take(&b.start));
  return both;
}

// right
struct state *unique compile(const char *pattern) {
  struct fragment stack[32] = {{0}};
  int depth = 0;
  bool good = true;
  for (; *pattern && good; pattern++) {
    if (*pattern == '|') {
      if (depth < 2) {
        good = false;
        break;
      }
      struct state *unique b = acre_take(&stack[--depth].start);
      struct state *unique a = acre_take(&stack[depth - 1].start);
      stack[depth - 1].start = state_new(256, a, b);
    } else if (depth < 32) {
      stack[depth++].start = state_new(*pattern, NULL, NULL);
    } else {
      good = false;
    }
  }
  struct state *unique all = good && depth == 1 ? acre_take(&stack[0].start) : NULL;
  while (depth > 0) acre_drop(acre_take(&stack[--depth].start));
  return all;
}

// right
static void append_state(struct state *borrowed first, struct state *unique last) {
  struct state *unique *at = &first->out;
  while (*at) at = &(*at)->out;
  *at = last;
}

// right
bool trie_add(struct trie *borrowed t, const char *word) {
  const char *whole = word;
  for (; *word; word++) {
    if (!islower((unsigned char)*word)) return false;
    struct trie *unique *child = &t->children[*word - 'a'];
    if (!*child) {
      *child = calloc(1, sizeof **child);
      if (!*child) return false;
    }
    t = *child;
  }
  if (!t->word) t->word = strdup(whole);
  t->count++;
  return t->word != NULL;
}

// leak: the word that is there
bool trie_set(struct trie *borrowed t, const char *word) {
  for (const char *c = word; *c; c++) {
    t = t->children[*c - 'a'];
    if (!t) return false;
  }
  t->word = strdup(word);
  return true;
}

// right
bool trie_remove(struct trie *borrowed t, const char *word) {
  if (!*word) {
    if (!t->word) return false;
    free(acre_take(&t->word));
    t->count = 0;
    return true;
  }
  struct trie *unique *child = &t->children[*word - 'a'];
  if (!*child || !trie_remove(*child, word + 1)) return false;
  if (trie_empty(*child)) trie_free(acre_take(child));
  return true;
}

// wrong: the child is asked after it was freed
bool trie_remove_count(struct trie *borrowed t, int letter) {
  struct trie *child = t->children[letter];
  if (!child) return false;
  if (trie_empty(child)) trie_free(acre_take(&t->children[letter]));
  return child->count > 0;
}

// right
size_t trie_suggest(const struct trie *borrowed t, char *unique *unique *acre_out words) {
  size_t count = 0;
  char *unique *unique list = calloc(26, sizeof *list);
  *words = NULL;
  if (!list) return 0;
  for (int i = 0; i < 26; i++) {
    const struct trie *child = t->children[i];
    if (!child || !child->word) continue;
    list[count] = strdup(child->word);
    if (list[count]) count++;
  }
  *words = list;
  return count;
}

// leak: words of the list, where one cannot be copied
char *unique *unique trie_words(const struct trie *borrowed t) {
  size_t count = 0;
  char *unique *unique list = calloc(26, sizeof *list);
  if (!list) return NULL;
  for (int i = 0; i < 26; i++) {
    if (!t->children[i] || !t->children[i]->word) continue;
    char *unique word = strdup(t->children[i]->word);
    if (!word) {
      free(list);
      return NULL;
    }
    list[count++] = word;
  }
  return list;
}

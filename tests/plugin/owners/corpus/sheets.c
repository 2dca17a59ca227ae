/* SPDX-License-Identifier: MIT */
/* Cells that depend on others, dictionaries, resources of X and differences of files: right, wrong
 * and leaking. */
#include "corpus.h"

// right
struct node {
  int op;
  struct node *unique left, *unique right;
  char *unique name;
  double number;
};
struct watcher {
  struct watcher *unique next;
  struct cell *cell;
};
struct cell {
  struct cell *unique next;
  char *unique name;
  struct node *unique formula;
  struct watcher *unique watchers;
  char *unique shown;
  double value;
  int mark;
};
struct grid {
  struct cell *unique cells;
  struct cell *unique *unique dirty;
  size_t dirty_count;
  char *unique error;
};
struct letter {
  struct letter *unique child[26];
  char *unique word;
  unsigned uses;
};
struct guess {
  char *unique word;
  int distance;
};
struct guesses {
  struct guess at[8];
  size_t count;
};
struct speller {
  struct letter *unique words;
  struct letter *unique own_words;
  char *unique path;
  bool changed;
};
struct resource {
  struct resource *unique sibling, *unique inner;
  char *unique part;
  char *unique value;
  bool loose;
};
struct resources {
  struct resource top;
  unsigned errors;
};
struct text {
  char *unique *unique lines;
  size_t count, room;
};
struct change {
  struct change *unique next;
  size_t at, removed;
  char *unique *unique added;
  size_t added_count;
};
struct script {
  struct change *unique first, *unique *end;
  struct text old, fresh;
};
double call_of(const struct grid *borrowed g, const char *borrowed name, double x, double y);
struct node *unique parse_formula(const char *borrowed text, char *unique *borrowed error);
int distance(const char *borrowed a, const char *borrowed b);
size_t common(const struct text *borrowed a, size_t i, const struct text *borrowed b, size_t j);

/* -- Cells -- */

// right
struct cell *borrowed grid_cell(struct grid *borrowed g, const char *name) {
  struct cell *unique *at = &g->cells;
  while (*at) {
    if (strcmp((*at)->name, name) == 0) return *at;
    at = &(*at)->next;
  }
  struct cell *unique c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->name = strdup(name);
  if (!c->name) {
    free(c);
    return NULL;
  }
  *at = c;
  return *at;
}

// right
double grid_evaluate(const struct grid *borrowed g, const struct node *borrowed n) {
  if (!n) return 0;
  switch (n->op) {
  case '#': return n->number;
  case '$':
    for (const struct cell *c = g->cells; c; c = c->next)
      if (strcmp(c->name, n->name) == 0) return c->value;
    return 0;
  case '+': return grid_evaluate(g, n->left) + grid_evaluate(g, n->right);
  case '*': return grid_evaluate(g, n->left) * grid_evaluate(g, n->right);
  default: return call_of(g, n->name, grid_evaluate(g, n->left), grid_evaluate(g, n->right));
  }
}

// right
bool grid_set(struct grid *borrowed g, const char *name, const char *text) {
  char *unique error = NULL;
  struct node *unique formula = parse_formula(text, &error);
  if (!formula) {
    free(acre_swap(&g->error, error));
    return false;
  }
  free(error);
  struct cell *c = grid_cell(g, name);
  if (!c) {
    acre_drop(formula);
    return false;
  }
  acre_drop(acre_swap(&c->formula, formula));
  return true;
}

// leak: the message that the parser gives, where there is no formula
bool grid_check(const char *text) {
  char *unique error = NULL;
  struct node *unique formula = parse_formula(text, &error);
  if (!formula) return false;
  acre_drop(formula);
  free(error);
  return true;
}

// right (known: a function that was not seen is lent the grid)
void grid_update(struct grid *borrowed g) {
  for (struct cell *c = g->cells; c; c = c->next) {
    if (!c->formula) continue;
    double value = grid_evaluate(g, c->formula);
    if (value == c->value && c->shown) continue;
    c->value = value;
    char *unique shown = NULL;
    if (asprintf(&shown, "%g", value) < 0) continue;
    free(acre_swap(&c->shown, shown));
  }
}

// wrong: what was shown before
bool cell_show(struct cell *borrowed c) {
  const char *before = c->shown ? c->shown : "";
  char *unique shown = NULL;
  if (asprintf(&shown, "%g", c->value) < 0) return false;
  free(acre_swap(&c->shown, shown));
  return strcmp(before, c->shown) != 0;
}

// right
bool cell_watch(struct cell *borrowed c, struct cell *other) {
  for (const struct watcher *w = c->watchers; w; w = w->next)
    if (w->cell == other) return true;
  struct watcher *unique w = malloc(sizeof *w);
  if (!w) return false;
  w->cell = other;
  w->next = acre_take(&c->watchers);
  c->watchers = w;
  return true;
}

// right
void cell_unwatch(struct cell *borrowed c, const struct cell *other) {
  struct watcher *unique *at = &c->watchers;
  for (; *at; at = &(*at)->next)
    if ((*at)->cell == other) break;
  if (!*at) return;
  struct watcher *unique gone = acre_take(at);
  *at = acre_take(&gone->next);
  free(gone);
}

// right
struct node *unique node_fold(struct node *unique n) {
  if (!n) return NULL;
  n->left = node_fold(acre_take(&n->left));
  n->right = node_fold(acre_take(&n->right));
  if (n->op != '+' || !n->left || !n->right) return n;
  if (n->left->op != '#' || n->right->op != '#') return n;
  n->number = n->left->number + n->right->number;
  n->op = '#';
  acre_drop(acre_take(&n->left));
  acre_drop(acre_take(&n->right));
  return n;
}

// right
struct node *unique node_simplify(struct node *unique n) {
  if (n && n->op == '*' && n->left && n->left->op == '#' && n->left->number == 1) {
    struct node *unique only = acre_take(&n->right);
    acre_drop(n);
    return only;
  }
  return n;
}

// leak: the other factor and the node itself
struct node *unique node_simplify_lost(struct node *unique n) {
  if (n && n->op == '*' && n->left && n->left->op == '#' && n->left->number == 1) {
    struct node *unique only = acre_take(&n->right);
    return only;
  }
  return n;
}

// wrong: the operator of a node that has been dropped
struct node *unique node_lift(struct node *unique n, int *borrowed op) {
  struct node *unique only = acre_take(&n->left);
  acre_drop(n);
  *op = n->op;
  return only;
}

// right
struct node *unique node_copy(const struct node *borrowed n) {
  struct node *unique c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->op = n->op;
  c->number = n->number;
  if (n->name && !(c->name = strdup(n->name))) goto fail;
  if (n->left && !(c->left = node_copy(n->left))) goto fail;
  if (n->right && !(c->right = node_copy(n->right))) goto fail;
  return c;
fail:
  acre_drop(c);
  return NULL;
}

/* -- Words -- */

// right
bool letter_add(struct letter *borrowed root, const char *word) {
  struct letter *at = root;
  for (const char *p = word; *p; p++) {
    if (!islower((unsigned char)*p)) return false;
    struct letter *unique *slot = &at->child[*p - 'a'];
    if (!*slot) {
      *slot = calloc(1, sizeof **slot);
      if (!*slot) return false;
    }
    at = *slot;
  }
  at->uses++;
  if (at->word) return true;
  at->word = strdup(word);
  return at->word != NULL;
}

// leak: the letters of a branch that is begun again
bool letter_begin(struct letter *borrowed root, char first) {
  struct letter *unique fresh = calloc(1, sizeof *fresh);
  if (!fresh) return false;
  root->child[first - 'a'] = fresh;
  return true;
}

// right
const struct letter *borrowed letter_find(const struct letter *borrowed root, const char *word) {
  while (root && *word) {
    unsigned k = (unsigned)(*word++ - 'a');
    root = k < 26 ? root->child[k] : NULL;
  }
  return root;
}

// right
static bool letter_empty(const struct letter *borrowed l) {
  if (l->word) return false;
  for (int i = 0; i < 26; i++)
    if (l->child[i]) return false;
  return true;
}

// right
void letter_remove(struct letter *unique *borrowed slot, const char *word) {
  struct letter *l = *slot;
  if (!l) return;
  if (*word == 0) {
    free(acre_take(&l->word));
  } else {
    letter_remove(&l->child[*word - 'a'], word + 1);
  }
  if (letter_empty(*slot)) free(acre_take(slot));
}

// right
void letter_free(struct letter *unique l) {
  if (!l) return;
  for (int i = 0; i < 26; i++) letter_free(acre_take(&l->child[i]));
  free(acre_take(&l->word));
  free(l);
}

// leak: the words of the letters
void letter_free_letters(struct letter *unique l) {
  if (!l) return;
  for (int i = 0; i < 26; i++) letter_free_letters(acre_take(&l->child[i]));
  free(l);
}

// wrong: the letters below one that is freed first
void letter_free_first(struct letter *unique l) {
  if (!l) return;
  free(acre_take(&l->word));
  free(l);
  for (int i = 0; i < 26; i++) letter_free(acre_take(&l->child[i]));
}

// right (known: a test decides which element is empty)
static void guesses_add(struct guesses *borrowed g, const char *word, int distance) {
  size_t at = g->count;
  while (at > 0 && g->at[at - 1].distance > distance) at--;
  if (at == 8) return;
  char *unique copy = strdup(word);
  if (!copy) return;
  if (g->count == 8) free(acre_take(&g->at[7].word));
  else g->count++;
  for (size_t i = g->count - 1; i > at; i--) {
    g->at[i].word = acre_take(&g->at[i - 1].word);
    g->at[i].distance = g->at[i - 1].distance;
  }
  g->at[at].word = copy;
  g->at[at].distance = distance;
}

// right
static void guess_below(const struct letter *borrowed l, const char *word,
                        struct guesses *borrowed g) {
  if (l->word) {
    int d = distance(l->word, word);
    if (d < 4) guesses_add(g, l->word, d);
  }
  for (int i = 0; i < 26; i++)
    if (l->child[i]) guess_below(l->child[i], word, g);
}

// right
char *unique speller_best(const struct speller *borrowed s, const char *word) {
  struct guesses g = {0};
  if (s->words) guess_below(s->words, word, &g);
  if (s->own_words) guess_below(s->own_words, word, &g);
  char *unique best = acre_take(&g.at[0].word);
  for (size_t i = 1; i < g.count; i++) free(acre_take(&g.at[i].word));
  return best;
}

// leak: the guesses (known: elements that a callee sets)
int speller_count(const struct speller *borrowed s, const char *word) {
  struct guesses g = {0};
  if (s->words) guess_below(s->words, word, &g);
  return (int)g.count;
}

// right
struct letter *unique words_load(const char *path) {
  FILE *unique in = fopen(path, "r");
  if (!in) return NULL;
  struct letter *unique root = calloc(1, sizeof *root);
  char *unique line = NULL;
  size_t room = 0;
  ssize_t got;
  while (root && (got = getline(&line, &room, in)) > 0) {
    if (line[got - 1] == '\n') line[got - 1] = '\0';
    if (!letter_add(root, line)) {
      letter_free(root);
      root = NULL;
    }
  }
  free(line);
  fclose(in);
  return root;
}

// wrong: the word that was found ends with the words
const char *speller_reload(struct speller *borrowed s, const char *word) {
  const struct letter *found = letter_find(s->words, word);
  struct letter *unique fresh = words_load(s->path);
  letter_free(acre_swap(&s->words, fresh));
  return found ? acre_unowned(found->word) : NULL;
}

// right
bool speller_learn(struct speller *borrowed s, const char *word) {
  if (!s->own_words) {
    struct letter *unique root = calloc(1, sizeof *root);
    if (!root) return false;
    s->own_words = root;
  }
  s->changed = true;
  return letter_add(s->own_words, word);
}

// right
void speller_write(const struct letter *borrowed l, FILE *borrowed out) {
  if (l->word) fprintf(out, "%s\n", l->word);
  for (size_t i = 0; i < sizeof l->child / sizeof *l->child; i++) {
    const struct letter *below = l->child[i];
    if (below) speller_write(below, out);
  }
}

// right
int speller_save(struct speller *borrowed s) {
  char *unique part = NULL;
  FILE *unique out = NULL;
  int status = -1;
  if (!s->changed || !s->own_words) return 0;
  if (asprintf(&part, "%s.part", s->path) < 0) return -1;
  out = fopen(part, "w");
  if (!out) goto done;
  speller_write(s->own_words, out);
  if (ferror(out)) goto done;
  status = fclose(out);
  out = NULL;
  if (status == 0) status = rename(part, s->path);
  if (status == 0) s->changed = false;
done:
  if (out) fclose(out);
  if (status != 0) unlink(part);
  free(part);
  return status;
}

/* -- Resources -- */

// right
static struct resource *resource_child(struct resource *borrowed r, const char *part, bool loose) {
  for (struct resource *c = r->inner; c; c = c->sibling)
    if (c->loose == loose && strcmp(c->part, part) == 0) return c;
  struct resource *unique c = calloc(1, sizeof *c);
  if (!c) return NULL;
  if (!(c->part = strdup(part))) {
    free(c);
    return NULL;
  }
  c->loose = loose;
  c->sibling = acre_take(&r->inner);
  r->inner = c;
  return r->inner;
}

// right
bool resources_put(struct resources *borrowed all, const char *name, const char *value) {
  struct resource *at = &all->top;
  char *unique copy = strdup(name);
  if (!copy) return false;
  char *rest = copy;
  bool loose = false;
  for (char *part; at && (part = strsep(&rest, ".")) != NULL;) {
    if (*part == '*') loose = true, part++;
    at = resource_child(at, part, loose);
    loose = false;
  }
  free(copy);
  if (!at) return false;
  char *unique text = strdup(value);
  if (!text) return false;
  free(acre_swap(&at->value, text));
  return true;
}

// right
const char *borrowed resources_get(const struct resources *borrowed all, const char *const *parts) {
  const struct resource *r = &all->top;
  for (; *parts && r; parts++) {
    const struct resource *c = r->inner;
    while (c && strcmp(c->part, *parts) != 0) c = c->sibling;
    r = c;
  }
  return r ? r->value : NULL;
}

// wrong: the value is printed when another one may be in its place
void resources_change(struct resources *borrowed all, const char *name) {
  const char *const parts[] = {name, NULL};
  const char *old = resources_get(all, parts);
  if (!old || !resources_put(all, name, "off")) return;
  printf("%s was %s\n", name, old);
}

// right
bool resources_line(struct resources *borrowed all, const char *line) {
  const char *colon = strchr(line, ':');
  if (!colon || *line == '!') return true;
  char *unique name = strndup(line, (size_t)(colon - line));
  if (!name) return false;
  colon += 1 + strspn(colon + 1, " \t");
  bool done = resources_put(all, name, colon);
  free(name);
  if (!done) all->errors++;
  return done;
}

// leak: the name, where the value is empty
bool resources_line_lost(struct resources *borrowed all, const char *line) {
  const char *colon = strchr(line, ':');
  if (!colon) return true;
  char *unique name = strndup(line, (size_t)(colon - line));
  if (!name) return false;
  colon += 1 + strspn(colon + 1, " \t");
  if (!*colon) return false;
  bool done = resources_put(all, name, colon);
  free(name);
  return done;
}

// right
void resource_clear(struct resource *borrowed r) {
  while (r->inner) {
    struct resource *unique c = acre_take(&r->inner);
    r->inner = acre_take(&c->sibling);
    resource_clear(c);
    free(acre_take(&c->part));
    free(c);
  }
  free(acre_take(&r->value));
}

// leak: the parts below
void resource_clear_top(struct resource *borrowed r) {
  while (r->inner) {
    struct resource *unique c = acre_take(&r->inner);
    r->inner = acre_take(&c->sibling);
    free(acre_take(&c->part));
    free(acre_take(&c->value));
    free(c);
  }
}

/* -- Differences -- */

// right
bool text_read(struct text *acre_out t, FILE *borrowed in) {
  char *unique line = NULL;
  size_t room = 0;
  *t = (struct text){0};
  while (getline(&line, &room, in) > 0) {
    if (t->count == t->room) {
      size_t more = t->room ? 2 * t->room : 64;
      char *unique *unique lines = realloc(t->lines, more * sizeof *lines);
      if (!lines) goto fail;
      t->lines = lines;
      t->room = more;
    }
    t->lines[t->count] = strdup(line);
    if (!t->lines[t->count]) goto fail;
    t->count++;
  }
  free(line);
  return true;
fail:
  free(line);
  for (size_t i = 0; i < t->count; i++) free(acre_take(&t->lines[i]));
  free(acre_take(&t->lines));
  return false;
}

// right
void text_free(struct text *borrowed t) {
  for (size_t i = 0; i < t->count; i++) free(acre_take(&t->lines[i]));
  free(acre_take(&t->lines));
  t->count = t->room = 0;
}

// leak: the lines that were read, where the other file cannot be read
bool texts_read(struct text *acre_out a, struct text *acre_out b, FILE *borrowed f,
                FILE *borrowed g) {
  if (!text_read(a, f)) return false;
  if (!text_read(b, g)) return false;
  return true;
}

// right
bool script_read(struct script *borrowed s, const char *old, const char *fresh) {
  FILE *unique f = fopen(old, "r");
  FILE *unique g = fopen(fresh, "r");
  bool done = f && g;
  text_free(&s->old);
  text_free(&s->fresh);
  if (done) done = text_read(&s->old, f);
  if (done) done = text_read(&s->fresh, g);
  if (f) fclose(f);
  if (g) fclose(g);
  return done;
}

// right
struct change *unique change_new(size_t at, size_t removed, const struct text *borrowed from,
                                 size_t i, size_t n) {
  struct change *unique c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->at = at;
  c->removed = removed;
  c->added = calloc(n + 1, sizeof *c->added);
  if (!c->added) goto fail;
  for (; c->added_count < n; c->added_count++) {
    c->added[c->added_count] = strdup(from->lines[i + c->added_count]);
    if (!c->added[c->added_count]) goto fail;
  }
  return c;
fail:
  while (c->added_count > 0) free(acre_take(&c->added[--c->added_count]));
  free(acre_take(&c->added));
  free(c);
  return NULL;
}

// right
struct change *unique compare(const struct text *borrowed a, const struct text *borrowed b) {
  struct change *unique first = NULL, *unique *end = &first;
  size_t i = 0, j = 0;
  while (i < a->count || j < b->count) {
    size_t same = common(a, i, b, j);
    i += same;
    j += same;
    size_t from = i, other = j;
    while (i < a->count && j < b->count && common(a, i, b, j) == 0) i++, j++;
    if (j == b->count) i = a->count;
    if (i == a->count) j = b->count;
    if (i == from && j == other) break;
    struct change *unique c = change_new(from, i - from, b, other, j - other);
    if (!c) break;
    *end = c;
    end = &(*end)->next;
  }
  return first;
}

// right (known: another loop has taken what is there)
bool text_apply(struct text *borrowed t, struct change *unique c) {
  if (c->at + c->removed > t->count || c->added_count > c->removed) {
    for (size_t i = 0; i < c->added_count; i++) free(acre_take(&c->added[i]));
    acre_drop(c);
    return false;
  }
  for (size_t i = 0; i < c->removed; i++) free(acre_take(&t->lines[c->at + i]));
  for (size_t i = 0; i < c->added_count; i++) t->lines[c->at + i] = acre_take(&c->added[i]);
  size_t gap = c->removed - c->added_count;
  for (size_t i = c->at + c->removed; i < t->count; i++)
    t->lines[i - gap] = acre_take(&t->lines[i]);
  t->count -= gap;
  acre_drop(c);
  return true;
}

// wrong: the count of a change that has been applied and freed
size_t text_apply_all(struct text *borrowed t, struct change *unique list) {
  size_t changed = 0;
  while (list) {
    struct change *unique rest = acre_take(&list->next);
    text_apply(t, list);
    changed += list->added_count;
    list = rest;
  }
  return changed;
}

// leak: the changes behind one that cannot be applied
bool text_apply_some(struct text *borrowed t, struct change *unique list) {
  while (list) {
    struct change *unique rest = acre_take(&list->next);
    if (!text_apply(t, list)) return false;
    list = rest;
  }
  return true;
}

// right
void script_print(const struct script *borrowed s, FILE *borrowed out) {
  for (const struct change *c = s->first; c; c = c->next) {
    fprintf(out, "%zu,%zu\n", c->at, c->removed);
    for (size_t i = 0; i < c->removed; i++) fprintf(out, "< %s", s->old.lines[c->at + i]);
    for (size_t i = 0; i < c->added_count; i++) fprintf(out, "> %s", c->added[i]);
  }
}

// wrong: a line is returned that is freed with its text
const char *first_line(const char *path) {
  struct text t;
  FILE *unique in = fopen(path, "r");
  if (!in) return NULL;
  bool done = text_read(&t, in);
  fclose(in);
  if (!done) return NULL;
  const char *line = t.count ? t.lines[0] : "";
  text_free(&t);
  return line;
}

// right
void change_swap(struct change *borrowed c) {
  for (size_t i = 0, j = c->added_count; i + 1 < j; i++) {
    j--;
    char *unique held = acre_swap(&c->added[i], acre_take(&c->added[j]));
    c->added[j] = held;
  }
}

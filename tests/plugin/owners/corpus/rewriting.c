/* SPDX-License-Identifier: MIT */
/* Trees that are rewritten, tries, queues, tables of strings, jobs and undo stacks. */
#include "corpus.h"

struct expr {
  int op;
  long number;
  char *unique name;
  struct expr *unique left, *unique right;
};

struct trie { struct trie *unique children[26]; char *unique word; int uses; };

struct job {
  struct job *unique next;
  char *unique command;
  char **unique arguments;
  int count, status;
};

struct queue { struct job *unique head; struct job *unique *tail; int length; };

struct change { struct change *unique below; char *unique before; char *unique after; };

struct document { char *unique text; struct change *unique undo, *unique redo; bool dirty; };

struct strings { char *unique *unique items; size_t count, room; };

static void fatal(const char *what) {
  perror(what);
  _exit(127);
}

static void usage(void) {
  puts("usage: rewrite [file]");
  exit(64);
}

// right
struct expr *unique expr_new(int op, struct expr *unique left, struct expr *unique right) {
  struct expr *unique e = calloc(1, sizeof *e);
  if (!e) fatal("calloc");
  e->op = op;
  e->left = left;
  e->right = right;
  return e;
}

// leak: both operands, where there is no memory
struct expr *unique expr_try(int op, struct expr *unique left, struct expr *unique right) {
  struct expr *unique e = calloc(1, sizeof *e);
  if (!e) return NULL;
  e->op = op;
  e->left = left;
  e->right = right;
  return e;
}

// right
struct expr *unique expr_number(long number) {
  struct expr *unique e = expr_new('0', NULL, NULL);
  e->number = number;
  return e;
}

// right
struct expr *unique expr_copy(const struct expr *borrowed from) {
  struct expr *unique e = expr_new(from->op, NULL, NULL);
  e->number = from->number;
  if (from->name) e->name = strdup(from->name);
  if (from->left) e->left = expr_copy(from->left);
  if (from->right) e->right = expr_copy(from->right);
  return e;
}

// wrong: the operand is in two trees
struct expr *unique expr_double(struct expr *unique operand) {
  return expr_new('+', operand, operand);
}

// right
struct expr *unique expr_twice(struct expr *unique operand) {
  struct expr *unique copy = expr_copy(operand);
  return expr_new('+', operand, copy);
}

// right
struct expr *unique expr_fold(struct expr *unique e) {
  if (!e || e->op == '0') return e;
  e->left = expr_fold(acre_take(&e->left));
  e->right = expr_fold(acre_take(&e->right));
  if (e->op == '+' && e->left && e->right && e->left->op == '0' && e->right->op == '0') {
    long sum = e->left->number + e->right->number;
    acre_drop(e);
    return expr_number(sum);
  }
  return e;
}

// wrong: the number is read after the tree was dropped
struct expr *unique expr_fold_late(struct expr *unique e) {
  if (e->op != '-' || !e->left) return e;
  struct expr *left = e->left;
  acre_drop(e);
  return expr_number(-left->number);
}

// leak: the other operand, and the node's name
struct expr *unique expr_strip(struct expr *unique e) {
  if (e->op != '*') return e;
  struct expr *unique left = acre_take(&e->left);
  free(e);
  return left;
}

// right
struct expr *unique expr_strip_all(struct expr *unique e) {
  if (e->op != '*') return e;
  struct expr *unique left = acre_take(&e->left);
  acre_drop(e);
  return left;
}

// right
void expr_swap(struct expr *borrowed e) {
  struct expr *unique left = acre_take(&e->left);
  e->left = acre_take(&e->right);
  e->right = left;
}

// leak: what was on the right
void expr_swap_loses(struct expr *borrowed e) {
  struct expr *unique left = acre_take(&e->left);
  e->right = left;
}

// right
struct expr *unique expr_rotate(struct expr *unique e) {
  struct expr *unique pivot = acre_take(&e->left);
  if (!pivot) return e;
  e->left = acre_take(&pivot->right);
  pivot->right = e;
  return pivot;
}

// wrong: e is in the pivot already
struct expr *unique expr_rotate_late(struct expr *unique e) {
  struct expr *unique pivot = acre_take(&e->left);
  if (!pivot) return e;
  free(acre_swap(&pivot->name, NULL));
  acre_drop(acre_swap(&pivot->right, e));
  return e;
}

// right
bool expr_replace(struct expr *unique *borrowed at, const char *name,
                  const struct expr *borrowed by) {
  if (!*at) return false;
  if ((*at)->name && strcmp((*at)->name, name) == 0) {
    acre_drop(acre_swap(at, expr_copy(by)));
    return true;
  }
  bool left = expr_replace(&(*at)->left, name, by);
  return expr_replace(&(*at)->right, name, by) || left;
}

// leak: the expression that is replaced
void expr_replace_loses(struct expr *unique *at, const struct expr *borrowed by) {
  *at = expr_copy(by);
}

// right
int expr_depth(const struct expr *borrowed e) {
  if (!e) return 0;
  int left = expr_depth(e->left), right = expr_depth(e->right);
  return 1 + (left > right ? left : right);
}

// right
void expr_print(const struct expr *borrowed e, FILE *out) {
  if (!e) return;
  if (e->op == '0') {
    fprintf(out, "%ld", e->number);
    return;
  }
  fputc('(', out);
  expr_print(e->left, out);
  fprintf(out, " %c %s ", e->op, e->name ? e->name : "");
  expr_print(e->right, out);
  fputc(')', out);
}

// right
char *unique expr_text(const struct expr *borrowed e) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out) return NULL;
  expr_print(e, out);
  fclose(out);
  return text;
}

// leak: the text
size_t expr_width(const struct expr *borrowed e) {
  char *unique text = expr_text(e);
  return text ? strlen(text) : 0;
}

// right
bool trie_add(struct trie *borrowed t, const char *word) {
  const char *c = word;
  for (; *c; c++) {
    if (!islower((unsigned char)*c)) return false;
    struct trie *unique *child = &t->children[*c - 'a'];
    if (!*child) *child = calloc(1, sizeof **child);
    if (!*child) return false;
    t = *child;
  }
  t->uses++;
  if (!t->word) t->word = strdup(word);
  return t->word != NULL;
}

// leak: the word, where it was there
bool trie_set(struct trie *borrowed t, const char *word) {
  t->word = strdup(word);
  return t->word != NULL;
}

// right
const struct trie *borrowed trie_find(const struct trie *borrowed t, const char *borrowed word
                                      __attribute__((noescape))) {
  for (; t && *word; word++) t = islower((unsigned char)*word) ? t->children[*word - 'a'] : NULL;
  return t;
}

// right
void trie_prune(struct trie *borrowed t) {
  for (int i = 0; i < 26; i++)
    if (t->children[i] && t->children[i]->uses == 0) acre_drop(acre_take(&t->children[i]));
    else if (t->children[i]) trie_prune(t->children[i]);
}

// wrong: the child is asked after it went
int trie_prune_late(struct trie *borrowed t, int at) {
  struct trie *child = t->children[at];
  if (!child) return 0;
  acre_drop(acre_take(&t->children[at]));
  return child->uses;
}

// right
struct job *unique job_new(char *const *arguments, int count) {
  struct job *unique j = calloc(1, sizeof *j);
  if (!j) fatal("calloc");
  j->command = strdup(arguments[0]);
  if (!j->command) fatal("strdup");
  j->count = count;
  return j;
}

// right
int job_run(struct job *unique j) {
  int status = system(j->command);
  if (status < 0) fatal("system");
  acre_drop(j);
  return status;
}

// leak: the job, where it has failed
int job_run_loses(struct job *unique j) {
  int status = system(j->command);
  if (status != 0) return -1;
  acre_drop(j);
  return 0;
}

// right
struct job *unique jobs_read(FILE *in) {
  struct job *unique first = NULL, *unique *last = &first;
  char *unique line = NULL;
  size_t size = 0;
  while (getline(&line, &size, in) > 0) {
    struct job *unique j = calloc(1, sizeof *j);
    if (!j) break;
    j->command = strdup(line);
    *last = j;
    last = &(*last)->next;
  }
  free(line);
  return first;
}

// leak: the line
struct job *unique jobs_read_loses(FILE *in) {
  struct job *unique first = NULL, *unique *last = &first;
  char *unique line = NULL;
  size_t size = 0;
  while (getline(&line, &size, in) > 0) {
    struct job *unique j = calloc(1, sizeof *j);
    if (!j) break;
    *last = j;
    last = &(*last)->next;
  }
  return first;
}

// right
int jobs_main(int count, char **arguments) {
  if (count < 2) usage();
  FILE *unique in = strcmp(arguments[1], "-") ? fopen(arguments[1], "r") : stdin;
  if (!in) {
    perror(arguments[1]);
    return 1;
  }
  struct job *unique all = jobs_read(in);
  if (in != stdin) fclose(in);
  int failed = 0;
  while (all) {
    struct job *unique next = acre_take(&all->next);
    failed += job_run(all) != 0;
    all = next;
  }
  return failed;
}

// wrong: the next job is asked of the one that was run
int jobs_run_late(struct job *unique all) {
  int failed = 0;
  while (all) {
    failed += job_run(all) != 0;
    all = acre_take(&all->next);
  }
  return failed;
}

// right
struct job *unique jobs_reverse(struct job *unique all) {
  struct job *unique done = NULL;
  while (all) {
    struct job *unique next = acre_take(&all->next);
    all->next = done;
    done = all;
    all = next;
  }
  return done;
}

// right
int jobs_reap(struct job *unique *all) {
  int reaped = 0;
  while (*all)
    if ((*all)->status) {
      struct job *unique dead = acre_take(all);
      *all = acre_take(&dead->next);
      acre_drop(dead);
      reaped++;
    } else {
      all = &(*all)->next;
    }
  return reaped;
}

// leak: the command
int jobs_reap_loses(struct job *unique *all) {
  int reaped = 0;
  while (*all)
    if ((*all)->status) {
      struct job *unique dead = acre_take(all);
      *all = acre_take(&dead->next);
      free(dead);
      reaped++;
    } else {
      all = &(*all)->next;
    }
  return reaped;
}

// right
bool document_set(struct document *borrowed d, const char *text) {
  char *unique now = strdup(text);
  struct change *unique c = calloc(1, sizeof *c);
  if (!now || !c) {
    free(now);
    free(c);
    return false;
  }
  c->before = acre_swap(&d->text, now);
  c->below = acre_take(&d->undo);
  d->undo = c;
  acre_drop(acre_take(&d->redo));
  d->dirty = true;
  return true;
}

// leak: what can be done again
bool document_set_loses(struct document *borrowed d, struct change *unique c) {
  c->below = acre_take(&d->undo);
  d->undo = c;
  d->redo = NULL;
  return true;
}

// right
bool document_undo(struct document *borrowed d) {
  struct change *unique c = acre_take(&d->undo);
  if (!c) return false;
  d->undo = acre_take(&c->below);
  free(acre_swap(&c->after, acre_swap(&d->text, acre_take(&c->before))));
  c->below = acre_take(&d->redo);
  d->redo = c;
  return true;
}

// wrong: the text before is in the document and in the change
bool document_undo_copies(struct document *borrowed d) {
  struct change *unique c = acre_take(&d->undo);
  if (!c) return false;
  d->undo = acre_take(&c->below);
  free(acre_swap(&d->text, c->before));
  acre_drop(c);
  return true;
}

// right
bool strings_add(struct strings *borrowed s, const char *text) {
  if (s->count == s->room) {
    size_t room = s->room ? 2 * s->room : 8;
    char *unique *unique items = realloc(s->items, room * sizeof *items);
    if (!items) return false;
    s->items = items;
    s->room = room;
  }
  char *unique copy = strdup(text);
  if (!copy) return false;
  s->items[s->count++] = copy;
  return true;
}

// leak: the copy, where there is no room
bool strings_add_loses(struct strings *borrowed s, const char *text) {
  char *unique copy = strdup(text);
  if (!copy) return false;
  if (s->count == s->room) return false;
  s->items[s->count++] = copy;
  return true;
}

// right
void strings_end(struct strings *borrowed s) {
  for (size_t i = 0; i < s->count; i++) free(acre_take(&s->items[i]));
  free(acre_take(&s->items));
  s->count = s->room = 0;
}

// wrong: an item is used after all have gone
size_t strings_end_late(struct strings *borrowed s) {
  const char *first = s->count ? s->items[0] : "";
  strings_end(s);
  return strlen(first);
}

// right
char *unique strings_join(const struct strings *borrowed s) {
  size_t length = 1;
  for (size_t i = 0; i < s->count; i++) length += strlen(s->items[i]);
  char *unique all = malloc(length);
  if (!all) fatal("malloc");
  char *at = all;
  for (size_t i = 0; i < s->count; i++) at = stpcpy(at, s->items[i]);
  *at = '\0';
  return all;
}

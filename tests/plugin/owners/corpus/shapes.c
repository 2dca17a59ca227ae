/* SPDX-License-Identifier: MIT */
/* Trees that are rewritten, matrices, graphs, stacks of undo, tables of strings and generators of
 * output, written as nobody had tried them: right, wrong and leaking. */
#include "corpus.h"

enum kind { NUMBER, NAME, UNARY, BINARY, CALL };

struct expr {
  enum kind kind;
  char op;
  double number;
  char *unique name;
  struct expr *unique left;
  struct expr *unique right;
};
struct matrix {
  size_t rows, columns;
  double *unique cells;
};
struct vertex {
  char *unique label;
  size_t *unique edges;
  size_t degree, room;
};
struct graph {
  struct vertex *unique vertices;
  size_t count;
};
struct edit {
  struct edit *unique older;
  size_t at;
  char *unique removed;
};
struct document {
  char *unique text;
  struct edit *unique done;
  struct edit *unique undone;
  int version;
};
struct trie {
  struct trie *unique below[26];
  char *unique word;
};
struct symbol {
  struct symbol *unique next;
  char *unique name;
  struct expr *unique value;
};
struct scope {
  struct scope *unique outer;
  struct symbol *unique symbols;
};
void expr_free(struct expr *unique e);
void trie_free(struct trie *unique t);
double expr_value(const struct expr *borrowed e);
bool parse_failed(void);

/* -- Expressions -- */

// right
struct expr *unique expr_number(double number) {
  struct expr *unique e = calloc(1, sizeof *e);
  if (e) e->number = number;
  return e;
}

// right
struct expr *unique expr_binary(char op, struct expr *unique left, struct expr *unique right) {
  struct expr *unique e = left && right ? calloc(1, sizeof *e) : NULL;
  if (!e) {
    expr_free(left);
    expr_free(right);
    return NULL;
  }
  e->kind = BINARY;
  e->op = op;
  e->left = left;
  e->right = right;
  return e;
}

// leak: the right operand, where there is no left one
struct expr *unique expr_binary_strict(char op, struct expr *unique left,
                                       struct expr *unique right) {
  if (!left) return NULL;
  struct expr *unique e = calloc(1, sizeof *e);
  if (!e) {
    expr_free(left);
    expr_free(right);
    return NULL;
  }
  e->op = op;
  e->left = left;
  e->right = right;
  return e;
}

// wrong: one operand is on both sides
struct expr *unique expr_square(struct expr *unique operand) {
  struct expr *unique e = calloc(1, sizeof *e);
  if (!e) {
    expr_free(operand);
    return NULL;
  }
  e->kind = BINARY;
  e->op = '*';
  e->left = operand;
  e->right = operand;
  return e;
}

// right
struct expr *unique expr_copy(const struct expr *borrowed e) {
  if (!e) return NULL;
  struct expr *unique copy = calloc(1, sizeof *copy);
  if (!copy) return NULL;
  copy->kind = e->kind;
  copy->op = e->op;
  copy->number = e->number;
  copy->name = e->name ? strdup(e->name) : NULL;
  copy->left = expr_copy(e->left);
  copy->right = expr_copy(e->right);
  return copy;
}

// wrong: the copy has the same name
struct expr *unique expr_copy_flat(const struct expr *borrowed e) {
  struct expr *unique copy = calloc(1, sizeof *copy);
  if (!copy) return NULL;
  copy->kind = e->kind;
  copy->name = e->name;
  return copy;
}

// right
struct expr *unique fold(struct expr *unique e) {
  if (!e || e->kind != BINARY) return e;
  e->left = fold(acre_take(&e->left));
  e->right = fold(acre_take(&e->right));
  if (!e->left || !e->right || e->left->kind != NUMBER || e->right->kind != NUMBER) return e;
  double number = expr_value(e);
  expr_free(e);
  return expr_number(number);
}

// wrong: the operator is read after the node was freed
struct expr *unique fold_sum(struct expr *unique e) {
  double number = expr_value(e);
  char op = e->op;
  expr_free(e);
  return op == '+' ? expr_number(number + e->number) : expr_number(number);
}

// leak: the other operand, with the node
struct expr *unique drop_plus_zero(struct expr *unique e) {
  if (!e || e->kind != BINARY || e->op != '+' || !e->right || e->right->number != 0) return e;
  struct expr *unique left = acre_take(&e->left);
  free(e);
  return left;
}

// right
struct expr *unique drop_plus_nothing(struct expr *unique e) {
  if (!e || e->kind != BINARY || e->op != '+' || !e->right || e->right->number != 0) return e;
  struct expr *unique left = acre_take(&e->left);
  expr_free(e);
  return left;
}

// right
void turn_left(struct expr *unique *borrowed at) {
  struct expr *unique top = acre_take(at);
  if (!top || !top->right) {
    *at = top;
    return;
  }
  struct expr *unique pivot = acre_take(&top->right);
  top->right = acre_take(&pivot->left);
  pivot->left = top;
  *at = pivot;
}

// leak: what was left of the pivot
void turn_left_careless(struct expr *unique *borrowed at) {
  struct expr *unique top = acre_take(at);
  struct expr *unique pivot = top ? acre_take(&top->right) : NULL;
  if (!pivot) {
    *at = top;
    return;
  }
  pivot->left = top;
  *at = pivot;
}

// right
size_t rename_all(struct expr *borrowed e, const char *from, const char *to) {
  size_t count = 0;
  if (e->name && strcmp(e->name, from) == 0) {
    free(acre_swap(&e->name, strdup(to)));
    count++;
  }
  if (e->left) count += rename_all(e->left, from, to);
  if (e->right) count += rename_all(e->right, from, to);
  return count;
}

// wrong: from may be the name that was freed
bool rename_like(struct expr *borrowed e, const char *to) {
  const char *from = e->name;
  free(acre_swap(&e->name, strdup(to)));
  return from && strcmp(from, to) == 0;
}

// right
void replace_name(struct expr *unique *borrowed at, const char *name,
                  const struct expr *borrowed by) {
  struct expr *e = *at;
  if (!e) return;
  if (e->kind == NAME && e->name && strcmp(e->name, name) == 0) {
    expr_free(acre_swap(at, expr_copy(by)));
    return;
  }
  replace_name(&e->left, name, by);
  replace_name(&e->right, name, by);
}

// leak: the name that is replaced
void replace_top(struct expr *unique *borrowed at, const struct expr *borrowed by) {
  *at = expr_copy(by);
}

// right
struct expr *unique parse_sum(const char **at) {
  struct expr *unique sum = expr_number(strtod(*at, (char **)at));
  while (sum && **at == '+') {
    ++*at;
    struct expr *unique next = expr_number(strtod(*at, (char **)at));
    sum = expr_binary('+', sum, next);
  }
  return sum;
}

// leak: the sum so far, where something else follows
struct expr *unique parse_sum_strict(const char *text) {
  struct expr *unique sum = expr_number(atof(text));
  while ((text = strchr(text, '+'))) {
    text++;
    if (parse_failed()) return NULL;
    sum = expr_binary('+', sum, expr_number(atof(text)));
  }
  return sum;
}

/* -- Matrices -- */

// right
bool matrix_init(struct matrix *acre_out borrowed m, size_t rows, size_t columns) {
  *m = (struct matrix){.rows = rows, .columns = columns};
  m->cells = calloc(rows * columns, sizeof *m->cells);
  return m->cells != NULL;
}

// right
bool matrix_product(const struct matrix *borrowed a, const struct matrix *borrowed b,
                    struct matrix *acre_out borrowed out) {
  if (a->columns != b->rows || !matrix_init(out, a->rows, b->columns)) return false;
  for (size_t i = 0; i < a->rows; i++)
    for (size_t j = 0; j < b->columns; j++)
      for (size_t k = 0; k < a->columns; k++)
        out->cells[i * b->columns + j] +=
            a->cells[i * a->columns + k] * b->cells[k * b->columns + j];
  return true;
}

// right
bool matrix_power(const struct matrix *borrowed a, unsigned power,
                  struct matrix *acre_out borrowed out) {
  if (!matrix_init(out, a->rows, a->rows)) return false;
  for (size_t i = 0; i < a->rows; i++) out->cells[i * a->rows + i] = 1;
  while (power-- > 0) {
    struct matrix next;
    bool fine = matrix_product(out, a, &next);
    free(acre_take(&out->cells));
    if (!fine) return false;
    out->cells = acre_take(&next.cells);
  }
  return true;
}

// leak: the cells, where the sizes differ
double matrix_trace(size_t rows, size_t columns) {
  struct matrix m;
  double sum = 0;
  if (!matrix_init(&m, rows, columns)) return 0;
  if (m.rows != m.columns) return -1;
  for (size_t i = 0; i < m.rows; i++) sum += m.cells[i * m.columns + i];
  free(acre_take(&m.cells));
  return sum;
}

// right
void matrix_transpose(struct matrix *borrowed m) {
  double *unique cells = malloc(m->rows * m->columns * sizeof *cells);
  if (!cells) return;
  for (size_t i = 0; i < m->rows; i++)
    for (size_t j = 0; j < m->columns; j++)
      cells[j * m->rows + i] = m->cells[i * m->columns + j];
  free(acre_swap(&m->cells, cells));
  size_t rows = m->rows;
  m->rows = m->columns;
  m->columns = rows;
}

// wrong: a row of the cells that were freed
double matrix_first(struct matrix *borrowed m) {
  double *row = m->cells;
  matrix_transpose(m);
  return row[0];
}

// right
double *unique solve(const struct matrix *borrowed a, const double *borrowed b) {
  double *unique x = calloc(a->rows, sizeof *x);
  double *unique before = calloc(a->rows, sizeof *before);
  if (!x || !before) {
    free(x);
    free(before);
    return NULL;
  }
  for (int round = 0; round < 100; round++) {
    for (size_t i = 0; i < a->rows; i++) {
      double sum = b[i];
      for (size_t j = 0; j < a->columns; j++)
        if (j != i) sum -= a->cells[i * a->columns + j] * before[j];
      x[i] = sum / a->cells[i * a->columns + i];
    }
    double *unique other = before;
    before = x;
    x = other;
  }
  free(before);
  return x;
}

// leak: the other vector
double *unique solve_once(size_t count, const double *borrowed b) {
  double *unique x = calloc(count, sizeof *x);
  double *unique before = calloc(count, sizeof *before);
  if (!x || !before) {
    free(x);
    return NULL;
  }
  for (size_t i = 0; i < count; i++) x[i] = b[i] - before[i];
  free(before);
  return x;
}

/* -- Graphs -- */

// right
bool vertex_join(struct graph *borrowed g, size_t from, size_t to) {
  struct vertex *v = &g->vertices[from];
  if (v->degree == v->room) {
    size_t room = v->room ? 2 * v->room : 4;
    size_t *unique edges = realloc(v->edges, room * sizeof *edges);
    if (!edges) return false;
    v->edges = edges;
    v->room = room;
  }
  v->edges[v->degree++] = to;
  return true;
}

// right
void graph_clear(struct graph *borrowed g) {
  for (size_t i = 0; i < g->count; i++) {
    free(acre_take(&g->vertices[i].label));
    free(acre_take(&g->vertices[i].edges));
  }
  free(acre_take(&g->vertices));
  g->count = 0;
}

// wrong: the vertices are cleared after they were freed
void graph_clear_wrong(struct graph *borrowed g) {
  struct vertex *unique all = acre_take(&g->vertices);
  free(all);
  for (size_t i = 0; i < g->count; i++) free(acre_take(&all[i].label));
}

// leak: the label that was there
void vertex_label(struct graph *borrowed g, size_t number, const char *label) {
  g->vertices[number].label = strdup(label);
}

// right
size_t *unique reached(const struct graph *borrowed g, size_t start, size_t *count) {
  bool *unique seen = calloc(g->count, sizeof *seen);
  size_t *unique queue = calloc(g->count, sizeof *queue);
  size_t head = 0, tail = 0;
  if (!seen || !queue) goto failed;
  queue[tail++] = start;
  seen[start] = true;
  while (head < tail) {
    const struct vertex *v = &g->vertices[queue[head++]];
    for (size_t i = 0; i < v->degree; i++)
      if (!seen[v->edges[i]]) {
        seen[v->edges[i]] = true;
        queue[tail++] = v->edges[i];
      }
  }
  free(seen);
  *count = tail;
  return queue;
failed:
  free(seen);
  free(queue);
  return NULL;
}

// leak: what was seen, at the first way
bool leads_to(const struct graph *borrowed g, size_t from, size_t to) {
  bool *unique seen = calloc(g->count, sizeof *seen);
  if (!seen) return false;
  const struct vertex *v = &g->vertices[from];
  for (size_t i = 0; i < v->degree; i++) {
    if (v->edges[i] == to) return true;
    seen[v->edges[i]] = true;
  }
  free(seen);
  return false;
}

/* -- Documents -- */

// right
bool document_change(struct document *borrowed d, size_t at, const char *text) {
  struct edit *unique e = calloc(1, sizeof *e);
  char *unique fresh = NULL;
  if (!e || asprintf(&fresh, "%.*s%s", (int)at, d->text, text) < 0) {
    free(e);
    return false;
  }
  e->at = at;
  e->removed = acre_swap(&d->text, fresh);
  e->older = acre_take(&d->done);
  d->done = e;
  d->version++;
  return true;
}

// right
bool document_undo(struct document *borrowed d) {
  struct edit *unique e = acre_take(&d->done);
  if (!e) return false;
  d->done = acre_take(&e->older);
  e->removed = acre_swap(&d->text, acre_take(&e->removed));
  e->older = acre_take(&d->undone);
  d->undone = e;
  d->version--;
  return true;
}

// leak: older edits
bool document_undo_all(struct document *borrowed d) {
  struct edit *unique e = acre_take(&d->done);
  if (!e) return false;
  free(acre_swap(&d->text, acre_take(&e->removed)));
  free(e);
  return true;
}

// wrong: the text is in the edit and in the document
bool document_restore(struct document *borrowed d) {
  struct edit *unique e = acre_take(&d->done);
  if (!e) return false;
  d->done = acre_take(&e->older);
  char *unique text = acre_take(&e->removed);
  free(acre_swap(&d->text, text));
  e->removed = text;
  acre_drop(e);
  return true;
}

/* -- Tries and scopes -- */

// right
bool trie_add(struct trie *borrowed t, const char *word) {
  for (const char *at = word; *at; at++) {
    if (!islower((unsigned char)*at)) return false;
    struct trie *unique *below = &t->below[*at - 'a'];
    if (!*below) *below = calloc(1, sizeof **below);
    if (!*below) return false;
    t = *below;
  }
  free(acre_swap(&t->word, strdup(word)));
  return t->word != NULL;
}

// leak: the trie that was there
bool trie_graft(struct trie *borrowed t, char at, struct trie *unique other) {
  if (!islower((unsigned char)at)) {
    trie_free(other);
    return false;
  }
  t->below[at - 'a'] = other;
  return true;
}

// right
size_t trie_count(const struct trie *borrowed t) {
  size_t count = t->word != NULL;
  for (int i = 0; i < 26; i++)
    if (t->below[i]) count += trie_count(t->below[i]);
  return count;
}

// right
struct scope *unique scope_enter(struct scope *unique outer) {
  struct scope *unique s = calloc(1, sizeof *s);
  if (!s) {
    acre_drop(outer);
    return NULL;
  }
  s->outer = outer;
  return s;
}

// right
struct scope *unique scope_leave(struct scope *unique s) {
  struct scope *unique outer = acre_take(&s->outer);
  acre_drop(s);
  return outer;
}

// wrong: the outer one is asked for after the scope has gone
struct scope *unique scope_leave_wrong(struct scope *unique s) {
  acre_drop(s);
  return acre_take(&s->outer);
}

// leak: the symbols
struct scope *unique scope_leave_fast(struct scope *unique s) {
  struct scope *unique outer = acre_take(&s->outer);
  free(s);
  return outer;
}

// right
const struct expr *borrowed scope_find(const struct scope *borrowed s, const char *name) {
  for (; s; s = s->outer)
    for (const struct symbol *each = s->symbols; each; each = each->next)
      if (strcmp(each->name, name) == 0) return each->value;
  return NULL;
}

// right
bool scope_set(struct scope *borrowed s, const char *name, struct expr *unique value) {
  for (struct symbol *each = s->symbols; each; each = each->next)
    if (strcmp(each->name, name) == 0) {
      expr_free(acre_swap(&each->value, value));
      return true;
    }
  struct symbol *unique fresh = calloc(1, sizeof *fresh);
  if (!fresh) {
    expr_free(value);
    return false;
  }
  fresh->name = strdup(name);
  fresh->value = value;
  fresh->next = acre_take(&s->symbols);
  s->symbols = fresh;
  return true;
}

// wrong: the value that was found may have been replaced
double scope_twice(struct scope *borrowed s, const char *name) {
  const struct expr *found = scope_find(s, name);
  if (!found) return 0;
  scope_set(s, name, expr_number(2 * expr_value(found)));
  return expr_value(found);
}

/* SPDX-License-Identifier: MIT */
/* Matrices, graphs, polynomials, calendars: right, wrong and leaking. */
#include "corpus.h"
#include <limits.h>
#include <math.h>

struct matrix {
  size_t rows, cols;
  double *unique cell;
};

struct lu {
  struct matrix *unique factors;
  size_t *unique pivot;
  int sign;
};

struct edge {
  size_t to;
  double weight;
  struct edge *unique next;
};

struct graph {
  size_t n;
  struct edge *unique *unique out;
};

struct heap {
  size_t *unique node;
  double *unique key;
  size_t count, capacity;
};

struct event {
  time_t start, end;
  char *unique title;
  char *unique place;
};

struct calendar {
  struct event *unique *unique events;
  size_t count, capacity;
};

// right
struct matrix *unique matrix_new(size_t rows, size_t cols) {
  struct matrix *unique m = malloc(sizeof *m);
  if (!m)
    return NULL;
  m->rows = rows;
  m->cols = cols;
  m->cell = calloc(rows * cols, sizeof(double));
  if (!m->cell) {
    free(m);
    return NULL;
  }
  return m;
}

// right
void matrix_free(struct matrix *unique m) {
  if (m) {
    free(acre_take(&m->cell));
    free(m);
  }
}

// right
struct matrix *unique matrix_mul(const struct matrix *borrowed a, const struct matrix *borrowed b) {
  if (a->cols != b->rows)
    return NULL;
  struct matrix *unique c = matrix_new(a->rows, b->cols);
  if (!c)
    return NULL;
  for (size_t i = 0; i < a->rows; i++) {
    double *row = c->cell + i * c->cols;
    for (size_t k = 0; k < a->cols; k++) {
      const double *from = b->cell + k * b->cols;
      double f = a->cell[i * a->cols + k];
      for (size_t j = 0; j < b->cols; j++)
        row[j] += f * from[j];
    }
  }
  return c;
}

// right: by squaring
struct matrix *unique matrix_power(const struct matrix *borrowed m, unsigned n) {
  struct matrix *unique result = matrix_new(m->rows, m->rows);
  struct matrix *unique base = matrix_new(m->rows, m->cols);
  if (!result || !base || m->rows != m->cols)
    goto fail;
  for (size_t i = 0; i < m->rows; i++)
    result->cell[i * m->rows + i] = 1;
  memcpy(base->cell, m->cell, m->rows * m->cols * sizeof(double));
  while (n) {
    if (n & 1) {
      struct matrix *unique p = matrix_mul(result, base);
      if (!p)
        goto fail;
      matrix_free(result);
      result = p;
    }
    n >>= 1;
    if (n) {
      struct matrix *unique s = matrix_mul(base, base);
      if (!s)
        goto fail;
      matrix_free(base);
      base = s;
    }
  }
  matrix_free(base);
  return result;
fail:
  matrix_free(result);
  matrix_free(base);
  return NULL;
}

// right: in place
bool matrix_transpose(struct matrix *borrowed m) {
  double *unique t = malloc(m->rows * m->cols * sizeof *t);
  if (!t)
    return false;
  for (size_t i = 0; i < m->rows; i++)
    for (size_t j = 0; j < m->cols; j++)
      t[j * m->rows + i] = m->cell[i * m->cols + j];
  free(acre_swap(&m->cell, t));
  size_t rows = m->rows;
  m->rows = m->cols;
  m->cols = rows;
  return true;
}

// leak: the product before is overwritten
struct matrix *unique matrix_chain(const struct matrix *borrowed const *borrowed list, size_t n) {
  struct matrix *unique all = matrix_new(list[0]->rows, list[0]->cols);
  if (!all)
    return NULL;
  memcpy(all->cell, list[0]->cell, all->rows * all->cols * sizeof(double));
  for (size_t i = 1; all && i < n; i++)
    all = matrix_mul(all, list[i]);
  return all;
}

// wrong: row points into cells that realloc may have moved
bool matrix_add_row(struct matrix *borrowed m) {
  const double *last = m->cell + (m->rows - 1) * m->cols;
  double *unique cell = realloc(m->cell, (m->rows + 1) * m->cols * sizeof *cell);
  if (!cell)
    return false;
  for (size_t j = 0; j < m->cols; j++)
    cell[m->rows * m->cols + j] = last[j];
  m->cell = cell;
  m->rows++;
  return true;
}

// right
struct lu *unique lu_new(const struct matrix *borrowed m) {
  size_t n = m->rows;
  struct lu *unique lu = calloc(1, sizeof *lu);
  if (!lu)
    return NULL;
  lu->factors = matrix_new(n, n);
  lu->pivot = calloc(n, sizeof *lu->pivot);
  if (!lu->factors || !lu->pivot) {
    matrix_free(acre_take(&lu->factors));
    free(acre_take(&lu->pivot));
    free(lu);
    return NULL;
  }
  double *a = lu->factors->cell;
  memcpy(a, m->cell, n * n * sizeof *a);
  lu->sign = 1;
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
        best = i;
    lu->pivot[k] = best;
    if (a[best * n + k] == 0) {
      acre_drop(lu);
      return NULL;
    }
    if (best != k) {
      for (size_t j = 0; j < n; j++) {
        double t = a[k * n + j];
        a[k * n + j] = a[best * n + j];
        a[best * n + j] = t;
      }
      lu->sign = -lu->sign;
    }
    for (size_t i = k + 1; i < n; i++) {
      double f = a[i * n + k] /= a[k * n + k];
      for (size_t j = k + 1; j < n; j++)
        a[i * n + j] -= f * a[k * n + j];
    }
  }
  return lu;
}

// leak: the pivots stay
double determinant(const struct matrix *borrowed m) {
  struct lu *unique lu = lu_new(m);
  if (!lu)
    return 0;
  double d = lu->sign;
  for (size_t i = 0; i < m->rows; i++)
    d *= lu->factors->cell[i * m->rows + i];
  matrix_free(acre_take(&lu->factors));
  free(lu);
  return d;
}

// wrong: factors are read after lu was dropped
double determinant_log(const struct matrix *borrowed m) {
  struct lu *unique lu = lu_new(m);
  if (!lu)
    return -HUGE_VAL;
  const struct matrix *f = lu->factors;
  double d = 0;
  acre_drop(lu);
  for (size_t i = 0; i < f->rows; i++)
    d += log(fabs(f->cell[i * f->cols + i]));
  return d;
}

// right
struct graph *unique graph_new(size_t n) {
  struct graph *unique g = calloc(1, sizeof *g);
  struct edge *unique *unique out = calloc(n, sizeof *out);
  if (!g || !out) {
    free(g);
    free(out);
    return NULL;
  }
  g->n = n;
  g->out = out;
  return g;
}

// right
bool graph_edge(struct graph *borrowed g, size_t from, size_t to, double weight) {
  struct edge *unique e = malloc(sizeof *e);
  if (!e)
    return false;
  e->to = to;
  e->weight = weight;
  e->next = acre_take(&g->out[from]);
  g->out[from] = e;
  return true;
}

// right
void graph_free(struct graph *unique g) {
  if (!g)
    return;
  for (size_t i = 0; i < g->n; i++)
    acre_drop(acre_take(&g->out[i]));
  free(acre_take(&g->out));
  free(g);
}

// right
struct graph *unique graph_reverse(const struct graph *borrowed g) {
  struct graph *unique r = graph_new(g->n);
  if (!r)
    return NULL;
  for (size_t i = 0; i < g->n; i++)
    for (const struct edge *e = g->out[i]; e; e = e->next)
      if (!graph_edge(r, e->to, i, e->weight)) {
        graph_free(r);
        return NULL;
      }
  return r;
}

// right
static bool heap_push(struct heap *borrowed h, size_t node, double key) {
  if (h->count == h->capacity) {
    size_t n = h->capacity * 2 + 16;
    size_t *unique nodes = realloc(h->node, n * sizeof *nodes);
    if (!nodes)
      return false;
    h->node = nodes;
    double *unique keys = realloc(h->key, n * sizeof *keys);
    if (!keys)
      return false;
    h->key = keys;
    h->capacity = n;
  }
  size_t i = h->count++;
  while (i > 0 && h->key[(i - 1) / 2] > key) {
    h->key[i] = h->key[(i - 1) / 2];
    h->node[i] = h->node[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  h->key[i] = key;
  h->node[i] = node;
  return true;
}

// right
static size_t heap_pop(struct heap *borrowed h) {
  size_t top = h->node[0];
  double key = h->key[--h->count];
  size_t node = h->node[h->count], i = 0;
  for (;;) {
    size_t c = 2 * i + 1;
    if (c >= h->count)
      break;
    if (c + 1 < h->count && h->key[c + 1] < h->key[c])
      c++;
    if (h->key[c] >= key)
      break;
    h->key[i] = h->key[c];
    h->node[i] = h->node[c];
    i = c;
  }
  h->key[i] = key;
  h->node[i] = node;
  return top;
}

// right: the distances are the caller's
double *unique dijkstra(const struct graph *borrowed g, size_t from) {
  struct heap h = {0};
  double *unique dist = malloc(g->n * sizeof *dist);
  bool *unique done = calloc(g->n, sizeof *done);
  bool ok = dist && done && heap_push(&h, from, 0);
  if (ok) {
    for (size_t i = 0; i < g->n; i++)
      dist[i] = HUGE_VAL;
    dist[from] = 0;
    while (ok && h.count) {
      size_t u = heap_pop(&h);
      if (done[u])
        continue;
      done[u] = true;
      for (const struct edge *e = g->out[u]; ok && e; e = e->next)
        if (dist[u] + e->weight < dist[e->to]) {
          dist[e->to] = dist[u] + e->weight;
          ok = heap_push(&h, e->to, dist[e->to]);
        }
    }
  }
  free(acre_take(&h.node));
  free(acre_take(&h.key));
  free(done);
  if (!ok) {
    free(dist);
    return NULL;
  }
  return dist;
}

// leak: the queue stays where a node is found early
bool reachable(const struct graph *borrowed g, size_t from, size_t to) {
  size_t *unique queue = malloc(g->n * sizeof *queue);
  bool *unique seen = calloc(g->n, 1);
  size_t head = 0, tail = 0;
  if (!queue || !seen) {
    free(queue);
    free(seen);
    return false;
  }
  queue[tail++] = from;
  seen[from] = true;
  while (head < tail) {
    size_t u = queue[head++];
    if (u == to) {
      free(seen);
      return true;
    }
    for (const struct edge *e = g->out[u]; e; e = e->next)
      if (!seen[e->to]) {
        seen[e->to] = true;
        queue[tail++] = e->to;
      }
  }
  free(queue);
  free(seen);
  return false;
}

// wrong: the next edge is asked of one that was freed
void prune(struct graph *borrowed g, double limit) {
  for (size_t i = 0; i < g->n; i++) {
    struct edge *unique list = acre_take(&g->out[i]), *unique kept = NULL;
    while (list) {
      struct edge *unique next = acre_take(&list->next);
      if (list->weight > limit) {
        free(list);
      } else {
        list->next = kept;
        kept = list;
      }
      if (!list->next)
        g->n = i;
      list = next;
    }
    g->out[i] = kept;
  }
}

// right
struct event *unique event_new(time_t start, time_t end, const char *borrowed title,
                               const char *borrowed place) {
  struct event *unique e = calloc(1, sizeof *e);
  if (!e)
    return NULL;
  e->start = start;
  e->end = end < start ? start : end;
  e->title = strdup(title);
  e->place = place ? strdup(place) : NULL;
  if (!e->title || (place && !e->place)) {
    acre_drop(e);
    return NULL;
  }
  return e;
}

// right: keeps the order
bool calendar_add(struct calendar *borrowed c, struct event *unique e) {
  if (!e)
    return false;
  if (c->count == c->capacity) {
    size_t n = c->capacity ? c->capacity * 2 : 8;
    struct event *unique *unique v = realloc(c->events, n * sizeof *v);
    if (!v) {
      acre_drop(e);
      return false;
    }
    c->events = v;
    c->capacity = n;
  }
  size_t i = c->count++;
  for (; i > 0 && c->events[i - 1]->start > e->start; i--)
    c->events[i] = acre_take(&c->events[i - 1]);
  c->events[i] = e;
  return true;
}

// right: removes what has ended
size_t calendar_before(struct calendar *borrowed c, time_t when) {
  size_t n = 0, i, j;
  while (n < c->count && c->events[n]->end < when)
    n++;
  for (i = 0; i < n; i++)
    acre_drop(acre_take(&c->events[i]));
  for (j = 0; i < c->count; i++, j++)
    c->events[j] = acre_take(&c->events[i]);
  c->count = j;
  return n;
}

// right
size_t calendar_clashes(const struct calendar *borrowed c, const struct event *borrowed e) {
  size_t n = 0;
  for (size_t i = 0; i < c->count; i++) {
    const struct event *x = c->events[i];
    if (x->start < e->end && e->start < x->end)
      n++;
  }
  return n;
}

// leak: the event that clashes is not put back
bool calendar_move(struct calendar *borrowed c, size_t i, time_t by) {
  struct event *unique e = acre_take(&c->events[i]);
  for (size_t j = i + 1; j < c->count; j++)
    c->events[j - 1] = acre_take(&c->events[j]);
  c->count--;
  e->start += by;
  e->end += by;
  if (calendar_clashes(c, e))
    return false;
  return calendar_add(c, e);
}

// wrong: the event is printed after it was given away
bool calendar_book(struct calendar *borrowed c, time_t start, unsigned minutes,
                   const char *borrowed title) {
  struct event *unique e = event_new(start, start + 60 * minutes, title, NULL);
  if (!e)
    return false;
  if (calendar_clashes(c, e)) {
    acre_drop(e);
    return false;
  }
  bool ok = calendar_add(c, e);
  printf("%s: %s\n", ok ? "booked" : "failed", e->title);
  return ok;
}

// right
char *unique calendar_format(const struct calendar *borrowed c) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  for (size_t i = 0; i < c->count; i++) {
    struct tm tm;
    char when[32];
    if (!localtime_r(&c->events[i]->start, &tm) || !strftime(when, sizeof when, "%F %R", &tm))
      continue;
    fprintf(out, "%s  %s%s%s\n", when, c->events[i]->title, c->events[i]->place ? ", " : "",
            c->events[i]->place ? c->events[i]->place : "");
  }
  if (fclose(out) != 0) {
    free(text);
    return NULL;
  }
  return text;
}

/* SPDX-License-Identifier: MIT */
/* Terminals, windows, clients, buffers that are pasted and spools: right, wrong and leaking. */
#include "corpus.h"

// right
struct cell_line {
  uint32_t *unique cells;
  unsigned used, room;
};
struct grid {
  struct cell_line *unique lines;
  unsigned height, history, limit;
};
struct screen {
  struct grid *unique grid, *unique saved;
  char *unique title;
  struct titles *unique titles;
};
struct titles {
  struct titles *unique under;
  char *unique text;
};
struct pane {
  struct pane *unique next;
  struct window *window;
  struct screen *unique base;
  struct mode *unique mode;
  char *unique *unique arguments;
  int argument_count, fd;
  unsigned id;
};
struct mode {
  struct mode *unique under;
  struct screen *unique screen;
  void *unique data;
  void (*end)(void *unique data);
};
struct window {
  struct pane *unique panes;
  struct pane *active;
  char *unique name;
  struct layout *unique layout, *unique old_layout;
};
struct layout {
  struct layout *unique first, *unique next;
  struct layout *parent;
  unsigned wide, high;
};
struct buffer {
  struct buffer *unique next;
  char *unique name, *unique data;
  size_t size;
  bool automatic;
};
struct server {
  struct buffer *unique buffers;
  unsigned automatic, next_index;
  struct client *unique clients;
  char *unique socket_path;
};
struct client {
  struct client *unique next;
  FILE *unique in, *unique out;
  char *unique name, *unique message, *unique prompt;
  bool dead;
};
void screen_free(struct screen *unique s);
void pane_free(struct pane *unique p);
void layout_free(struct layout *unique l);
void client_free(struct client *unique c);
void redraw(const struct client *borrowed c);
char *unique clean_name(const char *borrowed text);

// right
struct grid *unique grid_new(unsigned height, unsigned width) {
  struct grid *unique g = calloc(1, sizeof *g);
  if (!g) return NULL;
  if (!(g->lines = calloc(height, sizeof *g->lines))) {
    free(g);
    return NULL;
  }
  for (unsigned y = 0; y < height; y++) {
    g->lines[y].cells = calloc(width, sizeof(uint32_t));
    if (!g->lines[y].cells) {
      while (y-- > 0) free(acre_take(&g->lines[y].cells));
      free(acre_take(&g->lines));
      free(g);
      return NULL;
    }
    g->lines[y].room = width;
  }
  g->height = height;
  return g;
}

// leak: the lines, where there is no grid
struct grid *unique grid_new_short(unsigned height, unsigned width) {
  struct grid *unique g = calloc(1, sizeof *g);
  struct cell_line *unique lines = calloc(height, sizeof *lines);
  if (!g || !lines) {
    free(g);
    return NULL;
  }
  for (unsigned y = 0; y < height; y++) lines[y].cells = calloc(width, sizeof(uint32_t));
  g->lines = lines;
  g->height = height;
  return g;
}

// right
void grid_free(struct grid *unique g) {
  if (!g) return;
  for (unsigned y = 0; y < g->height + g->history; y++) free(acre_take(&g->lines[y].cells));
  free(acre_take(&g->lines));
  free(g);
}

// right
int grid_scroll(struct grid *borrowed g) {
  if (g->history < g->limit) {
    unsigned total = g->history + g->height;
    struct cell_line *unique lines = realloc(g->lines, (total + 1) * sizeof *lines);
    if (!lines) return -1;
    g->lines = lines;
    memset(&g->lines[total], 0, sizeof g->lines[total]);
    g->history++;
    return 0;
  }
  uint32_t *unique oldest = acre_take(&g->lines[0].cells);
  unsigned room = g->lines[0].room;
  for (unsigned y = 1; y < g->history + g->height; y++) {
    g->lines[y - 1].cells = acre_take(&g->lines[y].cells);
    g->lines[y - 1].used = g->lines[y].used;
    g->lines[y - 1].room = g->lines[y].room;
  }
  struct cell_line *last = &g->lines[g->history + g->height - 1];
  last->cells = oldest;
  last->used = 0;
  last->room = room;
  return 0;
}

// leak: the oldest line
void grid_scroll_lost(struct grid *borrowed g) {
  unsigned total = g->history + g->height;
  for (unsigned y = 0; y + 1 < total; y++) {
    g->lines[y].cells = acre_take(&g->lines[y + 1].cells);
    g->lines[y].used = g->lines[y + 1].used;
  }
}

// wrong: cells are set through a pointer from before the line grew
void line_put(struct cell_line *borrowed l, unsigned x, uint32_t c) {
  uint32_t *at = &l->cells[x];
  if (x >= l->room) {
    uint32_t *unique more = realloc(acre_take(&l->cells), (x + 1) * sizeof *more);
    if (!more) abort();
    l->cells = more;
    l->room = x + 1;
  }
  *at = c;
}

// right
bool line_grow(struct cell_line *borrowed l, unsigned to) {
  if (to <= l->room) return true;
  unsigned room = l->room ? l->room : 8;
  while (room < to) room *= 2;
  uint32_t *unique cells = realloc(l->cells, room * sizeof *cells);
  if (cells == NULL) return false;
  memset(cells + l->room, 0, (room - l->room) * sizeof *cells);
  l->cells = cells;
  l->room = room;
  return true;
}

// right
void screen_alternate(struct screen *borrowed s, bool on) {
  if (on == (s->saved != NULL)) return;
  if (on) {
    struct grid *unique fresh = grid_new(s->grid->height, 80);
    if (!fresh) return;
    s->saved = acre_swap(&s->grid, fresh);
  } else {
    grid_free(acre_swap(&s->grid, acre_take(&s->saved)));
  }
}

// right
void push_title(struct screen *borrowed s) {
  struct titles *unique t = calloc(1, sizeof *t);
  if (!t) return;
  t->text = strdup(s->title ? s->title : "");
  t->under = acre_take(&s->titles);
  s->titles = t;
}

// right
void pop_title(struct screen *borrowed s) {
  struct titles *unique t = acre_take(&s->titles);
  if (t == NULL) return;
  s->titles = acre_take(&t->under);
  free(acre_swap(&s->title, acre_take(&t->text)));
  free(t);
}

// leak: the title that was shown
void pop_title_lost(struct screen *borrowed s) {
  struct titles *unique t = acre_take(&s->titles);
  if (t == NULL) return;
  s->titles = acre_take(&t->under);
  s->title = acre_take(&t->text);
  free(t);
}

// right
int mode_push(struct pane *borrowed p, struct screen *unique s, void *unique data,
              void (*end)(void *unique data)) {
  struct mode *unique m = calloc(1, sizeof *m);
  if (!m) {
    screen_free(s);
    end(data);
    return -1;
  }
  m->screen = s;
  m->data = data;
  m->end = end;
  m->under = acre_take(&p->mode);
  p->mode = m;
  return 0;
}

// right
void mode_pop(struct pane *borrowed p) {
  if (!p->mode) return;
  struct mode *unique m = acre_take(&p->mode);
  p->mode = acre_take(&m->under);
  m->end(acre_take(&m->data));
  screen_free(acre_take(&m->screen));
  free(m);
}

// wrong: the screen of the mode that was popped is kept as the base
void mode_keep(struct pane *borrowed p) {
  struct mode *unique m = acre_take(&p->mode);
  if (!m) return;
  struct screen *s = m->screen;
  p->mode = acre_take(&m->under);
  m->end(acre_take(&m->data));
  acre_drop(m);
  if (s->title) puts(s->title);
}

// right
struct pane *unique window_remove(struct window *borrowed w, unsigned id) {
  for (struct pane *unique *at = &w->panes; *at != NULL; at = &(*at)->next) {
    if ((*at)->id != id) continue;
    struct pane *unique p = acre_take(at);
    *at = acre_take(&p->next);
    if (w->active && w->active->id == id) w->active = acre_unowned(w->panes);
    p->window = NULL;
    return p;
  }
  return NULL;
}

// right
void window_insert_after(struct window *borrowed w, unsigned id, struct pane *unique p) {
  struct pane *unique *at = &w->panes;
  while (*at && (*at)->id != id) at = &(*at)->next;
  if (*at) at = &(*at)->next;
  p->next = acre_take(at);
  *at = p;
}

// right
int window_join(struct window *borrowed from, struct window *borrowed to, unsigned id) {
  struct pane *unique p = window_remove(from, id);
  if (!p) return -1;
  p->window = acre_unowned(to);
  window_insert_after(to, 0, p);
  return from->panes == NULL;
}

// wrong: the pane is asked for its number when it belongs to the other window
unsigned window_join_number(struct window *borrowed from, struct window *borrowed to, unsigned id) {
  struct pane *unique p = window_remove(from, id);
  if (!p) return 0;
  window_insert_after(to, 0, p);
  return p->id;
}

// leak: the pane, where it is the last one
int window_break(struct window *borrowed from, struct window *borrowed to, unsigned id) {
  struct pane *unique p = window_remove(from, id);
  if (!from->panes) return -1;
  if (p) window_insert_after(to, id, p);
  return 0;
}

// right
void window_swap_panes(struct window *borrowed a, struct window *borrowed b) {
  struct pane *unique all = acre_take(&a->panes);
  a->panes = acre_take(&b->panes);
  b->panes = all;
  for (struct pane *p = a->panes; p; p = p->next) p->window = acre_unowned(a);
  for (struct pane *p = b->panes; p; p = p->next) p->window = acre_unowned(b);
}

// right
int window_rename(struct window *borrowed w, const char *text) {
  char *unique name = clean_name(text);
  if (!name) return -1;
  if (w->name && strcmp(w->name, name) == 0) {
    free(name);
    return 0;
  }
  free(acre_swap(&w->name, name));
  return 1;
}

// right
static int layout_parse(const char **text, struct layout *unique *acre_out result) {
  *result = NULL;
  unsigned wide, high;
  int used = 0;
  if (sscanf(*text, "%ux%u%n", &wide, &high, &used) < 2) return -1;
  *text += used;
  struct layout *unique l = calloc(1, sizeof *l);
  if (!l) return -1;
  l->wide = wide;
  l->high = high;
  if (**text == '{') {
    struct layout *unique *end = &l->first;
    do {
      ++*text;
      struct layout *unique inner = NULL;
      if (layout_parse(text, &inner) < 0) {
        layout_free(l);
        return -1;
      }
      inner->parent = acre_unowned(l);
      *end = inner;
      end = &(*end)->next;
    } while (**text == ',');
    if (**text != '}') {
      layout_free(l);
      return -1;
    }
    ++*text;
  }
  *result = l;
  return 0;
}

// right
int window_layout(struct window *borrowed w, const char *text) {
  struct layout *unique l = NULL;
  if (layout_parse(&text, &l) < 0) return -1;
  if (*text != '\0') {
    layout_free(l);
    return -1;
  }
  layout_free(acre_swap(&w->old_layout, acre_swap(&w->layout, l)));
  return 0;
}

// leak: the layout, where more text follows
int window_layout_exact(struct window *borrowed w, const char *text) {
  struct layout *unique l = NULL;
  if (layout_parse(&text, &l) < 0) return -1;
  if (*text != '\0') return -1;
  layout_free(acre_swap(&w->layout, l));
  return 0;
}

// right
static const struct buffer *borrowed buffer_get(const struct server *borrowed s,
                                                const char *name __attribute__((noescape))) {
  const struct buffer *b = s->buffers;
  while (b && strcmp(b->name, name) != 0) b = b->next;
  return b;
}

// right
void buffer_add(struct server *borrowed s, char *unique data, size_t size) {
  if (size == 0) {
    free(data);
    return;
  }
  struct buffer *unique b = calloc(1, sizeof *b);
  if (!b) {
    free(data);
    return;
  }
  do {
    free(acre_take(&b->name));
    char *unique name = NULL;
    if (asprintf(&name, "buffer%u", s->next_index++) < 0) {
      free(data);
      free(b);
      return;
    }
    b->name = name;
  } while (buffer_get(s, b->name) != NULL);
  b->data = data;
  b->size = size;
  b->automatic = true;
  s->automatic++;
  b->next = acre_take(&s->buffers);
  s->buffers = b;
}

// leak: the names that were in use
void buffer_add_named(struct server *borrowed s, char *unique data, size_t size) {
  struct buffer *unique b = calloc(1, sizeof *b);
  if (!b) {
    free(data);
    return;
  }
  char *unique name = NULL;
  do {
    if (asprintf(&name, "buffer%u", s->next_index++) < 0) abort();
  } while (buffer_get(s, name) != NULL);
  b->name = name;
  b->data = data;
  b->size = size;
  b->next = acre_take(&s->buffers);
  s->buffers = b;
}

// right
void buffer_limit(struct server *borrowed s, unsigned limit) {
  struct buffer *unique *at = &s->buffers;
  unsigned seen = 0;
  while (*at) {
    if ((*at)->automatic && ++seen > limit) {
      struct buffer *unique old = acre_take(at);
      *at = acre_take(&old->next);
      s->automatic--;
      acre_drop(old);
      continue;
    }
    at = &(*at)->next;
  }
}

// right
int buffer_set(struct server *borrowed s, const char *name, char *unique data, size_t size,
               char *unique *borrowed cause) {
  if (cause) free(acre_swap(cause, NULL));
  if (!name) {
    buffer_add(s, data, size);
    return 0;
  }
  if (!*name) {
    if (cause) *cause = strdup("empty buffer name");
    free(data);
    return -1;
  }
  for (struct buffer *b = s->buffers; b; b = b->next) {
    if (strcmp(b->name, name) != 0) continue;
    free(acre_swap(&b->data, data));
    b->size = size;
    return 0;
  }
  buffer_add(s, data, size);
  return 0;
}

// wrong: the data were freed where the name is empty
int buffer_set_name(struct server *borrowed s, const char *name, char *unique data, size_t size) {
  int result = 0;
  if (!*name) {
    free(data);
    result = -1;
  }
  buffer_add(s, data, size);
  return result;
}

// right
size_t clients_sweep(struct server *borrowed s) {
  size_t kept = 0;
  struct client *unique alive = NULL, *unique *end = &alive;
  while (s->clients) {
    struct client *unique c = acre_take(&s->clients);
    s->clients = acre_take(&c->next);
    if (c->dead) {
      if (c->in) fclose(acre_take(&c->in));
      if (c->out) fclose(acre_take(&c->out));
      client_free(c);
      continue;
    }
    kept++;
    *end = c;
    end = &(*end)->next;
  }
  s->clients = alive;
  return kept;
}

// leak: the clients that are alive
size_t clients_sweep_lost(struct server *borrowed s) {
  size_t gone = 0;
  while (s->clients) {
    struct client *unique c = acre_take(&s->clients);
    s->clients = acre_take(&c->next);
    if (!c->dead) continue;
    client_free(c);
    gone++;
  }
  return gone;
}

// right
void __attribute__((format(printf, 2, 3)))
client_say(struct client *borrowed c, const char *format, ...) {
  va_list list;
  char *unique text = NULL;
  va_start(list, format);
  int length = vasprintf(&text, format, list);
  va_end(list);
  if (length < 0) return;
  free(acre_swap(&c->message, text));
  redraw(c);
}

// right
struct client *unique client_accept(int listener) {
  int fd = accept(listener, NULL, NULL);
  if (fd < 0) return NULL;
  struct client *unique c = calloc(1, sizeof *c);
  if (!c) goto no_client;
  int other = dup(fd);
  if (other < 0) goto no_other;
  c->in = fdopen(fd, "r");
  if (!c->in) goto no_in;
  c->out = fdopen(other, "w");
  if (!c->out) goto no_out;
  return c;
no_out:
  fclose(acre_take(&c->in));
  close(other);
  free(c);
  return NULL;
no_in:
  close(other);
no_other:
  free(c);
no_client:
  close(fd);
  return NULL;
}

// leak: the stream to read from
struct client *unique client_accept_out(int listener) {
  int fd = accept(listener, NULL, NULL);
  if (fd < 0) return NULL;
  struct client *unique c = calloc(1, sizeof *c);
  if (!c) {
    close(fd);
    return NULL;
  }
  c->in = fdopen(fd, "r");
  c->out = fdopen(dup(fd), "w");
  if (!c->out) goto fail;
  return c;
fail:
  free(c);
  return NULL;
}

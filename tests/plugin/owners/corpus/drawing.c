/* SPDX-License-Identifier: MIT */
/* Paths of SVG, outlines of fonts, tracks of MIDI and games of chess: right, wrong and leaking. */
#include "corpus.h"

// right (known: a path whose index is still empty is dropped)
struct point {
  double x, y;
};
struct subpath {
  struct subpath *unique next;
  struct point *unique points;
  size_t count, room;
  bool closed;
};
struct path {
  struct subpath *unique first, *unique *unique index;
  size_t subpaths;
  char *unique id;
};
struct style {
  char *unique fill, *unique stroke;
  double *unique dashes;
  unsigned dash_count;
};
struct shape {
  struct path *unique path;
  struct style style;
  struct shape *unique next;
};
struct edge {
  struct edge *unique next;
  int top, bottom;
  double x, slope;
};
struct raster {
  struct edge *unique *unique lines;
  struct edge *unique active;
  uint8_t *unique coverage;
  int width, height;
};
struct glyph {
  uint32_t code;
  uint8_t *unique bitmap;
  int width, height;
};
struct font {
  uint8_t *unique file;
  size_t size;
  struct glyph *unique cache[64];
  struct font *unique fallback;
};
struct event {
  unsigned long tick;
  uint8_t bytes[3];
  char *unique meta;
};
struct track {
  struct event *unique events;
  size_t count, room;
  char *unique title;
};
struct song {
  struct track *unique *unique tracks;
  unsigned track_count, division;
};
struct moves {
  struct moves *unique next;
  uint16_t list[64];
  unsigned count;
  struct position *unique after;
};
struct position {
  uint8_t board[64];
  uint64_t key;
  struct moves *unique replies;
  char *unique note;
};
struct memo {
  uint64_t key;
  int score;
  uint16_t *unique line;
};
struct engine {
  struct memo *unique table;
  size_t slots;
  struct position *unique root;
  uint16_t *unique best;
  struct moves *unique spare;
};
bool number_at(const char **borrowed at, double *borrowed value);
uint16_t pick(const struct position *borrowed p, unsigned turn);
struct position *unique played(const struct position *borrowed p, uint16_t move);
int worth(const struct position *borrowed p);
bool outline(const struct font *borrowed f, uint32_t code, struct path *acre_out into);
uint8_t *unique fill_path(const struct path *borrowed p, int *borrowed width, int *borrowed height);

/* -- Paths -- */

// right
bool subpath_add(struct subpath *borrowed s, double x, double y) {
  if (s->count == s->room) {
    size_t room = s->room + s->room / 2 + 4;
    struct point *unique p = realloc(s->points, room * sizeof *p);
    if (p == NULL) return false;
    s->points = p;
    s->room = room;
  }
  s->points[s->count].x = x;
  s->points[s->count].y = y;
  s->count += 1;
  return true;
}

// right (known: both pointers are set from one slot)
struct path *unique path_parse(const char *text) {
  struct path *unique p = calloc(1, sizeof *p);
  struct subpath *current = NULL;
  struct subpath *unique *end;
  double x, y;
  if (!p) return NULL;
  end = &p->first;
  while (*text) {
    char command = *text++;
    switch (command) {
    case 'M':
      *end = calloc(1, sizeof **end);
      if (!*end) goto fail;
      current = *end;
      end = &(*end)->next;
      p->subpaths++;
      /* fall through */
    case 'L':
      if (!current || !number_at(&text, &x) || !number_at(&text, &y)) goto fail;
      if (!subpath_add(current, x, y)) goto fail;
      break;
    case 'Z':
      if (current) current->closed = true;
      break;
    case ' ':
      break;
    default:
      goto fail;
    }
  }
  return p;
fail:
  acre_drop(p);
  return NULL;
}

// leak: the path, where a number is missing
struct path *unique path_parse_lines(const char *text) {
  struct path *unique p = calloc(1, sizeof *p);
  double x, y;
  if (!p || !(p->first = calloc(1, sizeof *p->first))) {
    free(p);
    return NULL;
  }
  while (*text) {
    if (!number_at(&text, &x) || !number_at(&text, &y)) return NULL;
    if (!subpath_add(p->first, x, y)) break;
  }
  return p;
}

// right
void path_reverse(struct path *borrowed p) {
  struct subpath *unique turned = NULL;
  while (p->first) {
    struct subpath *unique s = acre_take(&p->first);
    p->first = acre_take(&s->next);
    for (size_t i = 0; i < s->count / 2; i++) {
      struct point held = s->points[i];
      s->points[i] = s->points[s->count - 1 - i];
      s->points[s->count - 1 - i] = held;
    }
    s->next = acre_take(&turned);
    turned = s;
  }
  p->first = acre_take(&turned);
}

// right
void path_drop_short(struct path *borrowed p) {
  struct subpath *unique *at = &p->first;
  while (*at) {
    struct subpath *s = *at;
    if (s->count > 1) {
      at = &s->next;
    } else {
      struct subpath *unique rest = acre_take(&s->next);
      acre_drop(acre_swap(at, rest));
      p->subpaths--;
    }
  }
}

// wrong: the count of a part that has been dropped
size_t path_drop_first(struct path *borrowed p) {
  struct subpath *s = p->first;
  if (!s) return 0;
  struct subpath *unique rest = acre_take(&s->next);
  acre_drop(acre_swap(&p->first, rest));
  return s->count;
}

// leak: the parts behind one that is short
void path_cut_short(struct path *borrowed p) {
  for (struct subpath *unique *at = &p->first; *at; at = &(*at)->next) {
    if ((*at)->count > 1) continue;
    struct subpath *unique dead = acre_take(at);
    free(acre_take(&dead->points));
    free(dead);
    return;
  }
}

// right
struct path *unique path_copy(const struct path *borrowed from) {
  struct path *unique to = calloc(1, sizeof *to);
  if (!to) return NULL;
  if (from->id && !(to->id = strdup(from->id))) goto fail;
  struct subpath *unique *end = &to->first;
  for (const struct subpath *s = from->first; s; s = s->next) {
    struct subpath *unique c = calloc(1, sizeof *c);
    if (!c) goto fail;
    c->points = malloc(s->count * sizeof *c->points);
    if (!c->points) {
      free(c);
      goto fail;
    }
    memcpy(c->points, s->points, s->count * sizeof *c->points);
    c->count = c->room = s->count;
    c->closed = s->closed;
    *end = c;
    end = &(*end)->next;
    to->subpaths++;
  }
  return to;
fail:
  acre_drop(to);
  return NULL;
}

// right
bool style_parse(struct style *acre_out s, const char *text) {
  char *unique copy = strdup(text), *rest;
  *s = (struct style){0};
  if (!copy) return false;
  for (char *word = strtok_r(copy, ";", &rest); word; word = strtok_r(NULL, ";", &rest)) {
    char *value = strchr(word, ':');
    if (!value) continue;
    *value++ = 0;
    if (strcmp(word, "fill") == 0) free(acre_swap(&s->fill, strdup(value)));
    else if (strcmp(word, "stroke") == 0) free(acre_swap(&s->stroke, strdup(value)));
  }
  free(copy);
  return true;
}

// wrong: a word is kept of a copy that is freed
const char *style_fill(const char *text) {
  char *unique copy = strdup(text), *rest;
  if (!copy) return NULL;
  char *word = strtok_r(copy, ";", &rest);
  while (word && strncmp(word, "fill:", 5) != 0) word = strtok_r(NULL, ";", &rest);
  free(copy);
  return word ? word + 5 : NULL;
}

// right
void style_inherit(struct style *borrowed s, const struct style *borrowed parent) {
  if (!s->fill && parent->fill) s->fill = strdup(parent->fill);
  if (!s->stroke && parent->stroke) s->stroke = strdup(parent->stroke);
  if (!s->dashes && parent->dash_count) {
    s->dashes = calloc(parent->dash_count, sizeof *s->dashes);
    if (!s->dashes) return;
    memcpy(s->dashes, parent->dashes, parent->dash_count * sizeof *s->dashes);
    s->dash_count = parent->dash_count;
  }
}

// leak: the dashes that were there
void style_set_dashes(struct style *borrowed s, const double *dashes, unsigned count) {
  double *unique copy = calloc(count, sizeof *copy);
  if (!copy) return;
  memcpy(copy, dashes, count * sizeof *copy);
  s->dashes = copy;
  s->dash_count = count;
}

// right
struct shape *unique shape_new(const char *d, const char *style) {
  struct shape *unique s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->path = path_parse(d);
  if (!s->path || !style_parse(&s->style, style)) {
    acre_drop(s);
    return NULL;
  }
  return s;
}

// right
void shapes_raise(struct shape *unique *borrowed list, const char *id) {
  struct shape *unique *at = list;
  while (*at && strcmp((*at)->path->id, id) != 0) at = &(*at)->next;
  struct shape *unique found = acre_take(at);
  if (!found) return;
  *at = acre_take(&found->next);
  while (*at) at = &(*at)->next;
  *at = found;
}

/* -- Fonts -- */

// right
struct raster *unique raster_new(int width, int height) {
  struct raster *unique r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->width = width;
  r->height = height;
  r->lines = calloc((size_t)height, sizeof *r->lines);
  r->coverage = calloc((size_t)width, (size_t)height);
  if (!r->lines || !r->coverage) {
    free(acre_take(&r->lines));
    free(acre_take(&r->coverage));
    free(r);
    return NULL;
  }
  return r;
}

// right
void raster_free(struct raster *unique r) {
  if (!r) return;
  for (int y = 0; y < r->height; y++) {
    while (r->lines[y]) {
      struct edge *unique e = acre_take(&r->lines[y]);
      r->lines[y] = acre_take(&e->next);
      free(e);
    }
  }
  while (r->active) {
    struct edge *unique e = acre_take(&r->active);
    r->active = acre_take(&e->next);
    free(e);
  }
  free(acre_take(&r->lines));
  free(acre_take(&r->coverage));
  free(r);
}

// right
bool raster_edge(struct raster *borrowed r, struct point from, struct point to) {
  if (from.y > to.y) {
    struct point held = from;
    from = to;
    to = held;
  }
  int top = (int)from.y;
  if (top < 0 || top >= r->height || from.y == to.y) return true;
  struct edge *unique e = malloc(sizeof *e);
  if (!e) return false;
  *e = (struct edge){.top = top, .bottom = (int)to.y, .x = from.x};
  e->slope = (to.x - from.x) / (to.y - from.y);
  e->next = acre_take(&r->lines[top]);
  r->lines[top] = e;
  return true;
}

// right
void raster_scan(struct raster *borrowed r) {
  for (int y = 0; y < r->height; y++) {
    while (r->lines[y]) {
      struct edge *unique e = acre_take(&r->lines[y]);
      r->lines[y] = acre_take(&e->next);
      struct edge *unique *at = &r->active;
      while (*at && (*at)->x < e->x) at = &(*at)->next;
      e->next = acre_take(at);
      *at = e;
    }
    struct edge *unique *at = &r->active;
    while (*at) {
      struct edge *e = *at;
      if (e->bottom <= y) {
        struct edge *unique done = acre_take(at);
        *at = acre_take(&done->next);
        free(done);
        continue;
      }
      int x = (int)e->x;
      if (x >= 0 && x < r->width) r->coverage[y * r->width + x] ^= 0xff;
      e->x += e->slope;
      at = &e->next;
    }
  }
}

// leak: the edges behind one that is done
void raster_done(struct raster *borrowed r, int y) {
  struct edge *unique *at = &r->active;
  while (*at) {
    if ((*at)->bottom <= y) free(acre_take(at));
    else at = &(*at)->next;
  }
}

// wrong: the edge is stepped on when it is done and freed
void raster_step(struct raster *borrowed r, int y) {
  struct edge *unique *at = &r->active;
  while (*at) {
    struct edge *e = *at;
    if (e->bottom <= y) {
      struct edge *unique done = acre_take(at);
      *at = acre_take(&done->next);
      free(done);
    } else {
      at = &e->next;
    }
    e->x += e->slope;
  }
}

// right
static struct glyph *unique glyph_render(const struct font *borrowed f, uint32_t code) {
  struct path shape;
  if (!outline(f, code, &shape)) return NULL;
  struct glyph *unique g = calloc(1, sizeof *g);
  if (g) {
    g->code = code;
    g->bitmap = fill_path(&shape, &g->width, &g->height);
    if (!g->bitmap) free(acre_take(&g));
  }
  acre_drop(acre_take(&shape.first));
  free(acre_take(&shape.index));
  free(acre_take(&shape.id));
  return g;
}

// right
const struct glyph *borrowed font_glyph(struct font *borrowed f, uint32_t code) {
  struct glyph *unique *slot = &f->cache[code % 64];
  if (*slot && (*slot)->code == code) return *slot;
  struct glyph *unique g = glyph_render(f, code);
  if (!g) return f->fallback ? font_glyph(f->fallback, code) : NULL;
  acre_drop(acre_swap(slot, g));
  return *slot;
}

// wrong: the first glyph may go when the second one is drawn
int font_kern(struct font *borrowed f, uint32_t a, uint32_t b) {
  const struct glyph *left = font_glyph(f, a);
  const struct glyph *right = font_glyph(f, b);
  if (!left || !right) return 0;
  return right->width - left->width;
}

// right
int font_width(struct font *borrowed f, const uint32_t *text, size_t count) {
  int width = 0;
  for (size_t i = 0; i < count; i++) {
    const struct glyph *g = font_glyph(f, text[i]);
    width += g ? g->width + 1 : 0;
  }
  return width;
}

// right
struct font *unique font_load(const char *path, struct font *unique fallback) {
  struct stat s;
  struct font *unique f = NULL;
  int fd = open(path, O_RDONLY);
  if (fd < 0 || fstat(fd, &s) < 0) goto out;
  f = calloc(1, sizeof *f);
  if (!f) goto out;
  f->size = (size_t)s.st_size;
  f->file = malloc(f->size);
  if (!f->file || read(fd, f->file, f->size) != (ssize_t)f->size) {
    free(acre_take(&f->file));
    free(f);
    f = NULL;
  } else {
    f->fallback = fallback;
    fallback = NULL;
  }
out:
  if (fd >= 0) close(fd);
  acre_drop(fallback);
  return f;
}

// leak: the font to fall back on, where the file cannot be opened
struct font *unique font_open(const char *path, struct font *unique fallback) {
  FILE *unique in = fopen(path, "rb");
  if (!in) return NULL;
  struct font *unique f = calloc(1, sizeof *f);
  if (f) f->fallback = fallback;
  else acre_drop(fallback);
  fclose(in);
  return f;
}

/* -- MIDI -- */

// right
bool track_event(struct track *borrowed t, unsigned long tick, const uint8_t bytes[3]) {
  if (t->count >= t->room) {
    size_t room = t->room ? t->room * 2 : 32;
    struct event *unique grown = realloc(t->events, room * sizeof *grown);
    if (!grown) return false;
    t->events = grown;
    t->room = room;
  }
  struct event *e = &t->events[t->count];
  e->tick = tick;
  memcpy(e->bytes, bytes, 3);
  e->meta = NULL;
  t->count++;
  return true;
}

// right
bool track_meta(struct track *borrowed t, unsigned long tick, const char *text) {
  char *unique copy = strdup(text);
  if (!copy) return false;
  if (!track_event(t, tick, (const uint8_t[3]){0xff, 1, 0})) {
    free(copy);
    return false;
  }
  t->events[t->count - 1].meta = copy;
  return true;
}

// leak: the text, where there is no room for the event
bool track_lyric(struct track *borrowed t, unsigned long tick, const char *text) {
  char *unique copy = strdup(text);
  if (!copy) return false;
  if (!track_event(t, tick, (const uint8_t[3]){0xff, 5, 0})) return false;
  t->events[t->count - 1].meta = copy;
  return true;
}

// right
void track_sort(struct track *borrowed t) {
  for (size_t i = 1; i < t->count; i++) {
    for (size_t j = i; j > 0 && t->events[j].tick < t->events[j - 1].tick; j--) {
      struct event *a = &t->events[j - 1], *b = &t->events[j];
      unsigned long tick = a->tick;
      a->tick = b->tick;
      b->tick = tick;
      char *unique meta = acre_take(&a->meta);
      a->meta = acre_take(&b->meta);
      b->meta = meta;
    }
  }
}

// right
void track_cut(struct track *borrowed t, unsigned long from, unsigned long to) {
  size_t kept = 0;
  for (size_t i = 0; i < t->count; i++) {
    struct event *e = &t->events[i];
    if (e->tick >= from && e->tick < to) {
      free(acre_take(&e->meta));
      continue;
    }
    struct event *into = &t->events[kept++];
    if (into == e) continue;
    into->tick = e->tick;
    memcpy(into->bytes, e->bytes, 3);
    into->meta = acre_take(&e->meta);
  }
  t->count = kept;
}

// wrong: an event of before the track has grown
unsigned long track_repeat(struct track *borrowed t) {
  if (t->count == 0) return 0;
  const struct event *last = &t->events[t->count - 1];
  if (!track_event(t, last->tick + 1, last->bytes)) return 0;
  return last->tick;
}

// right
void song_free(struct song *unique s) {
  if (s == NULL) return;
  for (unsigned i = 0; i < s->track_count; i++) {
    struct track *unique t = acre_take(&s->tracks[i]);
    if (!t) continue;
    for (size_t k = 0; k < t->count; k++) free(acre_take(&t->events[k].meta));
    free(acre_take(&t->events));
    free(acre_take(&t->title));
    free(t);
  }
  free(acre_take(&s->tracks));
  free(s);
}

// leak: the titles of the tracks
void song_free_tracks(struct song *unique s) {
  for (unsigned i = 0; i < s->track_count; i++) {
    struct track *unique t = acre_take(&s->tracks[i]);
    if (t) free(acre_take(&t->events));
    free(t);
  }
  free(acre_take(&s->tracks));
  free(s);
}

// right
struct song *unique song_new(unsigned tracks) {
  struct song *unique s = calloc(1, sizeof *s);
  if (!s || !(s->tracks = calloc(tracks, sizeof *s->tracks))) {
    free(s);
    return NULL;
  }
  for (; s->track_count < tracks; s->track_count++) {
    struct track *unique t = calloc(1, sizeof *t);
    if (!t) {
      song_free(s);
      return NULL;
    }
    s->tracks[s->track_count] = t;
  }
  return s;
}

// right
struct track *unique song_take_track(struct song *borrowed s, unsigned at) {
  if (at >= s->track_count) return NULL;
  struct track *unique t = acre_take(&s->tracks[at]);
  for (unsigned i = at + 1; i < s->track_count; i++) s->tracks[i - 1] = acre_take(&s->tracks[i]);
  s->track_count--;
  return t;
}

// wrong: the track has been moved into the song
size_t song_add(struct song *borrowed s, struct track *unique t) {
  if (s->track_count == 0) {
    acre_drop(t);
    return 0;
  }
  acre_drop(acre_swap(&s->tracks[s->track_count - 1], t));
  return t->count;
}

// right
bool song_merge(struct song *borrowed s, unsigned into, unsigned from) {
  if (into == from || into >= s->track_count || from >= s->track_count) return false;
  struct track *unique t = song_take_track(s, from);
  struct track *to = s->tracks[into > from ? into - 1 : into];
  bool all = true;
  for (size_t i = 0; all && i < t->count; i++) {
    all = track_event(to, t->events[i].tick, t->events[i].bytes);
    if (all) to->events[to->count - 1].meta = acre_take(&t->events[i].meta);
  }
  for (size_t i = 0; i < t->count; i++) free(acre_take(&t->events[i].meta));
  acre_drop(t);
  return all;
}

/* -- Chess -- */

// right
static struct moves *unique moves_get(struct engine *borrowed e) {
  struct moves *unique m = acre_take(&e->spare);
  if (m) {
    e->spare = acre_take(&m->next);
    m->count = 0;
    return m;
  }
  return calloc(1, sizeof *m);
}

// right
static void moves_put(struct engine *borrowed e, struct moves *unique m) {
  if (!m) return;
  acre_drop(acre_take(&m->after));
  m->next = acre_take(&e->spare);
  e->spare = m;
}

// right
int search(struct engine *borrowed e, const struct position *borrowed p, int depth) {
  if (depth == 0) return worth(p);
  struct moves *unique m = moves_get(e);
  if (!m) return 0;
  for (unsigned i = 0; i < 64; i++) m->list[m->count++] = pick(p, i);
  int best = -100000;
  for (unsigned i = 0; i < m->count; i++) {
    struct position *unique next = played(p, m->list[i]);
    if (!next) continue;
    int score = -search(e, next, depth - 1);
    acre_drop(next);
    if (score > best) best = score;
  }
  moves_put(e, m);
  return best;
}

// leak: the list of moves, where one is good enough
int search_cut(struct engine *borrowed e, const struct position *borrowed p, int limit) {
  struct moves *unique m = moves_get(e);
  if (!m) return 0;
  for (unsigned i = 0; i < 64; i++) m->list[m->count++] = pick(p, i);
  for (unsigned i = 0; i < m->count; i++) {
    struct position *unique next = played(p, m->list[i]);
    int score = next ? worth(next) : 0;
    acre_drop(next);
    if (score >= limit) return score;
  }
  moves_put(e, m);
  return limit;
}

// wrong: the moves are read when they have been put back
uint16_t search_first(struct engine *borrowed e, const struct position *borrowed p) {
  struct moves *unique m = moves_get(e);
  if (!m) return 0;
  m->list[0] = pick(p, 0);
  moves_put(e, m);
  return m->list[0];
}

// right
void memo_store(struct engine *borrowed e, uint64_t key, int score, const uint16_t *line,
                size_t n) {
  struct memo *m = &e->table[key % e->slots];
  if (m->key == key && m->score >= score) return;
  uint16_t *unique copy = calloc(n + 1, sizeof *copy);
  if (copy) memcpy(copy, line, n * sizeof *copy);
  free(m->line ? acre_take(&m->line) : NULL);
  m->line = copy;
  m->key = key;
  m->score = score;
}

// right
bool memo_resize(struct engine *borrowed e, size_t slots) {
  struct memo *unique fresh = calloc(slots, sizeof *fresh);
  if (!fresh) return false;
  for (size_t i = 0; i < e->slots; i++) {
    struct memo *from = &e->table[i], *to = &fresh[from->key % slots];
    free(acre_swap(&to->line, acre_take(&from->line)));
    to->key = from->key;
    to->score = from->score;
  }
  free(acre_swap(&e->table, fresh));
  e->slots = slots;
  return true;
}

// leak: the lines of the old table
bool memo_clear(struct engine *borrowed e) {
  struct memo *unique fresh = calloc(e->slots, sizeof *fresh);
  if (!fresh) return false;
  struct memo *unique old = acre_swap(&e->table, fresh);
  free(old);
  return true;
}

// wrong: a line that the next store may free
uint16_t memo_ponder(struct engine *borrowed e, uint64_t key, int score) {
  const struct memo *m = &e->table[key % e->slots];
  const uint16_t *line = m->line;
  if (!line) return 0;
  memo_store(e, key + 1, score, line, 1);
  return line[1];
}

// right
bool engine_play(struct engine *borrowed e, uint16_t move) {
  struct position *unique next = NULL;
  struct moves *unique *at = &e->root->replies;
  for (; *at; at = &(*at)->next) {
    if ((*at)->list[0] != move) continue;
    next = acre_take(&(*at)->after);
    break;
  }
  if (!next) next = played(e->root, move);
  if (!next) return false;
  acre_drop(acre_swap(&e->root, next));
  return true;
}

// wrong: the root goes, and what is looked at with it
int engine_play_worth(struct engine *borrowed e, uint16_t move) {
  const struct position *before = e->root;
  struct position *unique next = played(before, move);
  if (!next) return 0;
  acre_drop(acre_swap(&e->root, next));
  return worth(before);
}

// right
unsigned position_hash(const struct position *borrowed p) {
  unsigned h = 0;
  for (const struct moves *m = p->replies; m; m = m->next)
    h = h * 31 + (m->after ? position_hash(m->after) : m->count);
  return h ^ (unsigned)p->key;
}

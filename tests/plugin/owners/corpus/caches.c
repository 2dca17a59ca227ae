/* SPDX-License-Identifier: MIT */
/* Caches, tables of connections, rings, builders and matrices, as servers and tools have them. */
#include "corpus.h"
#include <setjmp.h>

struct entry {
  struct entry *unique next;
  struct entry *older, *newer;
  char *unique key;
  char *unique value;
  size_t size;
};

struct cache {
  struct entry *unique buckets[64];
  struct entry *oldest, *newest;
  size_t count, most;
};

struct connection {
  int socket;
  char *unique peer;
  char *unique input;
  size_t used, room;
  struct connection *unique next;
};

struct server {
  struct connection *unique slots[32];
  struct connection *unique idle;
  struct connection *current;
  size_t count;
};

struct ring { char *unique items[16]; size_t head, count; };

struct builder { char *unique text; size_t length, room; bool failed; };

struct matrix { double *unique cells; size_t rows, columns; };

static jmp_buf on_error;

static void oom(void) {
  fputs("out of memory\n", stderr);
  abort();
}

static void throw_error(const char *why) {
  fputs(why, stderr);
  longjmp(on_error, 1);
}

static void free_block(void *unique block) {
  if (block) free(block);
}

static void free_wiped(void *unique block, size_t size) {
  memset(block, 0, size);
  free_block(block);
}

static unsigned hash(const char *text) {
  unsigned h = 5381;
  while (*text) h = h * 33 + (unsigned char)*text++;
  return h % 64;
}

// right
struct entry *borrowed cache_find(struct cache *borrowed c, const char *borrowed key
                                  __attribute__((noescape))) {
  for (struct entry *e = c->buckets[hash(key)]; e; e = e->next)
    if (strcmp(e->key, key) == 0) return e;
  return NULL;
}

// right
bool cache_put(struct cache *borrowed c, const char *key, const char *value) {
  struct entry *found = cache_find(c, key);
  if (found) {
    char *unique copy = strdup(value);
    if (!copy) return false;
    free(acre_swap(&found->value, copy));
    return true;
  }
  struct entry *unique e = calloc(1, sizeof *e);
  if (!e) oom();
  e->key = strdup(key);
  e->value = strdup(value);
  if (!e->key || !e->value) {
    acre_drop(e);
    return false;
  }
  struct entry *unique *at = &c->buckets[hash(key)];
  e->next = acre_take(at);
  *at = e;
  c->count++;
  return true;
}

// leak: the value that was there
bool cache_put_loses(struct cache *borrowed c, const char *key, const char *value) {
  struct entry *found = cache_find(c, key);
  if (!found) return false;
  found->value = strdup(value);
  return true;
}

// wrong: the entry that was found is used after it was dropped
size_t cache_drop_late(struct cache *borrowed c, const char *key) {
  struct entry *found = cache_find(c, key);
  if (!found) return 0;
  acre_drop(acre_take(&c->buckets[hash(key)]));
  return found->size;
}

// right
size_t cache_drop_first(struct cache *borrowed c, unsigned at) {
  struct entry *unique e = acre_take(&c->buckets[at % 64]);
  if (!e) return 0;
  size_t size = e->size;
  c->buckets[at % 64] = acre_take(&e->next);
  acre_drop(e);
  c->count--;
  return size;
}

// leak: the key and the value
void cache_drop_alone(struct cache *borrowed c, unsigned at) {
  struct entry *unique e = acre_take(&c->buckets[at % 64]);
  if (!e) return;
  c->buckets[at % 64] = acre_take(&e->next);
  free_block(e);
}

// right
void cache_drop_parts(struct cache *borrowed c, unsigned at) {
  struct entry *unique e = acre_take(&c->buckets[at % 64]);
  if (!e) return;
  c->buckets[at % 64] = acre_take(&e->next);
  free(acre_take(&e->key));
  free(acre_take(&e->value));
  free_block(e);
}

// leak: the value
void cache_wipe_parts(struct entry *unique e) {
  free(acre_take(&e->key));
  acre_drop(acre_take(&e->next));
  free_wiped(e, sizeof *e);
}

// right
void cache_clear(struct cache *borrowed c) {
  for (size_t i = 0; i < 64; i++) acre_drop(acre_take(&c->buckets[i]));
  c->oldest = c->newest = NULL;
  c->count = 0;
}

// right
void lru_unlink(struct cache *borrowed c, struct entry *borrowed e) {
  if (e->older) e->older->newer = e->newer;
  else c->oldest = e->newer;
  if (e->newer) e->newer->older = e->older;
  else c->newest = e->older;
  e->older = e->newer = NULL;
}

// right
bool lru_trim(struct cache *borrowed c) {
  for (size_t i = 0; i < 64 && c->count > c->most; i++)
    while (c->buckets[i] && c->count > c->most) {
      struct entry *unique e = acre_take(&c->buckets[i]);
      c->buckets[i] = acre_take(&e->next);
      acre_drop(e);
      c->count--;
    }
  return c->count <= c->most;
}

// right
char *unique cache_steal(struct cache *borrowed c, const char *key) {
  struct entry *e = cache_find(c, key);
  return e ? acre_take(&e->value) : NULL;
}

// wrong: the cache still has the value
char *unique cache_share(struct cache *borrowed c, const char *key) {
  struct entry *e = cache_find(c, key);
  return e ? e->value : NULL;
}

// right
size_t cache_bytes(const struct cache *borrowed c) {
  size_t sum = 0;
  for (size_t i = 0; i < 64; i++)
    for (const struct entry *e = c->buckets[i]; e; e = e->next)
      sum += e->size + (e->value ? strlen(e->value) : 0);
  return sum;
}

// right
struct connection *unique connection_new(int socket, const char *peer) {
  struct connection *unique c = calloc(1, sizeof *c);
  if (!c) oom();
  c->socket = socket;
  c->peer = strdup(peer);
  c->room = 512;
  c->input = malloc(c->room);
  if (!c->peer || !c->input) {
    acre_drop(c);
    return NULL;
  }
  return c;
}

// right
void connection_end(struct connection *unique c) {
  if (!c) return;
  close(c->socket);
  free(acre_take(&c->peer));
  free(acre_take(&c->input));
  acre_drop(acre_take(&c->next));
  free(c);
}

// wrong: its socket is asked for after the end
int connection_end_late(struct connection *unique c) {
  connection_end(c);
  return close(c->socket);
}

// right
ssize_t connection_read(struct connection *borrowed c) {
  if (c->used == c->room) {
    size_t room = c->room * 2;
    char *unique larger = realloc(c->input, room);
    if (!larger) return -1;
    c->input = larger;
    c->room = room;
  }
  ssize_t got = read(c->socket, c->input + c->used, c->room - c->used);
  if (got > 0) c->used += (size_t)got;
  return got;
}

// right
ssize_t connection_echo(struct connection *c) {
  ssize_t sent = write(c->socket, c->input, c->used);
  if (sent > 0) {
    memmove(c->input, c->input + sent, c->used - (size_t)sent);
    c->used -= (size_t)sent;
  }
  return sent;
}

// wrong: line points into the buffer that was given away
int connection_line_late(struct connection *borrowed c) {
  char *line = c->input;
  char *unique larger = realloc(c->input, c->room * 2);
  if (!larger) return -1;
  c->input = larger;
  return line[0];
}

// right
int connection_line(struct connection *borrowed c) {
  char *unique larger = realloc(c->input, c->room * 2);
  if (!larger) return -1;
  c->input = larger;
  char *line = c->input;
  return line[0];
}

// wrong: freed, but where realloc has failed the connection has the buffer, and else the new one is
// never put there
int connection_grow_frees(struct connection *borrowed c) {
  char *unique larger = realloc(c->input, c->room * 2);
  if (!larger) return -1;
  free(larger);
  return 0;
}

// right
int connection_grow_gotos(struct connection *borrowed c) {
  int result = -1;
  char *unique larger = realloc(c->input, c->room + 4096);
  if (larger == NULL) goto out;
  c->input = larger;
  c->room += 4096;
  result = 0;
out:
  return result;
}

// wrong: a helper that is lent the connection sees the old buffer
int connection_grow_asks(struct connection *borrowed c) {
  char *unique larger = realloc(c->input, c->room * 2);
  if (!larger) return -1;
  ssize_t more = connection_read(c);
  c->input = larger;
  return (int)more;
}

// right
bool server_add(struct server *borrowed s, int socket, const char *peer) {
  for (size_t i = 0; i < 32; i++)
    if (!s->slots[i]) {
      s->slots[i] = connection_new(socket, peer);
      s->count += s->slots[i] != NULL;
      return s->slots[i] != NULL;
    }
  return false;
}

// leak: the connection that was there
void server_set_loses(struct server *borrowed s, size_t at, struct connection *unique c) {
  s->slots[at % 32] = c;
}

// right
void server_remove(struct server *borrowed s, int socket) {
  for (size_t i = 0; i < 32; i++)
    if (s->slots[i] && s->slots[i]->socket == socket) {
      connection_end(acre_take(&s->slots[i]));
      s->count--;
      break;
    }
}

// right
void server_park(struct server *borrowed s, size_t at) {
  struct connection *unique c = acre_take(&s->slots[at % 32]);
  if (!c) return;
  c->used = 0;
  acre_drop(acre_swap(&c->next, acre_take(&s->idle)));
  s->idle = c;
}

// wrong: parked and used
size_t server_park_late(struct server *borrowed s, struct connection *unique c) {
  acre_drop(acre_swap(&s->idle, c));
  return c->used;
}

// right
struct connection *unique server_reuse(struct server *borrowed s) {
  struct connection *unique c = acre_take(&s->idle);
  if (c) s->idle = acre_take(&c->next);
  return c;
}

// leak: the rest of those that wait
struct connection *unique server_reuse_loses(struct server *borrowed s) {
  struct connection *unique c = acre_take(&s->idle);
  if (c) acre_take(&c->next);
  return c;
}

// leak: the first name
void server_name_twice(struct server *borrowed s) {
  if (!s->current) return;
  free(acre_swap(&s->current->peer, NULL));
  s->current->peer = strdup("first");
  s->current->peer = strdup("second");
}

// right
void server_name_once(struct server *borrowed s, const char *name) {
  if (s->current) free(acre_swap(&s->current->peer, strdup(name)));
}

// right
void server_name_each(struct server *borrowed s, struct connection *others, int count) {
  for (int i = 0; i < count; i++) {
    s->current = &others[i];
    free(acre_take(&s->current->peer));
    s->current->peer = strdup("other");
  }
}

// right
void server_close_all(struct server *borrowed s) {
  for (size_t i = 0; i < 32; i++)
    if (s->slots[i]) connection_end(acre_take(&s->slots[i]));
  while (s->idle) {
    struct connection *unique c = acre_take(&s->idle);
    s->idle = acre_take(&c->next);
    connection_end(c);
  }
}

// leak: the message, where an error is thrown
void parse_message(const char *text) {
  char *unique message = strdup(text);
  if (!message) oom();
  if (message[0] != '{') throw_error("no object");
  puts(message);
  free(message);
}

// right
void parse_message_frees(const char *text) {
  char *unique message = strdup(text);
  if (!message) oom();
  if (message[0] != '{') {
    free(message);
    throw_error("no object");
  }
  puts(message);
  free(message);
}

// leak: the line, where it jumps back itself
int parse_line(FILE *in) {
  char *unique line = NULL;
  size_t size = 0;
  if (getline(&line, &size, in) < 0) {
    free(line);
    return -1;
  }
  if (line[0] == '!') longjmp(on_error, 2);
  int length = (int)strlen(line);
  free(line);
  return length;
}

// right
bool ring_push(struct ring *borrowed r, char *unique text) {
  if (r->count == 16) {
    free(text);
    return false;
  }
  size_t at = (r->head + r->count++) % 16;
  free(acre_swap(&r->items[at], text));
  return true;
}

// leak: the text, where the ring is full
bool ring_push_loses(struct ring *borrowed r, char *unique text) {
  if (r->count == 16) return false;
  free(acre_swap(&r->items[(r->head + r->count++) % 16], text));
  return true;
}

// right
char *unique ring_pop(struct ring *borrowed r) {
  if (r->count == 0) return NULL;
  char *unique text = acre_take(&r->items[r->head]);
  r->head = (r->head + 1) % 16;
  r->count--;
  return text;
}

// wrong: the ring has it too
char *unique ring_peek(struct ring *borrowed r) {
  return r->count ? r->items[r->head] : NULL;
}

// right
void ring_clear(struct ring *borrowed r) {
  for (char *unique text = ring_pop(r); text; text = ring_pop(r)) free(text);
}

// leak: each text
void ring_skip(struct ring *borrowed r, size_t count) {
  while (count-- && r->count) ring_pop(r);
}

// right
bool builder_reserve(struct builder *borrowed b, size_t more) {
  if (b->failed) return false;
  size_t need = b->length + more + 1;
  if (need <= b->room) return true;
  size_t room = b->room ? b->room : 32;
  while (room < need) room *= 2;
  char *unique text = realloc(b->text, room);
  if (!text) {
    b->failed = true;
    return false;
  }
  b->room = room;
  b->text = text;
  return true;
}

// right
void builder_add(struct builder *borrowed b, const char *text) {
  size_t length = strlen(text);
  if (!builder_reserve(b, length)) return;
  memcpy(b->text + b->length, text, length + 1);
  b->length += length;
}

// right
void builder_print(struct builder *borrowed b, const char *format, ...) {
  va_list list;
  char *unique text = NULL;
  va_start(list, format);
  int length = vasprintf(&text, format, list);
  va_end(list);
  if (length < 0) return;
  builder_add(b, text);
  free(text);
}

// leak: what was printed
void builder_print_loses(struct builder *borrowed b, const char *format, ...) {
  va_list list;
  char *unique text = NULL;
  va_start(list, format);
  int length = vasprintf(&text, format, list);
  va_end(list);
  if (length >= 0) builder_add(b, text);
}

// right
char *unique builder_finish(struct builder *borrowed b) {
  if (b->failed) {
    free(acre_take(&b->text));
    return NULL;
  }
  b->length = b->room = 0;
  return acre_take(&b->text);
}

// wrong: the builder goes on with the text
char *unique builder_text(struct builder *borrowed b) {
  return b->text;
}

// right
char *unique join(const char *const *words, size_t count) {
  struct builder b = {0};
  for (size_t i = 0; i < count; i++) {
    if (i) builder_add(&b, ", ");
    builder_add(&b, words[i]);
  }
  return builder_finish(&b);
}

// leak: what was built
size_t join_length(const char *const *words, size_t count) {
  struct builder b = {0};
  for (size_t i = 0; i < count; i++) builder_add(&b, words[i]);
  return b.length;
}

// right
struct matrix *unique matrix_new(size_t rows, size_t columns) {
  struct matrix *unique m = malloc(sizeof *m);
  if (m == NULL) return NULL;
  m->cells = calloc(rows * columns, sizeof(double));
  if (m->cells == NULL) {
    free(m);
    return NULL;
  }
  m->rows = rows;
  m->columns = columns;
  return m;
}

// right
void matrix_free(struct matrix *unique m) {
  if (m == NULL) return;
  free(acre_take(&m->cells));
  free(m);
}

// leak: the cells
void matrix_free_alone(struct matrix *unique m) {
  size_t cells = m->rows * m->columns;
  free_wiped(m, sizeof *m);
  note((int)cells);
}

// right
struct matrix *unique matrix_product(const struct matrix *borrowed a,
                                     const struct matrix *borrowed b) {
  if (a->columns != b->rows) return NULL;
  struct matrix *unique m = matrix_new(a->rows, b->columns);
  if (m == NULL) return NULL;
  for (size_t i = 0; i < a->rows; i++)
    for (size_t j = 0; j < b->columns; j++) {
      double sum = 0;
      for (size_t k = 0; k < a->columns; k++)
        sum += a->cells[i * a->columns + k] * b->cells[k * b->columns + j];
      m->cells[i * m->columns + j] = sum;
    }
  return m;
}

// leak: the product of the last round
struct matrix *unique matrix_power(const struct matrix *borrowed a, int n) {
  struct matrix *unique m = matrix_new(a->rows, a->columns);
  while (m && n-- > 0) m = matrix_product(m, a);
  return m;
}

// right
struct matrix *unique matrix_power_frees(const struct matrix *borrowed a, int n) {
  struct matrix *unique m = matrix_new(a->rows, a->columns);
  while (m && n-- > 0) {
    struct matrix *unique next = matrix_product(m, a);
    matrix_free(m);
    m = next;
  }
  return m;
}

// right
bool matrix_transpose(struct matrix *borrowed m) {
  double *unique cells = malloc(m->rows * m->columns * sizeof *cells);
  if (!cells) return false;
  for (size_t i = 0; i < m->rows; i++)
    for (size_t j = 0; j < m->columns; j++) cells[j * m->rows + i] = m->cells[i * m->columns + j];
  free(acre_swap(&m->cells, cells));
  size_t rows = m->rows;
  m->rows = m->columns;
  m->columns = rows;
  return true;
}

// wrong: a row of the old cells
double matrix_row_late(struct matrix *borrowed m) {
  const double *row = m->cells;
  if (!matrix_transpose(m)) return 0;
  return row[0];
}

// right
bool matrix_add_row(struct matrix *borrowed m, const double *values) {
  double *unique cells =
      realloc(m->cells, (m->rows + 1) * m->columns * sizeof *cells);
  if (cells == NULL) return false;
  memcpy(cells + m->rows * m->columns, values, m->columns * sizeof *values);
  m->cells = cells;
  m->rows++;
  return true;
}

// right
double matrix_sum(const struct matrix *borrowed m) {
  double sum = 0;
  for (const double *c = m->cells; c < m->cells + m->rows * m->columns; c++) sum += *c;
  return sum;
}

// right
bool matrix_solve(const struct matrix *borrowed a, double *values) {
  struct matrix *unique copy = matrix_new(a->rows, a->columns);
  double *unique pivots = calloc(a->rows, sizeof *pivots);
  bool done = false;
  if (copy && pivots) {
    memcpy(copy->cells, a->cells, a->rows * a->columns * sizeof *a->cells);
    for (size_t i = 0; i < a->rows; i++) values[i] = pivots[i];
    done = true;
  }
  free(pivots);
  matrix_free(copy);
  return done;
}

// leak: the pivots, where the matrix cannot be had
bool matrix_solve_loses(const struct matrix *borrowed a) {
  double *unique pivots = calloc(a->rows, sizeof *pivots);
  struct matrix *unique copy = matrix_new(a->rows, a->columns);
  if (!copy) return false;
  free(pivots);
  matrix_free(copy);
  return true;
}

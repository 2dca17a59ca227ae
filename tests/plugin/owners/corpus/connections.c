/* SPDX-License-Identifier: MIT */
/* Tables of connections, caches with an order of use, rings, threads and sockets, written as nobody
 * had tried them: right, wrong and leaking. */
#include "corpus.h"

#include <sys/mman.h>
#include <sys/uio.h>

enum { TABLE_SIZE = 64, RING_SIZE = 8 };

struct chunk {
  struct chunk *unique next;
  size_t used;
  char bytes[512];
};
struct conn {
  struct conn *unique next;
  int fd;
  char *unique peer;
  struct chunk *unique out;
  struct chunk *unique *tail;
  time_t last;
};
struct conn_table {
  struct conn *unique heads[TABLE_SIZE];
  size_t count;
};
struct lru_node {
  struct lru_node *unique newer;
  char *unique key;
  void *unique value;
  size_t size;
};
struct lru {
  struct lru_node *unique oldest;
  size_t used, limit;
};
struct ring {
  char *unique slots[RING_SIZE];
  unsigned head, tail;
};
struct work {
  struct work *unique next;
  char *unique path;
  int tries;
};
struct pool {
  pthread_mutex_t lock;
  pthread_cond_t more;
  struct work *unique first;
  bool stopping;
};
void conn_free(struct conn *unique c);
void lru_node_free(struct lru_node *unique n);
void work_free(struct work *unique w);
int send_bytes(int fd, const char *borrowed bytes, size_t size);
bool is_due(const struct conn *borrowed c, time_t now);

/* -- Connections -- */

// right
struct conn *unique conn_new(int fd, const char *peer) {
  struct conn *unique c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->fd = fd;
  c->last = time(NULL);
  c->peer = strdup(peer);
  if (!c->peer) {
    free(c);
    return NULL;
  }
  return c;
}

// leak: the connection, where the peer cannot be copied
struct conn *unique conn_new_careless(int fd, const char *peer) {
  struct conn *unique c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->fd = fd;
  c->peer = strdup(peer);
  if (!c->peer) return NULL;
  return c;
}

// right
void table_add(struct conn_table *borrowed t, struct conn *unique c) {
  unsigned at = (unsigned)c->fd % TABLE_SIZE;
  c->next = acre_take(&t->heads[at]);
  t->heads[at] = c;
  t->count++;
}

// wrong: the descriptor is asked for after the table has the connection
unsigned table_add_late(struct conn_table *borrowed t, struct conn *unique c) {
  unsigned at = (unsigned)c->fd % TABLE_SIZE;
  c->next = acre_take(&t->heads[at]);
  t->heads[at] = c;
  return (unsigned)c->fd;
}

// leak: the rest of the chain
void table_add_first(struct conn_table *borrowed t, struct conn *unique c) {
  t->heads[(unsigned)c->fd % TABLE_SIZE] = c;
  t->count++;
}

// right
struct conn *borrowed table_find(struct conn_table *borrowed t, int fd) {
  struct conn *c = t->heads[(unsigned)fd % TABLE_SIZE];
  while (c && c->fd != fd) c = c->next;
  return c;
}

// right
struct conn *unique table_remove(struct conn_table *borrowed t, int fd) {
  struct conn *unique *at = &t->heads[(unsigned)fd % TABLE_SIZE];
  while (*at && (*at)->fd != fd) at = &(*at)->next;
  if (!*at) return NULL;
  struct conn *unique c = acre_take(at);
  *at = acre_take(&c->next);
  t->count--;
  return c;
}

// leak: what came after the connection
struct conn *unique table_remove_rest(struct conn_table *borrowed t, int fd) {
  struct conn *unique *at = &t->heads[(unsigned)fd % TABLE_SIZE];
  while (*at && (*at)->fd != fd) at = &(*at)->next;
  if (!*at) return NULL;
  struct conn *unique c = acre_take(at);
  close(c->fd);
  free(acre_take(&c->peer));
  acre_drop(acre_take(&c->out));
  free(c);
  return NULL;
}

// right
void table_expire(struct conn_table *borrowed t, time_t now) {
  for (unsigned i = 0; i < TABLE_SIZE; i++) {
    struct conn *unique *at = &t->heads[i];
    while (*at) {
      if (!is_due(*at, now)) {
        at = &(*at)->next;
        continue;
      }
      struct conn *unique dead = acre_take(at);
      *at = acre_take(&dead->next);
      conn_free(dead);
      t->count--;
    }
  }
}

// wrong: the descriptor of a connection that was freed
int table_close(struct conn_table *borrowed t, int fd) {
  struct conn *unique c = table_remove(t, fd);
  if (!c) return -1;
  conn_free(c);
  return close(c->fd);
}

// wrong: the one that was found is used after the table was swept
void table_touch(struct conn_table *borrowed t, int fd) {
  struct conn *c = table_find(t, fd);
  if (!c) return;
  table_expire(t, time(NULL));
  c->last = time(NULL);
}

// right
void table_touch_first(struct conn_table *borrowed t, int fd) {
  struct conn *c = table_find(t, fd);
  if (c) c->last = time(NULL);
  table_expire(t, time(NULL));
}

// right
static bool conn_queue(struct conn *borrowed c, const char *bytes, size_t size) {
  struct chunk *unique *at = &c->out;
  while (*at) at = &(*at)->next;
  while (size > 0) {
    struct chunk *unique n = calloc(1, sizeof *n);
    if (!n) return false;
    n->used = size < sizeof n->bytes ? size : sizeof n->bytes;
    memcpy(n->bytes, bytes, n->used);
    bytes += n->used;
    size -= n->used;
    *at = n;
    at = &(*at)->next;
  }
  return true;
}

// right
static int conn_flush(struct conn *borrowed c) {
  while (c->out) {
    if (send_bytes(c->fd, c->out->bytes, c->out->used) < 0) return -1;
    struct chunk *unique sent = acre_take(&c->out);
    c->out = acre_take(&sent->next);
    free(sent);
  }
  return 0;
}

// leak: all behind the chunk that was sent
static int conn_flush_one(struct conn *borrowed c) {
  if (!c->out) return 0;
  struct chunk *unique sent = acre_take(&c->out);
  int result = send_bytes(c->fd, sent->bytes, sent->used);
  free(sent);
  return result;
}

// wrong: the chunk is freed before its bytes are sent
static int conn_flush_early(struct conn *borrowed c) {
  if (!c->out) return 0;
  struct chunk *unique sent = acre_take(&c->out);
  c->out = acre_take(&sent->next);
  const char *bytes = sent->bytes;
  size_t used = sent->used;
  free(sent);
  return send_bytes(c->fd, bytes, used);
}

// right
int accept_one(struct conn_table *borrowed t, int listener) {
  struct sockaddr_storage from;
  socklen_t size = sizeof from;
  char host[NI_MAXHOST];
  int fd = accept(listener, (struct sockaddr *)&from, &size);
  if (fd < 0) return errno == EINTR ? 0 : -1;
  if (getnameinfo((struct sockaddr *)&from, size, host, sizeof host, NULL, 0, NI_NUMERICHOST))
    strcpy(host, "?");
  struct conn *unique c = conn_new(fd, host);
  if (!c) {
    close(fd);
    return -1;
  }
  table_add(t, c);
  return 1;
}

// leak: the connection, if there are too many
int accept_some(struct conn_table *borrowed t, int listener) {
  int fd = accept(listener, NULL, NULL);
  if (fd < 0) return -1;
  struct conn *unique c = conn_new(fd, "unknown");
  if (t->count >= 1000) {
    close(fd);
    return -1;
  }
  if (c) table_add(t, c);
  return 0;
}

// right
int connect_to(const char *host, const char *port) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
  struct addrinfo *unique found = NULL;
  int fd = -1;
  if (getaddrinfo(host, port, &hints, &found) != 0) return -1;
  for (const struct addrinfo *a = found; a; a = a->ai_next) {
    fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
    if (fd < 0) continue;
    if (connect(fd, a->ai_addr, a->ai_addrlen) == 0) break;
    close(fd);
    fd = -1;
  }
  freeaddrinfo(found);
  return fd;
}

// leak: the addresses, once one is connected
int connect_first(const char *host, const char *port) {
  struct addrinfo *unique found = NULL;
  if (getaddrinfo(host, port, NULL, &found) != 0) return -1;
  for (const struct addrinfo *a = found; a; a = a->ai_next) {
    int fd = socket(a->ai_family, a->ai_socktype, 0);
    if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) == 0) return fd;
    if (fd >= 0) close(fd);
  }
  freeaddrinfo(found);
  return -1;
}

// wrong: an address of the list that was freed
int connect_last(const char *host, const char *port) {
  struct addrinfo *unique found = NULL;
  if (getaddrinfo(host, port, NULL, &found) != 0) return -1;
  const struct addrinfo *last = found;
  while (last->ai_next) last = last->ai_next;
  freeaddrinfo(found);
  int fd = socket(last->ai_family, last->ai_socktype, 0);
  return fd;
}

// right
static int send_line(int fd, const char *name, const char *value) {
  char *unique line = NULL;
  int size = asprintf(&line, "%s: %s\r\n", name, value);
  if (size < 0) return -1;
  int result = send_bytes(fd, line, (size_t)size);
  free(line);
  return result;
}

// leak: the line, where it is sent whole
static int send_line_once(int fd, const char *name, const char *value) {
  char *unique line = NULL;
  if (asprintf(&line, "%s: %s\r\n", name, value) < 0) return -1;
  if (send_bytes(fd, line, strlen(line)) == 0) return 0;
  free(line);
  return -1;
}

/* -- An order of use -- */

// right
void lru_put(struct lru *borrowed l, const char *key, void *unique value, size_t size) {
  struct lru_node *unique n = calloc(1, sizeof *n);
  if (!n) {
    free(value);
    return;
  }
  n->key = strdup(key);
  n->value = value;
  n->size = size;
  struct lru_node *unique *at = &l->oldest;
  while (*at) at = &(*at)->newer;
  *at = n;
  l->used += size;
}

// leak: the value, where there is no memory for a node
void lru_put_careless(struct lru *borrowed l, void *unique value, size_t size) {
  struct lru_node *unique n = calloc(1, sizeof *n);
  if (!n) return;
  n->value = value;
  n->size = size;
  n->newer = acre_take(&l->oldest);
  l->oldest = n;
}

// right
void lru_shrink(struct lru *borrowed l) {
  while (l->used > l->limit && l->oldest) {
    struct lru_node *unique n = acre_take(&l->oldest);
    l->oldest = acre_take(&n->newer);
    l->used -= n->size;
    free(acre_take(&n->key));
    free(acre_take(&n->value));
    free(n);
  }
}

// wrong: the size is asked for after the node was freed
void lru_shrink_late(struct lru *borrowed l) {
  while (l->used > l->limit && l->oldest) {
    struct lru_node *unique n = acre_take(&l->oldest);
    l->oldest = acre_take(&n->newer);
    lru_node_free(n);
    l->used -= n->size;
  }
}

// leak: the key
void lru_drop_oldest(struct lru *borrowed l) {
  struct lru_node *unique n = acre_take(&l->oldest);
  if (!n) return;
  l->oldest = acre_take(&n->newer);
  free(acre_take(&n->value));
  free(n);
}

// right
void lru_refresh(struct lru *borrowed l, const char *key) {
  struct lru_node *unique *at = &l->oldest;
  while (*at && strcmp((*at)->key, key) != 0) at = &(*at)->newer;
  if (!*at) return;
  struct lru_node *unique n = acre_take(at);
  *at = acre_take(&n->newer);
  while (*at) at = &(*at)->newer;
  *at = n;
}

// right
void *unique lru_steal(struct lru *borrowed l, const char *key) {
  for (struct lru_node *n = l->oldest; n; n = n->newer)
    if (strcmp(n->key, key) == 0) return acre_take(&n->value);
  return NULL;
}

// wrong: the value is returned and stays in the node
void *unique lru_copy(struct lru *borrowed l, const char *key) {
  for (struct lru_node *n = l->oldest; n; n = n->newer)
    if (strcmp(n->key, key) == 0) return n->value;
  return NULL;
}

// right
void lru_replace(struct lru *borrowed l, const char *key, void *unique value) {
  for (struct lru_node *n = l->oldest; n; n = n->newer) {
    if (strcmp(n->key, key) == 0) {
      free(acre_swap(&n->value, value));
      return;
    }
  }
  free(value);
}

// leak: the value, where the key is not there
void lru_replace_known(struct lru *borrowed l, const char *key, void *unique value) {
  for (struct lru_node *n = l->oldest; n; n = n->newer)
    if (strcmp(n->key, key) == 0) {
      free(acre_swap(&n->value, value));
      return;
    }
}

// right
void lru_clear(struct lru *borrowed l) {
  struct lru_node *unique all = acre_take(&l->oldest);
  while (all) {
    struct lru_node *unique next = acre_take(&all->newer);
    lru_node_free(all);
    all = next;
  }
  l->used = 0;
}

// wrong: goes on from the node that was freed
void lru_clear_wrong(struct lru *borrowed l) {
  struct lru_node *unique all = acre_take(&l->oldest);
  while (all) {
    lru_node_free(all);
    all = acre_take(&all->newer);
  }
}

/* -- Rings -- */

// right
bool ring_push(struct ring *borrowed r, char *unique text) {
  if (r->head - r->tail == RING_SIZE) {
    free(text);
    return false;
  }
  r->slots[r->head++ % RING_SIZE] = text;
  return true;
}

// leak: the text, if the ring is full
bool ring_push_if(struct ring *borrowed r, char *unique text) {
  if (r->head - r->tail == RING_SIZE) return false;
  free(acre_swap(&r->slots[r->head++ % RING_SIZE], text));
  return true;
}

// right
char *unique ring_pop(struct ring *borrowed r) {
  if (r->head == r->tail) return NULL;
  return acre_take(&r->slots[r->tail++ % RING_SIZE]);
}

// right
void ring_clear(struct ring *borrowed r) {
  char *unique text;
  while ((text = ring_pop(r)) != NULL) free(text);
  r->head = r->tail = 0;
}

// leak: every text
unsigned ring_count(struct ring *borrowed r) {
  unsigned count = 0;
  while (ring_pop(r) != NULL) count++;
  return count;
}

// right
void ring_log(struct ring *borrowed r, const char *format, ...) {
  char *unique line = NULL;
  va_list arguments;
  va_start(arguments, format);
  int size = vasprintf(&line, format, arguments);
  va_end(arguments);
  if (size < 0) return;
  free(acre_swap(&r->slots[r->head++ % RING_SIZE], line));
}

// wrong: the line belongs to the ring, and is freed
void ring_log_twice(struct ring *borrowed r, const char *text) {
  char *unique line = strdup(text);
  if (!line) return;
  free(acre_swap(&r->slots[r->head++ % RING_SIZE], line));
  if (r->head == RING_SIZE) free(line);
}

/* -- Threads -- */

// right
bool pool_add(struct pool *borrowed p, const char *path) {
  struct work *unique w = calloc(1, sizeof *w);
  if (!w) return false;
  w->path = strdup(path);
  if (!w->path) {
    free(w);
    return false;
  }
  pthread_mutex_lock(&p->lock);
  w->next = acre_take(&p->first);
  p->first = w;
  pthread_cond_signal(&p->more);
  pthread_mutex_unlock(&p->lock);
  return true;
}

// leak: the work, if the pool stops
bool pool_add_open(struct pool *borrowed p, struct work *unique w) {
  pthread_mutex_lock(&p->lock);
  if (p->stopping) {
    pthread_mutex_unlock(&p->lock);
    return false;
  }
  w->next = acre_take(&p->first);
  p->first = w;
  pthread_mutex_unlock(&p->lock);
  return true;
}

// right
struct work *unique pool_next(struct pool *borrowed p) {
  pthread_mutex_lock(&p->lock);
  while (!p->first && !p->stopping) pthread_cond_wait(&p->more, &p->lock);
  struct work *unique w = acre_take(&p->first);
  if (w) p->first = acre_take(&w->next);
  pthread_mutex_unlock(&p->lock);
  return w;
}

// right
void pool_run(struct pool *borrowed p) {
  struct work *unique w;
  while ((w = pool_next(p))) {
    note(w->tries);
    look(w->path);
    work_free(w);
  }
}

// wrong: the path is read after the work was given back
void pool_run_late(struct pool *borrowed p) {
  struct work *unique w = pool_next(p);
  if (!w) return;
  const char *path = w->path;
  work_free(w);
  look(path);
}

// leak: work that is not tried again
void pool_retry(struct pool *borrowed p) {
  struct work *unique w = pool_next(p);
  if (!w) return;
  if (++w->tries < 3) pool_add_open(p, w);
}

static void *worker(void *argument) {
  char *unique path = (char *unique)argument;
  look(path);
  free(path);
  return NULL;
}
// right
int worker_start(const char *path) {
  pthread_t thread;
  char *unique copy = strdup(path);
  if (!copy) return -1;
  char *given = acre_release(copy);
  if (pthread_create(&thread, NULL, worker, given) != 0) {
    free(given);
    return -1;
  }
  return pthread_detach(thread);
}

// wrong: the thread has it
int worker_start_and_look(const char *path) {
  pthread_t thread;
  char *unique copy = strdup(path);
  if (!copy) return -1;
  if (pthread_create(&thread, NULL, worker, acre_release(copy)) != 0) return -1;
  look(copy);
  return pthread_detach(thread);
}

/* -- Mappings and vectors -- */

// right
long count_lines(int fd) {
  struct stat about;
  if (fstat(fd, &about) < 0 || about.st_size == 0) return -1;
  char *unique text = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (text == MAP_FAILED) return -1;
  long lines = 0;
  for (off_t i = 0; i < about.st_size; i++) lines += text[i] == '\n';
  munmap(text, (size_t)about.st_size);
  return lines;
}

// leak: the mapping, at the first zero
long count_until_zero(int fd, size_t size) {
  char *unique text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (text == MAP_FAILED) return -1;
  long lines = 0;
  for (size_t i = 0; i < size; i++) {
    if (!text[i]) return lines;
    lines += text[i] == '\n';
  }
  munmap(text, size);
  return lines;
}

// wrong: the last byte is read after the mapping has gone
int last_byte(int fd, size_t size) {
  char *unique text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (text == MAP_FAILED) return -1;
  const char *last = text + size - 1;
  munmap(text, size);
  return *last;
}

// right
struct window {
  void *unique at;
  size_t size;
};
bool window_move(struct window *borrowed w, int fd, off_t where, size_t size) {
  if (w->at) munmap(acre_take(&w->at), w->size);
  w->at = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, where);
  if (w->at == MAP_FAILED) {
    w->at = NULL;
    return false;
  }
  w->size = size;
  return true;
}

// leak: the window that was there
void window_set(struct window *borrowed w, int fd) {
  w->at = mmap(NULL, w->size, PROT_READ, MAP_SHARED, fd, 0);
}

// right
ssize_t write_two(int fd, char *unique head, char *unique body) {
  ssize_t done = -1;
  if (head && body) {
    acre_alias(first, head);
    acre_alias(second, body);
    struct iovec parts[2] = {{first, strlen(first)}, {second, strlen(second)}};
    done = writev(fd, parts, 2);
  }
  free(head);
  free(body);
  return done;
}

// leak: the body, where there is no head
ssize_t write_body(int fd, char *unique head, char *unique body) {
  if (!head) return -1;
  ssize_t done = send_bytes(fd, head, strlen(head));
  free(head);
  if (body) done += send_bytes(fd, body, strlen(body));
  free(body);
  return done;
}

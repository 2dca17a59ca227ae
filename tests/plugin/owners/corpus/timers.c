/* SPDX-License-Identifier: MIT */
/* An event loop with callbacks, timers, a job queue, a pool of connections: right, wrong and
 * leaking. */
#include "corpus.h"

struct loop;
struct watch;
typedef void watch_fn(struct loop *borrowed l, struct watch *borrowed w, short events);

struct watch {
  int fd;
  short wanted;
  bool dead;
  watch_fn *fn;
  void *unique data;
};

struct timer {
  uint64_t due;
  void (*fire)(struct loop *borrowed l, void *unique data);
  void *unique data;
  struct timer *unique next;
};

struct loop {
  struct watch *unique *unique watches;
  size_t count, capacity;
  struct timer *unique timers;
  bool stop;
};

struct job {
  struct job *unique next;
  char *unique command;
  int priority;
};

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t ready;
  struct job *unique first;
  size_t length;
  bool closed;
};

struct conn {
  int fd;
  char *unique host;
  uint16_t port;
  struct conn *unique next;
  unsigned uses;
};

struct pool {
  struct conn *unique idle;
  size_t nidle, max;
};

// right
struct loop *unique loop_new(void) {
  struct loop *unique l = calloc(1, sizeof *l);
  return l;
}

// right: takes data over
struct watch *borrowed loop_watch(struct loop *borrowed l, int fd, short wanted, watch_fn *fn,
                                  void *unique data) {
  struct watch *unique w = calloc(1, sizeof *w);
  if (!w) {
    free(data);
    return NULL;
  }
  w->fd = fd;
  w->wanted = wanted;
  w->fn = fn;
  w->data = data;
  if (l->count == l->capacity) {
    size_t n = l->capacity + 16;
    struct watch *unique *unique v = realloc(l->watches, n * sizeof *v);
    if (!v) {
      acre_drop(w);
      return NULL;
    }
    l->watches = v;
    l->capacity = n;
  }
  size_t at = l->count++;
  l->watches[at] = w;
  return l->watches[at];
}

// right: frees what is dead, and closes the gaps
void loop_sweep(struct loop *borrowed l) {
  size_t kept = 0;
  for (size_t i = 0; i < l->count; i++) {
    struct watch *unique w = acre_take(&l->watches[i]);
    if (w->dead)
      acre_drop(w);
    else
      l->watches[kept++] = w;
  }
  l->count = kept;
}

// right: sorted by time
bool loop_timer(struct loop *borrowed l, uint64_t due,
                void (*fire)(struct loop *borrowed, void *unique), void *unique data) {
  struct timer *unique t = calloc(1, sizeof *t);
  if (!t) {
    free(data);
    return false;
  }
  t->due = due;
  t->fire = fire;
  t->data = data;
  struct timer *unique *p = &l->timers;
  while (*p && (*p)->due <= due)
    p = &(*p)->next;
  t->next = acre_take(p);
  *p = t;
  return true;
}

// right
static void loop_fire(struct loop *borrowed l, uint64_t now) {
  while (l->timers && l->timers->due <= now) {
    struct timer *unique t = acre_take(&l->timers);
    l->timers = acre_take(&t->next);
    t->fire(l, acre_take(&t->data));
    free(t);
  }
}

// right
int loop_poll(struct loop *borrowed l, int ms) {
  struct pollfd *unique fds = calloc(l->count ? l->count : 1, sizeof *fds);
  if (!fds)
    return -ENOMEM;
  size_t n = l->count;
  for (size_t i = 0; i < n; i++) {
    fds[i].fd = l->watches[i]->fd;
    fds[i].events = l->watches[i]->wanted;
  }
  int ready = poll(fds, n, ms);
  for (size_t i = 0; ready > 0 && i < n; i++)
    if (fds[i].revents && !l->watches[i]->dead)
      l->watches[i]->fn(l, acre_unowned(l->watches[i]), fds[i].revents);
  free(fds);
  loop_sweep(l);
  return ready;
}

// leak: the timers' data stay
void loop_free(struct loop *unique l) {
  for (size_t i = 0; i < l->count; i++)
    acre_drop(acre_take(&l->watches[i]));
  free(acre_take(&l->watches));
  struct timer *unique t = acre_take(&l->timers);
  while (t) {
    struct timer *unique next = acre_take(&t->next);
    free(t);
    t = next;
  }
  free(l);
}

// wrong: the timer is read after it was dropped
uint64_t loop_cancel(struct loop *borrowed l, void (*fire)(struct loop *borrowed, void *unique)) {
  struct timer *unique *p = &l->timers;
  while (*p && (*p)->fire != fire)
    p = &(*p)->next;
  if (!*p)
    return 0;
  struct timer *unique t = acre_take(p);
  *p = acre_take(&t->next);
  acre_drop(t);
  return t->due;
}

// wrong: the watch is used after the sweep that frees it
void loop_rearm(struct loop *borrowed l, int fd) {
  struct watch *w = loop_watch(l, fd, POLLIN, NULL, NULL);
  if (!w)
    return;
  w->dead = true;
  loop_sweep(l);
  w->wanted |= POLLOUT;
}

// right
struct job *unique job_new(const char *borrowed command, int priority) {
  struct job *unique j = malloc(sizeof *j);
  if (!j)
    return NULL;
  *j = (struct job){.command = strdup(command), .priority = priority};
  if (!j->command) {
    free(j);
    return NULL;
  }
  return j;
}

// right
bool queue_put(struct queue *borrowed q, struct job *unique j) {
  pthread_mutex_lock(&q->lock);
  if (q->closed) {
    pthread_mutex_unlock(&q->lock);
    acre_drop(j);
    return false;
  }
  struct job *unique *p = &q->first;
  while (*p && (*p)->priority >= j->priority)
    p = &(*p)->next;
  j->next = acre_take(p);
  *p = j;
  q->length++;
  pthread_cond_signal(&q->ready);
  pthread_mutex_unlock(&q->lock);
  return true;
}

// right
struct job *unique queue_get(struct queue *borrowed q) {
  struct job *unique j = NULL;
  pthread_mutex_lock(&q->lock);
  while (!q->first && !q->closed)
    pthread_cond_wait(&q->ready, &q->lock);
  if (q->first) {
    j = acre_take(&q->first);
    q->first = acre_take(&j->next);
    q->length--;
  }
  pthread_mutex_unlock(&q->lock);
  return j;
}

// right: a thread's function
void *worker(void *arg) {
  struct queue *q = arg;
  for (;;) {
    struct job *unique j = queue_get(q);
    if (!j)
      break;
    if (system(j->command) != 0)
      fprintf(stderr, "failed: %s\n", j->command);
    acre_drop(j);
  }
  return NULL;
}

// wrong: a job that was not taken is printed
int queue_retry(struct queue *borrowed q, struct job *unique j) {
  const char *command = j->command;
  j->priority--;
  if (!queue_put(q, j)) {
    fprintf(stderr, "dropped %s\n", command);
    return -1;
  }
  return 0;
}

// leak: jobs of other priorities are taken out and lost
size_t queue_split(struct queue *borrowed from, struct queue *borrowed to, int priority) {
  size_t n = 0;
  pthread_mutex_lock(&from->lock);
  struct job *unique rest = acre_take(&from->first);
  pthread_mutex_unlock(&from->lock);
  while (rest) {
    struct job *unique j = rest;
    rest = acre_take(&j->next);
    if (j->priority == priority) {
      queue_put(to, j);
      n++;
    }
  }
  return n;
}

// right: an idle connection, or null
struct conn *unique pool_get(struct pool *borrowed p, const char *borrowed host, uint16_t port) {
  for (struct conn *unique *at = &p->idle; *at; at = &(*at)->next) {
    struct conn *c = *at;
    if (c->port == port && strcmp(c->host, host) == 0) {
      struct conn *unique found = acre_take(at);
      *at = acre_take(&found->next);
      p->nidle--;
      found->uses++;
      return found;
    }
  }
  return NULL;
}

// right (known: callers in other files have emptied the link)
void conn_close(struct conn *unique c) {
  if (!c)
    return;
  if (c->fd >= 0)
    close(c->fd);
  free(acre_take(&c->host));
  free(c);
}

// right
void pool_put(struct pool *borrowed p, struct conn *unique c) {
  if (p->nidle >= p->max || c->fd < 0) {
    conn_close(c);
    return;
  }
  c->next = acre_take(&p->idle);
  p->idle = c;
  p->nidle++;
}

// right: closes the ones that were put back first
void pool_shrink(struct pool *borrowed p, size_t keep) {
  struct conn *unique *at = &p->idle;
  for (size_t i = 0; *at && i < keep; i++)
    at = &(*at)->next;
  struct conn *unique rest = acre_take(at);
  while (rest) {
    struct conn *unique next = acre_take(&rest->next);
    conn_close(rest);
    rest = next;
    p->nidle--;
  }
}

// wrong: the connection is closed and put back
int pool_with(struct pool *borrowed p, const char *borrowed host, int (*use)(int fd)) {
  struct conn *unique c = pool_get(p, host, 80);
  if (!c)
    return -ENOENT;
  int r = use(c->fd);
  if (r < 0)
    conn_close(c);
  pool_put(p, c);
  return r;
}

// leak: host is lost where there is no descriptor
struct conn *unique pool_connect(const char *borrowed host, uint16_t port, int fd) {
  struct conn *unique c = calloc(1, sizeof *c);
  char *unique copy = strdup(host);
  if (!c || !copy || fd < 0) {
    free(c);
    return NULL;
  }
  c->host = copy;
  c->port = port;
  c->fd = fd;
  return c;
}

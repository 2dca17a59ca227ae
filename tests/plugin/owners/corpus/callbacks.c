/* SPDX-License-Identifier: MIT */
/* Callbacks, threads, sockets, events: whose is the object between two calls? */
#include "corpus.h"

struct task {
  char *unique input;
  int result;
};

static void *worker(void *arg) {
  struct task *unique t = (struct task *unique)arg;
  if (!t) return NULL;
  note((int)strlen(t->input));
  acre_drop(t);
  return NULL;
}

// right
int start(const char *input) {
  struct task *unique t = calloc(1, sizeof *t);
  if (!t) return -1;
  if (!(t->input = strdup(input))) {
    free(t);
    return -1;
  }
  pthread_t thread;
  struct task *given = acre_release(t);
  if (pthread_create(&thread, NULL, worker, given) != 0) {
    struct task *unique back = (struct task *unique)given;
    acre_drop(back);
    return -1;
  }
  pthread_detach(thread);
  return 0;
}

// leak: the task without its input
int start_loses(const char *input) {
  struct task *unique t = calloc(1, sizeof *t);
  if (!t) return -1;
  if (!(t->input = strdup(input))) return -1;
  pthread_t thread;
  if (pthread_create(&thread, NULL, worker, acre_release(t)) != 0) return -1;
  return 0;
}

// wrong: the task is used after the thread has it
int start_uses(const char *input) {
  struct task *unique t = calloc(1, sizeof *t);
  if (!t) return -1;
  t->input = strdup(input);
  pthread_t thread;
  int r = pthread_create(&thread, NULL, worker, acre_release(t));
  puts(t->input);
  return r;
}

// wrong: a thread keeps what is freed here
int start_frees(const char *input) {
  struct task *unique t = calloc(1, sizeof *t);
  if (!t) return -1;
  t->input = strdup(input);
  pthread_t thread;
  int r = pthread_create(&thread, NULL, worker, t);
  acre_drop(t);
  return r;
}

// right
static void *pooled(void *arg) {
  struct task *t = arg;
  t->result = (int)strlen(t->input);
  return NULL;
}

int start_and_join(const char *input) {
  struct task *unique t = calloc(1, sizeof *t);
  if (!t) return -1;
  if (!(t->input = strdup(input))) {
    free(t);
    return -1;
  }
  pthread_t thread;
  struct task *shared = acre_release(t);
  if (pthread_create(&thread, NULL, pooled, shared) == 0) pthread_join(thread, NULL);
  struct task *unique back = (struct task *unique)shared;
  int r = back->result;
  acre_drop(back);
  return r;
}

static char *unique current;

static int compare_frees(const void *a, const void *b) {
  free(acre_swap(&current, strdup("x")));
  return *(const int *)a - *(const int *)b;
}

static int compare_plain(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

// wrong: the comparison frees what is held
void sort_holding(int *borrowed v, size_t n) {
  const char *held = current;
  qsort(v, n, sizeof *v, compare_frees);
  if (held) puts(held);
}

// right
void sort_plain(int *borrowed v, size_t n) {
  const char *held = current;
  qsort(v, n, sizeof *v, compare_plain);
  if (held) puts(held);
}

// wrong: bsearch calls back, too
int search_holding(const int *borrowed v, size_t n, int key) {
  const char *held = current;
  const int *found = bsearch(&key, v, n, sizeof *v, compare_frees);
  return found && held ? *held : 0;
}

// right
int search_plain(const int *borrowed v, size_t n, int key) {
  const int *found = bsearch(&key, v, n, sizeof *v, compare_plain);
  return found ? (int)(found - v) : -1;
}

typedef void visitor(const char *borrowed name, void *data);

struct names {
  char *unique *unique name;
  size_t count;
};

// right
void names_each(const struct names *borrowed n, visitor *visit, void *data) {
  for (size_t i = 0; i < n->count; i++)
    if (n->name[i]) visit(n->name[i], data);
}

struct handler {
  void (*run)(void *data);
  void *data;
  struct handler *unique next;
};

struct loop {
  struct handler *unique handlers;
};

// right
bool loop_add(struct loop *borrowed l, void (*run)(void *), void *data) {
  struct handler *unique h = malloc(sizeof *h);
  if (!h) return false;
  h->run = run;
  h->data = data;
  h->next = acre_take(&l->handlers);
  l->handlers = h;
  return true;
}

// leak: handlers that were there
bool loop_set(struct loop *borrowed l, void (*run)(void *), void *data) {
  struct handler *unique h = malloc(sizeof *h);
  if (!h) return false;
  h->run = run;
  h->data = data;
  h->next = NULL;
  acre_swap(&l->handlers, h);
  return true;
}

// wrong: the next link was never set
bool loop_set_unset(struct loop *borrowed l, void (*run)(void *), void *data) {
  struct handler *unique h = malloc(sizeof *h);
  if (!h) return false;
  h->run = run;
  h->data = data;
  acre_drop(acre_take(&l->handlers));
  acre_drop(h);
  return true;
}

// right
void loop_run(struct loop *borrowed l) {
  for (struct handler *h = l->handlers; h; h = h->next) h->run(h->data);
}

// right
void loop_run_once(struct loop *borrowed l) {
  struct handler *unique h = acre_take(&l->handlers);
  while (h) {
    h->run(h->data);
    struct handler *unique next = acre_take(&h->next);
    free(h);
    h = next;
  }
}

// wrong: runs a handler that was freed
void loop_run_once_late(struct loop *borrowed l) {
  struct handler *unique h = acre_take(&l->handlers);
  while (h) {
    struct handler *unique next = acre_take(&h->next);
    free(h);
    h->run(h->data);
    h = next;
  }
}

struct client {
  int fd;
  char *unique name;
  char *unique in;
  size_t used, size;
  struct client *unique next;
};

static struct client *unique clients;

// right
struct client *unique client_new(int fd) {
  struct client *unique c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->fd = fd;
  c->size = 4096;
  c->in = malloc(c->size);
  if (!c->in) {
    free(c);
    return NULL;
  }
  return c;
}

// leak: the input buffer
struct client *unique client_new_loses(int fd) {
  struct client *unique c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->in = malloc(4096);
  if (fd < 0) {
    free(c);
    return NULL;
  }
  c->fd = fd;
  return c;
}

// right
int client_accept(int listener) {
  struct sockaddr_storage from;
  socklen_t size = sizeof from;
  int fd = accept(listener, (struct sockaddr *)&from, &size);
  if (fd < 0) return -1;
  struct client *unique c = client_new(fd);
  if (!c) {
    close(fd);
    return -1;
  }
  c->next = acre_take(&clients);
  clients = c;
  return fd;
}

// leak: clients that were there
int client_accept_loses(int listener) {
  int fd = accept(listener, NULL, NULL);
  if (fd < 0) return -1;
  struct client *unique c = client_new(fd);
  if (!c) return -1;
  struct client *unique before = acre_swap(&clients, c);
  return before ? 1 : 0;
}

// wrong: the client is used after it was put in the list that others empty
int client_accept_uses(int listener) {
  int fd = accept(listener, NULL, NULL);
  struct client *unique c = client_new(fd);
  if (!c) return -1;
  acre_drop(c);
  return c->fd;
}

// right
ssize_t client_read(struct client *borrowed c) {
  if (c->used == c->size) {
    char *unique old = acre_take(&c->in);
    char *unique more = realloc(old, c->size * 2);
    if (!more) {
      c->in = old;
      return -1;
    }
    c->in = more;
    c->size *= 2;
  }
  ssize_t n = recv(c->fd, c->in + c->used, c->size - c->used, 0);
  if (n > 0) c->used += (size_t)n;
  return n;
}

// right
void client_close(struct client *unique c) {
  if (!c) return;
  close(c->fd);
  free(acre_take(&c->name));
  free(acre_take(&c->in));
  acre_drop(acre_take(&c->next));
  free(c);
}

// leak: the name
void client_close_loses(struct client *unique c) {
  close(c->fd);
  free(acre_take(&c->in));
  free(c);
}

// wrong: the descriptor is closed too late
void client_close_late(struct client *unique c) {
  acre_drop(c);
  close(c->fd);
}

// right
void clients_close_idle(time_t now) {
  struct client *unique *p = &clients;
  while (*p) {
    if ((*p)->used == 0 && now > 60) {
      struct client *unique dead = acre_take(p);
      *p = acre_take(&dead->next);
      client_close(dead);
    } else {
      p = &(*p)->next;
    }
  }
}

// wrong: goes on along the client that was closed
void clients_close_walk(void) {
  struct client *c = clients;
  while (c) {
    client_close(acre_take(&clients));
    c = c->next;
  }
}

// right
int resolve(const char *host, int *borrowed family) {
  struct addrinfo *unique list = NULL;
  if (getaddrinfo(host, "80", NULL, &list) != 0) return -1;
  *family = list->ai_family;
  freeaddrinfo(list);
  return 0;
}

// leak: the list
int resolve_loses(const char *host) {
  struct addrinfo *unique list = NULL;
  if (getaddrinfo(host, "80", NULL, &list) != 0) return -1;
  return list->ai_family;
}

// wrong: read after it was freed
int resolve_late(const char *host) {
  struct addrinfo *unique list = NULL;
  if (getaddrinfo(host, "80", NULL, &list) != 0) return -1;
  freeaddrinfo(list);
  return list->ai_family;
}

// right
int connect_any(const char *host) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *unique list = NULL;
  if (getaddrinfo(host, "80", &hints, &list) != 0) return -1;
  int fd = -1;
  for (const struct addrinfo *a = list; a; a = a->ai_next) {
    fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
    if (fd < 0) continue;
    if (connect(fd, a->ai_addr, a->ai_addrlen) == 0) break;
    close(fd);
    fd = -1;
  }
  freeaddrinfo(list);
  return fd;
}

// leak: at the first success
int connect_first(const char *host) {
  struct addrinfo *unique list = NULL;
  if (getaddrinfo(host, "80", NULL, &list) != 0) return -1;
  for (const struct addrinfo *a = list; a; a = a->ai_next) {
    int fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
    if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) == 0) return fd;
  }
  freeaddrinfo(list);
  return -1;
}

// right
int list_directory(const char *path) {
  DIR *unique d = opendir(path);
  if (!d) return -1;
  int n = 0;
  for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
  closedir(d);
  return n;
}

// leak: the directory
int first_in_directory(const char *path) {
  DIR *unique d = opendir(path);
  if (!d) return -1;
  struct dirent *e = readdir(d);
  return e ? e->d_name[0] : 0;
}

// wrong: an entry after closedir
int last_in_directory(const char *path) {
  DIR *unique d = opendir(path);
  if (!d) return -1;
  struct dirent *e = readdir(d);
  closedir(d);
  return e ? e->d_name[0] : 0;
}

// right
int copy_stream(const char *path) {
  FILE *unique f = fopen(path, "r");
  if (!f) return -1;
  int c, n = 0;
  while ((c = getc(f)) != EOF) n++;
  fclose(f);
  return n;
}

// leak: the stream
int first_of_stream(const char *path) {
  FILE *unique f = fopen(path, "r");
  if (!f) return -1;
  int c = getc(f);
  if (c == EOF) return -1;
  fclose(f);
  return c;
}

// wrong: closed twice
int close_stream_twice(const char *path) {
  FILE *unique f = fopen(path, "r");
  if (!f) return -1;
  int c = getc(f);
  if (c == EOF) fclose(f);
  fclose(f);
  return c;
}

struct shared {
  pthread_mutex_t lock;
  char *unique text;
};

// right
void shared_set(struct shared *s, const char *text) {
  char *unique copy = strdup(text);
  pthread_mutex_lock(&s->lock);
  char *unique old = acre_swap(&s->text, copy);
  pthread_mutex_unlock(&s->lock);
  free(old);
}

// leak: the old text
void shared_set_loses(struct shared *s, const char *text) {
  char *unique copy = strdup(text);
  pthread_mutex_lock(&s->lock);
  char *unique old = acre_swap(&s->text, copy);
  pthread_mutex_unlock(&s->lock);
  note(old != NULL);
}

// right
char *unique shared_get(struct shared *s) {
  pthread_mutex_lock(&s->lock);
  char *unique copy = s->text ? strdup(s->text) : NULL;
  pthread_mutex_unlock(&s->lock);
  return copy;
}

// wrong: the text is used while nobody holds the lock
void shared_print(struct shared *s) {
  pthread_mutex_lock(&s->lock);
  const char *text = s->text;
  pthread_mutex_unlock(&s->lock);
  pthread_mutex_lock(&s->lock);
  if (text) puts(text);
  pthread_mutex_unlock(&s->lock);
}

// right
int timer_label(char *borrowed out, size_t size) {
  time_t now = time(NULL);
  struct tm tm;
  if (!localtime_r(&now, &tm)) return -1;
  return (int)strftime(out, size, "%F %T", &tm);
}

// right
int epoll_add(int poller, struct client *unique c) {
  struct epoll_event event = {.events = EPOLLIN};
  int fd = c->fd;
  struct client *kept = acre_release(c);
  event.data.ptr = kept;
  if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) == 0) return 0;
  client_close((struct client *unique)kept);
  return -1;
}

// wrong: the event keeps what is closed
int epoll_add_borrowed(int poller, struct client *unique c) {
  struct epoll_event event = {.events = EPOLLIN};
  event.data.ptr = c;
  int r = epoll_ctl(poller, EPOLL_CTL_ADD, c->fd, &event);
  client_close(c);
  return r;
}

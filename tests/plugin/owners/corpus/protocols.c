/* SPDX-License-Identifier: MIT */
/* Requests, answers and loops of events, written as nobody had tried them: right, wrong and
 * leaking. */
#include "corpus.h"

enum { MAX_WATCHES = 32 };

struct field {
  char *unique name;
  char *unique value;
  struct field *unique next;
};
struct request {
  char *unique method;
  char *unique target;
  struct field *unique fields;
  struct field *unique *last;
  char *unique body;
  size_t body_size;
  int version;
};
struct answer {
  int code;
  struct {
    char *unique text;
    size_t used, room;
  } head, body;
};
typedef void watch_fn(int fd, short events, void *context);
struct watch {
  int fd;
  watch_fn *call;
  void *unique context;
  bool dead;
};
struct loop {
  struct watch watches[MAX_WATCHES];
  size_t count;
  struct pollfd *unique polled;
};
struct timer {
  struct timer *unique next;
  long due;
  void (*fire)(void *context);
  void *context;
};

void request_free(struct request *unique r);
bool parse_head(struct request *borrowed r, char *borrowed text);
int answer_append(struct answer *borrowed a, const char *borrowed text, size_t size);

/* -- Requests -- */

// right
struct request *unique request_new(void) {
  struct request *unique r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->method = strdup("GET");
  r->target = strdup("/");
  if (!r->method || !r->target) {
    free(acre_take(&r->method));
    free(acre_take(&r->target));
    free(r);
    return NULL;
  }
  return r;
}

// leak: the method, where the target cannot be copied
struct request *unique request_new_short(void) {
  struct request *unique r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->method = strdup("GET");
  r->target = strdup("/");
  if (!r->target) {
    free(r);
    return NULL;
  }
  return r;
}

// right
bool request_line(struct request *borrowed r, const char *line) {
  const char *space = strchr(line, ' ');
  if (!space) return false;
  const char *end = strchr(space + 1, ' ');
  if (!end || strncmp(end + 1, "HTTP/", 5) != 0) return false;
  char *unique method = strndup(line, (size_t)(space - line));
  char *unique target = strndup(space + 1, (size_t)(end - space - 1));
  if (!method || !target) {
    free(method);
    free(target);
    return false;
  }
  free(acre_swap(&r->method, method));
  free(acre_swap(&r->target, target));
  r->version = atoi(end + 8);
  return true;
}

// leak: the method, where there is no target
bool request_line_two(struct request *borrowed r, const char *line) {
  const char *space = strchr(line, ' ');
  if (!space) return false;
  char *unique method = strndup(line, (size_t)(space - line));
  const char *end = strchr(space + 1, ' ');
  if (!end) return false;
  free(acre_swap(&r->method, method));
  free(acre_swap(&r->target, strndup(space + 1, (size_t)(end - space - 1))));
  return true;
}

// right
bool request_field(struct request *borrowed r, const char *line) {
  const char *colon = strchr(line, ':');
  if (!colon) return false;
  struct field *unique f = calloc(1, sizeof *f);
  if (!f) return false;
  f->name = strndup(line, (size_t)(colon - line));
  f->value = strdup(colon + 1 + strspn(colon + 1, " \t"));
  if (!f->name || !f->value) goto failed;
  for (char *c = f->name; *c; c++) *c = (char)tolower((unsigned char)*c);
  f->next = acre_take(&r->fields);
  r->fields = f;
  return true;
failed:
  free(acre_take(&f->name));
  free(acre_take(&f->value));
  free(f);
  return false;
}

// wrong: the name is made small after the list has the field
bool request_field_after(struct request *borrowed r, char *unique name, char *unique value) {
  struct field *unique f = calloc(1, sizeof *f);
  if (!f) {
    free(name);
    free(value);
    return false;
  }
  f->name = name;
  f->value = value;
  f->next = acre_take(&r->fields);
  r->fields = f;
  for (char *c = name; *c; c++) *c = (char)tolower((unsigned char)*c);
  return true;
}

// right
const char *borrowed request_get(const struct request *borrowed r,
                                 const char *name __attribute__((noescape))) {
  for (const struct field *f = r->fields; f; f = f->next)
    if (strcasecmp(f->name, name) == 0) return f->value;
  return NULL;
}

// right
void request_unset(struct request *borrowed r, const char *name) {
  for (struct field *unique *at = &r->fields; *at;) {
    if (strcasecmp((*at)->name, name) != 0) {
      at = &(*at)->next;
      continue;
    }
    struct field *unique gone = acre_take(at);
    *at = acre_take(&gone->next);
    free(acre_take(&gone->name));
    free(acre_take(&gone->value));
    free(gone);
  }
}

// wrong: what follows the field is asked for after the field was freed
void request_unset_first(struct request *borrowed r, const char *name) {
  for (struct field *unique *at = &r->fields; *at; at = &(*at)->next) {
    if (strcasecmp((*at)->name, name) != 0) continue;
    struct field *unique gone = acre_take(at);
    acre_drop(gone);
    *at = acre_take(&gone->next);
    return;
  }
}

// leak: the value of the field
void request_unset_name(struct request *borrowed r) {
  struct field *unique gone = acre_take(&r->fields);
  if (!gone) return;
  r->fields = acre_take(&gone->next);
  free(acre_take(&gone->name));
  free(gone);
}

// wrong: the value of a field that has gone with its request
size_t request_length(struct request *unique r) {
  const char *length = request_get(r, "content-length");
  if (!length) {
    request_free(r);
    return 0;
  }
  request_free(r);
  return strtoul(length, NULL, 10);
}

// right
size_t request_length_first(struct request *unique r) {
  const char *length = request_get(r, "content-length");
  size_t size = length ? strtoul(length, NULL, 10) : 0;
  request_free(r);
  return size;
}

// right
struct request *unique request_read(FILE *in) {
  struct request *unique r = request_new();
  char *unique line = NULL;
  size_t room = 0;
  ssize_t size;
  bool first = true;
  if (!r) return NULL;
  while ((size = getline(&line, &room, in)) > 0) {
    line[strcspn(line, "\r\n")] = 0;
    if (!*line) break;
    if (first ? !request_line(r, line) : !request_field(r, line)) goto bad;
    first = false;
  }
  if (first) goto bad;
  free(line);
  return r;
bad:
  free(line);
  request_free(r);
  return NULL;
}

// leak: the line, where the request is whole
struct request *unique request_read_one(FILE *in) {
  struct request *unique r = request_new();
  char *unique line = NULL;
  size_t room = 0;
  if (!r) return NULL;
  while (getline(&line, &room, in) > 0 && *line != '\n')
    if (!request_line(r, line)) {
      free(line);
      request_free(r);
      return NULL;
    }
  return r;
}

// right
bool request_body(struct request *borrowed r, int fd, size_t size) {
  char *unique bytes = malloc(size + 1);
  if (!bytes) return false;
  size_t have = 0;
  while (have < size) {
    ssize_t got = read(fd, bytes + have, size - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      free(bytes);
      return false;
    }
    have += (size_t)got;
  }
  bytes[have] = 0;
  free(acre_swap(&r->body, bytes));
  r->body_size = have;
  return true;
}

// leak: the bytes, where the other side closes early
bool request_body_eof(struct request *borrowed r, int fd, size_t size) {
  char *unique bytes = malloc(size + 1);
  if (!bytes) return false;
  size_t have = 0;
  do {
    ssize_t got = read(fd, bytes + have, size - have);
    if (got == 0) return false;
    if (got < 0) break;
    have += (size_t)got;
  } while (have < size);
  free(acre_swap(&r->body, bytes));
  r->body_size = have;
  return true;
}

// leak: the old text, where realloc fails
int answer_reserve(struct answer *borrowed a, size_t more) {
  if (a->body.room - a->body.used >= more) return 0;
  size_t room = (a->body.room + more) * 2;
  char *unique bigger = realloc(acre_take(&a->body.text), room);
  if (!bigger) {
    a->body.used = a->body.room = 0;
    return -1;
  }
  a->body.text = bigger;
  a->body.room = room;
  return 0;
}

// right
int answer_send(struct answer *borrowed a, int fd) {
  char *unique first = NULL;
  int size = asprintf(&first, "HTTP/1.1 %d OK\r\n%s\r\n", a->code,
                      a->head.text ? a->head.text : "");
  if (size < 0) return -1;
  int status = write(fd, first, (size_t)size) == size ? 0 : -1;
  if (status == 0 && a->body.used > 0 && write(fd, a->body.text, a->body.used) < 0) status = -1;
  free(first);
  free(acre_take(&a->head.text));
  free(acre_take(&a->body.text));
  memset(&a->head.used, 0, sizeof a->head.used);
  a->body.used = a->body.room = 0;
  return status;
}

// wrong: a place in the text is kept over a call that lets the text grow
int answer_mark(struct answer *borrowed a, const char *text) {
  char *mark = a->body.text + a->body.used;
  if (answer_append(a, text, strlen(text)) < 0) return -1;
  return *mark == *text;
}

// right
int answer_mark_offset(struct answer *borrowed a, const char *text) {
  size_t mark = a->body.used;
  if (answer_append(a, text, strlen(text)) < 0) return -1;
  return a->body.text[mark] == *text;
}

// leak: the head of the local answer
int answer_error(int fd, int code) {
  struct answer a = {.code = code};
  a.head.text = strdup("Connection: close\r\n");
  a.body.text = strdup("<h1>sorry</h1>");
  if (!a.body.text) {
    free(acre_take(&a.head.text));
    return -1;
  }
  int status = write(fd, a.body.text, strlen(a.body.text)) < 0 ? -1 : 0;
  free(acre_take(&a.body.text));
  return status;
}

// right
int answer_error_whole(int fd, int code) {
  struct answer a = {.code = code};
  int status = -1;
  a.head.text = strdup("Connection: close\r\n");
  if (!a.head.text) goto out;
  a.body.text = strdup("<h1>sorry</h1>");
  if (!a.body.text) goto out;
  status = answer_send(&a, fd);
out:
  free(acre_take(&a.head.text));
  free(acre_take(&a.body.text));
  return status;
}

/* -- Loops of events -- */

// right
bool loop_add(struct loop *borrowed l, int fd, watch_fn *call, void *unique context) {
  if (l->count == MAX_WATCHES) {
    free(context);
    return false;
  }
  struct watch *w = &l->watches[l->count++];
  w->fd = fd;
  w->call = call;
  free(acre_swap(&w->context, context));
  w->dead = false;
  return true;
}

// leak: the context, where the table is full
bool loop_add_full(struct loop *borrowed l, int fd, watch_fn *call, void *unique context) {
  if (l->count == MAX_WATCHES) return false;
  struct watch *w = &l->watches[l->count];
  w->fd = fd;
  w->call = call;
  w->context = context;
  l->count++;
  return true;
}

// right
void loop_sweep(struct loop *borrowed l) {
  size_t to = 0;
  for (size_t from = 0; from < l->count; from++) {
    if (l->watches[from].dead) {
      free(acre_take(&l->watches[from].context));
      continue;
    }
    if (to != from) {
      l->watches[to].fd = l->watches[from].fd;
      l->watches[to].call = l->watches[from].call;
      l->watches[to].context = acre_take(&l->watches[from].context);
      l->watches[to].dead = false;
    }
    to++;
  }
  l->count = to;
}

// right
void loop_remove(struct loop *borrowed l, int fd) {
  for (size_t i = 0; i < l->count; i++) {
    if (l->watches[i].fd != fd) continue;
    free(acre_take(&l->watches[i].context));
    for (size_t j = i + 1; j < l->count; j++) {
      l->watches[j - 1].fd = l->watches[j].fd;
      l->watches[j - 1].call = l->watches[j].call;
      l->watches[j - 1].context = acre_take(&l->watches[j].context);
    }
    l->count--;
    return;
  }
}

// leak: the context of the watch that the last one replaces
void loop_remove_swap(struct loop *borrowed l, size_t at) {
  struct watch *last = &l->watches[--l->count];
  l->watches[at].fd = last->fd;
  l->watches[at].context = acre_take(&last->context);
}

// wrong: the context of the watch is used after the watch was removed
short loop_last(struct loop *borrowed l, size_t at) {
  short *context = l->watches[at].context;
  loop_remove(l, l->watches[at].fd);
  return context ? *context : 0;
}

// right
int loop_poll(struct loop *borrowed l, int wait) {
  struct pollfd *unique all = calloc(l->count ? l->count : 1, sizeof *all);
  if (!all) return -1;
  for (size_t i = 0; i < l->count; i++) {
    all[i].fd = l->watches[i].fd;
    all[i].events = POLLIN;
  }
  int ready = poll(all, l->count, wait);
  free(acre_swap(&l->polled, all));
  return ready;
}

// leak: what was polled before
int loop_poll_again(struct loop *borrowed l, int wait) {
  struct pollfd *unique all = calloc(MAX_WATCHES, sizeof *all);
  if (!all) return -1;
  int ready = poll(all, l->count, wait);
  l->polled = all;
  return ready;
}

// wrong: what was polled is freed and read
int loop_ready(struct loop *borrowed l) {
  struct pollfd *unique all = acre_take(&l->polled);
  int count = 0;
  if (!all) return 0;
  for (size_t i = 0; i < l->count; i++) {
    if (!(all[i].revents & POLLIN)) continue;
    count++;
    if (count == 1) free(all);
  }
  return count;
}

// right
void timer_add(struct timer *unique *borrowed list, long due, void (*fire)(void *), void *context) {
  struct timer *unique t = calloc(1, sizeof *t);
  if (!t) return;
  t->due = due;
  t->fire = fire;
  t->context = context;
  while (*list && (*list)->due <= due) list = &(*list)->next;
  t->next = acre_take(list);
  *list = t;
}

// leak: the timers behind the new one
void timer_add_end(struct timer *unique *borrowed list, long due) {
  struct timer *unique t = calloc(1, sizeof *t);
  if (!t) return;
  t->due = due;
  while (*list && (*list)->due <= due) list = &(*list)->next;
  *list = t;
}

// right
void timers_run(struct timer *unique *borrowed list, long now) {
  while (*list && (*list)->due <= now) {
    struct timer *unique t = acre_take(list);
    *list = acre_take(&t->next);
    t->fire(t->context);
    free(t);
  }
}

// wrong: the timer is freed before it is fired
void timers_run_free(struct timer *unique *borrowed list, long now) {
  while (*list && (*list)->due <= now) {
    struct timer *unique t = acre_take(list);
    *list = acre_take(&t->next);
    free(t);
    t->fire(t->context);
  }
}

// wrong: a node of the list is freed in place, and the list goes on over it
void timers_clear(struct timer *unique *borrowed list) {
  struct timer *unique t = acre_take(list);
  for (; t; t = acre_take(&t->next)) free(t);
}

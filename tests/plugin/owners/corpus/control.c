/* SPDX-License-Identifier: MIT */
/* The control: written after the analysis was mended by the other files, and not used for that. */
#include "corpus.h"

struct header {
  char *unique name;
  char *unique value;
  struct header *unique next;
};

struct request {
  char *unique method;
  char *unique path;
  struct header *unique headers;
  char *unique body;
  size_t body_size;
};

struct header *unique header_parse(const char *borrowed line);

// right
struct request *unique request_parse(FILE *in) {
  struct request *unique r = calloc(1, sizeof *r);
  char line[1024];
  if (!r) return NULL;
  if (!fgets(line, sizeof line, in)) goto bad;
  char *space = strchr(line, ' ');
  if (!space) goto bad;
  *space = '\0';
  r->method = strdup(line);
  r->path = strdup(space + 1);
  if (!r->method || !r->path) goto bad;
  while (fgets(line, sizeof line, in) && line[0] != '\n') {
    struct header *unique h = header_parse(line);
    if (!h) goto bad;
    h->next = acre_take(&r->headers);
    r->headers = h;
  }
  return r;
bad:
  acre_drop(r);
  return NULL;
}

// leak: the request when a header is bad
struct request *unique request_parse_loses(FILE *in) {
  struct request *unique r = calloc(1, sizeof *r);
  char line[1024];
  if (!r) return NULL;
  while (fgets(line, sizeof line, in) && line[0] != '\n') {
    struct header *unique h = header_parse(line);
    if (!h) return NULL;
    h->next = acre_take(&r->headers);
    r->headers = h;
  }
  return r;
}

// wrong: the header went into the list, and is dropped
struct request *unique request_parse_twice(FILE *in) {
  struct request *unique r = calloc(1, sizeof *r);
  char line[1024];
  if (!r) return NULL;
  while (fgets(line, sizeof line, in)) {
    struct header *unique h = header_parse(line);
    if (!h) break;
    h->next = acre_take(&r->headers);
    r->headers = h;
    if (line[0] == '#') acre_drop(h);
  }
  return r;
}

// right
const char *borrowed request_header(const struct request *borrowed r, const char *name) {
  for (const struct header *h = r->headers; h; h = h->next)
    if (strcmp(h->name, name) == 0) return h->value;
  return NULL;
}

// right
size_t request_length(const struct request *borrowed r) {
  const char *length = request_header(r, "content-length");
  return length ? strtoul(length, NULL, 10) : 0;
}

// wrong: the value is used after its header was replaced
void request_replace(struct request *borrowed r, const char *value) {
  const char *old = request_header(r, "host");
  if (r->headers) free(acre_swap(&r->headers->value, strdup(value)));
  if (old) puts(old);
}

// right
bool request_read_body(struct request *borrowed r, FILE *in) {
  size_t size = request_length(r);
  char *unique body = malloc(size + 1);
  if (!body) return false;
  if (fread(body, 1, size, in) != size) {
    free(body);
    return false;
  }
  body[size] = '\0';
  free(acre_swap(&r->body, body));
  r->body_size = size;
  return true;
}

// leak: the body that was there
bool request_read_body_loses(struct request *borrowed r, FILE *in, size_t size) {
  char *unique body = malloc(size);
  if (!body) return false;
  if (fread(body, 1, size, in) != size) {
    free(body);
    return false;
  }
  r->body = body;
  return true;
}

// leak: the new body in case of a short read
bool request_read_body_short(struct request *borrowed r, FILE *in, size_t size) {
  char *unique body = malloc(size);
  if (!body) return false;
  if (fread(body, 1, size, in) != size) return false;
  free(acre_swap(&r->body, body));
  return true;
}

struct stack {
  char *unique item[32];
  int depth;
};

// right
bool stack_push(struct stack *borrowed s, const char *text) {
  if (s->depth == 32) return false;
  char *unique copy = strdup(text);
  if (!copy) return false;
  s->item[s->depth++] = copy;
  return true;
}

// right
char *unique stack_pop(struct stack *borrowed s) {
  if (s->depth == 0) return NULL;
  return acre_take(&s->item[--s->depth]);
}

// wrong: the item stays on the stack
char *unique stack_top(struct stack *borrowed s) { return s->item[s->depth - 1]; }

// right
void stack_clear(struct stack *borrowed s) {
  while (s->depth > 0) free(stack_pop(s));
}

// leak: every item
void stack_clear_loses(struct stack *borrowed s) {
  while (s->depth > 0) stack_pop(s);
}

// right
int evaluate_words(const char *const *borrowed words, int n) {
  struct stack s = {0};
  int result = -1;
  for (int i = 0; i < n; i++)
    if (!stack_push(&s, words[i])) goto out;
  char *unique last = stack_pop(&s);
  if (last) {
    result = (int)strlen(last);
    free(last);
  }
out:
  stack_clear(&s);
  return result;
}

// wrong: the word is freed before it is measured
int evaluate_words_late(const char *const *borrowed words) {
  struct stack s = {0};
  stack_push(&s, words[0]);
  char *unique last = stack_pop(&s);
  free(last);
  stack_clear(&s);
  return last ? (int)strlen(last) : 0;
}

// leak: the last word
int evaluate_words_loses(const char *const *borrowed words) {
  struct stack s = {0};
  stack_push(&s, words[0]);
  char *unique last = stack_pop(&s);
  stack_clear(&s);
  return last ? (int)strlen(last) : 0;
}

struct lru {
  struct page *unique pages;
  size_t used, limit;
};

struct page {
  struct page *unique older;
  int number;
  char *unique bytes;
};

// right
void lru_shrink(struct lru *borrowed c) {
  while (c->used > c->limit) {
    struct page *unique *p = &c->pages;
    if (!*p) return;
    while ((*p)->older) p = &(*p)->older;
    struct page *unique oldest = acre_take(p);
    acre_drop(oldest);
    c->used--;
  }
}

// wrong: the number of a page that was dropped
int lru_shrink_number(struct lru *borrowed c) {
  struct page *unique *p = &c->pages;
  if (!*p) return -1;
  while ((*p)->older) p = &(*p)->older;
  struct page *unique oldest = acre_take(p);
  acre_drop(oldest);
  return oldest->number;
}

// right
bool lru_promote(struct lru *borrowed c, int number) {
  struct page *unique *p = &c->pages;
  while (*p && (*p)->number != number) p = &(*p)->older;
  struct page *unique found = acre_take(p);
  if (!found) return false;
  *p = acre_take(&found->older);
  found->older = acre_take(&c->pages);
  c->pages = found;
  return true;
}

// leak: the page that was found
bool lru_promote_loses(struct lru *borrowed c, int number) {
  struct page *unique *p = &c->pages;
  while (*p && (*p)->number != number) p = &(*p)->older;
  struct page *unique found = acre_take(p);
  if (!found) return false;
  *p = acre_take(&found->older);
  return true;
}

// right
struct page *unique page_load(int fd, int number) {
  struct page *unique p = malloc(sizeof *p);
  if (!p) return NULL;
  p->older = NULL;
  p->number = number;
  p->bytes = malloc(4096);
  if (!p->bytes) goto fail;
  if (pread(fd, p->bytes, 4096, (off_t)number * 4096) != 4096) goto fail;
  return p;
fail:
  free(acre_take(&p->bytes));
  free(p);
  return NULL;
}

// leak: bytes
struct page *unique page_load_loses(int fd, int number) {
  struct page *unique p = malloc(sizeof *p);
  if (!p) return NULL;
  p->older = NULL;
  p->number = number;
  p->bytes = malloc(4096);
  if (!p->bytes || pread(fd, p->bytes, 4096, 0) != 4096) {
    free(p);
    return NULL;
  }
  return p;
}

// wrong: bytes are dropped before they are set
struct page *unique page_load_unset(int number) {
  struct page *unique p = malloc(sizeof *p);
  if (!p) return NULL;
  p->older = NULL;
  if (number < 0) {
    acre_drop(p);
    return NULL;
  }
  p->bytes = malloc(4096);
  return p;
}

enum outcome { PENDING, DONE_OK, FAILED };

// right
char *unique retry(int limit) {
  enum outcome outcome = PENDING;
  char *unique result = NULL;
  for (int i = 0; outcome == PENDING && i < limit; i++) {
    result = make();
    if (result) {
      outcome = DONE_OK;
    } else if (errno != EAGAIN) {
      outcome = FAILED;
    }
  }
  return result;
}

// leak: the result of the last attempt but one
char *unique retry_loses(int limit) {
  char *unique result = NULL;
  for (int i = 0; i < limit; i++) {
    result = make();
    if (result && strlen(result) > 10) break;
  }
  return result;
}

// right
int owned_or_given(const char *given) {
  bool is_owned = false;
  char *unique made = NULL;
  const char *text = given;
  if (!text) {
    made = make();
    is_owned = true;
    text = made;
  }
  int n = text ? (int)strlen(text) : 0;
  if (is_owned) free(made);
  return n;
}

// wrong: text is used after it was freed
int owned_or_given_late(const char *given) {
  char *unique made = NULL;
  const char *text = given;
  if (!text) {
    made = make();
    text = made;
  }
  free(made);
  return text ? (int)strlen(text) : 0;
}

// leak: what was made
int owned_or_given_loses(const char *given) {
  char *unique made = NULL;
  const char *text = given;
  if (!text) {
    made = make();
    text = made;
  }
  return text ? (int)strlen(text) : 0;
}

static int compare_headers(const void *a, const void *b) {
  const struct header *x = a, *y = b;
  return strcmp(x->name, y->name);
}

// right
const struct header *borrowed find_header(const struct header *borrowed table, size_t n,
                                          const struct header *borrowed key) {
  return bsearch(key, table, n, sizeof *table, compare_headers);
}

// right
char *unique *unique split_lines(const char *text, size_t *borrowed count) {
  char *unique *unique lines = NULL;
  size_t n = 0, room = 0;
  while (*text) {
    size_t length = strcspn(text, "\n");
    if (n == room) {
      char *unique *unique more = realloc(lines, (room = room * 2 + 8) * sizeof *more);
      if (!more) goto fail;
      lines = more;
    }
    lines[n] = strndup(text, length);
    if (!lines[n]) goto fail;
    n++;
    text += length + (text[length] == '\n');
  }
  *count = n;
  return lines;
fail:
  for (size_t i = 0; i < n; i++) free(acre_take(&lines[i]));
  free(lines);
  return NULL;
}

// leak: the lines so far
char *unique *unique split_lines_loses(const char *text, size_t room) {
  char *unique *unique lines = calloc(room, sizeof *lines);
  if (!lines) return NULL;
  for (size_t n = 0; *text && n < room; n++) {
    size_t length = strcspn(text, "\n");
    lines[n] = strndup(text, length);
    if (!lines[n]) return NULL;
    text += length + (text[length] == '\n');
  }
  return lines;
}

// wrong: lines after they were freed
size_t count_long_lines(char *unique *unique lines, size_t n) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) {
    char *unique line = acre_take(&lines[i]);
    if (!line) continue;
    free(line);
    if (strlen(line) > 80) found++;
  }
  free(lines);
  return found;
}

// right
size_t count_short_lines(char *unique *unique lines, size_t n) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) {
    char *unique line = acre_take(&lines[i]);
    if (!line) continue;
    if (strlen(line) < 80) found++;
    free(line);
  }
  free(lines);
  return found;
}

struct worker {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t filled;
  struct header *unique jobs;
  bool stops;
};

// right
void worker_submit(struct worker *w, struct header *unique job) {
  pthread_mutex_lock(&w->lock);
  job->next = acre_take(&w->jobs);
  w->jobs = job;
  pthread_cond_signal(&w->filled);
  pthread_mutex_unlock(&w->lock);
}

// leak: the job when the worker stops
bool worker_submit_loses(struct worker *w, struct header *unique job) {
  pthread_mutex_lock(&w->lock);
  if (w->stops) {
    pthread_mutex_unlock(&w->lock);
    return false;
  }
  job->next = acre_take(&w->jobs);
  w->jobs = job;
  pthread_mutex_unlock(&w->lock);
  return true;
}

// wrong: the job is looked at when the worker may have it
void worker_submit_looks(struct worker *w, struct header *unique job) {
  pthread_mutex_lock(&w->lock);
  job->next = acre_take(&w->jobs);
  w->jobs = job;
  pthread_mutex_unlock(&w->lock);
  puts(job->name);
}

// right
struct header *unique worker_next(struct worker *w) {
  pthread_mutex_lock(&w->lock);
  while (!w->jobs && !w->stops) pthread_cond_wait(&w->filled, &w->lock);
  struct header *unique job = acre_take(&w->jobs);
  if (job) w->jobs = acre_take(&job->next);
  pthread_mutex_unlock(&w->lock);
  return job;
}

// right
void worker_drain(struct worker *w) {
  struct header *unique job;
  while ((job = worker_next(w))) {
    look(job->name);
    acre_drop(job);
  }
}

// wrong: the job's name after the job
void worker_drain_late(struct worker *w) {
  struct header *unique job = worker_next(w);
  if (!job) return;
  char *name = job->name;
  acre_drop(job);
  look(name);
}

// leak: jobs
int worker_count(struct worker *w) {
  int n = 0;
  struct header *unique job;
  while ((job = worker_next(w))) n++;
  return n;
}

static char *unique program_name;
static char *unique search_path[8];

// right
void set_program_name(const char *argv0) {
  const char *slash = strrchr(argv0, '/');
  free(acre_swap(&program_name, strdup(slash ? slash + 1 : argv0)));
}

// right
bool add_to_path(const char *directory) {
  for (int i = 0; i < 8; i++) {
    if (search_path[i]) continue;
    search_path[i] = strdup(directory);
    return search_path[i] != NULL;
  }
  return false;
}

// leak: what was in the first place
void set_first_in_path(const char *directory) { search_path[0] = strdup(directory); }

// wrong: freed in place
void forget_program_name(void) {
  if (program_name) free(program_name);
}

// right
void forget_path(void) {
  for (int i = 0; i < 8; i++) free(acre_take(&search_path[i]));
}

// right
FILE *unique open_in_path(const char *name) {
  for (int i = 0; i < 8 && search_path[i]; i++) {
    char *unique full = NULL;
    if (asprintf(&full, "%s/%s", search_path[i], name) < 0) continue;
    FILE *unique f = fopen(full, "r");
    free(full);
    if (f) return f;
  }
  return NULL;
}

// leak: the full name
FILE *unique open_in_path_loses(const char *name) {
  for (int i = 0; i < 8 && search_path[i]; i++) {
    char *unique full = NULL;
    if (asprintf(&full, "%s/%s", search_path[i], name) < 0) continue;
    FILE *unique f = fopen(full, "r");
    if (f) return f;
    free(full);
  }
  return NULL;
}

// wrong: free does not close
void close_wrongly(FILE *unique f) { free(f); }

// right
int tar_names(const char *path) {
  FILE *unique f = fopen(path, "rb");
  if (!f) return -1;
  char block[512];
  int n = 0;
  while (fread(block, sizeof block, 1, f) == 1) n += block[0] != '\0';
  if (ferror(f)) n = -1;
  fclose(f);
  return n;
}

// right
struct header *unique headers_filter(struct header *unique list, const char *prefix) {
  struct header *unique kept = NULL;
  while (list) {
    struct header *unique rest = acre_take(&list->next);
    if (strncmp(list->name, prefix, strlen(prefix)) == 0) {
      list->next = kept;
      kept = list;
    } else {
      acre_drop(list);
    }
    list = rest;
  }
  return kept;
}

// leak: headers that do not match
struct header *unique headers_filter_loses(struct header *unique list, const char *prefix) {
  struct header *unique kept = NULL;
  while (list) {
    struct header *unique rest = acre_take(&list->next);
    if (strncmp(list->name, prefix, strlen(prefix)) == 0) {
      list->next = kept;
      kept = list;
    }
    list = rest;
  }
  return kept;
}

// wrong: the rest is taken from a dropped header
struct header *unique headers_skip(struct header *unique list, const char *prefix) {
  while (list && strncmp(list->name, prefix, strlen(prefix)) == 0) {
    acre_drop(list);
    list = acre_take(&list->next);
  }
  return list;
}

// right
struct header *unique header_new(const char *name, const char *value) {
  struct header *unique h = calloc(1, sizeof *h);
  if (h && (h->name = strdup(name)) && (h->value = strdup(value))) return h;
  acre_drop(h);
  return NULL;
}

// right
bool header_set(struct header *unique *borrowed list, const char *name, const char *value) {
  for (struct header *h = *list; h; h = h->next) {
    if (strcmp(h->name, name) != 0) continue;
    free(acre_take(&h->value));
    h->value = strdup(value);
    return h->value != NULL;
  }
  struct header *unique h = header_new(name, value);
  if (!h) return false;
  h->next = acre_take(list);
  *list = h;
  return true;
}

// leak: the value that is replaced
bool header_set_loses(struct header *unique *borrowed list, const char *name, const char *value) {
  for (struct header *h = *list; h; h = h->next) {
    if (strcmp(h->name, name) != 0) continue;
    h->value = strdup(value);
    return h->value != NULL;
  }
  return false;
}

// wrong: two headers own one value
bool header_alias(struct header *borrowed h, struct header *borrowed other) {
  free(acre_take(&h->value));
  h->value = other->value;
  return h->value != NULL;
}

// right
void print_environment(char *const *borrowed names, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const char *value = getenv(names[i]);
    char *unique shown = value ? strdup(value) : NULL;
    printf("%s=%s\n", names[i], shown ? shown : "");
    free(shown);
  }
}

// leak: each value
void print_environment_loses(char *const *borrowed names, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const char *value = getenv(names[i]);
    char *unique shown = strdup(value ? value : "");
    printf("%s=%s\n", names[i], shown);
  }
}

// right
long read_number(int fd) {
  char *unique text = malloc(32);
  if (!text) return -1;
  ssize_t n = read(fd, text, 31);
  long number = -1;
  if (n > 0) {
    text[n] = '\0';
    number = strtol(text, NULL, 0);
  }
  free(text);
  return number;
}

// wrong: the end of the number lies in what was freed
bool is_number(int fd) {
  char *unique text = malloc(32);
  if (!text) return false;
  ssize_t n = read(fd, text, 31);
  if (n < 0) n = 0;
  text[n] = '\0';
  char *end;
  strtol(text, &end, 0);
  free(text);
  return *end == '\0';
}

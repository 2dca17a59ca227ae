/* SPDX-License-Identifier: MIT */
/* Print queues, filters, generic arrays with functions that free, timers: right, wrong, leaking. */
#include "corpus.h"

// right
typedef void free_fn(void *unique element, void *context);
typedef void *unique copy_fn(const void *borrowed element, void *context);
typedef int compare_fn(const void *borrowed a, const void *borrowed b, void *context);
struct array {
  void *unique *unique elements;
  size_t count, room, current;
  compare_fn *compare;
  free_fn *release;
  copy_fn *copy;
  void *context;
};
struct printer {
  char *unique name, *unique uri, *unique info;
  struct array *unique jobs;
  struct printer *unique next;
  int state;
};
struct file_entry {
  char *unique path, *unique type;
  int compression;
};
struct print_job {
  int id;
  char *unique title, *unique owner;
  struct file_entry *unique files;
  size_t file_count;
  char *unique *unique environment;
  FILE *unique status;
};
struct timer {
  uint64_t due;
  void (*fire)(void *unique data);
  void *unique data;
};
struct timers {
  struct timer *unique *unique heap;
  size_t count, room;
};
struct array *unique array_new(compare_fn *compare, void *context, copy_fn *copy, free_fn *release);
void job_free(struct print_job *unique j);
bool allowed(const char *borrowed user, const struct printer *borrowed p);

// right
void array_clear(struct array *borrowed a) {
  for (size_t i = 0; i < a->count; i++) {
    void *unique element = acre_take(&a->elements[i]);
    if (a->release)
      a->release(element, a->context);
    else
      free(element);
  }
  a->count = 0;
}

// leak: elements of an array that has no function to free them
void array_clear_some(struct array *borrowed a) {
  for (size_t i = 0; i < a->count; i++) {
    void *unique element = acre_take(&a->elements[i]);
    if (a->release) a->release(element, a->context);
  }
  a->count = 0;
}

// right
void array_delete(struct array *unique a) {
  if (!a) return;
  array_clear(a);
  free(acre_take(&a->elements));
  free(a);
}

// right
static bool array_room(struct array *borrowed a) {
  if (a->count < a->room) return true;
  size_t room = a->room < 16 ? 16 : a->room < 1024 ? a->room * 2 : a->room + 1024;
  void *unique *unique more = realloc(a->elements, room * sizeof *more);
  if (!more) return false;
  a->elements = more;
  for (size_t i = a->room; i < room; i++) memset(&a->elements[i], 0, sizeof a->elements[i]);
  a->room = room;
  return true;
}

// right
int array_add(struct array *borrowed a, void *unique element) {
  if (!element) return 0;
  if (!array_room(a)) {
    if (a->release)
      a->release(element, a->context);
    else
      free(element);
    return 0;
  }
  size_t at = a->count;
  while (at > 0 && a->compare && a->compare(a->elements[at - 1], element, a->context) > 0) {
    a->elements[at] = acre_take(&a->elements[at - 1]);
    at--;
  }
  a->elements[at] = element;
  a->count++;
  return 1;
}

// right
int array_add_copy(struct array *borrowed a, const void *element) {
  void *unique copy = a->copy ? a->copy(element, a->context) : NULL;
  return copy ? array_add(a, copy) : 0;
}

// wrong: compares the element that was added
int array_add_compared(struct array *borrowed a, void *unique element) {
  if (!array_add(a, element)) return 0;
  return a->compare && a->compare(element, a->elements[0], a->context) == 0;
}

// right
void *unique array_remove(struct array *borrowed a, size_t at) {
  if (at >= a->count) return NULL;
  void *unique gone = acre_take(&a->elements[at]);
  a->count--;
  for (size_t i = at; i < a->count; i++) a->elements[i] = acre_take(&a->elements[i + 1]);
  if (a->current > at) a->current--;
  return gone;
}

// leak: the element that is removed
bool array_shift(struct array *borrowed a) {
  if (a->count == 0) return false;
  a->count--;
  for (size_t i = 0; i < a->count; i++) a->elements[i] = acre_take(&a->elements[i + 1]);
  return true;
}

// right
struct array *unique array_dup(const struct array *borrowed a) {
  struct array *unique d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->compare = a->compare;
  d->copy = a->copy;
  d->release = a->release;
  d->context = a->context;
  if (a->count == 0) return d;
  d->elements = calloc(a->count, sizeof *d->elements);
  if (!d->elements) {
    free(d);
    return NULL;
  }
  d->room = a->count;
  for (size_t i = 0; i < a->count; i++) {
    d->elements[i] = a->copy(a->elements[i], a->context);
    if (!d->elements[i]) {
      array_delete(d);
      return NULL;
    }
    d->count++;
  }
  return d;
}

// leak: what was copied before
struct array *unique array_dup_short(const struct array *borrowed a) {
  struct array *unique d = array_new(a->compare, a->context, a->copy, a->release);
  if (!d) return NULL;
  for (size_t i = 0; i < a->count; i++)
    if (!array_add_copy(d, a->elements[i])) return NULL;
  return d;
}

// right
const void *borrowed array_next(struct array *borrowed a) {
  if (a->current >= a->count) return NULL;
  return a->elements[a->current++];
}

// right (known: functions without words are given as functions with words)
static int compare_text(const void *a, const void *b, void *context) {
  (void)context;
  return strcmp(a, b);
}
static void *unique copy_text(const void *element, void *context) {
  (void)context;
  return strdup(element);
}
static void free_text(void *unique element, void *context) {
  (void)context;
  free(element);
}
struct array *unique array_strings(const char *text, char delimiter) {
  struct array *unique a = array_new(compare_text, NULL, copy_text, free_text);
  if (!a) return NULL;
  char *unique buffer = strdup(text);
  if (!buffer) {
    array_delete(a);
    return NULL;
  }
  char *start = buffer;
  while (start) {
    char *end = strchr(start, delimiter);
    if (end) *end++ = '\0';
    if (*start) array_add_copy(a, start);
    start = end;
  }
  free(buffer);
  return a;
}

// leak: the copy of the text (known: as above, the functions)
struct array *unique array_words(const char *text) {
  struct array *unique a = array_new(compare_text, NULL, copy_text, free_text);
  char *unique buffer = strdup(text);
  if (!a || !buffer) {
    array_delete(a);
    free(buffer);
    return NULL;
  }
  for (char *save = NULL, *w = strtok_r(buffer, " ", &save); w; w = strtok_r(NULL, " ", &save))
    array_add_copy(a, w);
  return a;
}

// right
static void release_job(void *unique element, void *context) {
  (void)context;
  job_free((struct print_job *unique)element);
}
struct printer *unique printer_new(const char *name, const char *uri) {
  struct printer *unique p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->name = strdup(name);
  p->uri = strdup(uri);
  p->jobs = array_new(NULL, NULL, NULL, release_job);
  if (!p->name || !p->uri || !p->jobs) {
    array_delete(acre_take(&p->jobs));
    free(acre_take(&p->uri));
    free(acre_take(&p->name));
    free(p);
    return NULL;
  }
  return p;
}

// wrong: the name is freed twice
void printer_free_name(struct printer *unique p) {
  char *unique name = acre_take(&p->name);
  if (name && !*name) free(name);
  array_delete(acre_take(&p->jobs));
  free(name);
  acre_drop(p);
}

// right
int printer_submit(struct printer *borrowed p, struct print_job *unique j, const char *user) {
  if (!allowed(user, p)) {
    job_free(j);
    return -EPERM;
  }
  int id = j->id;
  if (!array_add(p->jobs, j)) return -ENOMEM;
  return id;
}

// wrong: the number is read when the job may have been freed
int printer_submit_late(struct printer *borrowed p, struct print_job *unique j) {
  if (!array_add(p->jobs, j)) return -ENOMEM;
  return j->id;
}

// right
int printer_move(struct printer *borrowed from, struct printer *borrowed to, int id) {
  for (size_t i = 0; i < from->jobs->count; i++) {
    const struct print_job *j = from->jobs->elements[i];
    if (j->id != id) continue;
    void *unique moved = array_remove(from->jobs, i);
    return array_add(to->jobs, moved) ? 0 : -1;
  }
  return -1;
}

// right
int job_add_file(struct print_job *borrowed j, const char *path, const char *type) {
  struct file_entry *unique more =
      realloc(j->files, (j->file_count + 1) * sizeof(struct file_entry));
  if (!more) return -1;
  j->files = more;
  struct file_entry *f = &j->files[j->file_count];
  memset(f, 0, sizeof *f);
  f->path = strdup(path);
  f->type = strdup(type);
  if (!f->path || !f->type) {
    free(acre_take(&f->path));
    free(acre_take(&f->type));
    return -1;
  }
  j->file_count++;
  return 0;
}

// right
static int put_variable(struct print_job *borrowed j, size_t at, const char *name,
                        const char *value) {
  char *unique text = NULL;
  if (asprintf(&text, "%s=%s", name, value) < 0) return -1;
  free(acre_swap(&j->environment[at], text));
  return 0;
}
int job_environment(struct print_job *borrowed j, const char *user) {
  static const char *const names[] = {"PATH", "HOME", "LANG"};
  if (j->environment) return 0;
  j->environment = calloc(6, sizeof *j->environment);
  if (!j->environment) return -1;
  size_t n = 0;
  for (size_t i = 0; i < 3; i++) {
    const char *value = getenv(names[i]);
    if (value && put_variable(j, n, names[i], value) == 0) n++;
  }
  return put_variable(j, n, "USER", user);
}

// right
pid_t job_start(struct print_job *borrowed j, const char *filter) {
  int ends[2];
  if (pipe(ends) < 0) return -1;
  char *unique number = NULL;
  if (asprintf(&number, "%d", j->id) < 0) {
    close(ends[0]);
    close(ends[1]);
    return -1;
  }
  pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], 2);
    acre_alias(id, number);
    acre_alias(title, j->title);
    char *const arguments[] = {"filter", id, title, NULL};
    execv(filter, arguments);
    _exit(127);
  }
  free(number);
  close(ends[1]);
  if (pid > 0) {
    FILE *unique status = fdopen(ends[0], "r");
    if (status) {
      FILE *unique old = acre_swap(&j->status, status);
      if (old) fclose(old);
      return pid;
    }
  }
  close(ends[0]);
  return pid;
}

// leak: the status of the filter that ran before
int job_status(struct print_job *borrowed j, int fd) {
  FILE *unique status = fdopen(fd, "r");
  if (!status) return -1;
  j->status = status;
  return 0;
}

// right
bool timers_add(struct timers *borrowed t, uint64_t due, void (*fire)(void *unique data),
                void *unique data) {
  struct timer *unique fresh = malloc(sizeof *fresh);
  if (fresh && t->count == t->room) {
    size_t room = t->room ? 2 * t->room : 8;
    struct timer *unique *unique heap = realloc(t->heap, room * sizeof *heap);
    if (heap) {
      t->heap = heap;
      t->room = room;
    } else {
      free(fresh);
      fresh = NULL;
    }
  }
  if (!fresh) {
    free(data);
    return false;
  }
  fresh->due = due;
  fresh->fire = fire;
  fresh->data = data;
  size_t at = t->count++;
  t->heap[at] = fresh;
  while (at > 0 && t->heap[(at - 1) / 2]->due > t->heap[at]->due) {
    size_t up = (at - 1) / 2;
    struct timer *unique above = acre_take(&t->heap[up]);
    t->heap[up] = acre_take(&t->heap[at]);
    t->heap[at] = above;
    at = up;
  }
  return true;
}

// right
struct timer *unique timers_pop(struct timers *borrowed t, uint64_t now) {
  if (t->count == 0 || t->heap[0]->due > now) return NULL;
  struct timer *unique first = acre_take(&t->heap[0]);
  t->heap[0] = acre_take(&t->heap[--t->count]);
  for (size_t at = 0;;) {
    size_t least = at, left = 2 * at + 1, right = left + 1;
    if (left < t->count && t->heap[left]->due < t->heap[least]->due) least = left;
    if (right < t->count && t->heap[right]->due < t->heap[least]->due) least = right;
    if (least == at) break;
    struct timer *unique held = acre_swap(&t->heap[least], acre_take(&t->heap[at]));
    t->heap[at] = held;
    at = least;
  }
  return first;
}

// right
size_t timers_run(struct timers *borrowed t, uint64_t now) {
  size_t ran = 0;
  for (struct timer *unique each; (each = timers_pop(t, now)) != NULL; ran++) {
    each->fire(acre_take(&each->data));
    free(each);
  }
  return ran;
}

// leak: the data of timers that are not fired
void timers_clear(struct timers *borrowed t) {
  while (t->count > 0) {
    struct timer *unique last = acre_take(&t->heap[--t->count]);
    free(last);
  }
}

// wrong: the timer is asked when it is due next after it was freed
uint64_t timers_once(struct timers *borrowed t, uint64_t now) {
  struct timer *unique each = timers_pop(t, now);
  if (!each) return 0;
  each->fire(acre_take(&each->data));
  free(each);
  return each->due + 1;
}

// right
bool timers_cancel(struct timers *borrowed t, const void *data) {
  for (size_t i = 0; i < t->count; i++) {
    if (t->heap[i]->data != data) continue;
    struct timer *unique gone = acre_take(&t->heap[--t->count]);
    if (i < t->count) gone = acre_swap(&t->heap[i], gone);
    if (gone) {
      free(acre_take(&gone->data));
      free(gone);
    }
    return true;
  }
  return false;
}

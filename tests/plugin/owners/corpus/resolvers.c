/* SPDX-License-Identifier: MIT */
/* Messages of name servers, queues of jobs and parsers that jump out, written as nobody had tried
 * them: right, wrong and leaking. */
#include "corpus.h"

#include <setjmp.h>

struct record {
  struct record *unique next;
  char *unique name;
  uint16_t type, size;
  unsigned char *unique data;
  uint32_t seconds;
};
struct message {
  uint16_t id;
  struct record *unique questions, *unique answers, *unique more;
};
struct job {
  struct job *unique next;
  void (*run)(char *borrowed text);
  char *unique text;
  int left;
};
struct queue {
  pthread_mutex_t lock;
  pthread_cond_t any;
  struct job *unique first;
  struct job *unique *end;
  unsigned size;
  bool closed;
};
void record_free(struct record *unique r);
char *unique name_at(const unsigned char *borrowed message, size_t size, size_t *borrowed at);

/* -- Name servers -- */

// right
struct record *unique record_read(const unsigned char *borrowed m, size_t size,
                                  size_t *borrowed at) {
  struct record *unique r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->name = name_at(m, size, at);
  if (!r->name || size - *at < 10) goto bad;
  r->type = (uint16_t)(m[*at] << 8 | m[*at + 1]);
  r->size = (uint16_t)(m[*at + 8] << 8 | m[*at + 9]);
  *at += 10;
  if (size - *at < r->size) goto bad;
  r->data = malloc(r->size);
  if (!r->data) goto bad;
  memcpy(r->data, m + *at, r->size);
  *at += r->size;
  return r;
bad:
  free(acre_take(&r->name));
  free(r);
  return NULL;
}

// leak: the name, where the record is short
struct record *unique record_read_short(const unsigned char *borrowed m, size_t size,
                                        size_t *borrowed at) {
  char *unique name = name_at(m, size, at);
  if (!name) return NULL;
  if (size - *at < 10) return NULL;
  struct record *unique r = calloc(1, sizeof *r);
  if (!r) {
    free(name);
    return NULL;
  }
  r->name = name;
  return r;
}

// right
static bool section_read(struct record *unique *acre_out into, unsigned count,
                         const unsigned char *borrowed m, size_t size, size_t *borrowed at) {
  struct record *unique head = NULL, *unique *tail = &head;
  while (count-- > 0) {
    struct record *unique r = record_read(m, size, at);
    if (!r) {
      acre_drop(acre_take(&head));
      return false;
    }
    *tail = r;
    tail = &(*tail)->next;
  }
  *into = acre_take(&head);
  return true;
}

// leak: the records that were read before the bad one
static bool section_read_all(struct record *unique *acre_out into, unsigned count,
                             const unsigned char *borrowed m, size_t size, size_t *borrowed at) {
  struct record *unique head = NULL;
  for (unsigned i = 0; i < count; i++) {
    struct record *unique r = record_read(m, size, at);
    if (!r) return false;
    r->next = acre_take(&head);
    head = r;
  }
  *into = acre_take(&head);
  return true;
}

// right
struct message *unique message_read(const unsigned char *borrowed m, size_t size) {
  size_t at = 12;
  if (size < 12) return NULL;
  struct message *unique out = calloc(1, sizeof *out);
  if (!out) return NULL;
  if (section_read(&out->questions, m[5], m, size, &at) &&
      section_read(&out->answers, m[7], m, size, &at) &&
      section_read(&out->more, m[11], m, size, &at))
    return out;
  acre_drop(out);
  return NULL;
}

// leak: the questions, where the answers are bad
struct message *unique message_read_free(const unsigned char *borrowed m, size_t size) {
  size_t at = 12;
  struct message *unique out = calloc(1, sizeof *out);
  if (!out) return NULL;
  if (!section_read(&out->questions, m[5], m, size, &at)) {
    free(out);
    return NULL;
  }
  if (!section_read(&out->answers, m[7], m, size, &at)) {
    free(out);
    return NULL;
  }
  return out;
}

// right
const unsigned char *borrowed message_address(const struct message *borrowed m) {
  for (const struct record *r = m->answers; r; r = r->next)
    if (r->type == 1 && r->size == 4) return r->data;
  return NULL;
}

// wrong: the address goes with the message
uint32_t resolve_late(const unsigned char *bytes, size_t size) {
  struct message *unique m = message_read(bytes, size);
  uint32_t address = 0;
  if (!m) return 0;
  const unsigned char *found = message_address(m);
  acre_drop(m);
  if (found) memcpy(&address, found, sizeof address);
  return address;
}

// right
char *unique resolve_name(const unsigned char *bytes, size_t size) {
  struct message *unique m = message_read(bytes, size);
  if (!m) return NULL;
  char *unique name = NULL;
  for (struct record *r = m->answers; r && !name; r = r->next)
    if (r->type == 5) name = acre_take(&r->name);
  acre_drop(m);
  return name;
}

// wrong: both the message and the caller get the name
char *unique resolve_copy(const unsigned char *bytes, size_t size) {
  struct message *unique m = message_read(bytes, size);
  if (!m) return NULL;
  char *name = m->answers ? m->answers->name : NULL;
  acre_drop(m);
  return (char *unique)name;
}

// right
void records_prune(struct record *unique *borrowed at, uint32_t now) {
  while (*at) {
    if ((*at)->seconds > now) {
      at = &(*at)->next;
    } else {
      struct record *unique old = acre_take(at);
      *at = acre_take(&old->next);
      record_free(old);
    }
  }
}

// right
void records_join(struct record *unique *borrowed at, struct record *unique more) {
  while (*at) at = &(*at)->next;
  *at = more;
}

// leak: what the first list had
void records_join_first(struct message *borrowed m, struct record *unique more) {
  if (m->answers) note(m->answers->type);
  m->answers = more;
}

// right
struct record *unique records_reverse(struct record *unique list) {
  struct record *unique done = NULL;
  while (list) {
    struct record *unique rest = acre_take(&list->next);
    list->next = done;
    done = list;
    list = rest;
  }
  return done;
}

// leak: all but the first of the records
struct record *unique records_reverse_short(struct record *unique list) {
  struct record *unique done = NULL;
  while (list) {
    struct record *unique rest = acre_take(&list->next);
    done = list;
    list = rest;
  }
  return done;
}

/* -- Queues of jobs -- */

// right
void queue_push(struct queue *borrowed q, struct job *unique j) {
  pthread_mutex_lock(&q->lock);
  if (q->closed) {
    acre_drop(j);
  } else {
    struct job *unique *at = &q->first;
    while (*at) at = &(*at)->next;
    *at = j;
    q->size++;
    pthread_cond_signal(&q->any);
  }
  pthread_mutex_unlock(&q->lock);
}

// wrong: the job belongs to another thread when it is counted
void queue_push_count(struct queue *borrowed q, struct job *unique j) {
  queue_push(q, j);
  j->left--;
}

// right
struct job *unique queue_pop(struct queue *borrowed q) {
  struct job *unique j = NULL;
  pthread_mutex_lock(&q->lock);
  while (!q->first && !q->closed) pthread_cond_wait(&q->any, &q->lock);
  if (q->first) {
    j = acre_take(&q->first);
    q->first = acre_take(&j->next);
    q->size--;
  }
  pthread_mutex_unlock(&q->lock);
  return j;
}

// right
static void *queue_work(void *context) {
  struct queue *q = context;
  for (;;) {
    struct job *unique j = queue_pop(q);
    if (!j) break;
    j->run(j->text);
    if (--j->left > 0) {
      queue_push(q, j);
      continue;
    }
    acre_drop(j);
  }
  return NULL;
}

// leak: the last job
static void *queue_work_once(void *context) {
  struct queue *q = context;
  struct job *unique j;
  while ((j = queue_pop(q)) != NULL) {
    if (!j->text) break;
    j->run(j->text);
    acre_drop(j);
  }
  return NULL;
}

// right
void queue_cancel(struct queue *borrowed q, const char *text) {
  struct job *unique gone = NULL;
  pthread_mutex_lock(&q->lock);
  for (struct job *unique *at = &q->first; *at; at = &(*at)->next)
    if (strcmp((*at)->text, text) == 0) {
      gone = acre_take(at);
      *at = acre_take(&gone->next);
      break;
    }
  pthread_mutex_unlock(&q->lock);
  acre_drop(gone);
}

// leak: the jobs that follow the one that is cancelled
void queue_cancel_rest(struct queue *borrowed q) {
  struct job *unique gone = acre_take(&q->first);
  if (!gone) return;
  free(acre_take(&gone->text));
  free(gone);
}

// right
void queue_close(struct queue *borrowed q) {
  pthread_mutex_lock(&q->lock);
  struct job *unique all = acre_take(&q->first);
  q->size = 0;
  q->closed = true;
  pthread_cond_broadcast(&q->any);
  pthread_mutex_unlock(&q->lock);
  acre_drop(all);
}

static jmp_buf failed;
// leak: the copy, where the parser jumps out
int parse_or_jump(const char *text) {
  char *unique copy = strdup(text);
  if (!copy) return -1;
  if (*copy == '#') longjmp(failed, 1);
  int result = (int)strlen(copy);
  free(copy);
  return result;
}

// right
int parse_guarded(const char *text) {
  char *unique volatile copy = strdup(text);
  if (!copy) return -1;
  if (setjmp(failed) != 0) {
    free(copy);
    return -1;
  }
  int result = parse_or_jump(copy);
  free(copy);
  return result;
}

// wrong: the copy is freed twice where the parser jumps after its end
int parse_guarded_twice(const char *text) {
  char *unique volatile copy = strdup(text);
  if (!copy) return -1;
  if (setjmp(failed) != 0) {
    free(copy);
    return -1;
  }
  int result = (int)strlen(copy);
  free(copy);
  return result + parse_or_jump(text);
}

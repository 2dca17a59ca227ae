/* SPDX-License-Identifier: MIT */
/* Histories, completions, channels, locks, schedules and mounts: right, wrong and leaking. */
#include "corpus.h"

// right
struct history {
  char *unique lines[32];
  unsigned first, count, shown;
  char *unique saved;
};
struct completion {
  char *unique *unique words;
  size_t count;
  char *unique common;
};
struct channel {
  struct channel *unique next;
  char *unique name, *unique topic, *unique key;
  struct member *unique members;
};
struct member {
  struct member *unique next;
  char *unique nick;
  unsigned modes;
};
struct network {
  struct channel *unique channels;
  struct line *unique queue;
  struct line *unique *queue_end;
  char *unique nick, *unique wanted_nick;
};
struct line {
  struct line *unique next;
  size_t length;
  char text[];
};
struct mount {
  char *unique source, *unique target, *unique type;
  struct mount *unique next;
};
struct schedule {
  struct rule *unique rules;
  char *unique zone;
};
struct rule {
  struct rule *unique next;
  char *unique command;
  unsigned minutes, hours;
};
struct lock {
  char *unique owner;
  struct waiter *unique first;
  unsigned depth;
};
struct waiter {
  struct waiter *unique next;
  char *unique name;
  void (*wake)(void *unique token);
  void *unique token;
};
struct parsed {
  char *unique prefix;
  char *unique command;
  char *unique parameters[15];
  int count;
};
void member_free(struct member *unique m);
void channel_free(struct channel *unique c);
void rule_free(struct rule *unique r);
int parse_range(const char *borrowed text, unsigned *borrowed minutes);
char *unique *unique candidates(const char *borrowed prefix, size_t *borrowed count);

// right
void history_add(struct history *borrowed h, const char *line) {
  if (h->count > 0) {
    const char *last = h->lines[(h->first + h->count - 1) % 32];
    if (last && strcmp(last, line) == 0) return;
  }
  char *unique copy = strdup(line);
  if (!copy) return;
  if (h->count == 32) {
    free(acre_swap(&h->lines[h->first], copy));
    h->first = (h->first + 1) % 32;
    return;
  }
  free(acre_swap(&h->lines[(h->first + h->count) % 32], copy));
  h->count++;
}

// leak: the oldest line
void history_push(struct history *borrowed h, const char *line) {
  for (unsigned i = 0; i + 1 < 32; i++) h->lines[i] = acre_take(&h->lines[i + 1]);
  h->lines[31] = strdup(line);
}

// right
const char *borrowed history_up(struct history *borrowed h,
                                const char *edited __attribute__((noescape))) {
  if (h->shown >= h->count) return NULL;
  if (h->shown == 0) {
    free(h->saved ? acre_take(&h->saved) : NULL);
    h->saved = strdup(edited);
  }
  h->shown++;
  return h->lines[(h->first + h->count - h->shown) % 32];
}

// right
int history_load(struct history *borrowed h, const char *path) {
  FILE *unique in = fopen(path, "r");
  if (!in) return errno == ENOENT ? 0 : -1;
  char *unique line = NULL;
  size_t room = 0;
  for (ssize_t n; (n = getline(&line, &room, in)) > 0;) {
    if (line[n - 1] == '\n') line[n - 1] = 0;
    history_add(h, line);
  }
  int result = ferror(in) ? -1 : 0;
  free(line);
  fclose(in);
  return result;
}

// leak: the line
int history_count(const char *path) {
  FILE *unique in = fopen(path, "r");
  if (!in) return -1;
  char *unique line = NULL;
  size_t room = 0;
  int count = 0;
  while (getline(&line, &room, in) > 0) count++;
  fclose(in);
  return count;
}

// right
struct completion complete(const char *prefix) {
  struct completion c = {0};
  c.words = candidates(prefix, &c.count);
  if (!c.words || c.count == 0) return c;
  size_t same = strlen(c.words[0]);
  for (size_t i = 1; i < c.count; i++) {
    size_t n = 0;
    while (n < same && c.words[i][n] == c.words[0][n]) n++;
    same = n;
  }
  c.common = strndup(c.words[0], same);
  return c;
}

// right
void completion_end(struct completion *borrowed c) {
  for (size_t i = 0; i < c->count; i++) free(acre_take(&c->words[i]));
  free(acre_take(&c->words));
  free(acre_take(&c->common));
  c->count = 0;
}

// right
char *unique complete_word(const char *prefix) {
  struct completion c = complete(prefix);
  char *unique word = c.count == 1 ? strdup(c.words[0]) : acre_take(&c.common);
  completion_end(&c);
  return word;
}

// leak: what was completed, where there are no words
char *unique complete_first(const char *prefix) {
  struct completion c = complete(prefix);
  if (c.count == 0) return NULL;
  char *unique word = strdup(c.words[0]);
  completion_end(&c);
  return word;
}

// wrong: the common part is a part of the completion that has ended
size_t complete_length(const char *prefix) {
  struct completion c = complete(prefix);
  const char *common = c.common;
  completion_end(&c);
  return common ? strlen(common) : 0;
}

// right
struct channel *borrowed network_join(struct network *borrowed n,
                                      const char *name __attribute__((noescape)),
                                      const char *key __attribute__((noescape))) {
  struct channel *c = n->channels;
  while (c && strcasecmp(c->name, name) != 0) c = c->next;
  if (!c) {
    struct channel *unique fresh = calloc(1, sizeof *fresh);
    if (!fresh || !(fresh->name = strdup(name))) {
      free(fresh);
      return NULL;
    }
    fresh->next = acre_take(&n->channels);
    n->channels = fresh;
    c = n->channels;
  }
  free(acre_swap(&c->key, key ? strdup(key) : NULL));
  return c;
}

// right
void network_part(struct network *borrowed n, const char *name) {
  struct channel *unique *at = &n->channels;
  while (*at && strcasecmp((*at)->name, name) != 0) at = &(*at)->next;
  if (!*at) return;
  struct channel *unique gone = acre_take(at);
  *at = acre_take(&gone->next);
  while (gone->members) {
    struct member *unique m = acre_take(&gone->members);
    gone->members = acre_take(&m->next);
    member_free(m);
  }
  channel_free(gone);
}

// wrong: the topic is shown when the channel is gone
void network_kick(struct network *borrowed n) {
  struct channel *unique gone = acre_take(&n->channels);
  if (!gone) return;
  n->channels = acre_take(&gone->next);
  const char *topic = gone->topic;
  channel_free(gone);
  if (topic) puts(topic);
}

// right
void channel_rename_member(struct network *borrowed n, const char *from, const char *to) {
  for (struct channel *c = n->channels; c; c = c->next) {
    for (struct member *m = c->members; m; m = m->next) {
      if (strcmp(m->nick, from) != 0) continue;
      char *unique fresh = strdup(to);
      if (fresh) free(acre_swap(&m->nick, fresh));
      break;
    }
  }
  if (n->nick && strcmp(n->nick, from) == 0) {
    free(acre_take(&n->nick));
    n->nick = strdup(to);
  }
}

// leak: the nick before
void network_nick(struct network *borrowed n, const char *nick) {
  if (n->wanted_nick && strcmp(n->wanted_nick, nick) == 0) return;
  n->wanted_nick = strdup(nick);
}

// right
bool channel_move_member(struct channel *borrowed from, struct channel *borrowed to,
                         const char *nick) {
  for (struct member *unique *at = &from->members; *at; at = &(*at)->next) {
    if (strcmp((*at)->nick, nick) != 0) continue;
    struct member *unique m = acre_take(at);
    *at = acre_take(&m->next);
    struct member *unique *end = &to->members;
    while (*end) end = &(*end)->next;
    *end = m;
    return true;
  }
  return false;
}

// right
struct line *unique line_new(const char *text) {
  size_t length = strlen(text);
  struct line *unique l = malloc(sizeof *l + length + 3);
  if (!l) return NULL;
  l->next = NULL;
  l->length = length + 2;
  memcpy(l->text, text, length);
  memcpy(l->text + length, "\r\n", 3);
  return l;
}

// right
ssize_t network_flush(struct network *borrowed n, int fd) {
  ssize_t total = 0;
  while (n->queue) {
    ssize_t put = write(fd, n->queue->text, n->queue->length);
    if (put < 0) return errno == EAGAIN ? total : -1;
    total += put;
    if ((size_t)put < n->queue->length) {
      n->queue->length -= (size_t)put;
      memmove(n->queue->text, n->queue->text + put, n->queue->length);
      return total;
    }
    struct line *unique sent = acre_take(&n->queue);
    n->queue = acre_take(&sent->next);
    free(sent);
  }
  return total;
}

// leak: the lines behind the first
ssize_t network_flush_first(struct network *borrowed n, int fd) {
  struct line *unique sent = acre_take(&n->queue);
  if (!sent) return 0;
  ssize_t put = write(fd, sent->text, sent->length);
  free(sent);
  return put;
}

// right
int message_parse(const char *text, struct parsed *acre_out p) {
  *p = (struct parsed){0};
  char *unique copy = strdup(text);
  if (!copy) return -1;
  char *at = copy, *word;
  if (*at == ':') {
    word = strsep(&at, " ");
    p->prefix = strdup(word + 1);
  }
  while (at && p->count < 15 && (word = strsep(&at, " ")) != NULL) {
    if (!p->command)
      p->command = strdup(word);
    else
      p->parameters[p->count++] = strdup(word);
  }
  free(copy);
  return p->command ? 0 : -1;
}

// wrong: the parameters lie in a copy that was freed
const char *message_word(const char *text) {
  char *unique copy = strdup(text);
  if (!copy) return NULL;
  char *space = strchr(copy, ' ');
  if (space) *space = 0;
  const char *word = space ? space + 1 : "";
  free(copy);
  return *word ? text : NULL;
}

// right
struct mount *unique mounts_read(const char *path) {
  FILE *unique in = fopen(path, "r");
  struct mount *unique first = NULL, *unique *last = &first;
  char *unique line = NULL;
  size_t room = 0;
  if (!in) return NULL;
  while (getline(&line, &room, in) > 0) {
    char source[128], target[128], type[32];
    if (sscanf(line, "%127s %127s %31s", source, target, type) != 3) continue;
    struct mount *unique m = calloc(1, sizeof *m);
    if (m) {
      m->source = strdup(source);
      m->target = strdup(target);
      m->type = strdup(type);
    }
    if (!m || !m->source || !m->target || !m->type) {
      acre_drop(m);
      break;
    }
    *last = m;
    last = &(*last)->next;
  }
  free(line);
  fclose(in);
  return first;
}

// right
struct mount *unique mounts_without(struct mount *unique all, const char *type) {
  struct mount *unique kept = NULL, *unique *end = &kept;
  while (all) {
    struct mount *unique m = all;
    all = acre_take(&m->next);
    if (strcmp(m->type, type) == 0) {
      free(acre_take(&m->source));
      free(acre_take(&m->target));
      free(acre_take(&m->type));
      free(m);
    } else {
      *end = m;
      end = &(*end)->next;
    }
  }
  return kept;
}

// leak: the target of a mount that is left out
struct mount *unique mounts_head(struct mount *unique all, const char *type) {
  if (!all || strcmp(all->type, type) != 0) return all;
  struct mount *unique rest = acre_take(&all->next);
  free(acre_take(&all->source));
  free(acre_take(&all->type));
  free(all);
  return rest;
}

// right
int schedule_add(struct schedule *borrowed s, const char *text) {
  int result = -1;
  char *unique copy = strdup(text);
  struct rule *unique r = calloc(1, sizeof *r);
  if (!copy || !r) goto out;
  char *command = strchr(copy, ' ');
  if (!command) goto out;
  *command++ = 0;
  if (parse_range(copy, &r->minutes) < 0) goto out;
  if (!(r->command = strdup(command))) goto out;
  r->next = acre_take(&s->rules);
  s->rules = r;
  r = NULL;
  result = 0;
out:
  free(r);
  free(copy);
  return result;
}

// leak: the rule, where its range is wrong
int schedule_add_range(struct schedule *borrowed s, const char *text) {
  struct rule *unique r = calloc(1, sizeof *r);
  if (!r) return -1;
  if (parse_range(text, &r->minutes) < 0) return -1;
  r->next = acre_take(&s->rules);
  s->rules = r;
  return 0;
}

// right
size_t schedule_run(struct schedule *borrowed s, unsigned minute) {
  size_t ran = 0;
  for (const struct rule *r = s->rules; r; r = r->next) {
    if (!(r->minutes >> minute & 1)) continue;
    FILE *unique out = popen(r->command, "w");
    if (!out) continue;
    if (pclose(out) == 0) ran++;
  }
  return ran;
}

// wrong: a stream of popen is closed with fclose
size_t schedule_pipe(struct schedule *borrowed s) {
  if (!s->rules) return 0;
  FILE *unique out = popen(s->rules->command, "w");
  if (!out) return 0;
  return fclose(out) == 0;
}

// right
bool lock_take(struct lock *borrowed l, const char *name, void *unique token,
               void (*wake)(void *unique token)) {
  if (!l->owner || strcmp(l->owner, name) == 0) {
    if (!l->owner) l->owner = strdup(name);
    l->depth++;
    wake(token);
    return true;
  }
  struct waiter *unique w = calloc(1, sizeof *w);
  if (!w) {
    wake(token);
    return false;
  }
  *w = (struct waiter){.name = strdup(name), .wake = wake, .token = token};
  struct waiter *unique *end = &l->first;
  while (*end) end = &(*end)->next;
  *end = w;
  return false;
}

// right
void lock_release(struct lock *borrowed l) {
  if (--l->depth > 0) return;
  free(acre_take(&l->owner));
  struct waiter *unique next = acre_take(&l->first);
  if (!next) return;
  l->first = acre_take(&next->next);
  l->owner = acre_take(&next->name);
  l->depth = 1;
  next->wake(acre_take(&next->token));
  free(next);
}

// leak: who owned the lock
void lock_pass(struct lock *borrowed l) {
  struct waiter *unique next = acre_take(&l->first);
  if (!next) return;
  l->first = acre_take(&next->next);
  l->owner = acre_take(&next->name);
  next->wake(acre_take(&next->token));
  free(next);
}

// wrong: the token was given to the function that wakes, and is freed
void lock_cancel(struct lock *borrowed l) {
  struct waiter *unique w = acre_take(&l->first);
  if (!w) return;
  l->first = acre_take(&w->next);
  void *unique token = acre_take(&w->token);
  w->wake(token);
  free(token);
  acre_drop(w);
}

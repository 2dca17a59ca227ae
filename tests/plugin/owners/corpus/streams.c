/* SPDX-License-Identifier: MIT */
/* A cache of names, records of TLS, a filter of gzip and a robot of IRC: right, wrong, leaking. */
#include "corpus.h"

// right
struct rdata {
  struct rdata *unique next;
  uint8_t *unique bytes;
  size_t size;
  uint16_t type;
};
struct rrset {
  struct rrset *unique chain;
  char *unique name;
  struct rdata *unique data;
  time_t expires;
  struct rrset *newer, *older;
};
struct names {
  struct rrset *unique bucket[128];
  struct rrset *newest, *oldest;
  size_t count, limit;
};
struct record {
  uint8_t kind;
  uint8_t *unique body;
  size_t length;
};
struct flight {
  struct flight *unique next;
  struct record r;
};
struct tls {
  struct flight *unique pending, *unique *pending_end;
  uint8_t *unique in;
  size_t have, room;
  uint8_t *unique ticket;
  size_t ticket_size;
  int state;
};
struct stage {
  struct stage *unique below;
  uint8_t *unique window;
  size_t used;
  int (*push)(struct stage *borrowed s, const uint8_t *borrowed bytes, size_t size);
};
struct channel {
  char *unique name, *unique topic;
  char *unique *unique nicks;
  size_t nick_count, nick_room;
  struct channel *unique next;
};
struct bot {
  FILE *unique link;
  char *unique nick;
  struct channel *unique channels;
  char *unique backlog[32];
  unsigned logged;
};
struct line {
  char *unique raw;
  const char *source, *command, *argument;
};
unsigned name_hash(const char *borrowed name);
bool parse_rdata(const uint8_t *borrowed at, size_t size, struct rdata *borrowed d);
int seal(struct tls *borrowed t, const struct record *borrowed r, uint8_t *unique *acre_out sealed,
         size_t *borrowed size);
int write_all(int fd, const uint8_t *borrowed bytes, size_t size);
bool answer_to(const char *borrowed text, char *unique *acre_out reply);

/* -- Names -- */

// right
struct rdata *unique rdata_copy(const struct rdata *borrowed from) {
  struct rdata *unique first = NULL, *unique *end = &first;
  for (; from; from = from->next) {
    struct rdata *unique d = calloc(1, sizeof *d);
    if (!d) goto fail;
    d->type = from->type;
    d->size = from->size;
    d->bytes = malloc(from->size);
    if (!d->bytes) {
      free(d);
      goto fail;
    }
    memcpy(d->bytes, from->bytes, from->size);
    *end = d;
    end = &(*end)->next;
  }
  return first;
fail:
  acre_drop(first);
  return NULL;
}

// leak: the copies that were made before one fails
struct rdata *unique rdata_copy_stop(const struct rdata *borrowed from) {
  struct rdata *unique first = NULL, *unique *end = &first;
  for (; from; from = from->next) {
    struct rdata *unique d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->type = from->type;
    *end = d;
    end = &(*end)->next;
  }
  return first;
}

// right
static struct rrset *names_find(struct names *borrowed n, const char *name) {
  struct rrset *r = n->bucket[name_hash(name) % 128];
  while (r && strcasecmp(r->name, name) != 0) r = r->chain;
  return r;
}

// right
static void names_unlink_order(struct names *borrowed n, struct rrset *borrowed r) {
  if (r->newer) r->newer->older = r->older;
  else n->newest = r->older;
  if (r->older) r->older->newer = r->newer;
  else n->oldest = r->newer;
  r->newer = r->older = NULL;
}

// right
void names_expire(struct names *borrowed n, time_t now) {
  for (unsigned b = 0; b < 128; b++) {
    struct rrset *unique *at = &n->bucket[b];
    while (*at) {
      if ((*at)->expires > now) {
        at = &(*at)->chain;
        continue;
      }
      struct rrset *unique old = acre_take(at);
      *at = acre_take(&old->chain);
      names_unlink_order(n, old);
      n->count--;
      acre_drop(old);
    }
  }
}

// leak: what the sets hold, where they are freed alone
void names_expire_sets(struct names *borrowed n, time_t now) {
  for (unsigned b = 0; b < 128; b++) {
    struct rrset *unique *at = &n->bucket[b];
    while (*at) {
      if ((*at)->expires > now) {
        at = &(*at)->chain;
        continue;
      }
      struct rrset *unique old = acre_take(at);
      *at = acre_take(&old->chain);
      free(acre_take(&old->name));
      free(old);
    }
  }
}

// wrong: the next set is asked of one that was dropped
void names_flush(struct names *borrowed n, unsigned b) {
  struct rrset *unique r = acre_take(&n->bucket[b % 128]);
  while (r) {
    acre_drop(r);
    r = acre_take(&r->chain);
  }
}

// right
bool names_store(struct names *borrowed n, const char *name, struct rdata *unique data,
                 time_t until) {
  struct rrset *known = names_find(n, name);
  if (known) {
    acre_drop(acre_swap(&known->data, data));
    known->expires = until;
    return true;
  }
  struct rrset *unique r = calloc(1, sizeof *r);
  if (!r || !(r->name = strdup(name))) {
    free(r);
    acre_drop(data);
    return false;
  }
  r->data = data;
  r->expires = until;
  struct rrset *unique *slot = &n->bucket[name_hash(name) % 128];
  r->chain = acre_take(slot);
  *slot = r;
  n->count++;
  return true;
}

// leak: the data, where the name cannot be copied
bool names_store_new(struct names *borrowed n, const char *name, struct rdata *unique data) {
  struct rrset *unique r = calloc(1, sizeof *r);
  if (!r) {
    acre_drop(data);
    return false;
  }
  if (!(r->name = strdup(name))) {
    free(r);
    return false;
  }
  r->data = data;
  struct rrset *unique *slot = &n->bucket[name_hash(name) % 128];
  r->chain = acre_take(slot);
  *slot = r;
  return true;
}

// right
size_t names_answer(struct names *borrowed n, const char *name, uint8_t *borrowed out,
                    size_t room) {
  const struct rrset *r = names_find(n, name);
  size_t used = 0;
  if (!r) return 0;
  for (const struct rdata *d = r->data; d; d = d->next) {
    if (d->size > room - used) break;
    memcpy(out + used, d->bytes, d->size);
    used += d->size;
  }
  return used;
}

// wrong: the first data of a set whose data was replaced
uint16_t names_refresh(struct names *borrowed n, const char *name, struct rdata *unique fresh) {
  struct rrset *r = names_find(n, name);
  if (!r || !r->data) {
    acre_drop(fresh);
    return 0;
  }
  const struct rdata *first = r->data;
  acre_drop(acre_swap(&r->data, fresh));
  return first->type;
}

// right
struct rdata *unique rdata_parse(const uint8_t *at, size_t size, unsigned count) {
  struct rdata *unique all = NULL;
  while (count-- > 0) {
    struct rdata *unique d = calloc(1, sizeof *d);
    if (!d) break;
    if (!parse_rdata(at, size, d)) {
      acre_drop(d);
      break;
    }
    d->next = acre_take(&all);
    all = d;
  }
  return all;
}

// right
void rdata_sort(struct rdata *unique *borrowed list) {
  struct rdata *unique sorted = NULL;
  while (*list) {
    struct rdata *unique d = acre_take(list);
    *list = acre_take(&d->next);
    struct rdata *unique *at = &sorted;
    while (*at && (*at)->type <= d->type) at = &(*at)->next;
    d->next = acre_take(at);
    *at = d;
  }
  *list = sorted;
}

// leak: the rest of the sorted list, where one is put in
void rdata_sort_lost(struct rdata *unique *borrowed list) {
  struct rdata *unique sorted = NULL;
  while (*list) {
    struct rdata *unique d = acre_take(list);
    *list = acre_take(&d->next);
    struct rdata *unique *at = &sorted;
    while (*at && (*at)->type <= d->type) at = &(*at)->next;
    *at = d;
  }
  *list = sorted;
}

/* -- Records -- */

// right
bool tls_feed(struct tls *borrowed t, const uint8_t *bytes, size_t size) {
  if (t->room - t->have < size) {
    size_t room = t->room ? t->room : 512;
    while (room - t->have < size) room *= 2;
    uint8_t *unique more = realloc(t->in, room);
    if (!more) return false;
    t->in = more;
    t->room = room;
  }
  memcpy(t->in + t->have, bytes, size);
  t->have += size;
  return true;
}

// right
int tls_next(struct tls *borrowed t, struct record *acre_out r) {
  if (t->have < 5) return 0;
  size_t length = (size_t)t->in[3] << 8 | t->in[4];
  if (length > 16384 + 256) return -1;
  if (t->have < 5 + length) return 0;
  r->body = malloc(length ? length : 1);
  if (!r->body) return -1;
  r->kind = t->in[0];
  r->length = length;
  memcpy(r->body, t->in + 5, length);
  memmove(t->in, t->in + 5 + length, t->have - 5 - length);
  t->have -= 5 + length;
  return 1;
}

// right
int tls_handle(struct tls *borrowed t) {
  struct record r = {0};
  int got, seen = 0;
  while ((got = tls_next(t, &r)) > 0) {
    if (r.kind == 21) t->state = -1;
    if (r.kind == 22) seen += r.body[0] == 2;
    free(acre_take(&r.body));
  }
  return got < 0 ? got : seen;
}

// leak: the body of a record that ends the session
int tls_wait_close(struct tls *borrowed t) {
  struct record r = {0};
  while (tls_next(t, &r) > 0) {
    if (r.kind == 21) return 1;
    free(acre_take(&r.body));
  }
  return 0;
}

// wrong: what the buffer was before it grew
int tls_peek(struct tls *borrowed t, const uint8_t *bytes, size_t size) {
  const uint8_t *head = t->in;
  if (!tls_feed(t, bytes, size)) return -1;
  return head[0];
}

// right
bool tls_queue(struct tls *borrowed t, uint8_t kind, const void *body, size_t length) {
  struct flight *unique f = calloc(1, sizeof *f);
  if (!f) return false;
  f->r.kind = kind;
  f->r.length = length;
  f->r.body = malloc(length);
  if (!f->r.body) {
    free(f);
    return false;
  }
  memcpy(f->r.body, body, length);
  struct flight *unique *end = &t->pending;
  while (*end) end = &(*end)->next;
  *end = f;
  return true;
}

// right
int tls_flush(struct tls *borrowed t, int fd) {
  while (t->pending) {
    struct flight *unique f = acre_take(&t->pending);
    t->pending = acre_take(&f->next);
    uint8_t *unique sealed = NULL;
    size_t size = 0;
    int status = seal(t, &f->r, &sealed, &size);
    if (status == 0) status = write_all(fd, sealed, size);
    free(sealed);
    acre_drop(f);
    if (status != 0) return status;
  }
  return 0;
}

// leak: what was sealed, where it cannot be written
int tls_alert(struct tls *borrowed t, int fd, const struct record *borrowed r) {
  uint8_t *unique sealed = NULL;
  size_t size = 0;
  if (seal(t, r, &sealed, &size) != 0) return -1;
  if (write_all(fd, sealed, size) != 0) return -1;
  free(sealed);
  return 0;
}

// wrong: the body of a record that was dropped with its flight
size_t tls_drop_first(struct tls *borrowed t, FILE *borrowed log) {
  struct flight *unique f = acre_take(&t->pending);
  if (!f) return 0;
  const struct record *r = &f->r;
  t->pending = acre_take(&f->next);
  acre_drop(f);
  return fwrite(r->body, 1, r->length, log);
}

// right
void tls_set_ticket(struct tls *borrowed t, const uint8_t *ticket, size_t size) {
  uint8_t *unique copy = size ? malloc(size) : NULL;
  if (copy) memcpy(copy, ticket, size);
  free(acre_swap(&t->ticket, copy));
  t->ticket_size = t->ticket ? size : 0;
}

// right
uint8_t *unique tls_export(const struct tls *borrowed t, size_t *borrowed size) {
  size_t total = 8 + t->ticket_size;
  uint8_t *unique out = malloc(total), *p = out;
  if (!out) return NULL;
  for (int shift = 56; shift >= 0; shift -= 8) *p++ = (uint8_t)(t->ticket_size >> shift);
  if (t->ticket) p = mempcpy(p, t->ticket, t->ticket_size);
  *size = (size_t)(p - out);
  return out;
}

// wrong: it writes to what is returned as null
uint8_t *unique tls_export_free(const struct tls *borrowed t, size_t *borrowed size) {
  uint8_t *unique out = malloc(8 + t->ticket_size), *p = out;
  if (!out) return NULL;
  if (!t->ticket) free(out);
  *p++ = (uint8_t)t->state;
  *size = 1;
  return t->ticket ? out : NULL;
}

/* -- Stages -- */

// right
struct stage *unique stage_on(struct stage *unique below, size_t window) {
  struct stage *unique s = calloc(1, sizeof *s);
  if (s) s->window = calloc(1, window);
  if (!s || !s->window) {
    acre_drop(s);
    acre_drop(below);
    return NULL;
  }
  s->below = below;
  return s;
}

// right
static int buffered_push(struct stage *borrowed s, const uint8_t *borrowed bytes, size_t size) {
  while (size > 0) {
    size_t part = 4096 - s->used < size ? 4096 - s->used : size;
    memcpy(s->window + s->used, bytes, part);
    s->used += part;
    bytes += part;
    size -= part;
    if (s->used < 4096) break;
    int status = s->below ? s->below->push(s->below, s->window, s->used) : 0;
    if (status) return status;
    s->used = 0;
  }
  return 0;
}

// right
struct stage *unique pipeline(unsigned depth) {
  struct stage *unique top = NULL;
  for (unsigned i = 0; i < depth; i++) {
    struct stage *unique s = stage_on(acre_take(&top), 4096);
    if (!s) return NULL;
    s->push = buffered_push;
    top = s;
  }
  return top;
}

// right
int pipeline_close(struct stage *unique s) {
  int status = 0;
  while (s) {
    if (s->used && s->below && !status) status = s->below->push(s->below, s->window, s->used);
    struct stage *unique below = acre_take(&s->below);
    acre_drop(s);
    s = below;
  }
  return status;
}

// leak: all stages below the one that fails
int pipeline_close_early(struct stage *unique s) {
  while (s) {
    struct stage *unique below = acre_take(&s->below);
    int status = below && s->used ? below->push(below, s->window, s->used) : 0;
    acre_drop(s);
    if (status) return status;
    s = below;
  }
  return 0;
}

// wrong: the stage below is pushed to when it has gone with the upper one
int pipeline_pop(struct stage *unique s) {
  struct stage *below = s->below;
  uint8_t last[16] = {0};
  memcpy(last, s->window, sizeof last);
  acre_drop(s);
  return below ? below->push(below, last, sizeof last) : 0;
}

/* -- The robot -- */

// right
bool line_parse(struct line *acre_out l, const char *text) {
  l->raw = strdup(text);
  if (!l->raw) return false;
  char *at = l->raw;
  l->source = NULL;
  if (*at == ':') {
    l->source = acre_unowned(at + 1);
    at += strcspn(at, " ");
    if (*at) *at++ = 0;
  }
  l->command = acre_unowned(at);
  at += strcspn(at, " ");
  if (*at) *at++ = 0;
  l->argument = acre_unowned(at);
  return true;
}

// right
static struct channel *bot_channel(struct bot *borrowed b, const char *name) {
  for (struct channel *c = b->channels; c; c = c->next)
    if (strcasecmp(c->name, name) == 0) return c;
  return NULL;
}

// right
bool channel_joined(struct channel *borrowed c, const char *nick) {
  for (size_t i = 0; i < c->nick_count; i++)
    if (strcmp(c->nicks[i], nick) == 0) return true;
  if (c->nick_count == c->nick_room) {
    size_t room = c->nick_room ? c->nick_room * 2 : 8;
    char *unique *unique more = reallocarray(c->nicks, room, sizeof *more);
    if (!more) return false;
    c->nicks = more;
    for (size_t i = c->nick_room; i < room; i++) c->nicks[i] = NULL;
    c->nick_room = room;
  }
  char *unique copy = strdup(nick);
  if (!copy) return false;
  c->nicks[c->nick_count++] = copy;
  return true;
}

// right
bool channel_left(struct channel *borrowed c, const char *nick) {
  for (size_t i = 0; i < c->nick_count; i++) {
    if (strcmp(c->nicks[i], nick) != 0) continue;
    free(acre_take(&c->nicks[i]));
    size_t last = --c->nick_count;
    if (i < last) c->nicks[i] = acre_take(&c->nicks[last]);
    return true;
  }
  return false;
}

// leak: the nick that leaves is overwritten by the last one
bool channel_left_lost(struct channel *borrowed c, const char *nick) {
  for (size_t i = 0; i < c->nick_count; i++) {
    if (strcmp(c->nicks[i], nick) != 0) continue;
    size_t last = --c->nick_count;
    if (i < last) c->nicks[i] = acre_take(&c->nicks[last]);
    return true;
  }
  return false;
}

// right
void channel_free(struct channel *unique c) {
  if (!c) return;
  for (size_t i = 0; i < c->nick_count; i++) free(acre_take(&c->nicks[i]));
  acre_drop(c);
}

// right
bool bot_part(struct bot *borrowed b, const char *name) {
  for (struct channel *unique *at = &b->channels; *at; at = &(*at)->next) {
    if (strcasecmp((*at)->name, name) != 0) continue;
    struct channel *unique gone = acre_take(at);
    *at = acre_take(&gone->next);
    channel_free(gone);
    return true;
  }
  return false;
}

// wrong: the topic of a channel that has been left
void bot_part_topic(struct bot *borrowed b, const char *name) {
  struct channel *c = bot_channel(b, name);
  if (!c) return;
  const char *topic = c->topic ? c->topic : "";
  bot_part(b, name);
  fprintf(stderr, "left %s: %s\n", name, topic);
}

// right
void bot_log(struct bot *borrowed b, const char *text) {
  char *unique copy = strdup(text);
  if (!copy) return;
  free(acre_swap(&b->backlog[b->logged++ % 32], copy));
}

// right
void bot_say(struct bot *borrowed b, const char *channel, const char *format, ...) {
  va_list list;
  char *unique text = NULL;
  va_start(list, format);
  int length = vasprintf(&text, format, list);
  va_end(list);
  if (length < 0) return;
  fprintf(b->link, "PRIVMSG %s :%s\r\n", channel, text);
  bot_log(b, text);
  free(text);
}

// right
int bot_run(struct bot *borrowed b) {
  char *unique text = NULL;
  size_t room = 0;
  int answered = 0;
  while (getline(&text, &room, b->link) > 0) {
    struct line l = {0};
    text[strcspn(text, "\r\n")] = 0;
    if (!line_parse(&l, text)) break;
    if (strcmp(l.command, "PING") == 0) fprintf(b->link, "PONG %s\r\n", l.argument);
    char *unique reply = NULL;
    if (strcmp(l.command, "PRIVMSG") == 0 && answer_to(l.argument, &reply)) {
      bot_say(b, "#acre", "%s", reply);
      answered++;
      free(reply);
    }
    free(acre_take(&l.raw));
  }
  free(text);
  return answered;
}

// leak: the line, where the robot is told to go
int bot_run_quit(struct bot *borrowed b) {
  char *unique text = NULL;
  size_t room = 0;
  while (getline(&text, &room, b->link) > 0) {
    struct line l = {0};
    if (!line_parse(&l, text)) break;
    if (strcmp(l.command, "QUIT") == 0) break;
    bot_log(b, l.argument);
    free(acre_take(&l.raw));
  }
  free(text);
  return 0;
}

// wrong: the reply is logged when it has been freed
void bot_reply(struct bot *borrowed b, const char *question) {
  char *unique reply = NULL;
  if (!answer_to(question, &reply)) return;
  fprintf(b->link, "%s\r\n", reply);
  free(reply);
  bot_log(b, reply);
}

// right
bool bot_rename(struct bot *borrowed b, const char *nick) {
  if (b->nick && strcmp(b->nick, nick) == 0) return true;
  char *unique copy = strdup(nick);
  if (!copy) return false;
  char *unique old = acre_swap(&b->nick, copy);
  fprintf(b->link, "NICK %s\r\n", b->nick);
  if (old) fprintf(stderr, "was %s\n", old);
  free(old);
  return true;
}

// wrong: the topic is both set and returned
char *unique channel_topic(struct channel *borrowed c, const char *text) {
  char *unique topic = strdup(text);
  free(acre_swap(&c->topic, topic));
  return topic;
}

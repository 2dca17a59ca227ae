/* SPDX-License-Identifier: MIT */
/* State machines, iterators, tagged unions, arrays of owners, varargs, swaps, references. */
#include "corpus.h"

enum type { NONE, TEXT, LIST, INTEGER };

struct value {
  enum type type;
  union {
    char *unique text;
    struct value *unique list;
    long integer;
  } as;
  struct value *unique next;
};

// right
void value_clear(struct value *borrowed v) {
  switch (v->type) {
    case TEXT: free(acre_take(&v->as.text)); break;
    case LIST: {
      struct value *unique e = acre_take(&v->as.list);
      while (e) {
        struct value *unique next = acre_take(&e->next);
        value_clear(e);
        free(e);
        e = next;
      }
      break;
    }
    case INTEGER:
    case NONE: break;
  }
  v->type = NONE;
}

// wrong: the text is freed in place
void value_clear_in_place(struct value *borrowed v) {
  if (v->type == TEXT) free(v->as.text);
  v->type = NONE;
}

// right
void value_set_text(struct value *borrowed v, const char *text) {
  char *unique copy = strdup(text);
  if (!copy) return;
  value_clear(v);
  v->type = TEXT;
  v->as.text = copy;
}

// leak: the copy if the value is a list
void value_set_text_loses(struct value *borrowed v, const char *text) {
  char *unique copy = strdup(text);
  if (!copy) return;
  if (v->type == LIST) return;
  value_clear(v);
  v->type = TEXT;
  v->as.text = copy;
}

// right
struct value *unique value_text(const char *text) {
  struct value *unique v = calloc(1, sizeof *v);
  if (!v) return NULL;
  v->type = TEXT;
  v->as.text = strdup(text);
  if (!v->as.text) {
    free(v);
    return NULL;
  }
  return v;
}

// leak: the text, freed with its value only
void value_text_loses(const char *text) {
  struct value *unique v = calloc(1, sizeof *v);
  if (!v) return;
  v->type = TEXT;
  v->as.text = strdup(text);
  free(v);
}

// wrong: the text after its value
void value_text_late(struct value *unique v) {
  const char *text = v->as.text;
  value_clear(v);
  free(v);
  puts(text);
}

// right
const char *borrowed value_get(const struct value *borrowed v) {
  return v->type == TEXT ? v->as.text : "";
}

// right
void value_move(struct value *borrowed to, struct value *borrowed from) {
  value_clear(to);
  to->type = from->type;
  switch (from->type) {
    case TEXT: to->as.text = acre_take(&from->as.text); break;
    case LIST: to->as.list = acre_take(&from->as.list); break;
    case INTEGER: to->as.integer = from->as.integer; break;
    case NONE: break;
  }
  from->type = NONE;
}

// wrong: copied, both own
void value_copy_bits(struct value *borrowed to, const struct value *borrowed from) { *to = *from; }

// leak: nodes of the list
void value_free_list(struct value *borrowed v) {
  struct value *unique e = acre_take(&v->as.list);
  if (e) value_clear(e);
  v->type = NONE;
}

enum state { START, WORD, QUOTED, DONE };

struct token {
  struct token *unique next;
  char *unique text;
};

struct scanner {
  enum state state;
  char *unique word;
  size_t length;
  struct token *unique tokens;
};

// right
bool scanner_begin(struct scanner *borrowed s) {
  if (s->word) return true;
  s->word = malloc(128);
  s->length = 0;
  return s->word != NULL;
}

// right
bool scanner_end(struct scanner *borrowed s) {
  if (!s->word) return true;
  struct token *unique t = malloc(sizeof *t);
  if (!t) return false;
  s->word[s->length] = '\0';
  t->text = acre_take(&s->word);
  t->next = acre_take(&s->tokens);
  s->tokens = t;
  s->state = START;
  return true;
}

// leak: the word that was begun
bool scanner_begin_loses(struct scanner *borrowed s) {
  char *unique unfinished = acre_take(&s->word);
  s->word = malloc(128);
  s->length = 0;
  return s->word != NULL && unfinished == NULL;
}

// wrong: the word has two owners
bool scanner_end_copies(struct scanner *borrowed s) {
  struct token *unique t = malloc(sizeof *t);
  if (!t) return false;
  t->text = s->word;
  t->next = acre_take(&s->tokens);
  s->tokens = t;
  return true;
}

// right
bool scan(struct scanner *borrowed s, const char *in) {
  for (; *in; in++) {
    switch (s->state) {
      case START:
        if (*in == ' ') break;
        if (!scanner_begin(s)) return false;
        s->state = *in == '"' ? QUOTED : WORD;
        if (s->state == WORD) s->word[s->length++] = *in;
        break;
      case WORD:
        if (*in == ' ') {
          if (!scanner_end(s)) return false;
        } else if (s->length < 127) {
          s->word[s->length++] = *in;
        }
        break;
      case QUOTED:
        if (*in == '"') {
          if (!scanner_end(s)) return false;
        } else if (s->length < 127) {
          s->word[s->length++] = *in;
        }
        break;
      case DONE: return true;
    }
  }
  return scanner_end(s);
}

// right
void scanner_free(struct scanner *borrowed s) {
  free(acre_take(&s->word));
  acre_drop(acre_take(&s->tokens));
}

// wrong: an unset token is dropped
void token_unset(bool full) {
  struct token *unique t = malloc(sizeof *t);
  if (!t) return;
  if (full) t->text = strdup("full");
  acre_drop(t);
}

// right
void token_set(bool full) {
  struct token *unique t = malloc(sizeof *t);
  if (!t) return;
  t->next = NULL;
  t->text = full ? strdup("full") : NULL;
  acre_drop(t);
}

// right
char *unique state_loop(FILE *in) {
  enum state state = START;
  char *unique word = NULL;
  size_t n = 0;
  int c;
  while (state != DONE && (c = getc(in)) != EOF) {
    switch (state) {
      case START:
        if (isspace(c)) continue;
        word = malloc(64);
        if (!word) return NULL;
        word[n++] = (char)c;
        state = WORD;
        break;
      case WORD:
        if (isspace(c) || n == 63)
          state = DONE;
        else
          word[n++] = (char)c;
        break;
      default: break;
    }
  }
  if (word) word[n] = '\0';
  return word;
}

struct iterator {
  const struct token *at;
  int index;
};

// right
int tokens_length(const struct token *borrowed list) {
  struct iterator it = {0};
  int total = 0;
  for (const struct token *t = list; t; t = t->next, it.index++) total += (int)strlen(t->text);
  return total / (it.index ? it.index : 1);
}

// right
const char *borrowed token_next(const struct token *borrowed t) {
  return t->next ? t->next->text : NULL;
}

// wrong: the iterator stands on what was dropped
int tokens_drop_first(struct token *unique *borrowed list) {
  const struct token *t = *list;
  struct token *unique first = acre_take(list);
  if (!first) return 0;
  *list = acre_take(&first->next);
  acre_drop(first);
  return t->text[0];
}

// right
int tokens_drop_first_safe(struct token *unique *borrowed list) {
  struct token *unique first = acre_take(list);
  if (!first) return 0;
  *list = acre_take(&first->next);
  int c = first->text ? first->text[0] : 0;
  acre_drop(first);
  return c;
}

// leak: the text of the first token
int tokens_drop_first_loses(struct token *unique *borrowed list) {
  struct token *unique first = acre_take(list);
  if (!first) return 0;
  *list = acre_take(&first->next);
  free(first);
  return 1;
}

// right
void four_names(const char *borrowed prefix) {
  char *unique names[4] = {0};
  for (int i = 0; i < 4; i++)
    if (asprintf(&names[i], "%s%d", prefix, i) < 0) names[i] = NULL;
  for (int i = 0; i < 4; i++)
    if (names[i]) puts(names[i]);
  for (int i = 0; i < 4; i++) free(acre_take(&names[i]));
}

// leak: the names
void four_names_loses(const char *borrowed prefix) {
  char *unique names[4] = {0};
  for (int i = 0; i < 4; i++) names[i] = strdup(prefix);
  for (int i = 0; i < 4; i++)
    if (names[i]) puts(names[i]);
}

// wrong: the names were never set
void four_names_unset(void) {
  char *unique names[4];
  for (int i = 0; i < 4; i++) free(acre_take(&names[i]));
}

// right
void two_names(void) {
  char *unique names[2] = {strdup("a"), strdup("b")};
  if (names[0] && names[1]) puts(names[0]);
  free(acre_take(&names[0]));
  free(acre_take(&names[1]));
}

// leak: the second name
void two_names_loses(void) {
  char *unique names[2] = {strdup("a"), strdup("b")};
  if (names[0] && names[1]) puts(names[0]);
  free(acre_take(&names[0]));
}

// right
char *unique format(const char *text, ...) {
  va_list ap;
  va_start(ap, text);
  char *unique out = NULL;
  int n = vasprintf(&out, text, ap);
  va_end(ap);
  return n < 0 ? NULL : acre_take(&out);
}

// right
char *unique formatv(const char *text, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, text, again);
  va_end(again);
  if (n < 0) return NULL;
  char *unique out = malloc((size_t)n + 1);
  if (out) vsnprintf(out, (size_t)n + 1, text, ap);
  return out;
}

// leak: out when the format fails
char *unique formatv_loses(const char *text, va_list ap) {
  char *unique out = malloc(256);
  if (!out) return NULL;
  if (vsnprintf(out, 256, text, ap) >= 256) return NULL;
  return out;
}

// wrong: freed before it is printed
void formatv_print(const char *text, va_list ap) {
  char *unique out = malloc(256);
  if (!out) return;
  vsnprintf(out, 256, text, ap);
  free(out);
  puts(out);
}

// right
char *unique concat(const char *first, ...) {
  char *unique out = strdup(first);
  va_list ap;
  va_start(ap, first);
  for (const char *s; out && (s = va_arg(ap, const char *));) {
    char *unique longer = realloc(out, strlen(out) + strlen(s) + 1);
    if (!longer) {
      free(out);
      va_end(ap);
      return NULL;
    }
    strcat(longer, s);
    out = longer;
  }
  va_end(ap);
  return out;
}

// leak: out at the first null
char *unique concat_loses(const char *first, ...) {
  char *unique out = malloc(4096);
  if (!out) return NULL;
  strcpy(out, first);
  va_list ap;
  va_start(ap, first);
  const char *s = va_arg(ap, const char *);
  va_end(ap);
  if (!s) return NULL;
  strcat(out, s);
  return out;
}

void log_line(const char *borrowed format, ...) __attribute__((format(printf, 1, 2)));

// right
void log_name(const char *name) {
  char *unique copy = strdup(name);
  if (!copy) return;
  log_line("name %s\n", copy);
  free(copy);
}

// wrong: logs what was freed
void log_name_late(const char *name) {
  char *unique copy = strdup(name);
  if (!copy) return;
  free(copy);
  log_line("name %s\n", copy);
}

struct pair {
  char *unique first;
  char *unique second;
};

// right
void pair_swap(struct pair *borrowed p) { p->second = acre_swap(&p->first, acre_take(&p->second)); }

// wrong: both become one
void pair_copy(struct pair *borrowed p) { p->second = p->first; }

// leak: the second is overwritten
void pair_move(struct pair *borrowed p) {
  free(acre_take(&p->first));
  p->first = make();
  acre_take(&p->second);
}

// right
struct pair pair_make(const char *a, const char *b) {
  struct pair p = {strdup(a), strdup(b)};
  return p;
}

// right
void pair_use(void) {
  struct pair p = pair_make("a", "b");
  if (p.first) look(p.first);
  free(acre_take(&p.first));
  free(acre_take(&p.second));
}

// leak: the second one
void pair_use_loses(void) {
  struct pair p = pair_make("a", "b");
  if (p.first) look(p.first);
  free(acre_take(&p.first));
}

// leak: both, the result is dropped
void pair_ignore(void) { pair_make("a", "b"); }

// right
int pair_init(struct pair *acre_out p, const char *a) {
  p->first = strdup(a);
  if (!p->first) return -1;
  p->second = strdup(a);
  if (!p->second) {
    free(acre_take(&p->first));
    return -1;
  }
  return 0;
}

// right
void pair_done(struct pair *borrowed p) {
  free(acre_take(&p->first));
  free(acre_take(&p->second));
}

// right
int pair_round(const char *a) {
  struct pair p = {0};
  if (pair_init(&p, a) < 0) return -1;
  int r = strcmp(p.first, p.second);
  pair_done(&p);
  return r;
}

// leak: no pair_done
int pair_round_loses(const char *a) {
  struct pair p = {0};
  p.first = strdup(a);
  p.second = strdup(a);
  if (!p.first || !p.second) return -1;
  int r = strcmp(p.first, p.second);
  pair_done(&p);
  return r;
}

// wrong: read after pair_done
int pair_round_late(const char *a) {
  struct pair p = {0};
  if (pair_init(&p, a) < 0) return -1;
  const char *first = p.first;
  pair_done(&p);
  return *first;
}

struct packet {
  char *unique payload;
  size_t size;
};

struct flow {
  struct packet *refcounted last;
};

// right
struct packet *refcounted packet_new(size_t size) {
  struct packet *refcounted p = rc_new(struct packet);
  if (!p) return NULL;
  p->payload = malloc(size);
  p->size = size;
  return p;
}

// right
void flow_remember(struct flow *borrowed f, struct packet *refcounted borrowed p) {
  rc_drop(acre_swap(&f->last, rc_alias(p)));
}

// leak: the reference that was there
void flow_remember_loses(struct flow *borrowed f, struct packet *refcounted borrowed p) {
  acre_swap(&f->last, rc_alias(p));
}

// wrong: keeps a borrowed reference without counting
void flow_remember_plain(struct flow *borrowed f, struct packet *refcounted borrowed p) {
  f->last = p;
}

// wrong: makes a reference of what may not be counted
void flow_remember_any(struct flow *borrowed f, struct packet *borrowed p) {
  rc_drop(acre_swap(&f->last, rc_alias(p)));
}

// right
void flow_done(struct flow *borrowed f) { rc_drop(acre_take(&f->last)); }

// right
size_t packet_use(void) {
  struct packet *refcounted p = packet_new(64);
  if (!p) return 0;
  struct flow f = {0};
  flow_remember(&f, p);
  size_t size = p->size;
  rc_drop(p);
  flow_done(&f);
  return size;
}

// leak: the first reference
size_t packet_use_loses(void) {
  struct packet *refcounted p = packet_new(64);
  if (!p) return 0;
  struct packet *refcounted q = rc_alias(p);
  size_t size = q->size;
  rc_drop(q);
  return size;
}

// wrong: one drop too many
size_t packet_use_twice(void) {
  struct packet *refcounted p = packet_new(64);
  if (!p) return 0;
  rc_drop(p);
  size_t size = p->size;
  rc_drop(p);
  return size;
}

// right
struct packet *refcounted flow_last(struct flow *borrowed f) { return rc_alias(f->last); }

// right
void packet_broadcast(struct packet *refcounted p, struct flow *borrowed flows, size_t n) {
  for (size_t i = 0; i < n; i++) rc_drop(acre_swap(&flows[i].last, rc_alias(p)));
  rc_drop(p);
}

// leak: the caller's reference
void packet_broadcast_loses(struct packet *refcounted p, struct flow *borrowed flows, size_t n) {
  for (size_t i = 0; i < n; i++) rc_drop(acre_swap(&flows[i].last, rc_alias(p)));
}

// wrong: the reference is given to each flow
void packet_broadcast_moves(struct packet *refcounted p, struct flow *borrowed flows, size_t n) {
  for (size_t i = 0; i < n; i++) rc_drop(acre_swap(&flows[i].last, p));
}

// right
char *unique pick(char *unique a, char *unique b, bool first) {
  free(first ? acre_take(&b) : acre_take(&a));
  return first ? acre_take(&a) : acre_take(&b);
}

// right
char *unique pick_if(char *unique a, char *unique b, bool first) {
  if (first) {
    free(b);
    return a;
  }
  free(a);
  return b;
}

// leak: the one that was not picked
char *unique pick_loses(char *unique a, char *unique b, bool first) {
  if (first) return a;
  return b;
}

// wrong: picks what was freed
char *unique pick_freed(char *unique a, char *unique b, bool first) {
  if (first) free(a);
  else free(b);
  return first ? a : b;
}

// right
char *unique pick_kept(char *unique a, char *unique b, bool first) {
  if (first) free(a);
  else free(b);
  return first ? b : a;
}

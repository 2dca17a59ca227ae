/* SPDX-License-Identifier: MIT */
/* A tokenizer, a gap buffer, a rope, and an undo stack of an editor: right, wrong and leaking. */
#include "corpus.h"
#include <assert.h>

enum kind { T_EOF, T_NAME, T_NUMBER, T_STRING, T_PUNCT };

struct token {
  enum kind kind;
  char *unique text;
  struct token *unique next;
  int line;
};

struct lexer {
  const char *at;
  int line;
  struct token *unique peeked;
};

struct gap {
  char *unique buf;
  size_t size, start, end;
};

/* A leaf has text, an inner node has both sides. */
struct rope {
  struct rope *unique left, *unique right;
  char *unique text;
  size_t length;
};

enum op { OP_INSERT, OP_DELETE };

struct change {
  enum op op;
  size_t at;
  char *unique text;
  struct change *unique below;
};

struct editor {
  struct gap text;
  struct change *unique undo;
  struct change *unique redo;
  size_t depth;
};

// right
static struct token *unique token_new(enum kind kind, const char *start, size_t n, int line) {
  struct token *unique t = malloc(sizeof *t);
  if (!t)
    return NULL;
  t->kind = kind;
  t->line = line;
  t->next = NULL;
  t->text = strndup(start, n);
  if (!t->text) {
    free(t);
    return NULL;
  }
  return t;
}

// right
static void token_free(struct token *unique t) {
  while (t) {
    struct token *unique next = acre_take(&t->next);
    free(acre_take(&t->text));
    free(t);
    t = next;
  }
}

// right
static struct token *unique lex_scan(struct lexer *borrowed lx) {
  while (isspace((unsigned char)*lx->at))
    if (*lx->at++ == '\n')
      lx->line++;
  const char *start = lx->at;
  if (!*start)
    return token_new(T_EOF, start, 0, lx->line);
  if (isalpha((unsigned char)*start) || *start == '_') {
    while (isalnum((unsigned char)*lx->at) || *lx->at == '_')
      lx->at++;
    return token_new(T_NAME, start, (size_t)(lx->at - start), lx->line);
  }
  if (isdigit((unsigned char)*start)) {
    lx->at += strspn(start, "0123456789.");
    return token_new(T_NUMBER, start, (size_t)(lx->at - start), lx->line);
  }
  if (*start == '"') {
    const char *end = strchr(start + 1, '"');
    if (!end)
      return NULL;
    lx->at = end + 1;
    return token_new(T_STRING, start + 1, (size_t)(end - start - 1), lx->line);
  }
  lx->at++;
  return token_new(T_PUNCT, start, 1, lx->line);
}

// right
static const struct token *borrowed lex_peek(struct lexer *borrowed lx) {
  if (!lx->peeked)
    lx->peeked = lex_scan(lx);
  return lx->peeked;
}

// right
static struct token *unique lex_next(struct lexer *borrowed lx) {
  if (lx->peeked)
    return acre_take(&lx->peeked);
  return lex_scan(lx);
}

// right
static bool lex_accept(struct lexer *borrowed lx, enum kind kind, const char *text) {
  const struct token *t = lex_peek(lx);
  if (!t || t->kind != kind || (text && strcmp(t->text, text) != 0))
    return false;
  token_free(lex_next(lx));
  return true;
}

// right: all tokens as a list, or null after a mistake
struct token *unique lex_all(const char *borrowed source) {
  struct lexer lx = {.at = acre_unowned(source), .line = 1};
  struct token *unique head = NULL, *unique *tail = &head;
  for (;;) {
    struct token *unique t = lex_next(&lx);
    if (!t) {
      fprintf(stderr, "%d: bad token\n", lx.line);
      token_free(acre_take(&head));
      break;
    }
    bool end = t->kind == T_EOF;
    *tail = t;
    tail = &(*tail)->next;
    if (end)
      break;
  }
  token_free(acre_take(&lx.peeked));
  return head;
}

// leak: the name is lost where there is no parenthesis
char *unique parse_call(struct lexer *borrowed lx, int *borrowed args) {
  struct token *unique name = lex_next(lx);
  if (!name)
    return NULL;
  if (name->kind != T_NAME || !lex_accept(lx, T_PUNCT, "("))
    return NULL;
  *args = 0;
  while (!lex_accept(lx, T_PUNCT, ")")) {
    struct token *unique arg = lex_next(lx);
    if (!arg || arg->kind == T_EOF) {
      token_free(arg);
      token_free(name);
      return NULL;
    }
    token_free(arg);
    ++*args;
    lex_accept(lx, T_PUNCT, ",");
  }
  char *unique text = acre_take(&name->text);
  token_free(name);
  return text;
}

// wrong: the peeked token is used after it was eaten
int parse_assign(struct lexer *borrowed lx, char *borrowed name, size_t size) {
  const struct token *t = lex_peek(lx);
  if (!t || t->kind != T_NAME)
    return -1;
  if (!lex_accept(lx, T_NAME, NULL) || !lex_accept(lx, T_PUNCT, "="))
    return -1;
  snprintf(name, size, "%s", t->text);
  return 0;
}

// right
static bool gap_init(struct gap *acre_out g, size_t size) {
  g->buf = malloc(size);
  g->size = g->end = g->buf ? size : 0;
  g->start = 0;
  return g->buf != NULL;
}

// right
static void gap_move(struct gap *borrowed g, size_t at) {
  if (at < g->start) {
    size_t n = g->start - at;
    memmove(g->buf + g->end - n, g->buf + at, n);
    g->start -= n;
    g->end -= n;
  } else {
    size_t n = at - g->start;
    memmove(g->buf + g->start, g->buf + g->end, n);
    g->start += n;
    g->end += n;
  }
}

// right
static bool gap_grow(struct gap *borrowed g, size_t need) {
  if (g->end - g->start >= need)
    return true;
  size_t tail = g->size - g->end, size = 2 * (g->size + need);
  char *unique bigger = malloc(size);
  if (!bigger)
    return false;
  if (g->start)
    memcpy(bigger, g->buf, g->start);
  if (tail)
    memcpy(bigger + size - tail, g->buf + g->end, tail);
  free(acre_swap(&g->buf, bigger));
  g->end = size - tail;
  g->size = size;
  return true;
}

// right
static bool gap_insert(struct gap *borrowed g, size_t at, const char *borrowed text, size_t n) {
  if (!gap_grow(g, n))
    return false;
  gap_move(g, at);
  memcpy(g->buf + g->start, text, n);
  g->start += n;
  return true;
}

// right
char *unique gap_text(const struct gap *borrowed g) {
  size_t tail = g->size - g->end;
  char *unique s = malloc(g->start + tail + 1);
  if (s) {
    memcpy(s, g->buf, g->start);
    memcpy(s + g->start, g->buf + g->end, tail);
    s[g->start + tail] = '\0';
  }
  return s;
}

// wrong: the pointer into the buffer is used after the buffer has grown
bool gap_dup_line(struct gap *borrowed g, size_t from, size_t n) {
  gap_move(g, from + n);
  const char *line = g->buf + from;
  if (!gap_grow(g, n))
    return false;
  memcpy(g->buf + g->start, line, n);
  g->start += n;
  return true;
}

// right
struct rope *unique rope_leaf(const char *borrowed text) {
  struct rope *unique r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  r->text = strdup(text);
  if (!r->text) {
    free(r);
    return NULL;
  }
  r->length = strlen(text);
  return r;
}

// right: takes both
struct rope *unique rope_concat(struct rope *unique a, struct rope *unique b) {
  if (!a)
    return b;
  if (!b)
    return a;
  struct rope *unique r = calloc(1, sizeof *r);
  if (!r) {
    acre_drop(a);
    acre_drop(b);
    return NULL;
  }
  r->length = a->length + b->length;
  r->left = a;
  r->right = b;
  return r;
}

// right
int rope_char(const struct rope *borrowed r, size_t i) {
  while (r && !r->text) {
    if (i < r->left->length) {
      r = r->left;
    } else {
      i -= r->left->length;
      r = r->right;
    }
  }
  return r && i < r->length ? r->text[i] : -1;
}

// right: r becomes the first part, the result is the second
int rope_split(struct rope *unique r, size_t at, struct rope *unique *acre_out first,
               struct rope *unique *acre_out second) {
  if (!r) {
    *first = NULL;
    *second = NULL;
    return 0;
  }
  if (r->text) {
    size_t n = at < r->length ? at : r->length;
    char *unique head = strndup(r->text, n);
    struct rope *unique b = rope_leaf(r->text + n);
    if (!head || !b) {
      free(head);
      acre_drop(b);
      acre_drop(r);
      return -1;
    }
    free(acre_swap(&r->text, head));
    r->length = n;
    *first = r;
    *second = b;
    return 0;
  }
  struct rope *unique left = acre_take(&r->left), *unique right = acre_take(&r->right);
  free(r);
  struct rope *unique a = NULL, *unique b = NULL;
  if (at < left->length) {
    if (rope_split(left, at, &a, &b) < 0) {
      acre_drop(right);
      return -1;
    }
    *first = a;
    *second = rope_concat(b, right);
  } else {
    size_t rest = at - left->length;
    if (rope_split(right, rest, &a, &b) < 0) {
      acre_drop(left);
      return -1;
    }
    *first = rope_concat(left, a);
    *second = b;
  }
  return 0;
}

// leak: the sides stay when the text is put in
bool rope_flatten(struct rope *unique r, char *unique *acre_out text) {
  char *unique flat = malloc(r->length + 1);
  if (!flat) {
    acre_drop(r);
    return false;
  }
  for (size_t i = 0; i < r->length; i++)
    flat[i] = (char)rope_char(r, i);
  flat[r->length] = '\0';
  *text = flat;
  free(r);
  return true;
}

// right
static bool push_change(struct change *unique *borrowed stack, enum op op, size_t at,
                        const char *borrowed text, size_t n) {
  struct change *unique c = calloc(1, sizeof *c);
  if (!c)
    return false;
  c->text = strndup(text, n);
  if (!c->text) {
    free(c);
    return false;
  }
  c->op = op;
  c->at = at;
  c->below = acre_take(stack);
  *stack = c;
  return true;
}

// right
bool editor_insert(struct editor *borrowed e, size_t at, const char *borrowed text) {
  size_t n = strlen(text);
  if (!gap_insert(&e->text, at, text, n))
    return false;
  if (!push_change(&e->undo, OP_INSERT, at, text, n))
    return false;
  acre_drop(acre_take(&e->redo));
  e->depth++;
  return true;
}

// right: moves the topmost change to the other stack
bool editor_undo(struct editor *borrowed e) {
  struct change *unique c = acre_take(&e->undo);
  if (!c)
    return false;
  e->undo = acre_take(&c->below);
  size_t n = strlen(c->text);
  if (c->op == OP_INSERT) {
    gap_move(&e->text, c->at);
    e->text.end += n;
    c->op = OP_DELETE;
  } else {
    if (!gap_insert(&e->text, c->at, c->text, n)) {
      c->below = acre_take(&e->undo);
      e->undo = c;
      return false;
    }
    c->op = OP_INSERT;
  }
  c->below = acre_take(&e->redo);
  e->redo = c;
  e->depth--;
  return true;
}

// right: forgets all but the newest max changes
void editor_trim(struct editor *borrowed e, size_t max) {
  struct change *unique *p = &e->undo;
  for (size_t i = 0; i < max && *p; i++)
    p = &(*p)->below;
  struct change *unique old = acre_take(p);
  while (old) {
    struct change *unique below = acre_take(&old->below);
    free(acre_take(&old->text));
    free(old);
    old = below;
    e->depth--;
  }
}

// leak: a change that is taken off is freed without its text
void editor_forget(struct editor *borrowed e) {
  struct change *unique c = acre_take(&e->undo);
  if (!c)
    return;
  e->undo = acre_take(&c->below);
  e->depth--;
  free(c);
}

// wrong: the change is looked at after it was put on the stack that was cleared
size_t editor_redo(struct editor *borrowed e) {
  struct change *unique c = acre_take(&e->redo);
  if (!c)
    return 0;
  e->redo = acre_take(&c->below);
  if (!gap_insert(&e->text, c->at, c->text, strlen(c->text))) {
    acre_drop(c);
    return 0;
  }
  c->below = acre_take(&e->undo);
  e->undo = c;
  editor_trim(e, 100);
  return c->at + strlen(c->text);
}

// leak: only the buffer and the undo stack are freed
void editor_close(struct editor *unique e) {
  free(acre_take(&e->text.buf));
  acre_drop(acre_take(&e->undo));
  free(e);
}

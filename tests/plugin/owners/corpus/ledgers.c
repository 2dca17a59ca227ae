/* SPDX-License-Identifier: MIT */
/* A ledger, CSV, interned strings, INI export, an expression evaluator: right, wrong and
 * leaking. */
#include "corpus.h"
#include <inttypes.h>

struct posting {
  char *unique account;
  int64_t cents;
  struct posting *unique next;
};

struct transaction {
  char date[11];
  char *unique memo;
  struct posting *unique postings;
};

struct ledger {
  struct transaction *unique *unique tx;
  size_t count, capacity;
  char *unique error;
};

struct row {
  char *unique *unique cell;
  size_t count;
};

enum ekind { E_NUM, E_VAR, E_BIN };

struct expr {
  enum ekind kind;
  char op;
  double number;
  char *unique name;
  struct expr *unique left;
  struct expr *unique right;
};

struct text {
  char *unique s;
  size_t length, room;
};

static struct {
  char *unique text;
} interned[256];

// right
__attribute__((format(printf, 2, 3))) static bool text_printf(struct text *borrowed t,
                                                              const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0)
    return false;
  if (t->length + (size_t)n + 1 > t->room) {
    size_t room = 2 * t->room + (size_t)n + 1;
    char *unique s = realloc(t->s, room);
    if (!s)
      return false;
    t->s = s;
    t->room = room;
  }
  va_start(args, format);
  vsnprintf(t->s + t->length, (size_t)n + 1, format, args);
  va_end(args);
  t->length += (size_t)n;
  return true;
}

// right: sets the error of a ledger
static int fail(struct ledger *borrowed l, int code, const char *message) {
  char *unique text = NULL;
  if (asprintf(&text, "%s (%s)", message, strerror(code)) < 0)
    text = NULL;
  free(acre_swap(&l->error, text));
  return -code;
}

// right
static struct posting *unique posting_new(const char *account, int64_t cents) {
  struct posting *unique p = malloc(sizeof *p);
  if (!p)
    return NULL;
  p->account = strdup(account);
  p->cents = cents;
  p->next = NULL;
  if (!p->account) {
    free(p);
    return NULL;
  }
  return p;
}

// right
struct transaction *unique transaction_new(const char *borrowed date, const char *borrowed memo) {
  struct transaction *unique t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  snprintf(t->date, sizeof t->date, "%s", date);
  if (!(t->memo = strdup(memo))) {
    free(t);
    return NULL;
  }
  return t;
}

// right
int transaction_post(struct transaction *borrowed t, const char *borrowed account, int64_t cents) {
  struct posting *unique p = posting_new(account, cents);
  if (!p)
    return -ENOMEM;
  struct posting *unique *tail = &t->postings;
  while (*tail)
    tail = &(*tail)->next;
  *tail = p;
  return 0;
}

// right
int64_t transaction_balance(const struct transaction *borrowed t) {
  int64_t sum = 0;
  for (const struct posting *p = t->postings; p; p = p->next)
    sum += p->cents;
  return sum;
}

// right: takes the transaction, also where it fails
int ledger_commit(struct ledger *borrowed l, struct transaction *unique t) {
  if (transaction_balance(t) != 0) {
    acre_drop(t);
    return fail(l, EINVAL, "not balanced");
  }
  if (l->count == l->capacity) {
    size_t n = l->capacity + l->capacity / 2 + 8;
    struct transaction *unique *unique v = realloc(l->tx, n * sizeof *v);
    if (!v) {
      acre_drop(t);
      return fail(l, ENOMEM, "no room");
    }
    l->tx = v;
    l->capacity = n;
  }
  l->tx[l->count++] = t;
  return 0;
}

// right: takes the last n off
void ledger_rollback(struct ledger *borrowed l, size_t n) {
  while (n-- && l->count) {
    struct transaction *unique t = acre_take(&l->tx[--l->count]);
    acre_drop(t);
  }
}

// right
int ledger_transfer(struct ledger *borrowed l, const char *borrowed from, const char *borrowed to,
                    int64_t cents) {
  struct transaction *unique t = transaction_new("2024-01-01", "transfer");
  if (!t)
    return fail(l, ENOMEM, "transfer");
  int r = transaction_post(t, from, -cents);
  if (r == 0)
    r = transaction_post(t, to, cents);
  if (r < 0) {
    acre_drop(t);
    return fail(l, -r, "posting");
  }
  return ledger_commit(l, t);
}

// right
void ledger_free(struct ledger *unique l) {
  if (!l)
    return;
  ledger_rollback(l, l->count);
  free(acre_take(&l->tx));
  free(acre_take(&l->error));
  free(l);
}

// wrong: the transaction is looked at after it was committed
int ledger_import(struct ledger *borrowed l, const char *borrowed account, int64_t cents) {
  struct transaction *unique t = transaction_new("2024-01-01", account);
  if (!t)
    return -ENOMEM;
  if (transaction_post(t, account, cents) < 0 || transaction_post(t, "equity", -cents) < 0) {
    acre_drop(t);
    return -ENOMEM;
  }
  int r = ledger_commit(l, t);
  if (r < 0)
    fprintf(stderr, "%s: %s\n", t->date, t->memo);
  return r;
}

// wrong: the memo is used after the rollback
void ledger_last(struct ledger *borrowed l, char *borrowed out, size_t size) {
  if (!l->count)
    return;
  const struct transaction *t = l->tx[l->count - 1];
  ledger_rollback(l, 1);
  snprintf(out, size, "undone: %s", t->memo);
}

// leak: the transaction is lost where the second posting fails
int ledger_refund(struct ledger *borrowed l, size_t i) {
  struct transaction *unique t = transaction_new(l->tx[i]->date, "refund");
  if (!t)
    return -ENOMEM;
  for (const struct posting *p = l->tx[i]->postings; p; p = p->next)
    if (transaction_post(t, p->account, -p->cents) < 0)
      return -ENOMEM;
  return ledger_commit(l, t);
}

// leak: the element is overwritten by the last one
void ledger_void(struct ledger *borrowed l, size_t i) {
  if (i >= l->count)
    return;
  size_t last = l->count - 1;
  if (i != last)
    l->tx[i] = acre_take(&l->tx[last]);
  else
    acre_drop(acre_take(&l->tx[last]));
  l->count = last;
}

// right: a quoted cell may have commas and two quotes for one
int csv_row(const char *borrowed line, struct row *acre_out row) {
  row->cell = NULL;
  row->count = 0;
  const char *p = line;
  do {
    struct text t = {0};
    if (*p == '"') {
      for (p++; *p && (*p != '"' || p[1] == '"'); p++) {
        if (*p == '"')
          p++;
        text_printf(&t, "%c", *p);
      }
      if (*p == '"')
        p++;
    } else {
      size_t n = strcspn(p, ",\r\n");
      text_printf(&t, "%.*s", (int)n, p);
      p += n;
    }
    char *unique *unique cells = realloc(row->cell, (row->count + 1) * sizeof *cells);
    if (!cells) {
      free(acre_take(&t.s));
      return -ENOMEM;
    }
    row->cell = cells;
    row->cell[row->count++] = acre_take(&t.s);
  } while (*p++ == ',');
  return 0;
}

// right
void row_clear(struct row *borrowed r) {
  for (size_t i = 0; i < r->count; i++)
    free(acre_take(&r->cell[i]));
  free(acre_take(&r->cell));
  r->count = 0;
}

// right
bool csv_sum(FILE *borrowed in, size_t column, double *borrowed sum) {
  char *unique line = NULL;
  size_t size = 0;
  bool ok = true;
  *sum = 0;
  while (ok && getline(&line, &size, in) > 0) {
    struct row r = {0};
    if (csv_row(line, &r) < 0)
      ok = false;
    else if (column < r.count && r.cell[column])
      *sum += strtod(r.cell[column], NULL);
    row_clear(&r);
  }
  free(line);
  return ok;
}

// leak: the cells are freed, the array is not
size_t csv_header(const char *borrowed line, const char *borrowed name) {
  struct row r = {0};
  size_t found = SIZE_MAX;
  if (csv_row(line, &r) < 0) {
    row_clear(&r);
    return found;
  }
  for (size_t i = 0; i < r.count; i++) {
    char *unique c = acre_take(&r.cell[i]);
    if (c && strcmp(c, name) == 0)
      found = i;
    free(c);
  }
  return found;
}

// wrong: the cell is compared after the row was cleared
bool csv_first(const char *borrowed line, const char *borrowed want) {
  struct row r = {0};
  if (csv_row(line, &r) < 0 || r.count == 0) {
    row_clear(&r);
    return false;
  }
  const char *first = r.cell[0];
  row_clear(&r);
  return first && strcmp(first, want) == 0;
}

// right: one copy of each, as long as the program runs
const char *borrowed intern(const char *text __attribute__((noescape))) {
  unsigned char h = 0;
  for (const char *p = text; *p; p++)
    h = (unsigned char)(h * 31 + *p);
  for (unsigned i = 0; i < 256; i++) {
    unsigned char at = (unsigned char)(h + i);
    if (!interned[at].text) {
      interned[at].text = strdup(text);
      return interned[at].text;
    }
    if (strcmp(interned[at].text, text) == 0)
      return interned[at].text;
  }
  return NULL;
}

// wrong: each text is freed and stays in the table
void intern_reset(void) {
  for (unsigned i = 0; i < 256; i++)
    if (interned[i].text)
      free((char *unique)interned[i].text);
}

// right: takes both sides
static struct expr *unique expr_new(enum ekind kind, char op, struct expr *unique left,
                                    struct expr *unique right) {
  struct expr *unique e = calloc(1, sizeof *e);
  if (!e) {
    acre_drop(left);
    acre_drop(right);
    return NULL;
  }
  e->kind = kind;
  e->op = op;
  e->left = left;
  e->right = right;
  return e;
}

// right
static struct expr *unique parse_primary(const char **at) {
  const char *p = *at + strspn(*at, " ");
  struct expr *unique e = NULL;
  if (isdigit((unsigned char)*p)) {
    char *end;
    double d = strtod(p, &end);
    e = expr_new(E_NUM, 0, NULL, NULL);
    if (e)
      e->number = d;
    p = end;
  } else if (isalpha((unsigned char)*p)) {
    size_t n = 1;
    while (isalnum((unsigned char)p[n]))
      n++;
    e = expr_new(E_VAR, 0, NULL, NULL);
    if (e && !(e->name = strndup(p, n))) {
      acre_drop(e);
      e = NULL;
    }
    p += n;
  }
  *at = p;
  return e;
}

// right
struct expr *unique parse_sum(const char **at) {
  struct expr *unique left = parse_primary(at);
  while (left) {
    *at += strspn(*at, " ");
    char op = **at;
    if (op != '+' && op != '-')
      break;
    ++*at;
    struct expr *unique right = parse_primary(at);
    if (!right) {
      acre_drop(left);
      return NULL;
    }
    left = expr_new(E_BIN, op, left, right);
  }
  return left;
}

// right: constant sides become one number
struct expr *unique fold(struct expr *unique e) {
  if (!e || e->kind != E_BIN)
    return e;
  e->left = fold(acre_take(&e->left));
  e->right = fold(acre_take(&e->right));
  if (e->left && e->right && e->left->kind == E_NUM && e->right->kind == E_NUM) {
    double l = e->left->number, r = e->right->number;
    acre_drop(acre_take(&e->left));
    acre_drop(acre_take(&e->right));
    e->kind = E_NUM;
    e->number = e->op == '+' ? l + r : l - r;
  }
  return e;
}

// leak: x+0 becomes x, and the zero is lost
struct expr *unique simplify(struct expr *unique e) {
  if (!e || e->kind != E_BIN)
    return e;
  if (e->right && e->right->kind == E_NUM && e->right->number == 0) {
    struct expr *unique left = acre_take(&e->left);
    free(e);
    return simplify(left);
  }
  return e;
}

// wrong: e is put into two places
struct expr *unique twice(struct expr *unique e) {
  if (!e)
    return NULL;
  struct expr *unique sum = expr_new(E_BIN, '+', e, NULL);
  if (!sum)
    return NULL;
  sum->right = e;
  return sum;
}

// Right programs of everyday shape: nothing is said of them.
// RUN: %frontend -fsyntax-only -w -Xclang -verify %s
// expected-no-diagnostics
#define _GNU_SOURCE
#include <acre/own.h>
#include <acre/scope.h>
#include <pthread.h>
#include <search.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *unique next;
  char *unique name;
  int value;
};
struct pair {
  char *unique first, *unique second;
};
struct buffer {
  char *unique bytes;
  size_t length, capacity;
};
struct table {
  struct node * unique * unique slots;
  size_t count;
};
struct session {
  char *unique user;
  struct buffer input;
  struct node *unique queue;
  int fd;
};
struct image {
  struct image *refcounted parent;
  char *unique pixels;
  int width;
};
struct view {
  const char *text;
  size_t length;
};
struct tagged {
  int kind;
  union {
    char *unique text;
    long number;
  } as;
};
static struct node *unique list;
static char *unique title;
static struct session current;
static struct image *refcounted cached;
static const char *borrowed_text;
char *unique make_text(void);
struct node *unique make_node(void);
struct image *refcounted make_image(void);
void consume_text(char *unique p);
void consume_node(struct node *unique p);
void look(const char *borrowed p);
void look_node(struct node *borrowed p);
void look_image(struct image *refcounted borrowed p);
void anything(void);
int choose(void);
static inline void freep(void *p) {
  free(*(void **)p);
}
static inline void node_freep(struct node * unique * p) {
  acre_drop(acre_take(p));
}
#define auto_free __attribute__((cleanup(freep)))
#define auto_node __attribute__((cleanup(node_freep))) struct node *unique
#define TAKE_PTR(p)                                                                                \
  ({                                                                                               \
    __typeof__(p) *p_ = &(p);                                                                      \
    __typeof__(p) v_ = *p_;                                                                        \
    *p_ = NULL;                                                                                    \
    v_;                                                                                            \
  })

/* List push and pop. */
void r1(struct node * unique * borrowed head, struct node *unique n) {
  if (!n)
    return;
  n->next = acre_take(head);
  acre_drop(acre_swap(head, n));
}
struct node *unique r1b(struct node * unique * borrowed head) {
  struct node *unique n = acre_take(head);
  if (n)
    acre_drop(acre_swap(head, acre_take(&n->next)));
  return n;
}
/* Reverse. */
struct node *unique r2(struct node *unique l) {
  struct node *unique r = NULL;
  while (l) {
    struct node *unique next = acre_take(&l->next);
    l->next = r;
    r = l;
    l = next;
  }
  return r;
}
/* Count and find. */
int r3(const struct node *borrowed l, const char *name) {
  int c = 0;
  for (const struct node *n = l; n; n = n->next)
    if (n->name && !strcmp(n->name, name))
      c++;
  return c;
}
/* Constructor with goto fail. */
struct session *unique r4(const char *user) {
  struct session *unique s = calloc(1, sizeof *s);
  if (!s)
    goto fail;
  s->user = strdup(user);
  if (!s->user)
    goto fail;
  s->input.bytes = malloc(64);
  if (!s->input.bytes)
    goto fail;
  s->input.capacity = 64;
  return s;
fail:
  acre_drop(s);
  return NULL;
}
/* Destructor. */
void r5(struct session *unique s) {
  if (!s)
    return;
  free(acre_take(&s->user));
  free(acre_take(&s->input.bytes));
  acre_drop(acre_take(&s->queue));
  free(s);
}
/* Buffer append with realloc. */
int r6(struct buffer *borrowed b, const char *t, size_t n) {
  if (b->length + n > b->capacity) {
    size_t c = (b->capacity + n) * 2;
    char *unique old = acre_take(&b->bytes);
    char *unique new = realloc(old, c);
    if (!new) {
      free(acre_swap(&b->bytes, old));
      return -1;
    }
    free(acre_swap(&b->bytes, new));
    b->capacity = c;
  }
  memcpy(b->bytes + b->length, t, n);
  b->length += n;
  return 0;
}
/* Cleanup, early returns. */
int r7(const char *path) {
  auto_free char *unique buf = malloc(100);
  auto_free char *unique copy = NULL;
  if (!buf)
    return -1;
  copy = strdup(path);
  if (!copy)
    return -1;
  return (int)strlen(copy);
}
/* Cleanup and TAKE_PTR in constructor. */
struct node *unique r8(const char *name) {
  auto_node n = calloc(1, sizeof *n);
  if (!n)
    return NULL;
  n->name = strdup(name);
  if (!n->name)
    return NULL;
  return TAKE_PTR(n);
}
/* Cleanup in a loop. */
int r9(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    auto_free char *unique p = make_text();
    if (!p)
      continue;
    if (*p == 'q')
      break;
    sum += *p;
  }
  return sum;
}
/* Take ptr from field. */
char *unique r10(struct session *borrowed s) {
  return TAKE_PTR(s->user);
}
/* Take into parameter. */
void r11(void) {
  auto_free char *unique p = make_text();
  consume_text(TAKE_PTR(p));
  p = make_text();
}
/* Local struct initialised. */
void r12(void) {
  struct pair p = {make_text(), make_text()};
  look(p.first);
  free(acre_take(&p.first));
  free(acre_take(&p.second));
}
/* Local struct designated. */
void r13(int fd) {
  struct session s = {.fd = fd, .user = make_text()};
  free(acre_take(&s.user));
}
/* Fields one by one. */
void r14(void) {
  struct pair p;
  p.first = make_text();
  p.second = NULL;
  free(acre_take(&p.first));
  free(acre_take(&p.second));
}
/* Array filled in a loop. */
void r15(void) {
  char *unique v[8];
  for (int i = 0; i < 8; i++)
    v[i] = make_text();
  for (int i = 0; i < 8; i++)
    free(acre_take(&v[i]));
}
/* VLA filled. */
void r16(int n) {
  struct pair v[n];
  for (int i = 0; i < n; i++)
    v[i] = (struct pair){make_text(), NULL};
  for (int i = 0; i < n; i++)
    free(acre_take(&v[i].first));
}
/* Memset struct. */
void r17(void) {
  struct session s;
  memset(&s, 0, sizeof s);
  s.user = make_text();
  free(acre_take(&s.user));
}
/* Malloc and set all. */
struct node *unique r18(int v) {
  struct node *unique n = malloc(sizeof *n);
  if (!n)
    return NULL;
  n->next = NULL;
  n->name = NULL;
  n->value = v;
  return n;
}
/* Malloc, all at once. */
struct node *unique r19(int v) {
  struct node *unique n = malloc(sizeof *n);
  if (n)
    *n = (struct node){.value = v};
  return n;
}
/* Malloc, error path frees. */
struct pair *unique r20(void) {
  struct pair *unique p = malloc(sizeof *p);
  if (!p)
    return NULL;
  p->first = make_text();
  if (!p->first) {
    free(p);
    return NULL;
  }
  p->second = NULL;
  return p;
}
/* Malloc pushed where next is set. */
void r21(struct node * unique * borrowed head, int v) {
  struct node *unique n = malloc(sizeof *n);
  if (!n)
    return;
  n->value = v;
  n->name = NULL;
  r1(head, n);
}
/* Qsort of numbers in own buffer. */
static int by_value(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
void r22(int *unique v, size_t n) {
  qsort(v, n, sizeof *v, by_value);
  free(v);
}
/* Qsort of global's numbers. */
static int *unique numbers;
static size_t count;
void r23(void) {
  qsort(numbers, count, sizeof *numbers, by_value);
}
/* Global string over qsort of numbers. */
void r24(int *v) {
  const char *t = title;
  qsort(v, 3, 4, by_value);
  if (t)
    puts(t);
}
/* Bsearch in a table. */
int *r25(int *borrowed v, size_t n, int key) {
  int *at = bsearch(&key, v, n, sizeof *v, by_value);
  return at ? NULL : NULL;
}
/* References. */
struct image *refcounted r26(struct image *refcounted borrowed i) {
  return i->parent ? rc_alias(i->parent) : rc_alias(i);
}
/* Cache. */
struct image *refcounted r27(void) {
  if (!cached)
    rc_drop(acre_swap(&cached, make_image()));
  return rc_alias(cached);
}
/* Weak. */
acre_weak *unique r28(struct image *refcounted i) {
  acre_weak *unique w = acre_weak_new(i);
  rc_drop(i);
  return w;
}
/* Look at a reference. */
void r29(void) {
  struct image *refcounted i = make_image();
  look_image(i);
  rc_drop(i);
}
/* Pixels of a reference. */
int r30(struct image *refcounted borrowed i) {
  return i->pixels ? i->pixels[0] : 0;
}
/* Reference chain. */
int r31(struct image *refcounted borrowed i) {
  int d = 0;
  for (struct image *p = i; p; p = p->parent)
    d++;
  return d;
}
/* Swap in session. */
void r32(struct session *borrowed s, char *unique user) {
  free(acre_swap(&s->user, user));
}
/* Unsigned char buffer. */
struct raw {
  unsigned char *unique bytes;
};
void r33(struct raw *borrowed r) {
  free(acre_swap(&r->bytes, malloc(4)));
  free(acre_swap(&r->bytes, make_text()));
}
/* Base cast. */
struct base {
  int kind;
};
struct derived {
  struct base base;
  char *unique name;
};
int r34(struct derived *borrowed d) {
  return ((struct base *)d)->kind;
}
int r35(struct base *borrowed b) {
  return ((struct derived *)b)->name != NULL;
}
/* Container of. */
struct link {
  struct link *other;
};
struct item {
  char *unique name;
  struct link link;
};
const char *r36(struct link *l) {
  struct item *i = (struct item *)((char *)l - offsetof(struct item, link));
  return i->name ? "" : NULL;
}
/* As bytes. */
uint32_t r37(const struct item *i) {
  uint32_t h = 0;
  const unsigned char *b = (const unsigned char *)i;
  for (size_t k = 0; k < sizeof *i; k++)
    h = h * 31 + b[k];
  return h;
}
/* Opaque cast. */
void *r38(struct node *n) {
  return n;
}
/* Tagged union. */
void r39(struct tagged *borrowed t) {
  if (t->kind)
    free(acre_take(&t->as.text));
  t->as.number = 0;
}
/* Getline. */
void r40(FILE *f) {
  char *unique line = NULL;
  size_t n = 0;
  while (getline(&line, &n, f) > 0)
    fputs(line, stdout);
  free(line);
}
/* Environment of callback given back. */
void r41(void (*f)(struct node *borrowed)) {
  struct node *unique n = make_node();
  f(n);
  acre_drop(n);
}
/* Thread gets owner. */
static void *thread(void *unique arg) {
  struct node *unique n = arg;
  acre_drop(n);
  return NULL;
}
void r42(void *(*start)(void *unique)) {
  struct node *unique n = make_node();
  start(n);
}
/* Choose. */
char *unique r43(int c) {
  char *unique a = make_text(), *unique b = make_text();
  char *unique r = c ? acre_take(&a) : acre_take(&b);
  free(a);
  free(b);
  return r;
}
/* Strchr in own text. */
int r44(void) {
  char *unique p = make_text();
  if (!p)
    return 0;
  char *q = strchr(p, '=');
  int r = q ? q[1] : 0;
  free(p);
  return r;
}
/* Alias in iovec-like. */
void r45(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {a, 3};
    puts(v.text);
  }
  free(p);
}
/* Deep update. */
void r46(struct session *borrowed s) {
  if (s->queue)
    s->queue->value++;
}
/* Tree insert. */
struct tree {
  struct tree *unique left, *unique right;
  int key;
};
void r47(struct tree * unique * borrowed root, int key) {
  struct tree *unique n = calloc(1, sizeof *n);
  if (!n)
    return;
  n->key = key;
  struct tree *at = *root;
  if (!at) {
    acre_drop(acre_swap(root, n));
    return;
  }
  while (1) {
    if (key < at->key) {
      if (!at->left) {
        acre_drop(acre_swap(&at->left, n));
        return;
      }
      at = at->left;
    } else {
      if (!at->right) {
        acre_drop(acre_swap(&at->right, n));
        return;
      }
      at = at->right;
    }
  }
}
/* Tree sum. */
int r48(const struct tree *borrowed t) {
  return t ? t->key + r48(t->left) + r48(t->right) : 0;
}
/* Hash table free. */
void r49(struct table *unique t) {
  if (!t)
    return;
  for (size_t i = 0; i < t->count; i++)
    acre_drop(acre_take(&t->slots[i]));
  free(acre_take(&t->slots));
  free(t);
}
/* Table new. */
struct table *unique r50(size_t n) {
  struct table *unique t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  t->slots = calloc(n, sizeof *t->slots);
  if (!t->slots) {
    free(t);
    return NULL;
  }
  t->count = n;
  return t;
}
/* Out param. */
int r51(struct node * unique * borrowed out) {
  struct node *unique n = make_node();
  if (!n)
    return -1;
  acre_drop(acre_swap(out, n));
  return 0;
}
int r51b(void) {
  struct node *unique n = NULL;
  if (r51(&n) < 0)
    return -1;
  int v = n ? n->value : 0;
  acre_drop(n);
  return v;
}
/* Move between structs. */
void r52(struct session *borrowed a, struct session *borrowed b) {
  free(acre_swap(&a->user, acre_take(&b->user)));
}
/* Split string. */
int r53(const char *t) {
  char *unique c = strdup(t);
  int n = 0;
  if (!c)
    return 0;
  char *p = c, *w;
  while ((w = strsep(&p, ",")))
    n += *w != 0;
  free(c);
  return n;
}
/* Lookup lends. */
static const char *find(struct node *borrowed l, int v) {
  for (; l; l = l->next)
    if (l->value == v)
      return "found";
  return NULL;
}
int r54(struct node *unique l) {
  const char *f = find(l, 3);
  acre_drop(l);
  return f != NULL;
}
/* Early drop in loop. */
void r55(void) {
  for (;;) {
    char *unique p = make_text();
    if (!p)
      break;
    if (*p == 'x') {
      free(p);
      continue;
    }
    consume_text(p);
  }
}
/* Arena. */
int r56(void) {
  acre_scoped_region(r);
  struct view *v = ralloc(r, struct view);
  v->length = 3;
  return (int)v->length;
}
/* Number atomics beside owners. */
struct counter {
  char *unique name;
  int hits;
};
void r57(struct counter *borrowed c) {
  __atomic_fetch_add(&c->hits, 1, __ATOMIC_RELAXED);
}
/* Copies without owners. */
struct plain {
  int a, b;
};
void r58(struct plain *to, const struct plain *from) {
  memcpy(to, from, sizeof *to);
  *to = *from;
}
/* Null after free. */
void r59(void) {
  char *unique p = make_text();
  free(p);
  p = NULL;
  if (p)
    puts(p);
  free(p);
}
/* Nested cleanup of struct. */
static void session_done(struct session *borrowed s) {
  free(acre_take(&s->user));
  free(acre_take(&s->input.bytes));
  acre_drop(acre_take(&s->queue));
}
int r60(void) {
  __attribute__((cleanup(session_done))) struct session s = {0};
  s.user = make_text();
  return s.user ? 0 : -1;
}
/* Steal with auto type. */
#define steal(p)                                                                                   \
  ({                                                                                               \
    __auto_type pp_ = &(p);                                                                        \
    __auto_type vv_ = *pp_;                                                                        \
    *pp_ = NULL;                                                                                   \
    vv_;                                                                                           \
  })
char *unique r61(void) {
  auto_free char *unique p = make_text();
  return steal(p);
}
/* G_steal_pointer. */
static inline void *steal_pointer(void *pp) {
  void **p = pp;
  void *r = *p;
  *p = NULL;
  return r;
}
char *unique r62(void) {
  auto_free char *unique p = make_text();
  return (char *unique)steal_pointer(&p);
}
/* Cleanup with set null. */
void r63(void) {
  auto_free char *unique p = make_text();
  consume_text(p);
  p = NULL;
}
/* Local table of tables. */
void r64(void) {
  struct table t = {calloc(4, sizeof *t.slots), 4};
  if (t.slots)
    t.slots[0] = make_node();
  if (t.slots)
    acre_drop(acre_take(&t.slots[0]));
  free(acre_take(&t.slots));
}
/* Steady callee over global. */
static int length_of(const struct node *l) {
  int n = 0;
  for (; l; l = l->next)
    n++;
  return n;
}
int r65(void) {
  return length_of(list);
}
/* Sibling fields. */
void r66(struct node *borrowed n) {
  char *q = n->name;
  acre_drop(acre_swap(&n->next, NULL));
  if (q)
    puts(q);
}
/* Grow by take. */
void r67(struct buffer *borrowed b) {
  b->bytes = realloc(acre_take(&b->bytes), b->length * 2);
}
/* Lazily made. */
void r68(struct session *borrowed s) {
  if (!s->user)
    s->user = make_text();
}
/* Set to null, then made. */
void r69(struct session *borrowed s) {
  free(acre_take(&s->user));
  s->user = NULL;
  s->user = make_text();
}
/* Out parameter of void **. */
int allocate(void **out, size_t n);
void r70(void) {
  char *unique p = NULL;
  if (allocate((void **)&p, 3))
    return;
}
/* Grown with a test. */
void r71(size_t n) {
  char *unique p = malloc(n);
  p = realloc(p, n * 2);
  if (!p)
    abort();
  free(p);
}
/* Freed when emptied. */
void r72(void) {
  struct pair *unique p = calloc(1, sizeof *p);
  if (!p)
    return;
  p->first = make_text();
  free(acre_take(&p->first));
  free(p);
}
/* Getline into a field. */
int r73(struct buffer *borrowed b, FILE *f) {
  if (getline(&b->bytes, &b->capacity, f) < 0)
    return -1;
  return b->bytes[0];
}
/* Vasprintf into an out parameter. */
int r74(char *unique *borrowed out, const char *format, va_list arguments) {
  return vasprintf(out, format, arguments);
}

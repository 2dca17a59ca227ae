// Wrong programs of everyday shape: each has at least one error.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -w -Xclang -verify -Xclang \
// RUN:   -verify-ignore-unexpected=note,warning %s
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

/* Consumed in a loop. */
void w1(int n) {
  char *unique p = make_text();
  for (int i = 0; i < n; i++)
    free(p); // expected-error {{ACRE-U001}}
}
/* Freed in error path and after. */
int w2(void) {
  char *unique p = make_text();
  if (choose()) {
    free(p);
    goto out;
  }
out:
  free(p); // expected-error {{ACRE-U001}}
  return 0;
}
/* Name read after node is dropped. */
void w3(void) {
  struct node *unique n = make_node();
  if (!n)
    return;
  const char *s = n->name;
  acre_drop(n);
  puts(s); // expected-error {{ACRE-U006}}
}
/* Getter then replace. */
void w4(struct session *borrowed s) {
  const char *u = s->user;
  free(acre_swap(&s->user, make_text()));
  puts(u); // expected-error {{ACRE-U006}}
}
/* Iterator over freed list. */
int w5(void) {
  struct node *unique l = make_node();
  int sum = 0;
  for (struct node *i = l; i; i = i->next) { // expected-error {{ACRE-U006}}
    sum += i->value;
    acre_drop(acre_take(&i->next));
    if (sum > 3) {
      acre_drop(l); // expected-error {{ACRE-U001}}
    }
  }
  return sum;
}
/* Pushes and uses. */
void w6(struct table *borrowed t, size_t i) {
  struct node *unique n = make_node();
  acre_drop(acre_swap(&t->slots[i], n));
  n->value = 1; // expected-error {{ACRE-U001}}
}
/* Stores borrowed in global. */
void w7(char *borrowed p) {
  borrowed_text = p; // expected-error {{ACRE-U005}}
}
/* View of freed. */
void w8(void) {
  char *unique p = make_text();
  struct view v = {p, 3}; // expected-error {{ACRE-U005}}
  free(p);
  puts(v.text);
}
/* Passes twice. */
void w9(void) {
  char *unique p = make_text();
  struct pair q = {p, p}; // expected-error {{ACRE-U001}}
  free(acre_take(&q.first));
  free(acre_take(&q.second));
}
/* Va_arg of owners. */
void w10(int n, ...) {
  va_list a;
  va_start(a, n);
  char *unique p = va_arg(a, char *); // expected-error {{ACRE-U003}}
  free(p);
  va_end(a);
}
/* Realloc old used. */
void w11(void) {
  char *unique p = malloc(4);
  char *old = p;
  char *unique q = realloc(p, 400);
  if (q) {
    puts(old); // expected-error {{ACRE-U006}}
    free(q);
  } else
    free(p);
}
/* Strdup freed early. */
const char *w12(void) {
  char *unique p = make_text();
  const char *r = strchr(p, 'x');
  free(p);
  return r; // expected-error {{ACRE-U006}}
}
/* Returned borrowed. */
char *w13(struct node *borrowed n) {
  return n->name; // expected-error {{ACRE-U005}}
}
/* Swap self. */
void w14(struct node *unique n) {
  acre_drop(acre_swap(&n->next, n)); // expected-error {{ACRE-U007}}
}
/* Same object twice. */
static void both(struct node *borrowed a, struct node *borrowed b) {
  acre_drop(acre_take(&a->next));
  b->value = 1;
}
void w15(struct node *borrowed n) {
  both(n, n->next); // expected-error {{ACRE-U007}}
}
/* Deep lent across. */
void w16(struct node *borrowed n) {
  struct node *m = n->next;
  look_node(n);
  m->value = 3; // expected-error {{ACRE-U006}}
}
/* Global list walked while anything happens. */
int w17(void) {
  int s = 0;
  for (struct node *i = list; i; i = i->next) {
    anything();
    s += i->value; // expected-error {{ACRE-U006}}
  }
  return s;
}
/* Unique in a thread. */
static void *thread(void *arg) {
  struct node *unique n = arg; // expected-error {{ACRE-U003}}
  acre_drop(n);
  return NULL;
}
void w18(void) {
  struct node *unique n = make_node();
  pthread_t t;
  pthread_create(&t, NULL, thread, n); // expected-error {{ACRE-U004}}
  acre_drop(n);
  pthread_join(t, NULL);
}
/* Setjmp. */
static jmp_buf env;
void w19(void) {
  char *unique volatile p = NULL;
  char *unique q = make_text();
  if (setjmp(env)) {
    puts(q); // expected-error {{ACRE-U001}}
    free(q);
    return;
  }
  free(q);
  longjmp(env, 1);
}
/* Cleanup and give. */
void w20(void) {
  auto_free char *unique p = make_text();
  consume_text(p);
} // expected-error {{ACRE-U028}}
/* Cleanup and return. */
struct node *unique w21(void) {
  auto_node n = make_node();
  if (n)
    n->value = 1;
  return n; // expected-error {{ACRE-U028}}
}
/* Cleanup with borrowed result. */
const char *w22(void) {
  auto_node n = make_node();
  return n ? n->name : NULL; // expected-error {{ACRE-U005}}
}
/* Cleanup in loop with continue. */
int w23(int n) {
  const char *last = NULL;
  for (int i = 0; i < n; i++) {
    auto_free char *unique p = make_text();
    last = p;
    if (i == 2)
      continue;
  }
  return last ? *last : 0; // expected-error {{ACRE-U006}}
}
/* TAKE_PTR then used. */
void w24(void) {
  auto_free char *unique p = make_text();
  const char *q = p;
  consume_text(TAKE_PTR(p));
  puts(q); // expected-error {{ACRE-U006}}
}
/* TAKE_PTR in unordered arguments. */
void two(char *unique a, size_t n);
void w25(void) {
  auto_free char *unique p = make_text();
  two(TAKE_PTR(p), strlen(p)); // expected-error {{ACRE-U015}}
}
/* Uninit field dropped. */
void w26(void) {
  struct node *unique n = malloc(sizeof *n);
  if (!n)
    return;
  n->name = make_text();
  acre_drop(n); // expected-error {{ACRE-U029}}
}
/* Uninit local fields taken on an error path. */
int w27(void) {
  struct pair p;
  if (choose())
    goto fail;
  p.first = make_text();
  p.second = make_text();
fail:
  free(acre_take(&p.first)); // expected-error {{ACRE-U029}}
  free(acre_take(&p.second));
  return 0;
}
/* Session partly initialised. */
void w28(int fd) {
  struct session s;
  s.fd = fd;
  s.user = make_text();
  free(acre_take(&s.user));
  free(acre_take(&s.input.bytes)); // expected-error {{ACRE-U029}}
}
/* Uninit VLA. */
void w29(int n) {
  char *unique names[n];
  free(acre_take(&names[0])); // expected-error {{ACRE-U029}}
}
/* Callback frees: qsort. */
static int cmp_free(const void *a, const void *b) {
  free(acre_swap(&title, NULL));
  return *(const int *)a - *(const int *)b;
}
void w30(int *v) {
  const char *t = title;
  qsort(v, 3, 4, cmp_free);
  puts(t); // expected-error {{ACRE-U006}}
}
/* Callback frees element. */
static int cmp_take(const void *a, const void *b) {
  acre_drop(acre_take(&((struct node *)a)->next));
  (void)b;
  return 0;
}
void w31(struct node *borrowed v) {
  struct node *n = v->next;
  qsort(v, 2, sizeof *v, cmp_take);
  n->value = 1; // expected-error {{ACRE-U006}}
}
/* Twalk. */
static void walk(const void *n, VISIT v, int d) {
  free(acre_swap(&title, NULL));
}
void w32(void *root) {
  const char *t = title;
  twalk(root, walk);
  puts(t); // expected-error {{ACRE-U006}}
}
/* Atexit-like registration. */
void w33(void (*reg)(void (*)(void))) {
  const char *t = current.user;
  reg(anything);
  puts(t); // expected-error {{ACRE-U006}}
}
/* Rc of unique. */
static struct image *refcounted share(struct image *borrowed i) {
  return rc_alias(i); // expected-error {{ACRE-U026}}
}
void w34(void) {
  struct image *unique i = calloc(1, sizeof *i);
  if (!i)
    return;
  rc_drop(share(i));
  acre_drop(i);
}
/* Weak of interior. */
acre_weak *unique w35(struct image *refcounted borrowed i) {
  return acre_weak_new(&i->width); // expected-error {{ACRE-U026}}
}
/* Parent pixels across call. */
void w36(struct image *refcounted borrowed i) {
  const char *p = i->pixels;
  anything();
  puts(p); // expected-error {{ACRE-U006}}
}
/* Reference after drop. */
int w37(void) {
  struct image *refcounted i = make_image(), *refcounted j = i ? rc_alias(i) : NULL;
  rc_drop(i);
  int w = i->width; // expected-error {{ACRE-U001}}
  rc_drop(j);
  return w;
}
/* Borrowed parent after drop. */
int w38(void) {
  struct image *refcounted i = make_image();
  if (!i)
    return 0;
  struct image *p = i->parent;
  rc_drop(i);
  return p ? p->width : 0; // expected-error {{ACRE-U006}}
}
/* Free of reference. */
void w39(void) {
  struct image *refcounted i = make_image();
  free(i); // expected-error {{ACRE-U016}}
}
/* Drop of unique as reference. */
void w40(void) {
  struct node *unique n = make_node();
  rc_drop(n); // expected-error {{ACRE-U016}}
}
/* Memcpy struct grow. */
void w41(struct pair *borrowed to, const struct pair *borrowed from) {
  memcpy(to, from, sizeof *to); // expected-error {{ACRE-U023}}
}
/* Struct assignment. */
void w42(struct session *borrowed s) {
  struct session t = *s; // expected-error {{ACRE-U011}}
  free(acre_take(&t.user));
}
/* Element assignment. */
void w43(struct pair *borrowed v) {
  v[0] = v[1]; // expected-error {{ACRE-U011}}
}
/* By value. */
void by_value(struct pair p);
void w44(struct pair *borrowed p) {
  by_value(*p); // expected-error {{ACRE-U011}}
}
/* Returns struct by value. */
struct pair w45(struct pair *borrowed p) {
  return *p; // expected-error {{ACRE-U011}}
}
/* Atomic load. */
void w46(void) {
  char *t = __atomic_load_n(&title, __ATOMIC_ACQUIRE); // expected-error {{ACRE-U025}}
  free(acre_take(&title));
  puts(t);
}
/* Atomic exchange into plain. */
void w47(struct node *borrowed n, char *x) {
  char *o = __atomic_exchange_n(&n->name, x, __ATOMIC_ACQ_REL); // expected-error {{ACRE-U025}}
  free(o);
}
/* Sync builtin. */
void w48(struct node *borrowed n) {
  char *o = __sync_lock_test_and_set(&n->name, 0); // expected-error {{ACRE-U025}}
  puts(o);
}
/* Layout twin. */
struct plain_pair {
  char *first, *second;
};
void w49(struct pair *borrowed p) {
  char *x = ((struct plain_pair *)p)->second; // expected-error {{ACRE-U030}}
  free(acre_take(&p->second));
  puts(x);
}
/* Union with text as number. */
void w51(struct tagged *borrowed t) {
  char *p = t->as.text;
  free(acre_take(&t->as.text));
  puts(p); // expected-error {{ACRE-U006}}
}
/* Swap types. */
void w52(struct session *borrowed s) {
  free(acre_swap(&s->user, make_node())); // expected-error {{ACRE-U024}}
}
/* Swap of image and node. */
void w53(struct session *borrowed s) {
  struct image *unique i = calloc(1, sizeof *i);
  acre_drop(acre_swap(&s->queue, i)); // expected-error {{ACRE-U024}}
}
/* Frames: stored in heap. */
void w54(struct node *borrowed n) {
  char b[8];
  n->name = b; // expected-error {{ACRE-U003}}
}
/* Alias escapes. */
void w55(void) {
  char *unique p = make_text();
  {
    acre_alias(a, p);
    borrowed_text = a; // expected-error {{ACRE-U005}}
  }
  free(p);
}
/* Alias consumed. */
void w56(void) {
  char *unique p = make_text();
  {
    acre_alias(a, p);
    free(p); // expected-error {{ACRE-U022}}
    puts(a);
  }
}
/* Statement expression value. */
void w57(void) {
  const char *q = ({
    char *unique p = make_text();
    const char *r = p;
    free(p);
    r; // expected-error {{ACRE-U006}}
  });
  puts(q);
}
/* Ternary. */
void w58(int c) {
  char *unique a = make_text(), *unique b = make_text();
  consume_text(c ? a : b);
  puts(a); // expected-error {{ACRE-U001}}
  free(a);
  free(b); // expected-error {{ACRE-U001}}
}
/* Comma. */
void w59(void) {
  char *unique a = make_text();
  free((a, a));
  puts(a); // expected-error {{ACRE-U001}}
}
/* Out-param kept. */
static char *unique *slot;
static void reg(char *unique *p) {
  slot = p;
}
void w60(void) {
  char *unique a = make_text();
  reg(&a); // expected-error {{ACRE-U004}}
  const char *q = a;
  free(acre_take(slot));
  puts(q);
  free(a);
}
/* Owner address in struct. */
struct holder {
  char *unique *where;
};
void w61(void) {
  char *unique a = make_text();
  struct holder h = {&a}; // expected-error {{ACRE-U010}}
  const char *q = a;
  free(acre_take(h.where));
  puts(q);
  free(a);
}
/* Double pointer walk. */
void w62(struct node * unique * borrowed head) {
  struct node *n = *head;
  acre_drop(acre_take(head));
  n->value = 1; // expected-error {{ACRE-U006}}
}
/* Slot address survives. */
void w63(void) {
  struct node *unique n = make_node();
  if (!n)
    return;
  char *unique *s = &n->name;
  acre_drop(n);
  free(acre_take(s)); // expected-error {{ACRE-U006}}
}
/* Array of owners freed twice. */
void w64(struct node *borrowed n) {
  char *p[2] = {n->name, n->name}; // expected-error 2 {{ACRE-U005}}
  free(p[0]);
}
/* Freed through plain copy. */
void w65(void) {
  char *unique p = make_text();
  char *q = p;
  free(q); // expected-error {{ACRE-U005}}
  free(p);
}
/* Goto into loop. */
void w67(int n) {
  char *unique p = make_text();
again:
  free(p); // expected-error {{ACRE-U001}}
  if (n--)
    goto again;
}
/* Switch fallthrough. */
void w68(int k) {
  char *unique p = make_text();
  switch (k) {
  case 0:
    free(p);
  case 1:
    free(p); // expected-error {{ACRE-U001}}
    break;
  default:
    free(p);
  }
}
/* Short circuit. */
void w69(void) {
  char *unique p = make_text();
  if (choose() && (free(p), 1)) {
  }
  puts(p); // expected-error {{ACRE-U001}}
  free(p);
}
/* Const cast. */
void w70(const char *borrowed p) {
  free((char *)p); // expected-error {{ACRE-U005}}
}
/* Function pointer loses words. */
void w71(char *unique p) {
  void (*f)(char *) = (void (*)(char *))consume_text;
  f(p); // expected-error {{ACRE-U005}}
  puts(p);
  free(p);
}
/* Borrowed local slot kept in a compound literal. */
void w72(char *unique p) {
  static struct view *kept;
  kept = &(struct view){p, 1}; // expected-error {{ACRE-U005}} expected-error {{ACRE-U020}}
  free(p);
}
/* Cast to unique of a borrowed pointer. */
void w73(char *borrowed p) {
  free((char *unique)p); // expected-error {{ACRE-U005}}
}
/* Generic selection. */
void w74(char *unique p) {
  char *q = _Generic(p, char *: p);
  free(p);
  puts(q); // expected-error {{ACRE-U006}}
}
/* Choose expr. */
void w75(char *unique p) {
  char *q = __builtin_choose_expr(1, p, p);
  free(p);
  puts(q); // expected-error {{ACRE-U006}}
}
/* Inline asm launder. */
void w76(char *unique p) {
  char *q;
  __asm__("" : "=r"(q) : "0"(p)); // expected-error {{ACRE-U010}}
  free(p);
  puts(q);
}
/* Loop-carried borrow. */
void w77(struct node *unique l) {
  struct node *prev = NULL;
  while (l) {
    if (prev) // expected-error {{ACRE-U006}}
      prev->value++;
    struct node *unique next = acre_take(&l->next);
    prev = l;
    acre_drop(l);
    l = next;
  }
}
/* Array element borrow then free array. */
void w78(struct table *borrowed t) {
  struct node *n = t->slots[0];
  acre_drop_array(acre_take(&t->slots), t->count);
  n->value = 2; // expected-error {{ACRE-U006}}
}
/* Drop cleans up nested buffer. */
void w79(struct session *unique s) {
  char *b = s->input.bytes;
  acre_drop(s);
  puts(b); // expected-error {{ACRE-U006}}
}
/* Callback with context. */
void each(void (*f)(void *), void *borrowed ctx);
void w80(struct node *borrowed n, void (*f)(void *)) {
  struct node *m = n->next;
  each(f, n);
  m->value = 1; // expected-error {{ACRE-U006}}
}
/* Cleanup ptr kept by callee seen. */
static char *unique *kept_slot;
static void keep_slot(char *unique *p) {
  kept_slot = p;
}
void v1(void) {
  __attribute__((cleanup(keep_slot))) char *unique p = make_text();
  // expected-error@-1 {{ACRE-U004}}
}
/* Borrowed pointer past cleanup of later variable order. */
void v2(void) {
  const char *q = NULL;
  auto_free char *unique p = make_text();
  q = p;
  {
    auto_free char *unique z = TAKE_PTR(p);
  }
  if (q) // expected-error {{ACRE-U006}}
    puts(q);
}
/* Consume in nested statement expression, cleanup. */
void v3(void) {
  auto_free char *unique p = make_text();
  ({
    consume_text(p);
    1;
  });
} // expected-error {{ACRE-U028}}
/* Goto out of cleanup scope twice. */
void v4(int n) {
again:;
  auto_free char *unique p = make_text();
  if (n--) {
    free(p);
    goto again; // expected-error {{ACRE-U028}}
  }
}
/* Longjmp over cleanup use. */
static jmp_buf env2;
void thrower(void);
void v5(void) {
  char *unique p = make_text();
  if (setjmp(env2) == 0) {
    free(p);
    thrower();
    p = NULL;
  }
  free(p); // expected-error {{ACRE-U001}}
}
/* Struct by init list moves same owner twice. */
void v6(void) {
  char *unique p = make_text();
  struct pair a = {.first = p};
  struct pair b = {.first = p}; // expected-error {{ACRE-U001}}
  free(acre_take(&a.first));
  free(acre_take(&b.first));
}
/* Local struct field borrowed after take. */
void v7(void) {
  struct pair a = {make_text(), NULL};
  const char *q = a.first;
  free(acre_take(&a.first));
  puts(q); // expected-error {{ACRE-U006}}
}
/* Local array element borrowed after drop. */
void v8(void) {
  char *unique v[2] = {make_text(), make_text()};
  const char *q = v[0];
  free(acre_take(&v[0]));
  puts(q); // expected-error {{ACRE-U006}}
  free(acre_take(&v[1]));
}
/* Local struct address lent twice. */
static void move(struct pair *borrowed a, struct pair *borrowed b) {
  free(acre_swap(&a->first, acre_take(&b->first)));
}
void v9(void) {
  struct pair a = {0};
  move(&a, &a); // expected-error {{ACRE-U007}}
}
/* Unset via union struct copy. */
void v10(void) {
  struct session s;
  s.queue = NULL;
  s.user = NULL;
  acre_drop(acre_take(&s.queue));
  free(acre_take(&s.input.bytes)); // expected-error {{ACRE-U029}}
}
/* Uninit nested array partially set. */
struct grid {
  struct pair cells[2];
  char *unique label;
};
void v11(void) {
  struct grid g;
  g.cells[0].first = NULL;
  free(acre_take(&g.label)); // expected-error {{ACRE-U029}}
}
/* Uninit through conditional operator place. */
void v12(int c) {
  struct pair a, b = {0};
  free(acre_take(c ? &a.first : &b.first)); // expected-error {{ACRE-U029}}
}
/* Uninit through comma. */
void v13(void) {
  struct pair a;
  free(acre_take((choose(), &a.first))); // expected-error {{ACRE-U029}}
}
/* Fresh given to drop array. */
void v14(void) {
  struct node *unique n = malloc(sizeof *n);
  if (n)
    acre_drop_array(n, 1); // expected-error {{ACRE-U029}}
}
/* Rc of void. */
void *refcounted v15(void *p) {
  return rc_alias(p); // expected-error {{ACRE-U026}}
}
/* Rc via function pointer. */
void v16(struct image *refcounted (*f)(struct image *refcounted borrowed), struct image *unique u) {
  rc_drop(f(u)); // expected-error {{ACRE-U026}}
  acre_drop(u);
}
/* Rc of element. */
struct image *refcounted v17(struct image *refcounted borrowed v) {
  return rc_alias(&v[1]); // expected-error {{ACRE-U026}}
}
/* Rc of pointer moved. */
struct image *refcounted v18(struct image *refcounted borrowed v) {
  struct image *p = v;
  p++;
  return rc_alias(p); // expected-error {{ACRE-U026}}
}
/* Rc after loan ended. */
struct image *refcounted v19(struct image *refcounted borrowed v) {
  struct image *p = v->parent;
  rc_drop(acre_take(&v->parent));
  return rc_alias(p); // expected-error {{ACRE-U006}}
}
/* Weak get unique mix. */
void v20(acre_weak *borrowed w) {
  struct image *unique i = acre_weak_get(struct image, w); // expected-error {{ACRE-U016}}
  free(i);
}
/* Refcounted borrowed stored. */
static struct image *last;
void v21(struct image *refcounted borrowed i) {
  last = i; // expected-error {{ACRE-U005}}
}
/* Refcounted borrowed freed. */
void v22(struct image *refcounted borrowed i) {
  free(i); // expected-error {{ACRE-U005}}
}
/* Refcounted borrowed returned as plain. */
struct image *v23(struct image *refcounted borrowed i) {
  return i; // expected-error {{ACRE-U005}}
}
/* Counted lent through variadic. */
void any(int n, ...);
void v24(struct image *refcounted i) {
  any(1, i); // expected-error {{ACRE-U005}}
  rc_drop(i);
}
/* Counted part lent to borrowed. */
struct big {
  struct pair part;
  int n;
};
void pair_look(struct pair *borrowed p);
void v25(struct big *refcounted b) {
  pair_look(&b->part); // expected-error {{ACRE-U027}}
  rc_drop(b);
}
/* Counted global slot lent. */
void v26(void (*f)(struct image *borrowed)) {
  f(cached); // expected-error {{ACRE-U027}} expected-error {{ACRE-U008}}
}
/* Counted through alias macro. */
void v27(struct image *refcounted i, void (*f)(struct image *borrowed)) {
  {
    acre_alias(a, i);
    f(a); // expected-error {{ACRE-U027}}
  }
  rc_drop(i);
}
/* Memcpy via array type. */
void v28(void) {
  struct pair a[2] = {{0}}, b[2] = {{0}};
  memcpy(a, b, sizeof a); // expected-error {{ACRE-U023}}
  free(acre_take(&a[0].first));
  free(acre_take(&b[0].first));
}
/* Memcpy of array of owners. */
void v29(char *unique *a, char *unique *b) {
  memmove(a, b, 16); // expected-error {{ACRE-U023}}
}
/* Memccpy/mempcpy. */
void v30(struct pair *a, struct pair *b) {
  mempcpy(a, b, sizeof *a); // expected-error {{ACRE-U023}}
}
/* Struct assignment via pointer to array. */
void v31(struct pair (*a)[2], struct pair (*b)[2]) {
  (*a)[0] = (*b)[0]; // expected-error {{ACRE-U011}}
}
/* Conditional struct copy. */
void v32(struct pair *a, struct pair *b, int c) {
  *a = c ? *a : *b; // expected-error 2 {{ACRE-U011}}
}
/* Atomic compare exchange with address of slot as expected. */
void v34(char **shared, struct pair *borrowed p) {
  __atomic_compare_exchange_n(shared, &p->first, NULL, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  // expected-error@-1 {{ACRE-U025}}
  // expected-error@-2 {{ACRE-U005}}
}
/* C11 atomic slot. */
struct at {
  _Atomic(char *unique) name;
};
void v35(struct at *borrowed a) {
  char *q = a->name;
  free(acre_take(&a->name));
  // expected-error@-1 {{passing 'typeof (*(&a->name))' (aka '_Atomic(char * }}
  puts(q); // expected-error {{ACRE-U006}}
}
/* Layout cast through function argument. */
void takes_plain(struct { char *a; } * p);
struct plain1 {
  char *a;
};
const char *first_of(struct plain1 *p);
void v37(struct pair *borrowed p) {
  const char *x = first_of((struct plain1 *)p);
  // expected-error@-1 {{ACRE-U030}}
  // expected-error@-2 {{ACRE-U004}}
  free(acre_take(&p->first));
  puts(x);
}
/* Swap: pointer to pointer levels. */
void v38(struct table *borrowed t, struct node *unique n) {
  acre_drop(acre_swap((struct node * unique *)&t->slots, n)); // expected-error {{ACRE-U024}}
}
/* Swap text into weak. */
struct wk {
  acre_weak *unique w;
};
void v39(struct wk *borrowed k) {
  acre_weak_drop(acre_swap(&k->w, make_text())); // expected-error {{ACRE-U024}}
}
/* Qsort_r with context that frees. */
static int cmp_ctx(const void *a, const void *b, void *c) {
  acre_drop(acre_take((struct node * unique *)c)); // expected-error {{ACRE-U013}}
  return 0;
}
void v40(int *v, struct node * unique * borrowed head) {
  struct node *n = *head;
  qsort_r(v, 2, 4, cmp_ctx, head);
  n->value = 1; // expected-error {{ACRE-U006}}
}
/* Qsort_r with address of owner. */
void v41(int *v) {
  struct node *unique n = make_node();
  struct node *m = n;
  qsort_r(v, 2, 4, cmp_ctx, &n);
  m->value = 1; // expected-error {{ACRE-U006}}
  acre_drop(n);
}
/* Bsearch result after callback. */
void v42(struct table *borrowed t, struct node *k) {
  struct node *unique *at = bsearch(&k, t->slots, t->count, 8, cmp_take);
  free(acre_take(&t->slots));
  acre_drop(acre_take(at)); // expected-error {{ACRE-U006}}
}
/* Callback stored then runs. */
static void (*hook)(void);
void v43(void) {
  const char *t = title;
  if (hook)
    hook();
  puts(t); // expected-error {{ACRE-U006}}
}
/* Two loops same owner. */
void v44(struct node *unique l) {
  for (struct node *n = l; n; n = n->next)
    puts(n->name);
  acre_drop(l);
  for (struct node *n = l; n; n = n->next) // expected-error {{ACRE-U001}}
    puts(n->name);
}
/* Realloc self through field. */
void v45(struct buffer *borrowed b) {
  char *p = b->bytes;
  free(acre_swap(&b->bytes, realloc(acre_take(&b->bytes), 10)));
  puts(p); // expected-error {{ACRE-U006}}
}
/* Take and use interior. */
void v46(struct session *borrowed s) {
  char *p = s->queue ? s->queue->name : NULL;
  acre_drop(TAKE_PTR(s->queue));
  puts(p); // expected-error {{ACRE-U006}}
}
/* TAKE_PTR twice in one call. */
void two_texts(char *unique a, char *unique b);
void v47(void) {
  auto_free char *unique p = make_text();
  two_texts(TAKE_PTR(p), p); // expected-error {{ACRE-U015}}
} // expected-error {{ACRE-U028}}
/* Unsequenced take. */
void v48(void) {
  auto_free char *unique p = make_text();
  two(acre_take(&p), strlen(p)); // expected-error {{ACRE-U015}}
}
/* Almost a TAKE: does not clear. */
#define NOTAKE(p)                                                                                  \
  ({                                                                                               \
    __typeof__(p) *a_ = &(p);                                                                      \
    __typeof__(p) b_ = *a_;                                                                        \
    (void)a_;                                                                                      \
    b_;                                                                                            \
  })
char *unique v49(void) {
  auto_free char *unique p = make_text();
  return NOTAKE(p); // expected-error {{ACRE-U002}}
}
/* Almost a TAKE: clears another. */
#define OTHER(p, q)                                                                                \
  ({                                                                                               \
    __typeof__(p) *a_ = &(p);                                                                      \
    __typeof__(q) *c_ = &(q);                                                                      \
    __typeof__(p) b_ = *a_;                                                                        \
    *c_ = NULL;                                                                                    \
    b_;                                                                                            \
  })
char *unique v50(void) {
  auto_free char *unique p = make_text(), *unique q = NULL;
  return OTHER(p, q); // expected-error {{ACRE-U002}}
}
/* Sibling through another type. */
struct shadow {
  int a;
  char *unique text;
};
struct body {
  int a;
  char *unique name, *unique other;
};
void x1(struct body *borrowed b) {
  char *q = b->name;
  free(acre_take(&((struct shadow *)b)->text));
  puts(q); // expected-error {{ACRE-U006}}
}
/* Sibling: same field through a copy. */
void x2(struct body *borrowed b) {
  struct body *c = b;
  char *q = b->name;
  free(acre_take(&c->name));
  puts(q); // expected-error {{ACRE-U006}}
}
/* Sibling: below the same field. */
void x3(struct node *borrowed n) {
  char *q = n->next->name;
  acre_drop(acre_take(&n->next));
  puts(q); // expected-error {{ACRE-U006}}
}
/* Sibling: deeper slot. */
void x4(struct node *borrowed n) {
  struct node *m = n->next;
  char *q = m->name;
  free(acre_take(&m->name));
  puts(q); // expected-error {{ACRE-U006}}
}
/* Sibling: joined ways. */
void x5(struct body *borrowed b, int c) {
  char *q = c ? b->name : b->other;
  free(acre_take(&b->other));
  puts(q); // expected-error {{ACRE-U006}}
}
/* Sibling: counted. */
void x6(struct image *refcounted borrowed i) {
  char *q = i->parent->pixels;
  rc_drop(acre_take(&i->parent));
  puts(q); // expected-error {{ACRE-U006}}
}
/* Sibling: in a loop. */
void x7(struct node *borrowed n) {
  char *q = n->name;
  for (int i = 0; i < 2; i++) {
    puts(q); // expected-error {{ACRE-U006}}
    free(acre_take(&n->name));
  }
}
/* Address of owner as callback data. */
void add_callback(void (*f)(void *), void *data);
static void on(void *p) {
  free(acre_take((char *unique *)p)); // expected-error {{ACRE-U013}}
}
void x8(void) {
  char *unique u = make_text();
  add_callback(on, &u); // expected-error {{ACRE-U004}}
  const char *q = u;
  anything();
  puts(q);
  free(u);
}
/* Address of owner to a thread. */
static void *th(void *p) {
  free(acre_take((char *unique *)p)); // expected-error {{ACRE-U013}}
  return NULL;
}
void x9(void) {
  char *unique u = make_text();
  pthread_t t;
  pthread_create(&t, NULL, th, &u); // expected-error {{ACRE-U004}}
  puts(u);
  free(u);
}
/* Cleanup var, alias block open. */
void x10(void) {
  char *t = NULL;
  {
    auto_free char *unique p = make_text();
    acre_alias(a, p);
    t = a;
  } // expected-error {{ACRE-U022}}
  puts(t); // expected-error {{ACRE-U006}}
}
/* Cleanup var in switch. */
void x11(int k) {
  switch (k) {
  case 0: {
    auto_free char *unique p = make_text();
    free(p);
    break; // expected-error {{ACRE-U028}}
  }
  default:
    break;
  }
}
/* Cleanup of owner and swap out. */
void x12(void) {
  auto_free char *unique p = make_text();
  char *q = p;
  free(acre_swap(&p, NULL));
  puts(q); // expected-error {{ACRE-U006}}
}
/* Take by hand of a consumed. */
void x13(void) {
  char *unique p = make_text();
  free(p);
  free(TAKE_PTR(p)); // expected-error {{ACRE-U001}}
}
/* Take by hand of unset slot. */
void x14(void) {
  struct pair p;
  free(TAKE_PTR(p.first)); // expected-error {{ACRE-U029}}
}
/* Unset array of structs. */
void x16(void) {
  struct pair a[3];
  for (int i = 0; i < 3; i++)
    a[i].first = NULL;
  free(acre_take(&a[1].second)); // expected-error {{ACRE-U029}}
}
/* Unset passed as const view. */
int length_of(const struct session *borrowed s);
int x17(void) {
  struct session s;
  s.fd = 1;
  return length_of(&s); // expected-error {{ACRE-U029}}
}
/* Unset in do-while. */
void x18(void) {
  struct pair p;
  do {
    if (choose())
      break;
    p.first = NULL;
  } while (0);
  free(acre_take(&p.first)); // expected-error {{ACRE-U029}}
}
/* Unset: continue path. */
void x19(void) {
  struct pair p;
  for (;;) {
    if (choose())
      break;
    p.second = NULL;
  }
  free(acre_take(&p.second)); // expected-error {{ACRE-U029}}
}
/* Fresh: read field. */
int x20(void) {
  struct node *unique n = malloc(sizeof *n);
  int r = n && n->next; // expected-error {{ACRE-U029}}
  free(n);
  return r;
}
/* Fresh: set on one path only. */
void x21(void) {
  struct pair *unique p = malloc(sizeof *p);
  if (!p)
    return;
  p->first = NULL;
  if (choose())
    p->second = NULL;
  acre_drop(p); // expected-error {{ACRE-U029}}
}
/* Fresh: conditional drop. */
void x22(void) {
  struct pair *unique p = choose() ? malloc(sizeof *p) : NULL;
  if (p)
    acre_drop(p); // expected-error {{ACRE-U029}}
}
/* Reference param reassign. */
struct image *refcounted x23(struct image *refcounted borrowed i, struct image *borrowed j) {
  i = j;
  return rc_alias(i); // expected-error {{ACRE-U026}}
}
/* Reference from struct copy field plain. */
struct cell {
  struct image *plain;
};
struct image *refcounted x24(struct cell *c) {
  return rc_alias(c->plain); // expected-error {{ACRE-U026}}
}
/* Borrowed result not counted. */
struct image *borrowed pick(struct image *borrowed i);
struct image *refcounted x25(struct image *refcounted borrowed i) {
  return rc_alias(pick((struct image *)i));
  // expected-error@-1 {{ACRE-U027}}
  // expected-error@-2 {{ACRE-U026}}
}
/* Array of references element. */
struct image *refcounted x26(struct image **v) {
  return rc_alias(v[0]); // expected-error {{ACRE-U026}}
}
/* Callback in bsearch on global table. */
static struct node * unique * unique index_;
static size_t index_count;
static int by_taking(const void *a, const void *b) {
  acre_drop_array(acre_take(&index_), index_count);
  return 0;
}
struct node *x27(struct node *key) {
  struct node *n = index_[0];
  bsearch(&key, index_, index_count, 8, by_taking); // expected-error {{ACRE-U008}}
  return n; // expected-error {{ACRE-U006}}
}
/* Swap of counted with unique. */
void x28(struct image *refcounted borrowed i, struct image *unique u) {
  rc_drop(acre_swap(&i->parent, u)); // expected-error {{ACRE-U016}}
}
/* Struct with bitfields layout. */
struct packed1 {
  unsigned a : 4;
  char *unique t;
};
struct packed2 {
  unsigned a;
  char *t;
};
void x29(struct packed1 *borrowed p) {
  char *q = ((struct packed2 *)p)->t; // expected-error {{ACRE-U030}}
  free(acre_take(&p->t));
  puts(q);
}
/* Union twin. */
union u1 {
  char *unique t;
  int n;
};
void x30(union u1 *borrowed u) {
  char **q = (char **)u; // expected-error {{ACRE-U030}}
  free(*q);
  free(acre_take(&u->t));
}
/* Getline over a field that is borrowed. */
void x31(struct buffer *borrowed b, FILE *f) {
  char *q = b->bytes;
  getline(&b->bytes, &b->capacity, f);
  puts(q); // expected-error {{ACRE-U006}}
}
/* The same behind a cast. */
void x32(struct buffer *borrowed b, FILE *f) {
  char *q = b->bytes;
  getline((char **)&b->bytes, &b->capacity, f);
  puts(q); // expected-error {{ACRE-U006}}
}

// Programs that keep the discipline of unique and borrowed pointers get no message.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// RUN: %frontend -std=c23 -fsyntax-only -Xclang -verify %s
// RUN: %clang -fsyntax-only -isystem %source/include -Werror %s
// expected-no-diagnostics
#include <acre/own.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *unique next;
  char *unique name;
  int value;
};

struct node *unique node_new(int value, const char *name) {
  struct node *unique n = calloc(1, sizeof *n);
  if (!n)
    return NULL;
  n->name = strdup(name);
  n->value = value;
  return n;
}

void node_free(struct node *unique n) {
  if (n) {
    free(acre_take(&n->name));
    acre_drop(acre_take(&n->next));
  }
  free(n);
}

void push(struct node *unique *head, struct node *unique n) {
  n->next = acre_take(head);
  free(acre_swap(head, n));
}

void drop(struct node *unique list) {
  while (list) {
    struct node *unique next = acre_take(&list->next);
    node_free(list);
    list = next;
  }
}

/* Lists are walked in place, and lent on. */
int sum(struct node *borrowed list) {
  int total = 0;
  for (struct node *n = list; n; n = n->next)
    total += n->value + (n->name ? (int)strlen(n->name) : 0);
  return total;
}
static int depth(struct node *borrowed n) { return n ? 1 + depth(n->next) : 0; }
struct node *borrowed find(struct node *borrowed list, int value) {
  for (struct node *n = list; n; n = n->next)
    if (n->value == value)
      return n;
  return NULL;
}

/* A plain parameter borrows if its function is seen to, also later and by way of others. */
static int later(const struct node *n);
int early(struct node *unique n) {
  int value = later(n);
  node_free(n);
  return value;
}
static int even(const struct node *n, int depth);
static int odd(const struct node *n, int depth) { return depth ? even(n, depth - 1) : n->value; }
static int even(const struct node *n, int depth) { return depth ? odd(n, depth - 1) : 0; }
static int later(const struct node *n) { return even(n, 3); }

int use_all(void) {
  struct node *unique list = NULL;
  for (int i = 0; i < 3; i++) {
    struct node *unique n = node_new(i, "x");
    if (n)
      push(&list, n);
  }
  struct node *found = find(list, 2);
  int result = sum(list) + depth(list);
  if (found)
    result += found->value;
  drop(list);
  return result;
}

/* Consumed on every path, or null where it is not. */
void branches(char *unique p, int way) {
  switch (way) {
  case 0:
    free(p);
    break;
  case 1:
    if (p == NULL)
      return;
    puts(p);
    /* fall through */
  default:
    free(p);
  }
}
void early_out(void) {
  char *unique p = malloc(10);
  if (!p)
    goto out;
  strcpy(p, "text");
  for (char *c = p; *c; c++)
    putchar(*c);
  free(p);
out:
  return;
}
char *unique grown(char *unique p, size_t size) {
  char *unique bigger = realloc(p, size);
  return bigger;
}
char *unique chosen(char *unique p, char *unique q, int first) {
  if (first) {
    free(q);
    return p;
  }
  free(p);
  return q;
}
void ends(char *unique p) {
  puts(p);
  exit(1);
}
void loops(void) {
  char *unique p = NULL;
  for (int i = 0; i < 10; i++) {
    free(p);
    p = malloc(8);
  }
  free(p);
}
size_t in_place(struct node *n) { return n->name && n->name[0] == 'a' ? strlen(n->name) : 0; }
void argument_order(char *unique p);
void length_and_pointer(size_t n, char *unique p);
void lends_in_arguments(char *unique p) { length_and_pointer(strlen(p), p); }
void fill(char *unique *out);
void out_parameter(void) {
  char *unique p = NULL;
  fill(&p);
  if (p)
    puts(p);
  free(p);
}
struct pair {
  char *unique a, *unique b;
};
void initialized(struct pair *to) {
  char *unique a = strdup("a");
  struct pair p = {a, NULL};
  free(acre_swap(&to->a, acre_take(&p.a)));
}
void reset(struct pair *borrowed to, char *unique a) { *to = (struct pair){a, NULL}; }
__attribute__((format(printf, 2, 3))) void say(int level, const char *format, ...);
double number(const char *borrowed text) {
  return strtod(text, NULL) + (double)strtol(text, 0, 10);
}
int gone(const char *borrowed path) { return remove(path); }

void formatted(char *unique p, const char *borrowed q) {
  say(1, "%s %s", p, q);
  free(p);
}
static jmp_buf back;
void jumps(char *unique p) {
  if (setjmp(back)) {
    free(p);
    return;
  }
  longjmp(back, 1);
}
char *unique make_name(void);
void look(char *borrowed p);
// Calls before setjmp do not return there: the owner is not what it was then.
int owner_before_jump(void) {
  look(NULL);
  char *unique p = make_name();
  if (setjmp(back)) {
    free(p);
    return 1;
  }
  look(p);
  free(p);
  return 0;
}
// What is kept is not the parameter: that was before.
static const char *kept_name;
static void keeps_another(const char *p) {
  const char *q = p;
  puts(q);
  q = "none";
  kept_name = q;
}
static size_t steps(const char *p) {
  size_t count = 0;
  for (; *p; p++)
    count += (size_t)puts(p);
  return count;
}
void lends_twice(char *unique p) {
  keeps_another(p);
  steps(p);
  free(p);
}
char *unique adopted(char *p) { return (char *unique)p; }
void discards(char *unique p) { free((void *)p); }
struct shared {
  int value;
  struct shared *refcounted next;
};
int keep_two(struct shared *refcounted p) {
  struct shared *refcounted other = rc_alias(p);
  int value = p ? p->value : 0;
  rc_drop(p);
  if (other)
    value += other->value;
  rc_drop(other);
  return value;
}
void look_at_names(char *borrowed p, char *borrowed q);
static int compare_shared(const struct shared *p, const struct shared *q) { return p == q; }
int references_lent_together(char *refcounted p, char *refcounted q, struct shared *refcounted s,
                             struct shared *refcounted t) {
  look_at_names(p, q); // nothing hangs on either
  // parameters without the word do not rely on being the only ones
  int are_same = compare_shared(s, t);
  rc_drop(p);
  rc_drop(q);
  acre_rc_drop(s);
  acre_rc_drop(t);
  return are_same;
}
struct shared *refcounted shared_new(struct shared *refcounted next) {
  struct shared *refcounted p = rc_new(struct shared);
  if (p)
    rc_drop(acre_swap(&p->next, next));
  else
    rc_drop(next);
  return p;
}
int by_weak(acre_weak *unique weak) {
  struct shared *refcounted p = acre_weak_get(struct shared, weak);
  acre_weak_drop(weak);
  int value = p ? p->value : -1;
  rc_drop(p);
  return value;
}
typedef char *unique text;
void by_typedef(text t) { free(t); }

/* A structure whose address is only lent is this function's alone. */
struct buffer {
  char *unique bytes;
  struct node *unique nodes[2];
  size_t length;
};
void fill_buffer(struct buffer *borrowed b);
size_t use(const char *borrowed text);
void see(struct node *borrowed n);
size_t local_structure(void) {
  struct buffer b = {0};
  fill_buffer(&b);
  const char *text = b.bytes;
  size_t length = use(b.bytes) + use(text);
  see(b.nodes[1]);
  acre_drop(acre_take(&b.nodes[1]));
  free(acre_take(&b.bytes));
  return length;
}

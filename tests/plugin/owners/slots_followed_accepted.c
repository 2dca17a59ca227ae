// A slot's state is followed as a variable's is: after acre_take, a null test, in a fresh object;
// none of this is warned of.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Werror %s
#define _GNU_SOURCE
#include <acre/own.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
  char *unique bytes;
  size_t size;
};
struct node {
  struct node *unique next;
  char *unique name;
  struct buffer text;
};
struct pair {
  char *unique first, *unique second;
};
char *unique make(void);
struct node *unique make_node(void);
struct pair make_pair(void);
int is_ready(void);
static char *unique title;
static char *plain;

void grow(struct buffer *borrowed b) { b->bytes = realloc(acre_take(&b->bytes), b->size * 2); }
void grow_checked(struct buffer *borrowed b) {
  char *unique bigger = realloc(acre_take(&b->bytes), b->size * 2);
  if (!bigger)
    abort();
  b->bytes = bigger;
}
void lazily(struct node *borrowed n) {
  if (!n->name)
    n->name = make();
}
void lazily_global(void) {
  if (title == NULL)
    title = make();
}
void replace(struct node *borrowed n) {
  free(acre_take(&n->name));
  n->name = NULL;
  n->name = make();
}
void both(struct node *borrowed n) {
  free(acre_swap(&n->name, NULL));
  free(acre_take(&n->text.bytes));
  n->name = make();
  n->text.bytes = make();
}
struct node *unique fresh(void) {
  struct node *unique n = calloc(1, sizeof *n);
  if (!n)
    return NULL;
  n->name = make();
  n->text.bytes = make();
  n->next = make_node();
  return n;
}
struct node *unique unset(void) {
  struct node *unique n = malloc(sizeof *n);
  if (!n)
    return NULL;
  *n = (struct node){.name = make()};
  n->next = make_node();
  return n;
}
struct node *unique from_maker(void) {
  struct node *unique n = make_node();
  if (n)
    n->name = make();
  return n;
}
// Freed with nothing in it.
void end(struct node *unique n) {
  while (n) {
    struct node *unique next = acre_take(&n->next);
    free(acre_take(&n->name));
    free(acre_take(&n->text.bytes));
    free(n);
    n = next;
  }
}
void end_if_any(struct pair *unique p) {
  if (p->first)
    free(acre_take(&p->first));
  if (p->second)
    free(acre_take(&p->second));
  free(p);
}
static void clear(struct pair *borrowed p) {
  free(acre_take(&p->first));
  free(acre_take(&p->second));
}
void end_by_another(struct pair *unique p) {
  clear(p);
  free(p);
}
void end_array(struct pair *unique all, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(acre_take(&all[i].first));
    free(acre_take(&all[i].second));
  }
  free(all);
}
// The elements of an array are set one after the other.
void filled(size_t count) {
  char *unique *unique texts = calloc(count, sizeof *texts);
  struct pair *unique pairs = calloc(count, sizeof *pairs);
  for (size_t i = 0; texts && pairs && i < count; i++) {
    struct pair *each = &pairs[i];
    texts[i] = make();
    pairs[i].first = make();
    each->second = make();
  }
  acre_drop_array(texts, count);
  acre_drop_array(pairs, count);
}
void failed(void) {
  struct node *unique n = calloc(1, sizeof *n);
  if (!n)
    return;
  n->name = make();
  if (!n->name) {
    free(n);
    return;
  }
  acre_drop(n);
}
// Structures of the frame.
void local(void) {
  struct pair p = {make(), NULL};
  p.second = make();
  free(acre_take(&p.first));
  free(acre_take(&p.second));
}
void local_cleared(void) {
  struct pair p = {0};
  p.first = make();
  if (!p.first)
    return;
  clear(&p);
}
void local_result(void) {
  struct pair p = make_pair();
  clear(&p);
}
struct pair passed_on(void) { return make_pair(); }
// What fails leaves nothing.
void format_fails(int n) {
  char *unique text = NULL;
  if (asprintf(&text, "%d", n) < 0)
    return;
  puts(text);
  free(text);
}
void format_kept(int n) {
  char *unique text = NULL;
  int length = asprintf(&text, "%d", n);
  if (length == -1)
    return;
  free(text);
}
int make_text(char *unique *acre_out text);
bool make_node_at(struct node *unique *acre_out node);
int opened(char *unique *acre_out text) {
  char *unique made = make();
  if (!made)
    return -1;
  *text = made;
  return 0;
}
void out_parameter(void) {
  char *unique text = NULL;
  if (make_text(&text) != 0)
    return;
  free(text);
  struct node *unique node = NULL;
  if (!make_node_at(&node))
    return;
  acre_drop(node);
}
void *handle_for(char *unique *acre_out text);
void pointer_kept(void) {
  char *unique text = NULL;
  void *handle = handle_for(&text);
  if (handle == NULL)
    return;
  free(text);
}
int passed_out(char *unique *acre_out text) { return asprintf(text, "%d", 3) < 0 ? -1 : 0; }
int out_kept(void) {
  char *unique text = NULL;
  int error = make_text(&text);
  if (error)
    return error;
  free(text);
  return 0;
}
void init(struct node *acre_out n) {
  n->next = NULL;
  n->name = make();
  n->text.bytes = make();
}
void initialized(void) {
  struct node n;
  init(&n);
  acre_drop(acre_take(&n.next));
  free(acre_take(&n.name));
  free(acre_take(&n.text.bytes));
}
// Given to code without owners, and taken back.
void kept_by_cast(void) {
  char *unique text = make();
  plain = (char *)text;
}
char *returned_by_cast(void) { return (char *)make(); }
void register_text(char *text);
void released(void) {
  char *unique text = make();
  register_text(acre_release(text));
  plain = acre_release(make());
  char *unique again = (char *unique)plain;
  free(again);
}

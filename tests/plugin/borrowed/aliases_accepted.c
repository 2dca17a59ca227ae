// What is lent for a block may be copied freely in it, and its owner is whole again behind it,
// whichever way leads out.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// RUN: %frontend -std=c23 -fsyntax-only -Xclang -verify %s
// RUN: %clang -fsyntax-only -isystem %source/include -Wall -Wextra -Werror %s
// expected-no-diagnostics
#include <acre/own.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

struct node {
  struct node *unique next;
  char *unique name;
  int value;
};
struct view {
  const char *first, *second;
};
struct views {
  struct view *views;
};
void look(const char *borrowed p);
void touch(struct node *borrowed p);
void clear_view(struct view *borrowed v);
static int distance(const char *p, const char *q) { return (int)(q - p); }
static int sum_of(const struct node *p, const struct node *q) { return p->value + q->value; }
static jmp_buf again;
int choose(void);

void freed_after(char *unique p) {
  {
    acre_alias(a, p);
    look(a);
  }
  free(p);
}
char *unique returned_after(char *unique p) {
  {
    acre_alias(a, p);
    a[0] = 'a';
  }
  return p;
}
void copied(char *unique p) {
  {
    acre_alias(a, p);
    char *b = a + 1, *c = b;
    look(a);
    look(b);
    printf("%d %s\n", distance(a, c), c);
    puts(p); // the owner may be read
  }
  free(p);
}
int lent_twice_to_plain_parameters(struct node *unique p) {
  int sum = 0;
  {
    acre_alias(a, p);
    sum = sum_of(a, a);
  }
  acre_drop(p);
  return sum;
}
void in_structures(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {a, a + 1}, pair[2], *w = &v;
    struct views all = {pair};
    clear_view(&pair[0]);
    pair[0].first = a;
    pair[1] = (struct view){a, NULL};
    pair[1].second = v.first;
    memset(&v, 0, sizeof v);
    puts(w->first);
    puts(all.views[1].second);
    for (struct view *each = pair; each != pair + 2; each++)
      look(each->first);
  }
  free(p);
}
ssize_t sent(int to, char *unique p, struct node *borrowed n) {
  ssize_t size;
  {
    acre_alias(a, p);
    acre_alias(b, n->name);
    struct iovec parts[2] = {{a, strlen(a)}, {b, strlen(b)}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    size = sendmsg(to, &message, 0) + writev(to, parts, 2);
  }
  free(p);
  return size;
}
void walked_and_changed_through_the_alias(struct node *unique p) {
  {
    acre_alias(a, p);
    for (struct node *n = a; n; n = n->next)
      touch(n);
    free(acre_swap(&a->name, NULL));
    touch(a);
  }
  touch(p);
  acre_drop(p);
}
void nested(char *unique p) {
  {
    acre_alias(a, p);
    struct view v = {a, a};
    {
      acre_alias(b, v.first);
      struct view w = {b, a};
      puts(w.first);
    }
    puts(v.second);
  }
  free(p);
}
void of_plain_pointers(char *p, const char *borrowed q) {
  acre_alias(a, p);
  acre_alias(b, q);
  const char *all[] = {a, b};
  puts(all[0]);
}
void of_a_reference(struct node *refcounted p) {
  {
    acre_alias(a, p);
    struct node *all[2] = {a, a};
    all[1]->value = 1;
  }
  rc_drop(p);
}
void left_by_break_and_continue(char *unique p) {
  while (choose()) {
    acre_alias(a, p);
    struct view v = {a, a};
    if (choose())
      continue;
    if (choose())
      break;
    puts(v.first);
  }
  free(p);
}
int left_by_goto_and_return(char *unique p) {
  {
    acre_alias(a, p);
    if (choose())
      goto end;
    if (a[0] == 0)
      goto end;
  }
end:
  free(p);
  return 0;
}
void left_by_longjmp(char *unique p) {
  char *unique volatile_owner = p;
  if (setjmp(again) == 0) {
    acre_alias(a, volatile_owner);
    struct view v = {a, a};
    look(v.first);
  }
  free(volatile_owner);
}
void in_a_switch(char *unique p, int n) {
  switch (n) {
  case 0: {
    acre_alias(a, p);
    puts(a);
    break;
  }
  case 1:
    puts(p);
  }
  free(p);
}
void nothing_to_lend(void) {
  char *unique p = NULL;
  acre_alias(a, p);
  if (a)
    puts(a);
}

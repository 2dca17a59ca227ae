// Programs that are right where two rules of owners meet; the rejected twins are in
// owners_where_rules_meet_rejected.c.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// expected-no-diagnostics
#define _GNU_SOURCE
#include <acre/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *unique next;
  char *unique name;
  int value;
};
struct counted {
  struct counted *refcounted next;
  char *unique name;
};
struct view {
  const char *first;
};
char *unique make(void);
int take_and_count(char *unique p);
int take_with(int a, char *unique p);
void fill_view(struct view *v);
void look(const char *borrowed p);
void name_of_value(const int *borrowed value, const char *borrowed name);
void two_kinds(struct node *refcounted borrowed n, struct counted *refcounted borrowed c);
void use_value(struct node *borrowed n, int *borrowed value);
static char *text;

void plain_and_owner_freed(char *unique p, char *q) {
  free(q);
  free(p);
}
static void prints(const char *p) { puts(p); }
static void passes(const char *p, char *unique q) {
  prints(p);
  free(q);
}
void lent_on(char *unique p) {
  passes(p, make());
  free(p);
}
void called_back(void (*callback)(char *borrowed), char *unique p) {
  callback(p);
  free(p);
}
void of_two_kinds(struct node *refcounted n, struct counted *refcounted c) {
  two_kinds(n, c);
  rc_drop(n);
  rc_drop(c);
}
/* Who has the object may change what hangs on it, not the object. */
void lent_with_a_part(struct node *unique n) {
  use_value(n, &n->value);
  free(n);
}
/* Nobody changes what hangs there. */
void two_that_hang_there(struct node *unique n) {
  name_of_value(&n->value, n->name);
  acre_drop(n);
}
void changed_through_the_borrower(struct node *unique list) {
  struct node *second = list->next;
  free(acre_swap(&second->name, NULL));
  second->name = make();
  second->value = 1;
  acre_drop(list);
}
void below_a_reference(struct counted *refcounted c) {
  free(acre_swap(&c->next->name, NULL));
  rc_drop(c);
}
static const char *kind_of(const char *p) { return *p ? "text" : "nothing"; }
void result_is_another(char *unique p) {
  const char *kind = kind_of(p);
  free(p);
  puts(kind);
}
const char *lookup(const char *key);
const char *looked_up(char *unique p) {
  char key[4] = "key";
  free(p);
  return lookup(key);
}

// -- Null
// -------------------------------------------------------------------------------------------------

void grown_and_tested_twice(char *unique p) {
  char *unique q = realloc(p, 10);
  if (!q) {
    free(p);
    return;
  }
  if (q == NULL)
    return;
  free(q);
}
void grown_in_place(char *unique p) {
  p = realloc(p, 10);
  if (!p)
    abort();
  free(p);
}
void assigned_in_the_test(void) {
  char *unique p;
  if (!(p = make()))
    return;
  free(p);
}
void null_is_moved(char *unique p) {
  if (!p) {
    char *unique q = p;
    return;
  }
  free(p);
}

// -- Order
// -------------------------------------------------------------------------------------------------

struct node *unique push(struct node *unique list, int value);
struct node *unique push_two(struct node *unique list) {
  list = push(list, 1);
  (list) = push(list, 2);
  return list;
}
int only_the_size(char *unique p) { return (int)sizeof *p + take_and_count(p); }
int one_and_then_the_other(char *unique p) { return puts(p), take_and_count(p); }

// -- Addresses of locals that are certain on no path
// --------------------------------------------------------------------

const char *given_or_local(const char *given, int c) {
  char buffer[8] = "";
  const char *p = c ? buffer : given;
  if (c)
    p = "";
  return p;
}
void left_and_taken_back(int c) {
  char buffer[4] = "";
  if (c)
    text = buffer;
  if (c)
    text = NULL;
}
void set_either_way(int c) {
  char buffer[4] = "";
  if (c)
    text = buffer;
  else
    text = NULL;
  if (c)
    text = NULL;
}
void set_the_other_way(int c) {
  char buffer[4] = "";
  if (c)
    text = NULL;
  else
    text = buffer;
  if (!c)
    text = NULL;
}
void left_and_perhaps_taken_back(char **place) {
  char buffer[4] = "";
  text = buffer;
  *place = NULL;
}
void left_perhaps(char *given, int c) {
  char buffer[4] = "";
  text = c ? buffer : given;
}
void left_one_of_two(char *unique p, int c) {
  char buffer[4] = "";
  free(p);
  {
    char other[4] = "";
    text = c ? buffer : other;
    if (!c)
      text = NULL;
  }
  if (c)
    text = NULL;
}
int ended_perhaps(int *given, int c) {
  int *p, outer = 1;
  {
    int n = 1;
    p = c ? &n : given;
  }
  if (c)
    return 0;
  int sum = *p;
  {
    int n = 1;
    p = c ? &n : &outer;
  }
  return sum + *p;
}

// -- Aliases in loops
// -------------------------------------------------------------------------------------------------

void exposed_in_another_round(char *unique p, int times) {
  for (int i = 0; i < times; i++) {
    acre_alias(a, p);
    struct view v = {0};
    if (i == 1) {
      fill_view(&v);
      continue;
    }
    v.first = a;
    puts(v.first);
  }
  free(p);
}

// -- Tests against null in every form
// ---------------------------------------------------------------------------------------

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
void tested_in_a_comma(void) {
  char *unique p;
  if ((p = strdup("a"), !p))
    return;
  free(p);
}
void tested_as_expected(void) {
  char *unique p = strdup("a");
  if (unlikely(!p))
    return;
  char *unique q = strdup("b");
  if (likely(q != NULL))
    free(q);
  if (__builtin_expect(p == NULL, 0))
    return;
  free(p);
}
void tested_by_a_choice(void) {
  char *unique p = strdup("a");
  if (p ? 0 : 1)
    return;
  free(p);
}
void tested_in_a_statement(void) {
  char *unique p = strdup("a");
  if (({ puts(""); p; }))
    free(p);
}
void tested_against_truth(void) {
  char *unique p = strdup("a"), *unique q = strdup("b"), *unique r = strdup("c");
  if ((p == NULL) == false)
    free(p);
  if ((q == NULL) != 0)
    q = NULL;
  else
    free(q);
  if ((r != NULL) == true)
    free(r);
}

// -- Operands in any order
// -------------------------------------------------------------------------------------------------

int consumed_by_the_call_itself(char *unique p) {
  char *rest = p + 1;
  return take_with(*rest, p);
}
int set_when_all_is_evaluated(char *unique p) {
  char *rest = p;
  rest = (free(p), (char *)NULL);
  return rest == NULL;
}
int in_its_order(char *unique p) {
  char *rest = p + 1;
  int sum = *rest ? (free(p), 1) : take_with(*rest, p);
  return ({ int first = sum; first; });
}

// -- What the C library fills
// -----------------------------------------------------------------------------------------------

void lines_of(FILE *in) {
  char *unique line = NULL;
  size_t size = 0;
  while (getline(&line, &size, in) > 0)
    puts(line);
  free(line);
}
void text_of(int value) {
  char *unique text = NULL;
  if (asprintf(&text, "%d", value) >= 0)
    puts(text);
  free(text);
}

// -- Static functions that rely on being given the only way
// ------------------------------------------------------------------

void touch(struct node *borrowed n);
int anything(void);
static int sum_below(struct node *p) { return p ? p->value + sum_below(p->next) : 0; }
static int touch_all(struct node *p) {
  int sum = 0;
  for (struct node *n = p; n; n = n->next) {
    touch(n);
    sum += n->value;
  }
  return sum;
}
static int touched_twice(struct node *p) { return touch_all(p) + touch_all(p); }
static int odd(struct node *p);
static int even(struct node *p) { return p ? odd(p->next) : 1; }
static int odd(struct node *p) { return p ? even(p->next) : 0; }
static int kept_during_a_call(struct node *p) {
  struct node *second = p->next;
  int sum = anything();
  return second ? sum + second->value : sum;
}
int given_what_is_owned(struct node *unique list, struct node *borrowed other) {
  int sum = sum_below(list) + touched_twice(list) + even(other) + kept_during_a_call(list) +
            sum_below(NULL);
  acre_drop(list);
  return sum;
}

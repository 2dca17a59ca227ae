// A local whose address was given to functions refuses no delete once nobody reads it any more.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <setjmp.h>

typedef struct cursor {
  node *at, *first;
  long steps;
} cursor;

static void begin(cursor *c, node *n) {
  c->at = c->first = n;
  c->steps = 0;
}
static long next(cursor *c) {
  c->steps++;
  return c->at->value;
}
static NOINLINE void begin_seen(cursor *c, node *n) { begin(c, n); }
static NOINLINE long next_seen(cursor *c) { return next(c); }
/* Functions whose bodies are not in view. */
static void (*volatile begin_unseen)(cursor *, node *) = begin;
static long (*volatile next_unseen)(cursor *) = next;

static NOINLINE void of_seen_functions(region r) deletes {
  cursor c;
  begin_seen(&c, new_node(r));
  CHECK(next_seen(&c) == 42);
  DELETE_ACCEPTED(r);
}
static NOINLINE void of_unseen_functions(region r) deletes {
  cursor c;
  begin_unseen(&c, new_node(r));
  CHECK(next_unseen(&c) == 42);
  DELETE_ACCEPTED(r);
}
static NOINLINE void of_the_library(region r) deletes {
  char *end, *save;
  CHECK(strtol(rstrdup(r, "42 apples"), &end, 10) == 42 && *end == ' ');
  CHECK(strtok_r(end, " ", &save) == end + 1);
  DELETE_ACCEPTED(r);
}
static NOINLINE void set_anew_in_each_round(void) deletes {
  cursor c;
  char *end;
  for (int i = 0; i < 3; i++) {
    region r = newregion();
    begin_seen(&c, new_node(r));
    CHECK(next_seen(&c) + strtol(rstrdup(r, "7"), &end, 10) == 49 && !*end);
    DELETE_ACCEPTED(r);
  }
}
static NOINLINE void one_member_is_read(region r) deletes {
  cursor c;
  begin_seen(&c, new_node(r));
  next_seen(&c);
  DELETE_ACCEPTED(r);
  CHECK(c.steps == 1);
}

typedef struct message {
  const char *text;
  cursor *from;
} message;
static long deliver(const message *m) { return (long)strlen(m->text) + next(m->from); }
static NOINLINE long deliver_seen(const message *m) { return deliver(m); }
static long (*volatile deliver_unseen)(const message *) = deliver;

static NOINLINE void of_locals_that_lead_to_it(region r, region s) deletes {
  cursor c;
  begin(&c, new_node(r));
  message m = {rstrdup(r, "two"), &c};
  CHECK(deliver_seen(&m) == 45);
  DELETE_ACCEPTED(r);
  begin(&c, new_node(s));
  message n = {rstrdup(s, "three"), &c};
  CHECK(deliver_unseen(&n) == 47);
  DELETE_ACCEPTED(s);
}
static NOINLINE void one_of_two(region r, int which) deletes {
  cursor c, d;
  cursor *chosen = which ? &c : &d;
  begin_unseen(chosen, new_node(r));
  CHECK(next_unseen(chosen) == 42);
  DELETE_ACCEPTED(r);
}
static NOINLINE void element(region r, int which) deletes {
  cursor c[3];
  begin_unseen(&c[which], new_node(r));
  CHECK(next_unseen(&c[which]) == 42);
  DELETE_ACCEPTED(r);
}
static NOINLINE void array_of_variable_length(int length) deletes {
  for (int round = 0; round < 3; round++) {
    region r = newregion();
    cursor c[length];
    for (int i = 0; i < length; i++)
      begin_unseen(&c[i], new_node(r));
    CHECK(next_unseen(&c[length - 1]) == 42);
    DELETE_ACCEPTED(r);
  }
}

static union word {
  node *pointer;
  char bytes[24];
} *kept_word;
static NOINLINE void keep_for_a_while(union word *w) { kept_word = w; }
static NOINLINE void kept_and_forgotten(region r) deletes {
  union word w = {.pointer = new_node(r)};
  keep_for_a_while(&w);
  CHECK(kept_word->pointer->value == 42);
  keep_for_a_while(NULL);
  DELETE_ACCEPTED(r);
}
static NOINLINE void in_memory_that_was_freed(region r) deletes {
  cursor c;
  cursor **held = malloc(sizeof *held);
  *held = &c;
  begin(*held, new_node(r));
  CHECK(next(*held) == 42);
  *held = NULL;
  free(held);
  DELETE_ACCEPTED(r);
}
static NOINLINE void refers_to_itself(region r) deletes {
  struct link {
    struct link *next;
    node *held;
  } head = {.next = &head, .held = new_node(r)};
  CHECK(head.next->next->held->value == 42);
  DELETE_ACCEPTED(r);
}
static NOINLINE void each_calls_itself(int depth) deletes {
  region r = newregion();
  cursor c;
  begin_unseen(&c, new_node(r));
  CHECK(next_unseen(&c) == 42);
  if (depth)
    each_calls_itself(depth - 1);
  DELETE_ACCEPTED(r);
}
static NOINLINE void passed_by_value(region r, cursor c) deletes {
  begin_unseen(&c, c.at);
  CHECK(next_unseen(&c) == 42);
  DELETE_ACCEPTED(r);
}
static NOINLINE void beside_setjmp(region r) deletes {
  jmp_buf unused;
  cursor c;
  begin_seen(&c, new_node(r));
  CHECK(next_seen(&c) == 42);
  if (setjmp(unused) == 0)
    DELETE_ACCEPTED(r);
}

int main(void) deletes {
  region r[14];
  for (int i = 0; i < 14; i++)
    r[i] = newregion();
  of_seen_functions(r[0]);
  of_unseen_functions(r[1]);
  of_the_library(r[2]);
  set_anew_in_each_round();
  one_member_is_read(r[3]);
  of_locals_that_lead_to_it(r[4], r[5]);
  one_of_two(r[6], 0);
  element(r[7], 1);
  array_of_variable_length(3);
  kept_and_forgotten(r[8]);
  in_memory_that_was_freed(r[9]);
  refers_to_itself(r[10]);
  each_calls_itself(4);
#if !defined(__aarch64__) /* where large structures that are passed lie in the caller's frame */
  passed_by_value(r[11], (cursor){.at = new_node(r[11])});
#endif
  beside_setjmp(r[12]);
  DELETE_ACCEPTED(r[13]);
}

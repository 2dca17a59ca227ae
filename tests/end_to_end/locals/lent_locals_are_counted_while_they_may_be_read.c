// A local refuses a delete while somebody may read it by an address that he was given: here, from
// memory, or by way of other locals.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <setjmp.h>
#include <sys/epoll.h>
#include <unistd.h>

typedef struct cursor {
  node *at, *first;
} cursor;

static void begin(cursor *c, node *n) { c->at = c->first = n; }
static long look(cursor *c) { return c->at->value; }
static void (*volatile begin_unseen)(cursor *, node *) = begin;
static long (*volatile look_unseen)(cursor *) = look;

static NOINLINE void of_unseen_functions(region r) deletes {
  cursor c;
  begin_unseen(&c, new_node(r));
  DELETE_REFUSED(r);
  CHECK(look_unseen(&c) == 42);
}
static NOINLINE void of_the_library(region r) deletes {
  char *end, *save;
  CHECK(strtol(rstrdup(r, "42 apples"), &end, 10) == 42);
  DELETE_REFUSED(r);
  CHECK(strtok_r(end, " ", &save) != NULL);
  end = NULL;
  DELETE_REFUSED(r);
  CHECK(strtok_r(NULL, " ", &save) == NULL);
}
/* With a base that is none, strtol leaves the pointer as it was. */
static NOINLINE void left_as_it_was(region r, int base) deletes {
  char *end;
  strtol(rstrdup(r, "42"), &end, 10);
  DELETE_REFUSED(r);
  strtol("1", &end, base);
  CHECK(*end == 0);
}

static cursor *kept;
static void keep(cursor *c) { kept = c; }
static void (*volatile keep_unseen)(cursor *) = keep;
static long (*volatile look_at_kept)(cursor *) = look;
static NOINLINE void kept_in_a_variable(region r) deletes {
  cursor c;
  begin(&c, new_node(r));
  keep_unseen(&c);
  DELETE_REFUSED(r);
  CHECK(look_at_kept(kept) == 42);
}
struct pair {
  void *first, *second;
};
static NOINLINE void keep_behind(struct pair unused, cursor *c) {
  (void)unused;
  kept = c;
}
/* Both types pass the same words. */
static NOINLINE void kept_by_a_function_of_another_type(region r) deletes {
  cursor c;
  begin(&c, new_node(r));
  ((void (*)(void *, void *, cursor *))keep_behind)(NULL, NULL, &c);
  DELETE_REFUSED(r);
  CHECK(look_at_kept(kept) == 42);
}
static NOINLINE void kept_in_memory(region r) deletes {
  cursor c;
  cursor **held = malloc(sizeof *held);
  begin(&c, new_node(r));
  *held = &c;
  DELETE_REFUSED(r);
  CHECK(look(*held) == 42);
  free(held);
}

typedef struct message {
  const char *text;
  cursor *from;
} message;
static void keep_sender(const message *m) { kept = m->from; }
static NOINLINE void keep_sender_seen(const message *m) { keep_sender(m); }
static void (*volatile keep_sender_unseen)(const message *) = keep_sender;
static NOINLINE void kept_by_way_of_another(region r, int is_seen) deletes {
  cursor c;
  begin(&c, new_node(r));
  {
    message m = {"text", &c};
    if (is_seen)
      keep_sender_seen(&m);
    else
      keep_sender_unseen(&m);
  }
  DELETE_REFUSED(r);
  CHECK(look(kept) == 42);
}
static const message *kept_message;
static NOINLINE void keep_message(const message *m) { kept_message = m; }
static NOINLINE void kept_with_what_leads_to_it(region r) deletes {
  cursor c;
  begin(&c, new_node(r));
  message m = {"text", &c};
  keep_message(&m);
  DELETE_REFUSED(r);
  CHECK(look(kept_message->from) == 42);
}
static NOINLINE void put(message *m, cursor *c) { m->from = c; }
static NOINLINE message wrapped(cursor *c) { return (message){"text", c}; }
static NOINLINE void found_by_way_of_another(region r) deletes {
  cursor c;
  message m;
  begin(&c, new_node(r));
  put(&m, &c);
  message n = wrapped(&c);
  DELETE_REFUSED(r);
  CHECK(look(m.from) == 42 && look(n.from) == 42);
}

static NOINLINE void one_of_two(region r, int which) deletes {
  cursor c = {0}, d = {0};
  cursor *chosen = which ? &c : &d;
  begin_unseen(chosen, new_node(r));
  DELETE_REFUSED(r);
  CHECK(look(chosen) == 42);
}
static NOINLINE void element(region r, int which) deletes {
  cursor c[3] = {0};
  begin_unseen(&c[which], new_node(r));
  DELETE_REFUSED(r);
  CHECK(c[which].at->value == 42);
}
static NOINLINE void array_of_variable_length(region r, int length) deletes {
  cursor c[length];
  for (int i = 0; i < length; i++)
    begin_unseen(&c[i], new_node(r));
  DELETE_REFUSED(r);
  CHECK(look(&c[length - 1]) == 42);
}
static NOINLINE void in_the_callers_frame(region r, cursor *of_caller) deletes {
  cursor c;
  if (of_caller) {
    DELETE_REFUSED(r);
    CHECK(look(of_caller) == 42);
    return;
  }
  begin_unseen(&c, new_node(r));
  in_the_callers_frame(r, &c);
}
static NOINLINE void in_a_number(region r, uintptr_t of_caller) deletes {
  DELETE_REFUSED(r);
  CHECK(look((cursor *)of_caller) == 42);
}
static NOINLINE void set_on_some_ways(cursor *c, node *n) {
  if (n)
    c->at = n;
}
static NOINLINE void perhaps_set_anew(region r, int rounds) deletes {
  cursor c;
  begin(&c, new_node(r));
  DELETE_REFUSED(r);
  for (int i = 0; i < rounds; i++) {
    set_on_some_ways(&c, NULL);
    CHECK(look(&c) == 42);
  }
}
static NOINLINE void after_longjmp(region r) deletes {
  jmp_buf back;
  cursor c;
  begin_unseen(&c, new_node(r));
  if (setjmp(back)) {
    CHECK(look_unseen(&c) == 42);
    return;
  }
  DELETE_REFUSED(r);
  longjmp(back, 1);
}
static NOINLINE void kept_by_the_kernel(region r) deletes {
  cursor c;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = &c}, found;
  int ends[2], queue = epoll_create1(0);
  CHECK(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
  begin_unseen(&c, new_node(r));
  CHECK(epoll_ctl(queue, EPOLL_CTL_ADD, ends[0], &event) == 0);
  event.data.ptr = NULL;
  DELETE_REFUSED(r);
  CHECK(epoll_wait(queue, &found, 1, -1) == 1 && look(found.data.ptr) == 42);
}

int main(void) deletes {
  region r = newregion();
  of_unseen_functions(r);
  of_the_library(r);
  left_as_it_was(r, 10);
  kept_in_a_variable(r);
  kept_by_a_function_of_another_type(r);
  kept_in_memory(r);
  kept_by_way_of_another(r, 0);
  kept_by_way_of_another(r, 1);
  kept_with_what_leads_to_it(r);
  found_by_way_of_another(r);
  one_of_two(r, 1);
  element(r, 2);
  array_of_variable_length(r, 3);
  in_the_callers_frame(r, NULL);
  cursor c;
  begin_unseen(&c, new_node(r));
  in_a_number(r, (uintptr_t)&c);
  perhaps_set_anew(r, 2);
  after_longjmp(r);
  kept_by_the_kernel(r);
  DELETE_ACCEPTED(r);
}

// A structure is copied with parts that were never set.  What an earlier call left in the frame
// there is no reference, and breaks no rule.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

typedef struct text {
  size_t length;
  char *start;
  char name[40];
  union {
    char *pointer;
    long number;
    char bytes[16];
  } more;
} text;
typedef struct small {
  int kind;
  char *start;
} small;
typedef struct linked {
  int kind;
  struct linked *sameregion next;
} linked;

static NOINLINE void leave_in_frame(char *p) {
  char *volatile left[256];
  for (int i = 0; i < 256; i++)
    left[i] = p;
}

/* Functions whose bodies are not in view. */
static void find_part(text *found) {
  found->length = 0;
  strcpy(found->name, "x");
  found->more.bytes[0] = 0;
}
static void (*volatile find_unseen)(text *) = find_part;
static void copy(text *to, const text *from) { *to = *from; }
static void (*volatile copy_unseen)(text *, const text *) = copy;
static void copy_bytes(text *to, const text *from) { memcpy(to, from, sizeof *to); }
static void (*volatile copy_bytes_unseen)(text *, const text *) = copy_bytes;
static text in_memory(void) {
  text t;
  t.length = 1;
  return t;
}
static text (*volatile in_memory_unseen)(void) = in_memory;
static small in_registers(void) {
  small s;
  s.kind = 1;
  return s;
}
static small (*volatile in_registers_unseen)(void) = in_registers;
static void take_small(small given, small *to) { *to = given; }
static void (*volatile take_small_unseen)(small, small *) = take_small;
static void take_text(text given, text *to) { *to = given; }
static void (*volatile take_text_unseen)(text, text *) = take_text;

static NOINLINE void set_by_a_function(text *to) {
  text t;
  find_unseen(&t);
  *to = t;
}
static NOINLINE void copied_by_a_function(text *to) {
  text t;
  t.length = 1;
  copy_unseen(to, &t);
}
static NOINLINE void copied_as_bytes(text *to) {
  text t;
  t.length = 1;
  copy_bytes_unseen(to, &t);
}
static NOINLINE void copied_at_once(text *to) {
  text t, u;
  t.length = 1;
  u = t;
  *to = u;
}
static NOINLINE void chosen(text *to, int which) {
  text t, u;
  t.length = u.length = 1;
  *to = which ? t : u;
}
static NOINLINE void result_in_memory(text *to) { *to = in_memory_unseen(); }
static NOINLINE void result_in_registers(small *to) { *to = in_registers_unseen(); }
static NOINLINE void argument_in_memory(text *to) {
  text t;
  t.length = 1;
  take_text_unseen(t, to);
}
static NOINLINE void argument_in_registers(small *to) {
  small s;
  s.kind = 1;
  take_small_unseen(s, to);
}
static NOINLINE void element(text *to, int which) {
  text t[3];
  for (int i = 0; i < 3; i++)
    t[i].length = 1;
  *to = t[which];
}
static NOINLINE void element_of_dynamic_memory(text *to, int length) {
  text t[length], *u = __builtin_alloca(sizeof *u);
  t[length - 1].length = u->length = 1;
  *to = t[length - 1];
  to[1] = *u;
}
static NOINLINE void set_in_some_rounds(text *to) {
  for (int i = 0; i < 3; i++) {
    text t;
    t.length = 1;
    if (i == 1)
      t.start = NULL;
    *to = t;
  }
}
static const text *lent;
static NOINLINE void lend(const text *t) { lent = t; }
static NOINLINE void copy_lent(text *to) { *to = *lent; }
static NOINLINE void lent_before_it_is_set(text *to) {
  text t;
  lend(&t);
  t.length = 1;
  copy_lent(to);
}
static NOINLINE void with_a_rule(linked *to) {
  linked l;
  l.kind = 1;
  *to = l;
}

#define TRY(call) \
  do { \
    region gone = newregion(); \
    leave_in_frame((char *)((uintptr_t)rstralloc(gone, 4096) + 512 & ~(uintptr_t)255)); \
    call; \
    DELETE_ACCEPTED(gone); \
  } while (0)

int main(void) deletes {
  region kept = newregion();
  text *to = rarrayalloc(kept, 2, text);
  small *s = ralloc(kept, small);
  linked *l = ralloc(kept, linked);
  TRY(set_by_a_function(to));
  TRY(copied_by_a_function(to));
  TRY(copied_as_bytes(to));
  TRY(copied_at_once(to));
  TRY(chosen(to, 1));
  TRY(result_in_memory(to));
  TRY(result_in_registers(s));
  TRY(argument_in_memory(to));
  TRY(argument_in_registers(s));
  TRY(element(to, 1));
  TRY(element_of_dynamic_memory(to, 3));
  TRY(set_in_some_rounds(to));
  TRY(lent_before_it_is_set(to));
  TRY(with_a_rule(l));
  DELETE_ACCEPTED(kept);
}

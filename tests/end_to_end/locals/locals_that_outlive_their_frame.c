// With -facre-locals a variable that ends while memory that goes on points to it ends the program,
// wherever that memory is and however the pointer got there; a pointer that is gone by then, or
// that ends with the variable, does not.
// RUN: %each_level -o %t %s -- -facre-locals
#include "../Inputs/check.h"

#include <setjmp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct item {
  struct item *next, *previous;
  long value;
};

static struct item *global;
static struct item *in_malloc, *in_region;
static jmp_buf back;
static region own;

NOINLINE static void link_to(struct item *from, struct item *to) { from->next = to; }
NOINLINE static void set(struct item **slot, struct item *to) { *slot = to; }
static inline void set_inline(struct item **slot, struct item *to) { *slot = to; }
NOINLINE static struct item *same(struct item *p) { return p; }

NOINLINE static void keep_in_global(int undo) {
  struct item local = {.value = 1};
  set(&global, &local);
  if (undo)
    global = NULL;
}
NOINLINE static void keep_in_malloc(int undo) {
  struct item local = {.value = 1};
  link_to(in_malloc, &local);
  if (undo) {
    free(in_malloc);
    in_malloc = NULL;
  }
}
NOINLINE static void keep_in_region(int undo) {
  struct item local = {.value = 1};
  link_to(in_region, &local);
  if (undo)
    link_to(in_region, in_region);
}
NOINLINE static void keep_for_caller(struct item **result, int undo) {
  struct item local = {.value = 1};
  set(result, &local);
  if (undo)
    set(result, NULL);
}
static inline void keep_for_caller_inline(struct item **result, int undo) {
  struct item local = {.value = 1};
  set_inline(result, &local);
  same(&local);
  if (undo)
    set_inline(result, NULL);
}
NOINLINE static struct item *keep_result(struct item *other, int undo) {
  struct item local = {.value = 1};
  struct item *which = same(undo ? other : &local);
  return which;
}
NOINLINE static void keep_in_block(int undo) {
  for (int i = 0; i < 2; i++) {
    struct item local = {.value = i};
    set(&global, &local);
    if (undo)
      set(&global, NULL);
  }
}
NOINLINE static void keep_element(int n, int undo) {
  struct item locals[n];
  locals[0].value = 1;
  set(&global, locals + n - 1);
  if (undo)
    set(&global, NULL);
}
NOINLINE static void keep_by_copy(int undo) {
  struct item local = {.value = 1}, record = {.next = &local};
  memcpy(in_malloc, same(&record), sizeof record);
  if (undo)
    memset(in_malloc, 0, sizeof *in_malloc);
}
NOINLINE static void keep_argument(struct item local, int undo) {
  struct item parameter[8] = {local};
  set(&global, undo ? NULL : parameter);
}
NOINLINE static void jump_away(int undo) {
  struct item local = {.value = 1};
  set(&global, &local);
  if (undo)
    set(&global, NULL);
  longjmp(back, 1);
}
NOINLINE static void keep_and_jump(int undo) {
  if (!setjmp(back))
    jump_away(undo);
}
static int undo_in_thread;
static void *thread(void *unused) {
  keep_in_malloc(undo_in_thread);
  return unused;
}
NOINLINE static void keep_in_thread(int undo) {
  pthread_t other;
  undo_in_thread = undo;
  if (pthread_create(&other, NULL, thread, NULL) || pthread_join(other, NULL))
    abort();
}
NOINLINE static void keep_exchanged(int undo) {
  struct item local = {.value = 1};
  __atomic_exchange_n(&global, undo ? NULL : same(&local), __ATOMIC_SEQ_CST);
}

NOINLINE static struct item *return_element(int n, struct item *other, int undo) {
  if (n < 0)
    return other;
  struct item locals[n];
  locals[0].value = 1;
  return same(undo ? other : locals + n - 1);
}
NOINLINE static struct item *return_alloca(size_t size, struct item *other, int undo) {
  struct item *made = __builtin_alloca(size);
  made->value = 1;
  return same(undo ? other : made);
}
static inline struct item *return_inline(size_t size, struct item *other, int undo) {
  struct item *made = __builtin_alloca(size);
  return same(undo ? other : made);
}

enum { FORMS = 17 };
static void form(int which, int undo) {
  struct item outer = {.value = 2}, *of_caller = NULL;
  switch (which) {
  case 0: keep_in_global(undo); break;
  case 1: keep_in_malloc(undo); break;
  case 2: keep_in_region(undo); break;
  case 3: keep_for_caller(&of_caller, undo); break;
  case 4: keep_for_caller_inline(&of_caller, undo); break;
  case 5: keep_result(&outer, undo); break;
  case 6: keep_in_block(undo); break;
  case 7: keep_element(3, undo); break;
  case 8: keep_by_copy(undo); break;
  case 9: keep_argument(outer, undo); break;
  case 10: keep_and_jump(undo); break;
  case 11: keep_in_thread(undo); break;
  case 12: keep_exchanged(undo); break;
  case 13: keep_for_caller(&global, undo); break;
  case 14: return_element(3, &outer, undo); break;
  case 15: return_alloca(sizeof outer, &outer, undo); break;
  case 16: return_inline(sizeof outer, &outer, undo); break;
  }
}

/* -- What is no mistake, many times
 * ----------------------------------------------------------------------- */

struct list {
  struct item *first, *last;
};
NOINLINE static void append(struct list *list, struct item *item) {
  item->previous = list->last;
  if (list->last)
    list->last->next = item;
  else
    list->first = item;
  list->last = item;
}
/* Variables of one frame, and of callees, that refer to each other. */
NOINLINE static long together(struct item *outer, int depth) {
  struct item one = {.value = 1}, two = {.value = 2}, *chain = outer;
  struct list list = {NULL, NULL};
  append(&list, &one);
  append(&list, &two);
  {
    struct item three = {.value = 3};
    struct list inner = {NULL, NULL};
    append(&inner, &three);
    set(&chain, &three);
    CHECK(inner.first == &three);
  }
  set(&chain, &one);
  one.previous = outer;
  return depth ? together(&one, depth - 1) + list.first->value : list.last->value;
}
/* Objects that point to a variable and go before it does. */
NOINLINE static void objects_first(void) deletes {
  struct item root = {.value = 0};
  for (int i = 0; i < 5000; i++) {
    struct item *node = malloc(sizeof *node);
    link_to(node, &root);
    set(&global, &root);
    CHECK(node->next == global);
    free(node);
  }
  struct item *moved = malloc(sizeof *moved);
  link_to(moved, &root);
  moved = realloc(moved, 4096);
  CHECK(moved && moved->next == &root);
  free(moved);
  region r = newregion();
  for (int i = 0; i < 5000; i++)
    link_to(ralloc(r, struct item), &root);
  deleteregion(r);
  set(&global, NULL);
}

static bool survives(int which, int undo) {
  pid_t child = fork();
  if (child == 0) {
    close(2);
    form(which, undo);
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) || WTERMSIG(status) == SIGABRT);
  return WIFEXITED(status);
}

int main(void) {
  own = newregion();
  in_region = ralloc(own, struct item);
  in_malloc = calloc(1, sizeof *in_malloc);
  for (int i = 0; i < 100; i++)
    objects_first();
  together(NULL, 50);
  for (int which = 0; which < FORMS; which++) {
    if (survives(which, 0))
      fprintf(stderr, "form %d is not refused\n", which), abort();
    if (!survives(which, 1))
      fprintf(stderr, "form %d is refused without reason\n", which), abort();
  }
  return 0;
}

// With -facre-locals a pointer to a variable that ends with main is no mistake wherever it is, and
// one to a variable of a block of main is, though that lay where the other lies now.
// RUN: %each_level -o %t %s -- -facre-locals
#include "../Inputs/check.h"

#include <sys/wait.h>
#include <unistd.h>

struct state {
  struct state *self;
  long values[100];
};

static struct state *global;

NOINLINE static void set(struct state **slot, struct state *to) { *slot = to; }

NOINLINE static void fill_objects(struct state *state) {
  for (int i = 0; i < 10000; i++) {
    struct state *object = malloc(sizeof *object);
    set(&object->self, state);
    CHECK(object->self == state);
    if (i % 2)
      free(object);
  }
}

static bool survives(pid_t child) {
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) || WTERMSIG(status) == SIGABRT);
  return WIFEXITED(status);
}

/* The value stays in the slot when the block ends; or it does not. */
#define BLOCK(undo)                                                                                \
  do {                                                                                             \
    pid_t child = fork();                                                                          \
    if (child)                                                                                     \
      CHECK(survives(child) == undo);                                                              \
    else {                                                                                         \
      close(2);                                                                                    \
      {                                                                                            \
        struct state inner = {.self = NULL};                                                       \
        set(&global, &inner);                                                                      \
        if (undo)                                                                                  \
          set(&global, NULL);                                                                      \
      }                                                                                            \
      fork_is_over();                                                                              \
    }                                                                                              \
  } while (0)
NOINLINE static void fork_is_over(void) { _exit(0); }

int main(int count, char **arguments) {
  BLOCK(false);
  BLOCK(true);
  if (count > 1) {
    struct state *again = global;
    CHECK(again && again->self == again);
    return 0;
  }
  struct state state = {.self = NULL};
  set(&state.self, &state);
  set(&global, &state);
  fill_objects(&state);
  CHECK(main(2, arguments) == 0);
  BLOCK(false);
  BLOCK(true);
  set(&global, &state);
  return 0;
}

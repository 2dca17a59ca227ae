// The words of a copy that are stored again at once are counted as they are then, the others as
// the copy left them, whether the new object was allocated or used before.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

typedef struct token token;
struct token {
  token *next;
  unsigned kind, length;
  union {
    char text[40];
    struct {
      char before[32];
      void *end;
    } part;
  } value;
  token *last;
};

static region mine, other;
static token *recycled;

static token *take(void) {
  token *taken = recycled;
  if (!taken)
    return ralloc(mine, token);
  recycled = taken->next;
  taken->next = NULL;
  return taken;
}

static NOINLINE token *copy(const token *of, token *next, token *last) {
  token *made = take();
  memcpy(made, of, sizeof *of);
  made->next = next;
  made->last = last;
  return made;
}

static NOINLINE token *copy_and_look(const token *of, token *next) {
  token *made = take();
  memcpy(made, of, sizeof *of);
  token *seen = made->next;
  made->next = next;
  return seen;
}

static NOINLINE void give_back(token *of) {
  of->next = recycled;
  recycled = of;
}

static void run(void) deletes {
  mine = newregion(), other = newregion();
  token *inside = ralloc(mine, token), *outside = ralloc(other, token);
  token *model = ralloc(mine, token);
  /* Both ends of the model are external, and are replaced by what is internal. */
  model->next = model->last = outside;
  token *made = copy(model, inside, inside);
  model->next = model->last = NULL;
  CHECK(made->next == inside);
  CHECK_COUNT(other, 0);
  /* The middle is external, and stays. */
  model->value.part.end = outside;
  token *kept = copy(model, inside, NULL);
  CHECK_COUNT(other, 2);
  model->value.part.end = NULL;
  DELETE_REFUSED(other);
  kept->value.part.end = NULL;
  CHECK_COUNT(other, 0);
  /* What replaces an internal end is external; then the object is used again. */
  token *bound = copy(model, outside, outside);
  CHECK_COUNT(other, 2);
  bound->last = NULL;
  bound->next = NULL;
  give_back(bound);
  CHECK_COUNT(other, 0);
  model->last = outside;
  CHECK(copy(model, inside, inside) == bound);
  CHECK_COUNT(other, 1);
  model->next = outside;
  CHECK(copy_and_look(model, NULL) == outside);
  model->next = model->last = NULL;
  CHECK_COUNT(other, 1);
  inside = outside = model = made = kept = bound = NULL;
  DELETE_REFUSED(other);
  DELETE_ACCEPTED(mine);
  DELETE_ACCEPTED(other);
}

int main(void) deletes {
  for (int i = 0; i < 2; i++)
    run();
  return 0;
}

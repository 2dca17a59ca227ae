// -facre-locals ended correct programs: the address of a variable that had gone to a register was
// null in the list of those that end, and so was a slot that had been reset; a structure returned
// in memory seemed to outlive its own function; a head of a list that the catcher of a longjmp
// restores was judged before; and so was a block that had been resized and freed.
// RUN: %each_level -o %t %s -- -facre-locals
// RUN: %each_level -o %t %s -- -facre-safe
#include "../end_to_end/Inputs/check.h"
#include <setjmp.h>

static const char *word(const char *p, size_t *length) {
  *length = strcspn(p, " ");
  return *p ? p : NULL;
}

NOINLINE static size_t letters(const char **slot, const char *p) {
  char copy[64];
  size_t sum = 0;
  strcpy(copy, p);
  *slot = copy;
  for (;;) {
    size_t length;
    p = word(p, &length);
    if (!p)
      break;
    p += length;
    while (*p == ' ')
      p++;
    sum += length;
  }
  *slot = NULL;
  return sum + (copy[0] != 'a');
}

struct list {
  int count, values[4];
};
struct iterator {
  struct list *of;
  long at, step;
};
NOINLINE static struct iterator begin(struct list *of) { return (struct iterator){of, 0, 1}; }

NOINLINE static int sum_of_list(void) {
  struct list list = {4, {1, 2, 3, 4}};
  int sum = 0;
  for (struct iterator i = begin(&list); i.at < i.of->count; i.at += i.step)
    sum += i.of->values[i.at];
  return sum;
}

struct handler {
  struct handler *outer;
};
static struct handler *handlers;
static jmp_buf caught;

NOINLINE static void nest(int depth) {
  struct handler own = {handlers};
  handlers = &own;
  if (depth == 0)
    longjmp(caught, 1);
  nest(depth - 1);
  handlers = own.outer;
}

NOINLINE static int catch(void) {
  struct handler *saved = handlers;
  if (setjmp(caught) == 0) {
    nest(3);
    return 0;
  }
  handlers = saved;
  return 1;
}

struct reader {
  void *input;
  jmp_buf failed;
};

NOINLINE static void read_with(struct reader *r) {
  char buffer[16] = {0};
  r->input = buffer;
  longjmp(r->failed, 1);
}

NOINLINE static int read_in_vain(void) {
  struct reader *volatile r = calloc(1, sizeof *r);
  if (setjmp(r->failed)) {
    free(r);
    return 1;
  }
  read_with(r);
  return 0;
}

NOINLINE static int resize(void) {
  int x = 6;
  int **block = malloc(2 * sizeof *block);
  block[0] = block[1] = &x;
  block = realloc(block, 1 << 16);
  int result = *block[1];
  free(block);
  return result;
}

int main(void) {
  const char *slot;
  for (int i = 0; i < 3; i++) {
    CHECK(letters(&slot, "a bb ccc") == 6);
    CHECK(sum_of_list() == 10);
    CHECK(catch() == 1 && !handlers);
    CHECK(read_in_vain() == 1);
    CHECK(resize() == 6);
  }
  return 0;
}

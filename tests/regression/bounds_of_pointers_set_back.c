// A pointer that left its object for a moment and was set back before it was used ended the
// program: where two ways met, by which it came from two loads of one pointer, and at -O0 in every
// local. The matcher of regular expressions that grep, sed, gawk and m4 have does so.
// RUN: %each_level -o %t %s -- -facre-malloc=collected -facre-bounds
#include "../end_to_end/Inputs/check.h"

#include <sys/wait.h>
#include <unistd.h>

struct text {
  const unsigned char *raw;
  long from;
  int width;
};

NOINLINE static int back(struct text *s, int offset) {
  const unsigned char *raw = s->raw + s->from, *p, *end;
  end = raw + (offset - s->width);
  if (end < s->raw)
    end = s->raw;
  for (p = raw + offset - 1; p >= end; --p)
    if ((*p & 0xc0) != 0x80)
      return (int)(p - raw);
  return -1;
}
NOINLINE static int clamp(const char *base, long at) {
  const char *p = base + at;
  if (p < base)
    p = base;
  return *p;
}
NOINLINE static int fits(const char *p, const char *end, size_t size) {
  const char *behind = p + size;
  return behind <= end;
}
NOINLINE static int sum_down(const int *a, int count) {
  int sum = 0;
  for (const int *p = a + count - 1; p >= a; p--)
    sum += *p;
  for (const int *p = a + count; --p >= a;)
    sum += *p;
  return sum;
}
NOINLINE static const char *some(const char *p, long at, int is_known) {
  const char *found;
  if (is_known)
    found = p + at;
  return is_known > 1 ? found : p;
}

/* What is used, or goes on, is still checked. */
NOINLINE static int use(const char *a, const char *b, int is_a, long at) {
  const char *p = is_a ? a + at : b;
  return *p;
}
NOINLINE static int use_round(const char *a, long count) {
  int sum = 0;
  const char *p = count & 1 ? a + 1 : a;
  for (long i = 0; i < count; i++)
    sum += *p++;
  return sum;
}
static const char *volatile global;
NOINLINE static void keep(const char *a, long at) {
  const char *p = a + at;
  if (at == 1000)
    p = a;
  global = p;
}

static bool ends(void (*run)(char *), char *memory) {
  const pid_t child = fork();
  if (child == 0) {
    close(2);
    run(memory);
    _exit(0);
  }
  int status;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status);
}
static void use_before(char *m) { use(m, m, 1, -3); }
static void use_behind(char *m) { use(m, m, 1, 16); }
static void use_rounds(char *m) { use_round(m, 17); }
static void keep_before(char *m) { keep(m, -1); }

int main(void) {
  char *m = calloc(16, 1);
  int *numbers = malloc(10 * sizeof *numbers);
  for (int i = 0; i < 10; i++)
    numbers[i] = i;
  struct text s = {(unsigned char *)memset(m, 'a', 16), 0, 6};
  CHECK(back(&s, 4) == 3 && back(&s, 0) == -1);
  CHECK(clamp(m, -2) == 'a' && clamp(m, 3) == 'a');
  CHECK(fits(m, m + 16, 16) && !fits(m, m + 16, 100));
  CHECK(sum_down(numbers, 10) == 90);
  CHECK(some(m, 100, 0) == m && some(m, 100, 1) == m && some(m, 2, 2) == m + 2);
  CHECK(use(m, m, 1, 15) == 'a' && use_round(m, 16) == 16 * 'a');
  keep(m, 1000);
  keep(m, 16);
  CHECK(ends(use_before, m) && ends(use_behind, m));
  CHECK(ends(use_rounds, m) && ends(keep_before, m));
  return 0;
}

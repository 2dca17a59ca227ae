// What ports of C programs to owners need: it compiles without a warning.  Each has a wrong twin in
// ported_programs_rejected.c.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Werror %s
#include <acre/own.h>
#include <glob.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

void *unique checked_malloc(size_t count, size_t size);
void checked_free(void *unique p);

struct image {
  int planes, layers;
  unsigned char *unique *unique rows[2];
  int *unique *unique *unique counts;
  int *unique sizes;
};

// A wrapper of malloc whose result has no type makes memory with nothing in it, as malloc does.
void make_counts(struct image *borrowed s) {
  checked_free(acre_swap(&s->counts, (int *unique *unique *unique)checked_malloc(
                                         (size_t)s->planes, sizeof *s->counts)));
  for (int i = 0; i < s->planes; i++) {
    s->counts[i] = (int *unique *unique)checked_malloc((size_t)s->layers, sizeof **s->counts);
    for (int j = 0; j < s->layers; j++)
      s->counts[i][j] = NULL;
  }
}

// Which of two arrays that were just made it is, a number tells.
void make_rows(struct image *borrowed s, int plane) {
  free(acre_swap(&s->rows[0], malloc((size_t)s->planes * sizeof *s->rows[0])));
  free(acre_swap(&s->rows[1], malloc((size_t)s->planes * sizeof *s->rows[1])));
  s->rows[s->layers & 1][plane] = malloc(10);
}

// A wrapper of free takes arrays of owners as free does.
void end_sizes(struct image *borrowed s) {
  checked_free(acre_take(&s->counts));
  checked_free(acre_take(&s->sizes));
}

// What hangs on one owning field stays lent while a slot below another one is set.
int count_all(struct image *borrowed s, int plane) {
  int *size = s->sizes + plane;
  if (s->counts[plane][0] != NULL)
    return 0;
  s->counts[plane][0] = malloc(10);
  return *size;
}

// Null with a cast, as old programs have it.
int readable(const char *name) {
  FILE *unique in = fopen(name, "r");
  if (in == (FILE *)0)
    return 0;
  fclose(in);
  in = (FILE *)NULL;
  return 1;
}

// A plain pointer that was given away as the only one may get another value, or lend what an owner
// has of it.
struct pair {
  int value;
  struct pair *next;
};
void end_all(struct pair *p) {
  while (p) {
    struct pair *next = p->next;
    free((struct pair *unique)p);
    p = next;
  }
}
int value_of(struct pair *p) {
  struct pair *unique mine = (struct pair *unique)p;
  int value = p->value;
  free(mine);
  return value;
}

// A flag says across setjmp what is open.
extern sigjmp_buf interrupted;
void show_all(const char *pattern) {
  glob_t found;
  volatile int is_open = 0;
  if (glob(pattern, 0, NULL, &found))
    return;
  is_open = 1;
  if (sigsetjmp(interrupted, 1))
    goto out;
  for (size_t i = 0; i < found.gl_pathc; i++)
    puts(found.gl_pathv[i]);
out:
  if (is_open) {
    is_open = 0;
    globfree(&found);
  }
}

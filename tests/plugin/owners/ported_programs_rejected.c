// The wrong twins of ported_programs_accepted.c.
// RUN: not %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>

void *unique checked_malloc(size_t count, size_t size);
void *unique checked_realloc(void *unique p, size_t size);
char *unique *unique words_of(const char *borrowed text);
void show(void *p);
char *plain_text(void);

struct image {
  int planes, layers;
  unsigned char *unique *unique rows[2];
  int *unique *unique *unique counts;
  int *unique sizes;
  char *unique *unique words;
};

// Memory that grows holds what it held.
void grow_rows(struct image *borrowed s, size_t size) {
  s->rows[0] = (unsigned char *unique *unique)checked_realloc(acre_take(&s->rows[0]), size);
  // CHECK: :[[@LINE+1]]:{{.*}} warning: 's->rows[0][0]' may be overwritten
  s->rows[0][0] = malloc(10);
}

// A function with a type for its result may have filled it.
void change_words(struct image *borrowed s) {
  free(acre_swap(&s->words, words_of("a b")));
  // CHECK: :[[@LINE+1]]:{{.*}} warning: 's->words[0]' may be overwritten
  s->words[0] = malloc(10);
}

// The other array was not made here.
void make_row(struct image *borrowed s, int plane) {
  free(acre_swap(&s->rows[0], malloc((size_t)s->planes * sizeof *s->rows[0])));
  // CHECK: :[[@LINE+1]]:{{.*}} warning: 's->rows[1][plane]' may be overwritten
  s->rows[1][plane] = malloc(10);
}

// What is only shown stays: who has it as void * may write over its owners.
void show_counts(struct image *borrowed s) {
  // CHECK: :[[@LINE+1]]:{{.*}} warning: passing {{.*}} hides the annotation
  show(acre_unowned(s->counts));
}

// What hangs below the field that is set ends.
int *first(struct image *borrowed s) {
  int *count = s->counts[0][0];
  free(acre_swap(&s->counts[0][0], NULL));
  // CHECK: :[[@LINE+1]]:{{.*}} error: 'count' is used after {{.*}} [ACRE-U006]
  return acre_unowned(count);
}

int readable(const char *name) {
  FILE *unique in = fopen(name, "r");
  if (in != (FILE *)0)
    // CHECK: :[[@LINE+1]]:{{.*}} warning: 'in' is lost
    return 0;
  return 1;
}

// A cast to unique says that nobody else has the pointer: given away, it is used no more.
int end_plain(char *text) {
  free((char *unique)text);
  // CHECK: :[[@LINE+1]]:{{.*}} error: 'text' is used after {{.*}} [ACRE-U006]
  return *text;
}
void end_twice(void) {
  char *text = plain_text();
  free((void *unique)text);
  // CHECK: :[[@LINE+1]]:{{.*}} error: 'text' is used after {{.*}} [ACRE-U006]
  free((void *unique)text);
}

// A structure that is set as a whole loses what it owns, and what it lent is used no more.
struct names {
  char *unique first;
  char *unique last;
};
struct person {
  struct names of;
};
char letter_of(struct person *borrowed p) {
  const char *first = p->of.first;
  // CHECK: :[[@LINE+1]]:{{.*}} warning: 'p->of.first' may be overwritten
  p->of = (struct names){0};
  // CHECK: :[[@LINE+1]]:{{.*}} error: 'first' is used after {{.*}} [ACRE-U006]
  return *first;
}

// A function that lets getline or asprintf set a slot of what it is given was taken to free
// nothing: what it had lent of that slot could be used after the next call of it.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#define _GNU_SOURCE 1
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  FILE *unique in;
  char *unique line;
  size_t room;
};

static char *borrowed next_line(struct reader *borrowed r) {
  return getline(&r->line, &r->room, r->in) > 0 ? r->line : NULL;
}
static void read_line(struct reader *borrowed r) { (void)getline(&r->line, &r->room, r->in); }
static size_t first_line(FILE *in) {
  char *unique line = NULL;
  size_t room = 0, size = getline(&line, &room, in) > 0 ? strlen(line) : 0;
  free(line);
  return size;
}

int are_alike(struct reader *borrowed r) {
  char *before = next_line(r);
  char *line = next_line(r); // expected-note {{lost here}}
  // expected-error@+1 {{'before' is used after 'r', which it was borrowed from, was consumed}}
  return before && line && strcmp(before, line) == 0;
}
size_t is_kept(struct reader *r) {
  char *before = r->line;
  read_line(r); // expected-note {{lost here}}
  // expected-error@+1 {{'before' is used after 'r', which it was borrowed from, was consumed}}
  return strlen(before);
}

// What it reads into a line of its own is nothing to others.
size_t is_other(struct reader *r) {
  char *before = r->line;
  return before ? first_line(r->in) + strlen(before) : 0;
}
size_t is_copied(struct reader *borrowed r) {
  char *unique before = next_line(r) ? strdup(r->line) : NULL;
  char *line = next_line(r);
  const size_t size = before && line ? strlen(before) + strlen(line) : 0;
  free(before);
  return size;
}

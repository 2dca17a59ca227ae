// A truth that was compared with a test told nothing of what the test is about.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct screen {
  char *unique shown, *unique saved;
};

void alternate(struct screen *borrowed s, bool is_on, const char *text) {
  if (is_on == (s->saved != NULL))
    return;
  if (is_on)
    s->saved = acre_swap(&s->shown, strdup(text));
  else
    free(acre_swap(&s->shown, acre_take(&s->saved)));
}
void alternate_lost(struct screen *borrowed s, bool is_on, const char *text) {
  if (is_on != (s->saved != NULL))
    return;
  if (is_on)
    s->saved = strdup(text); // expected-warning {{'s->saved' may be overwritten}}
}

// A stream of memory that is opened on one way alone.
char *unique written(FILE *borrowed in) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = in ? open_memstream(&text, &size) : NULL;
  if (!out)
    return text;
  fputs("text", out);
  fclose(out);
  return text;
}

// realloc to 0 bytes frees and answers null, which was taken to say that it had failed: what was
// freed could be freed again.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>

void freed_again(void) {
  char *unique p = malloc(8);
  char *unique q = realloc(p, 0);
  if (!q) {
    free(p); // expected-error {{'p' is used after it was consumed}}
    return;
  }
  free(q);
}

void freed_once(void) {
  char *unique p = malloc(8);
  char *unique q = realloc(p, 0);
  free(q);
}

void freed_in_place(void) {
  char *unique p = malloc(8);
  p = realloc(p, 0);
  if (p)
    free(p);
}

int still_there_if_it_fails(size_t size) {
  char *unique p = malloc(8);
  char *unique q = realloc(p, size);
  if (!q) {
    free(p);
    return 0;
  }
  free(q);
  return 1;
}

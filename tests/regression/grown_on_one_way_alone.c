// A slot that realloc grows in one side of a choice was said to be overwritten by the result.
// RUN: %frontend -fsyntax-only -Werror %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct list {
  char *unique *unique words;
  size_t count;
};

int add(struct list *borrowed l, const char *word) {
  char *unique copy = strdup(word);
  char *unique *unique more = copy ? realloc(l->words, (l->count + 1) * sizeof *more) : NULL;
  if (!more) {
    free(copy);
    return -1;
  }
  l->words = more;
  l->words[l->count++] = copy;
  return 0;
}

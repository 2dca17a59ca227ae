/* SPDX-License-Identifier: MIT */
/* text.c - text is built from pieces, as scripts and templates do: words are copied, joined to
 * lines, lines to a page that grows with realloc; the words of a page and the page are freed.
 */
#include "shape.h"

enum { WORDS = 12, LINES = 100 };

static char *make_word(uint64_t *random) {
  char word[32];
  size_t size = size_between(random, 1, 14);
  for (size_t i = 0; i < size; i++)
    word[i] = (char)('a' + next_random(random) % 26);
  word[size] = 0;
  return strdup(word);
}

static char *join(char *text, const char *more, const char *between) {
  size_t size = text ? strlen(text) : 0, added = strlen(more), gap = size ? strlen(between) : 0;
  char *joined = malloc(size + gap + added + 1);
  memcpy(joined, text ? text : "", size);
  memcpy(joined + size, between, gap);
  memcpy(joined + size + gap, more, added + 1);
  free(text);
  return joined;
}

static char *make_line(uint64_t *random) {
  char *line = NULL;
  for (int i = 0; i < WORDS; i++) {
    char *word = make_word(random);
    line = join(line, word, " ");
    free(word);
  }
  return line;
}

int main(int argc, char **argv) {
  size_t pages = number_of(argc, argv, 2, 400000) / LINES, sum = 0;
  uint64_t random = 1;
  for (size_t i = 0; i < pages; i++) {
    char *page = NULL;
    size_t size = 0;
    for (int j = 0; j < LINES; j++) {
      char *line = make_line(&random);
      size_t added = strlen(line);
      page = realloc(page, size + added + 2);
      memcpy(page + size, line, added);
      size += added;
      page[size++] = '\n';
      page[size] = 0;
      free(line);
    }
    sum += strlen(page);
    free(page);
  }
  return report(sum);
}

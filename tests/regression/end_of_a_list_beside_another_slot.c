// A pointer to the end of a list was lost when another slot of its object was changed.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct word {
  struct word *unique next;
  char *unique text;
  int is_first;
};
struct command {
  struct word *unique firsts, *unique words;
  char *unique name;
};
struct word *unique word_new(const char *borrowed text);

void split(struct command *borrowed c) {
  struct word *unique *end = &c->firsts;
  while (*end)
    end = &(*end)->next;
  while (c->words && c->words->is_first) {
    struct word *unique w = acre_take(&c->words);
    c->words = acre_take(&w->next);
    *end = w;
    end = &(*end)->next;
  }
}

struct command *unique command_read(const char *text) {
  struct command *unique c = calloc(1, sizeof *c);
  struct word *unique *last = c ? &c->words : NULL;
  for (; c && *text; text++) {
    if (*text == ':') {
      free(acre_swap(&c->name, strdup(text)));
      continue;
    }
    struct word *unique w = word_new(text);
    if (!w)
      break;
    *last = w;
    last = &(*last)->next;
  }
  return c;
}

// What hangs on the same slot is lost as before.
void split_wrong(struct command *borrowed c) {
  struct word *unique *end = &c->words;
  while (*end)
    end = &(*end)->next;
  struct word *unique w = acre_take(&c->words); // expected-note {{lost here}}
  if (w)
    *end = w; // expected-error {{'end' is used after 'c'}}
}

// A place that is emptied after it got another name.
int words_of(const char *text, struct word *unique *acre_out borrowed list) {
  struct word *unique *end = list;
  *list = NULL;
  for (; *text; text++) {
    struct word *unique w = word_new(text);
    if (!w)
      return -1;
    *end = w;
    end = &(*end)->next;
  }
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* vocabulary.h - the words of a text, each one object: words are equal if their addresses are. */
#ifndef TILE_VOCABULARY_H
#define TILE_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory.h"

struct word {
  struct word *sameregion next; /* in its bucket */
  char *sameregion spelling;    /* without ending */
  uint32_t hash;
  uint32_t number; /* in the order of first occurrence */
};

struct vocabulary {
  uint32_t bucket_count, word_count; /* bucket_count is a power of two */
  struct word *sameregion *sameregion buckets;
};

/* An empty vocabulary, in r, as are all its words. */
struct vocabulary *inregion(r) vocabulary_new(region r);
void vocabulary_release(struct vocabulary *vocabulary);
/* The word of that spelling, added if it is new. */
struct word *inregion(vocabulary) vocabulary_word(struct vocabulary *vocabulary,
                                                  const char *spelling, size_t length);
bool vocabulary_contains(const struct vocabulary *vocabulary, const char *spelling, size_t length);

/* The words that say nothing about the subject of a text.  Made at the first call, for the whole
 * run. */
const struct vocabulary *stop_words(void);
void stop_words_release(void);

/* The length of a word in small letters without its ending: plurals, -ed, -ing, -ly. */
size_t stem_length(const char *spelling, size_t length);

#endif

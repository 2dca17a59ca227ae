/* SPDX-License-Identifier: MIT */
#include "vocabulary.h"

#include <string.h>

enum { FIRST_BUCKETS = 64, STEM_MIN = 3 };

struct vocabulary *inregion(r) vocabulary_new(region r) {
  struct vocabulary *vocabulary = NEW(r, struct vocabulary);
  vocabulary->bucket_count = FIRST_BUCKETS;
  vocabulary->buckets = NEW_ARRAY(r, vocabulary->bucket_count, struct word *sameregion);
  return vocabulary;
}

void vocabulary_release(struct vocabulary *vocabulary) {
  if (!IS_RELEASE_NEEDED)
    return;
  for (uint32_t i = 0; i < vocabulary->bucket_count; i++) {
    for (struct word *word = vocabulary->buckets[i], *next; word; word = next) {
      next = word->next;
      RELEASE(word->spelling);
      RELEASE(word);
    }
  }
  RELEASE(vocabulary->buckets);
  RELEASE(vocabulary);
}

static uint32_t hash_of(const char *spelling, size_t length) {
  uint32_t hash = 0x811c9dc5;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)spelling[i]) * 0x01000193;
  return hash ^ hash >> 15;
}

static struct word *find(const struct vocabulary *vocabulary, const char *spelling, size_t length,
                         uint32_t hash) {
  struct word *word = vocabulary->buckets[hash & (vocabulary->bucket_count - 1)];
  while (word && !(word->hash == hash && strncmp(word->spelling, spelling, length) == 0 &&
                   !word->spelling[length]))
    word = word->next;
  return word;
}

static void link_word(struct vocabulary *vocabulary, struct word *word) {
  uint32_t bucket = word->hash & (vocabulary->bucket_count - 1);
  word->next = vocabulary->buckets[bucket];
  vocabulary->buckets[bucket] = word;
}

static void double_buckets(struct vocabulary *vocabulary) {
  struct word *sameregion *old = vocabulary->buckets;
  uint32_t old_count = vocabulary->bucket_count;
  vocabulary->bucket_count *= 2;
  vocabulary->buckets =
      NEW_ARRAY(REGION_OF(vocabulary), vocabulary->bucket_count, struct word *sameregion);
  for (uint32_t i = 0; i < old_count; i++) {
    for (struct word *word = old[i], *next; word; word = next) {
      next = word->next;
      link_word(vocabulary, word);
    }
  }
  RELEASE(old);
}

struct word *inregion(vocabulary) vocabulary_word(struct vocabulary *vocabulary,
                                                  const char *spelling, size_t length) {
  uint32_t hash = hash_of(spelling, length);
  struct word *word = find(vocabulary, spelling, length, hash);
  if (word)
    return word;
  if (vocabulary->word_count == vocabulary->bucket_count)
    double_buckets(vocabulary);
  word = NEW(REGION_OF(vocabulary), struct word);
  word->spelling = NEW_NUMBERS(REGION_OF(vocabulary), length + 1, char);
  memcpy(word->spelling, spelling, length);
  word->spelling[length] = '\0';
  word->hash = hash;
  word->number = vocabulary->word_count++;
  link_word(vocabulary, word);
  return word;
}

bool vocabulary_contains(const struct vocabulary *vocabulary, const char *spelling, size_t length) {
  return find(vocabulary, spelling, length, hash_of(spelling, length)) != NULL;
}

static struct vocabulary *the_stop_words;

const struct vocabulary *stop_words(void) {
  static const char *const spellings[] = {
      "a",     "about", "after",  "all",  "an",   "and",    "any",   "are",  "as",   "at",
      "be",    "been",  "before", "but",  "by",   "can",    "could", "did",  "do",   "for",
      "from",  "had",   "has",    "have", "he",   "her",    "him",   "his",  "how",  "i",
      "if",    "in",    "into",   "is",   "it",   "its",    "may",   "me",   "more", "most",
      "must",  "my",    "no",     "not",  "now",  "of",     "on",    "one",  "only", "or",
      "other", "our",   "out",    "over", "she",  "should", "so",    "some", "such", "than",
      "that",  "the",   "their",  "them", "then", "there",  "these", "they", "this", "those",
      "to",    "under", "up",     "upon", "us",   "was",    "we",    "were", "what", "when",
      "where", "which", "while",  "who",  "will", "with",   "would", "you",  "your"};
  if (!the_stop_words) {
    the_stop_words = vocabulary_new(permanent_region);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
      vocabulary_word(the_stop_words, spellings[i], strlen(spellings[i]));
  }
  return the_stop_words;
}

void stop_words_release(void) {
  if (the_stop_words)
    vocabulary_release(the_stop_words);
  the_stop_words = NULL;
}

static bool ends_with(const char *spelling, size_t length, const char *ending,
                      size_t ending_length) {
  return length >= ending_length + STEM_MIN &&
         memcmp(spelling + length - ending_length, ending, ending_length) == 0;
}

size_t stem_length(const char *spelling, size_t length) {
  static const char *const endings[] = {"ing", "ed", "ly", "es", "s"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t ending_length = strlen(endings[i]);
    if (ends_with(spelling, length, endings[i], ending_length) &&
        !ends_with(spelling, length, "ss", 2))
      return length - ending_length;
  }
  return length;
}

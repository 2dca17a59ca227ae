/* SPDX-License-Identifier: MIT */
#include "prose.h"

#include <string.h>

#include "random.h"

enum {
  SUBJECTS = 60,
  SUBJECT_WORDS = 90,
  GENERAL_WORDS = 500,
  SEGMENTS_MIN = 6,
  PARAGRAPHS_MIN = 3,
  SENTENCES_MIN = 3,
};

static void put(struct text *text, const char *string) { text_append_string(text, string); }

/* Small numbers are likely, as with the ranks of words in real texts. */
static uint32_t choose_rank(uint64_t *state, uint32_t limit) {
  uint32_t first = random_below(state, limit), second = random_below(state, limit);
  return first < second ? first : second;
}

/* A word for each number, of two to four syllables. */
static void put_word(struct text *text, uint32_t number) {
  static const char onsets[] = "bdfgklmnprstvz", vowels[] = "aeiou", codas[] = "lmnrtk";
  uint64_t state = random_seed(3, number);
  char word[16];
  size_t length = 0;
  for (uint32_t i = 2 + random_below(&state, 3); i > 0; i--) {
    word[length++] = onsets[random_below(&state, sizeof onsets - 1)];
    word[length++] = vowels[random_below(&state, sizeof vowels - 1)];
    if (random_below(&state, 3) == 0)
      word[length++] = codas[random_below(&state, sizeof codas - 1)];
  }
  text_append(text, word, length);
}

static void put_any_word(struct text *text, uint64_t *state, uint32_t subject) {
  static const char *const common[] = {
      "the", "of", "and", "to", "a",  "in",  "that", "is",  "was", "it",   "for", "with", "as",
      "his", "on", "be",  "at", "by", "had", "not",  "are", "but", "from", "or",  "have"};
  static const char *const endings[] = {"", "", "", "", "s", "ed", "ing"};
  uint32_t kind = random_below(state, 100);
  if (kind < 45) {
    put(text, common[choose_rank(state, sizeof common / sizeof *common)]);
    return;
  }
  put_word(text, kind < 75
                     ? choose_rank(state, GENERAL_WORDS)
                     : GENERAL_WORDS + subject * SUBJECT_WORDS + choose_rank(state, SUBJECT_WORDS));
  put(text, endings[random_below(state, sizeof endings / sizeof *endings)]);
}

static void put_paragraph(struct text *text, uint64_t *state, uint32_t subject) {
  uint32_t column = 0;
  for (uint32_t sentences = SENTENCES_MIN + random_below(state, 5); sentences > 0; sentences--) {
    for (uint32_t words = 6 + random_below(state, 16); words > 0; words--) {
      put_any_word(text, state, subject);
      put(text, words > 1 ? random_below(state, 10) ? " " : ", " : ".");
      if (++column % 14 == 0)
        put(text, "\n");
    }
    put(text, " ");
  }
  put(text, "\n\n");
}

void prose_write(struct text *text, uint32_t document, struct prose_truth *truth) {
  uint64_t state = random_seed(4, document);
  uint32_t paragraphs = 0, subject = 0;
  truth->count = 0;
  uint32_t segments = SEGMENTS_MIN + random_below(&state, PROSE_SEGMENTS_MAX - SEGMENTS_MIN);
  for (uint32_t i = 0; i < segments; i++) {
    if (i > 0)
      truth->after_paragraph[truth->count++] = paragraphs;
    subject = (subject + 1 + random_below(&state, SUBJECTS - 1)) % SUBJECTS;
    uint32_t count = PARAGRAPHS_MIN + random_below(&state, 4);
    for (uint32_t j = 0; j < count; j++)
      put_paragraph(text, &state, subject);
    paragraphs += count;
  }
}

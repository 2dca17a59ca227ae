/* SPDX-License-Identifier: MIT */
#include "document.h"

#include <ctype.h>

enum { FIRST_PARAGRAPHS = 32, WORD_LENGTH_MAX = 64 };

static struct entry *new_entry(region r, struct word *word, uint32_t count, struct entry *next) {
  struct entry *entry = NEW(r, struct entry);
  entry->word = word;
  entry->count = count;
  entry->next = next;
  return entry;
}

struct entry *inregion(r) entries_add(region r, struct entry *inregion(r) entries,
                                      struct word *inparent(r) word) {
  struct entry *before = NULL, *after = entries;
  for (; after && after->word->number < word->number; after = after->next)
    before = after;
  if (after && after->word == word) {
    after->count++;
    return entries;
  }
  struct entry *entry = new_entry(r, word, 1, after);
  if (!before)
    return entry;
  before->next = entry;
  return entries;
}

/* Both are sorted: one pass over the two. */
struct entry *inregion(r) entries_add_all(region r, struct entry *inregion(r) entries,
                                          const struct entry *inparent(r) added) {
  struct entry *first = entries, *before = NULL, *after = entries;
  for (; added; added = added->next) {
    for (; after && after->word->number < added->word->number; after = after->next)
      before = after;
    if (after && after->word == added->word) {
      after->count += added->count;
      continue;
    }
    struct entry *entry = new_entry(r, added->word, added->count, after);
    if (before)
      before->next = entry;
    else
      first = entry;
    before = entry;
  }
  return first;
}

void entries_release(struct entry *entries) {
  for (struct entry *next; entries && IS_RELEASE_NEEDED; entries = next) {
    next = entries->next;
    RELEASE(entries);
  }
}

void document_release(struct document *document) {
  if (!IS_RELEASE_NEEDED)
    return;
  for (struct sequence *sequence = document->first, *next; sequence; sequence = next) {
    next = sequence->next;
    entries_release(sequence->entries);
    RELEASE(sequence);
  }
  vocabulary_release(document->vocabulary);
  RELEASE(document->paragraph_ends);
  RELEASE(document);
}

static void add_sequence(region r, struct document *document) {
  struct sequence *sequence = NEW(r, struct sequence);
  if (document->last)
    document->last->next = sequence;
  else
    document->first = sequence;
  document->last = sequence;
  document->sequence_count++;
}

static void add_word(region r, struct document *document, const char *spelling, size_t length) {
  if (document->word_count++ % SEQUENCE_WORDS == 0)
    add_sequence(r, document);
  if (vocabulary_contains(stop_words(), spelling, length))
    return;
  struct word *word =
      vocabulary_word(document->vocabulary, spelling, stem_length(spelling, length));
  struct sequence *sequence = document->last;
  sequence->entries = entries_add(r, sequence->entries, word);
}

static void end_paragraph(region r, struct document *document) {
  uint32_t count = document->paragraph_count;
  if (document->word_count == (count ? document->paragraph_ends[count - 1] : 0))
    return; /* it is empty */
  if (count == document->paragraph_capacity) {
    document->paragraph_capacity *= 2;
    document->paragraph_ends =
        GROW(r, document->paragraph_ends, document->paragraph_capacity, uint32_t);
  }
  document->paragraph_ends[document->paragraph_count++] = document->word_count;
}

/* A word is a run of letters; longer ones are cut.  An empty line ends a paragraph. */
struct document *inregion(r) document_new(region r, const struct text *text) {
  struct document *document = NEW(r, struct document);
  document->vocabulary = vocabulary_new(r);
  document->paragraph_capacity = FIRST_PARAGRAPHS;
  document->paragraph_ends = NEW_NUMBERS(r, FIRST_PARAGRAPHS, uint32_t);
  const char *at = text->bytes, *limit = text->bytes + text->length;
  bool is_line_empty = true;
  while (at < limit) {
    char spelling[WORD_LENGTH_MAX];
    size_t length = 0;
    for (; at < limit && isalpha((unsigned char)*at); at++)
      if (length < sizeof spelling)
        spelling[length++] = (char)tolower((unsigned char)*at);
    if (length > 0) {
      add_word(r, document, spelling, length);
      is_line_empty = false;
    } else if (*at++ == '\n') {
      if (is_line_empty)
        end_paragraph(r, document);
      is_line_empty = true;
    }
  }
  end_paragraph(r, document);
  return document;
}

/* SPDX-License-Identifier: MIT */
/* document.h - a text as Hearst's method sees it: sequences of as many words each, whatever its
 * sentences are. */
#ifndef TILE_DOCUMENT_H
#define TILE_DOCUMENT_H

#include "text.h"
#include "vocabulary.h"

enum { SEQUENCE_WORDS = 20 };

/* How often a word occurs in something. */
struct entry {
  struct entry *sameregion next; /* of a greater word number */
  struct word *parentptr word;
  uint32_t count;
};

struct sequence {
  struct sequence *sameregion next;
  struct entry *sameregion entries;
};

struct document {
  struct vocabulary *sameregion vocabulary;
  struct sequence *sameregion first, *sameregion last;
  uint32_t sequence_count, word_count; /* stop words included */
  /* After how many words the paragraphs end. */
  uint32_t paragraph_count, paragraph_capacity;
  uint32_t *sameregion paragraph_ends;
};

/* In r, with all that belongs to it. */
struct document *inregion(r) document_new(region r, const struct text *text);
void document_release(struct document *document);

/* Adds an occurrence of word, or those that other entries count, to entries, in r.  Returns the new
 * first. */
struct entry *inregion(r) entries_add(region r, struct entry *inregion(r) entries,
                                      struct word *inparent(r) word);
struct entry *inregion(r) entries_add_all(region r, struct entry *inregion(r) entries,
                                          const struct entry *inparent(r) added);
void entries_release(struct entry *entries);

#endif

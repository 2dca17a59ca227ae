/* SPDX-License-Identifier: MIT */
#include "match.h"

enum {
  COMMON_LIMIT = 10, /* what is in more documents says nothing about two of them */
  LINE_GAP = 12,     /* fingerprints of a stretch are at most so far apart */
};

static bool is_common(const struct index *index, uint32_t hash) {
  uint32_t count = 0;
  const struct document *last = NULL;
  for (const struct posting *p = index_bucket(index, hash); p && count <= COMMON_LIMIT;
       p = p->next) {
    if (p->hash != hash || p->document == last)
      continue;
    last = p->document;
    count++;
  }
  return count > COMMON_LIMIT;
}

static struct match *match_with(struct lookup *lookup, struct document *other) {
  struct match *match = lookup->by_document[other->number];
  if (match)
    return match;
  match = NEW(REGION_OF(lookup), struct match);
  match->other = other;
  match->next = lookup->matches;
  lookup->matches = match;
  lookup->by_document[other->number] = match;
  return match;
}

static bool is_near(uint32_t end, uint32_t line) { return line >= end && line <= end + LINE_GAP; }

/* Prolongs a stretch that the fingerprint at these lines continues, or begins one. */
static void add_agreement(struct match *match, uint32_t first_line, uint32_t second_line) {
  struct stretch *s = match->stretches;
  while (s && !(is_near(s->span.first_end, first_line) && is_near(s->span.second_end, second_line)))
    s = s->next;
  if (!s) {
    s = NEW(REGION_OF(match), struct stretch);
    s->span = (struct span){first_line, first_line, second_line, second_line};
    s->next = match->stretches;
    match->stretches = s;
  }
  s->span.first_end = first_line;
  s->span.second_end = second_line;
  s->fingerprint_count++;
  match->fingerprint_count++;
}

struct lookup *inregion(r) lookup_new(region r, const struct index *index,
                                      struct document *inparent(r) document,
                                      uint32_t document_count) {
  struct lookup *lookup = NEW(r, struct lookup);
  lookup->document = document;
  lookup->document_count = document_count;
  lookup->by_document = NEW_ARRAY(r, document_count, struct match *sameregion);
  for (const struct posting *p = index_of_document(index, document); p; p = p->next_in_document) {
    if (is_common(index, p->hash))
      continue;
    for (const struct posting *q = index_bucket(index, p->hash); q; q = q->next)
      if (q->hash == p->hash && q->document->number > document->number)
        add_agreement(match_with(lookup, q->document), p->line, q->line);
  }
  return lookup;
}

static void match_release(struct match *match) {
  for (struct stretch *s = match->stretches, *next; s; s = next) {
    next = s->next;
    RELEASE(s);
  }
  RELEASE(match);
}

void lookup_release(struct lookup *lookup) {
  if (!IS_RELEASE_NEEDED)
    return;
  for (struct match *match = lookup->matches, *next; match; match = next) {
    next = match->next;
    match_release(match);
  }
  RELEASE(lookup->by_document);
  RELEASE(lookup);
}

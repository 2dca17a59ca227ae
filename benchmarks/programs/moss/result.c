/* SPDX-License-Identifier: MIT */
#include "result.h"

#include <inttypes.h>
#include <stdio.h>

struct results *inregion(r) results_new(region r, uint32_t limit) {
  struct results *results = NEW(r, struct results);
  results->limit = limit;
  return results;
}

void results_release(struct results *results) {
  if (!IS_RELEASE_NEEDED)
    return;
  for (struct result *result = results->best, *next; result; result = next) {
    next = result->next;
    RELEASE(result);
  }
  RELEASE(results);
}

/* Whether result is better than match: it shares more fingerprints or, of as many, is of the
 * documents that come first. */
static bool is_better(const struct result *result, const struct lookup *lookup,
                      const struct match *match) {
  if (result->fingerprint_count != match->fingerprint_count)
    return result->fingerprint_count > match->fingerprint_count;
  if (result->first != lookup->document)
    return result->first->number < lookup->document->number;
  return result->second->number < match->other->number;
}

static void drop_last(struct results *results) {
  struct result *last = results->best, *before = NULL;
  for (; last->next; last = last->next)
    before = last;
  if (before)
    before->next = NULL;
  else
    results->best = NULL;
  results->count--;
  RELEASE(last);
}

static void insert(struct results *results, const struct lookup *lookup, const struct match *match,
                   const struct span *longest) {
  struct result *before = NULL, *after = results->best;
  for (; after && is_better(after, lookup, match); after = after->next)
    before = after;
  if (!after && results->count == results->limit)
    return;
  struct result *result = NEW(REGION_OF(results), struct result);
  result->first = lookup->document;
  result->second = match->other;
  result->fingerprint_count = match->fingerprint_count;
  result->longest = *longest;
  result->next = after;
  if (before)
    before->next = result;
  else
    results->best = result;
  if (results->count++ == results->limit)
    drop_last(results);
}

void results_offer(struct results *results, const struct lookup *lookup) {
  for (const struct match *match = lookup->matches; match; match = match->next) {
    const struct stretch *longest = match->stretches;
    for (const struct stretch *s = match->stretches; s; s = s->next) {
      results->stretch_count++;
      if (s->fingerprint_count >= longest->fingerprint_count)
        longest = s;
    }
    results->pair_count++;
    results->agreement_count += match->fingerprint_count;
    insert(results, lookup, match, &longest->span);
  }
}

static uint32_t percent(uint32_t part, uint32_t whole) {
  return whole ? (uint32_t)((uint64_t)part * 100 / whole) : 0;
}

void results_print(const struct results *results) {
  printf("%" PRIu64 " pairs, %" PRIu64 " stretches, %" PRIu64 " fingerprints in common\n",
         results->pair_count, results->stretch_count, results->agreement_count);
  for (const struct result *r = results->best; r; r = r->next)
    printf("%s (%" PRIu32 "%%) %s (%" PRIu32 "%%): %" PRIu32 " fingerprints, lines %" PRIu32
           "-%" PRIu32 " and %" PRIu32 "-%" PRIu32 "\n",
           r->first->name, percent(r->fingerprint_count, r->first->fingerprint_count),
           r->second->name, percent(r->fingerprint_count, r->second->fingerprint_count),
           r->fingerprint_count, r->longest.first_start, r->longest.first_end,
           r->longest.second_start, r->longest.second_end);
}

/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include <stddef.h>
#include <stdlib.h>

/* A fingerprint that both documents have: where two equal k-grams start. */
struct seed {
  struct seed *sameregion next;
  uint32_t first, second;
};

/* All seeds of one document with each other document, by the other's id. */
struct lookup {
  uint32_t document_count;
  struct seed *sameregion *sameregion seeds;
};

/* One pair, in a subregion of the lookup's. */
struct comparison {
  struct document *first, *second;
  struct seed *parentptr seeds;
  uint32_t passage_count;
  struct passage *sameregion passages;
};

static struct lookup *look_up(const struct document *document, const struct index *index,
                              uint32_t common) {
  region r = newregion();
  acre_region_set_name(r, "lookup");
  struct lookup *lookup = ralloc(r, struct lookup);
  lookup->document_count = document->corpus->document_count;
  lookup->seeds = rarrayalloc(r, lookup->document_count, struct seed *sameregion);
  for (uint32_t i = 0; i < document->fingerprint_count; i++) {
    struct fingerprint print = document->fingerprints[i];
    if (index_document_count(index, print.hash, common + 1) > common)
      continue;
    for (const struct posting *p = index_bucket(index, print.hash); p; p = p->next) {
      if (p->hash != print.hash || p->document->id <= document->id)
        continue;
      struct seed *seed = ralloc(r, struct seed);
      seed->first = print.position;
      seed->second = p->position;
      seed->next = lookup->seeds[p->document->id];
      lookup->seeds[p->document->id] = seed;
    }
  }
  return lookup;
}

static int64_t diagonal(const struct seed *seed) { return (int64_t)seed->second - seed->first; }

/* Seeds of one passage lie on one diagonal: sorted this way they follow each other. */
static int by_diagonal(const void *left, const void *right) {
  const struct seed *a = *(const struct seed *const *)left, *b = *(const struct seed *const *)right;
  if (diagonal(a) != diagonal(b))
    return diagonal(a) < diagonal(b) ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

static struct seed **sort_seeds(struct comparison *comparison, uint32_t *count) {
  *count = 0;
  for (const struct seed *s = comparison->seeds; s; s = s->next)
    ++*count;
  struct seed **sorted = rarrayalloc(regionof(comparison), *count, struct seed *);
  uint32_t i = 0;
  for (struct seed *s = comparison->seeds; s; s = s->next)
    sorted[i++] = s;
  qsort(sorted, *count, sizeof *sorted, by_diagonal);
  return sorted;
}

/* The longest run of equal characters around a seed.  Empty if the hashes were equal by accident.
 */
static struct passage extend_seed(const struct comparison *comparison, const struct seed *seed) {
  const struct document *a = comparison->first, *b = comparison->second;
  uint32_t start_a = seed->first, start_b = seed->second, end_a = seed->first, end_b = seed->second;
  while (end_a < a->normal_length && end_b < b->normal_length &&
         a->normal[end_a] == b->normal[end_b])
    end_a++, end_b++;
  while (start_a > 0 && start_b > 0 && a->normal[start_a - 1] == b->normal[start_b - 1])
    start_a--, start_b--;
  uint32_t excerpt_start = a->origins[start_a];
  uint32_t excerpt_end = end_a > start_a ? a->origins[end_a - 1] + 1 : excerpt_start;
  return (struct passage){start_a, start_b, end_a - start_a, a->text + excerpt_start,
                          excerpt_end - excerpt_start};
}

static int longest_first(const void *left, const void *right) {
  const struct passage *a = left, *b = right;
  if (a->length != b->length)
    return a->length < b->length ? 1 : -1;
  return (a->first > b->first) - (a->first < b->first);
}

static void find_passages(struct comparison *comparison, struct compare_options options) {
  uint32_t seed_count;
  struct seed **seeds = sort_seeds(comparison, &seed_count);
  comparison->passages = rarrayalloc(regionof(comparison), seed_count, struct passage);
  int64_t last_diagonal = INT64_MAX;
  uint32_t last_end = 0;
  for (uint32_t i = 0; i < seed_count; i++) {
    if (diagonal(seeds[i]) == last_diagonal && seeds[i]->first + options.k <= last_end)
      continue; /* inside the passage just found */
    struct passage passage = extend_seed(comparison, seeds[i]);
    last_diagonal = diagonal(seeds[i]);
    last_end = passage.first + passage.length;
    if (passage.length >= options.shortest_match)
      comparison->passages[comparison->passage_count++] = passage;
  }
  qsort(comparison->passages, comparison->passage_count, sizeof *comparison->passages,
        longest_first);
}

/* How much of the first document lies in passages. */
static uint32_t count_shared(const struct comparison *comparison) {
  char *is_shared = rstralloc(regionof(comparison), comparison->first->normal_length);
  uint32_t shared = 0;
  for (uint32_t i = 0; i < comparison->passage_count; i++) {
    const struct passage *passage = &comparison->passages[i];
    for (uint32_t at = passage->first; at < passage->first + passage->length; at++) {
      shared += !is_shared[at];
      is_shared[at] = 1;
    }
  }
  return shared;
}

static void compare_pair(struct lookup *lookup, struct document *first, struct document *second,
                         struct compare_options options, struct results *results) deletes {
  region r = newsubregion(regionof(lookup));
  acre_region_set_name(r, "comparison");
  struct comparison *comparison = ralloc(r, struct comparison);
  comparison->first = first;
  comparison->second = second;
  comparison->seeds = lookup->seeds[second->id];
  find_passages(comparison, options);
  if (comparison->passage_count > 0)
    results_offer(results, first, second, count_shared(comparison), comparison->passages,
                  comparison->passage_count);
  deleteregion(r);
}

void compare_document(struct document *document, const struct index *index,
                      struct compare_options options, struct results *results) deletes {
  struct lookup *lookup = look_up(document, index, options.common);
  for (uint32_t id = document->id + 1; id < lookup->document_count; id++)
    if (lookup->seeds[id])
      compare_pair(lookup, document, document->corpus->documents[id], options, results);
  deleteregion(regionof(lookup));
}

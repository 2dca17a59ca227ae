/* SPDX-License-Identifier: MIT */
#include "results.h"

#include <ctype.h>
#include <string.h>

#define LONGEST_EXCERPT 160

struct results *results_new(uint32_t capacity, uint32_t quotes) {
  region r = newregion();
  acre_region_set_name(r, "results");
  struct results *results = ralloc(r, struct results);
  results->capacity = capacity;
  results->quotes = quotes;
  return results;
}

/* Where in the list a match with so many shared characters belongs; null if it is not among the
 * best. */
static struct match *sameregion *find_place(struct results *results, uint32_t shared) {
  struct match *sameregion *place = &results->best;
  for (uint32_t i = 0; i < results->capacity; i++, place = &(*place)->next)
    if (!*place || (*place)->shared < shared)
      return place;
  return NULL;
}

static void drop_beyond_capacity(struct results *results) {
  struct match *last = results->best;
  for (uint32_t i = 1; i < results->capacity; i++)
    last = last->next;
  last->next = NULL;
}

static void quote_passages(region r, struct match *match, const struct document *first,
                           const struct document *second, const struct passage *passages) {
  match->quoted = rarrayalloc(r, match->quoted_count, struct passage);
  match->lines = rarrayalloc(r, 2 * match->quoted_count, uint32_t);
  for (uint32_t i = 0; i < match->quoted_count; i++) {
    struct passage *quoted = &match->quoted[i];
    *quoted = passages[i];
    match->lines[2 * i] = document_line(first, quoted->first);
    match->lines[2 * i + 1] = document_line(second, quoted->second);
#ifndef PLANTED_MISTAKE /* without this the results keep pointers into the documents */
    char *copy = rstralloc(r, quoted->excerpt_length);
    quoted->excerpt = memcpy(copy, quoted->excerpt, quoted->excerpt_length);
#endif
  }
}

void results_offer(struct results *results, const struct document *first,
                   const struct document *second, uint32_t shared, const struct passage *passages,
                   uint32_t passage_count) {
  struct match *sameregion *place = find_place(results, shared);
  if (!place)
    return;
  region r = regionof(results);
  struct match *match = ralloc(r, struct match);
  match->first_path = first->path;
  match->second_path = second->path;
  match->shared = shared;
  match->total =
      first->normal_length < second->normal_length ? first->normal_length : second->normal_length;
  match->passages = passage_count;
  match->quoted_count = passage_count < results->quotes ? passage_count : results->quotes;
  if (match->quoted_count > 0)
    quote_passages(r, match, first, second, passages);
  match->next = *place;
  *place = match;
  if (results->match_count < results->capacity)
    results->match_count++;
  else
    drop_beyond_capacity(results);
}

/* On one line: white space becomes one space.  Long excerpts are cut. */
static void print_excerpt(const struct passage *passage, FILE *to) {
  uint32_t length =
      passage->excerpt_length < LONGEST_EXCERPT ? passage->excerpt_length : LONGEST_EXCERPT;
  bool was_space = false;
  fputs("      \"", to);
  for (uint32_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)passage->excerpt[i];
    bool is_space = isspace(c);
    if (!is_space)
      fputc(c >= 0x80 || isprint(c) ? c : '?', to);
    else if (!was_space)
      fputc(' ', to);
    was_space = is_space;
  }
  fprintf(to, length < passage->excerpt_length ? "...\"\n" : "\"\n");
}

void results_print(const struct results *results, FILE *to) {
  if (results->match_count == 0)
    fputs("No two documents share a passage.\n", to);
  for (const struct match *m = results->best; m; m = m->next) {
    fprintf(to, "%3u%%  %s\n      %s\n", m->total ? 100 * m->shared / m->total : 0, m->first_path,
            m->second_path);
    fprintf(to, "      %u characters in %u %s\n", m->shared, m->passages,
            m->passages == 1 ? "passage" : "passages");
    for (uint32_t i = 0; i < m->quoted_count; i++) {
      fprintf(to, "      lines %u and %u, %u characters:\n", m->lines[2 * i], m->lines[2 * i + 1],
              m->quoted[i].length);
      print_excerpt(&m->quoted[i], to);
    }
  }
}

void results_delete(struct results **results) deletes {
  region r = regionof(*results);
  *results = NULL;
  deleteregion(r);
}

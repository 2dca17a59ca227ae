/* SPDX-License-Identifier: MIT */
#include "fingerprint.h"

#include <stddef.h>

#define HASH_BASE 0x100000001b3u

/* The low bits of a polynomial hash depend on the last characters only; the product's middle bits
 * on all. */
static uint32_t mix(uint64_t hash) { return (uint32_t)((hash * 0x9e3779b97f4a7c15u) >> 32); }

/* hashes[i] is the hash of the k-gram that starts at i. */
static void hash_kgrams(const struct document *document, uint32_t k, uint32_t *hashes,
                        uint32_t count) {
  uint64_t highest = 1; /* HASH_BASE ^ (k - 1): the weight of the character that leaves */
  for (uint32_t i = 1; i < k; i++)
    highest *= HASH_BASE;
  const unsigned char *normal = (const unsigned char *)document->normal;
  uint64_t hash = 0;
  for (uint32_t i = 0; i < k; i++)
    hash = hash * HASH_BASE + normal[i];
  hashes[0] = mix(hash);
  for (uint32_t i = 1; i < count; i++) {
    hash = (hash - normal[i - 1] * highest) * HASH_BASE + normal[i + k - 1];
    hashes[i] = mix(hash);
  }
}

static uint32_t rightmost_minimum(const uint32_t *hashes, uint32_t first, uint32_t end) {
  uint32_t least = first;
  for (uint32_t i = first + 1; i < end; i++)
    if (hashes[i] <= hashes[least])
      least = i;
  return least;
}

/* Writes the chosen fingerprints to chosen, unless it is null.  Returns how many there are. */
static uint32_t winnow(const uint32_t *hashes, uint32_t count, uint32_t window,
                       struct fingerprint *chosen) {
  if (window > count)
    window = count;
  uint32_t chosen_count = 0;
  uint32_t least = rightmost_minimum(hashes, 0, window);
  for (uint32_t end = window; end <= count; end++) {
    uint32_t previous = least;
    if (least + window < end)
      least = rightmost_minimum(hashes, end - window, end);
    else if (hashes[end - 1] <= hashes[least])
      least = end - 1;
    if (least != previous || chosen_count == 0) {
      if (chosen)
        chosen[chosen_count] = (struct fingerprint){hashes[least], least};
      chosen_count++;
    }
  }
  return chosen_count;
}

void fingerprint_document(struct document *document, struct winnowing winnowing) deletes {
  if (document->normal_length < winnowing.k)
    return;
  uint32_t count = document->normal_length - winnowing.k + 1;
  region scratch = newregion();
  uint32_t *hashes = rarrayalloc(scratch, count, uint32_t);
  hash_kgrams(document, winnowing.k, hashes, count);
  document->fingerprint_count = winnow(hashes, count, winnowing.window, NULL);
  document->fingerprints =
      rarrayalloc(regionof(document), document->fingerprint_count, struct fingerprint);
  winnow(hashes, count, winnowing.window, document->fingerprints);
  deleteregion(scratch);
}

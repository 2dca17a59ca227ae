/* SPDX-License-Identifier: MIT */
/* relation.c - see relation.h. */
#include "counting/relation.h"

#include <string.h>

#include "platform/check.h"
#include "platform/vector.h"

_Thread_local uint64_t acre_unrelated_pairs[ACRE_UNRELATED_HOLDERS][ACRE_UNRELATED_EACH]
    __attribute__((tls_model("initial-exec")));

/* Two ancestors at a time: the upper half of those of holder becomes what is no index.  The place
   that unrelated regions of holder share with those of others is cleared. */
void acre_forget_relations(uint32_t holder) {
  const uint64_t wanted = acre_relation(holder, UINT32_MAX);
  const acre_half_words gone = (acre_half_words)(acre_word_pair){wanted, wanted};
#pragma GCC unroll 16
  for (size_t i = 0; i < ACRE_ANCESTOR_PAIRS; i += 2) {
    acre_half_words held;
    memcpy(&held, &acre_rt_ancestor_pairs[i], sizeof held);
    held |= (acre_half_words)(held == gone);
    memcpy(&acre_rt_ancestor_pairs[i], &held, sizeof held);
  }
  memset(acre_unrelated_pairs[holder % ACRE_UNRELATED_HOLDERS], 0, sizeof *acre_unrelated_pairs);
}

bool acre_find_below(uint32_t holder, uint32_t target) {
  ACRE_ASSERT(holder != target);
  bool is_below = acre_is_ancestor(target, holder);
  acre_relation_note(is_below ? acre_ancestor_pair(holder, target)
                              : acre_unrelated_pair(holder, target),
                     holder, target);
  return is_below;
}

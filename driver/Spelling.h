/* SPDX-License-Identifier: MIT */
//===- Spelling.h - What was probably meant ---------------------*- C++ -*-===//
#ifndef ACRE_DRIVER_SPELLING_H
#define ACRE_DRIVER_SPELLING_H

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

namespace acre {

/// Levenshtein distance.
inline size_t editDistance(std::string_view From, std::string_view To) {
  std::vector<size_t> Row(To.size() + 1);
  std::iota(Row.begin(), Row.end(), size_t(0));
  for (size_t I = 1; I <= From.size(); ++I) {
    size_t Diagonal = Row[0];
    Row[0] = I;
    for (size_t J = 1; J <= To.size(); ++J) {
      size_t Above = Row[J];
      Row[J] = std::min({Row[J] + 1, Row[J - 1] + 1, Diagonal + (From[I - 1] != To[J - 1])});
      Diagonal = Above;
    }
  }
  return Row[To.size()];
}

/// The candidate nearest to Word, or empty if none is within a third of its length.
inline std::string_view closest(std::string_view Word,
                                std::span<const std::string_view> Candidates) {
  size_t BestDistance = std::max<size_t>(1, Word.size() / 3) + 1;
  std::string_view Best;
  for (std::string_view Candidate : Candidates)
    if (size_t Distance = editDistance(Word, Candidate); Distance < BestDistance) {
      BestDistance = Distance;
      Best = Candidate;
    }
  return Best;
}

} // namespace acre

#endif

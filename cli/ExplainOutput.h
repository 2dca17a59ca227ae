/* SPDX-License-Identifier: MIT */
//===- ExplainOutput.h - Decisions as text, JSON and SARIF ----*- C++ -*-===//
#ifndef ACRE_CLI_EXPLAIN_OUTPUT_H
#define ACRE_CLI_EXPLAIN_OUTPUT_H

#include "ExplainStores.h"

namespace acre::cli {

/// What to write: the stores shown, and the tallies of all.
struct Explanation {
  std::vector<Store> Shown;
  Tally Annotated, Counted, Copies;
};

std::string asText(const Explanation &What);
std::string asJson(const Explanation &What);
/// SARIF 2.1.0.  A check that stays is a note; one that is gone, a result of kind "pass".
std::string asSarif(const Explanation &What);

} // namespace acre::cli

#endif

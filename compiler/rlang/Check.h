/* SPDX-License-Identifier: MIT */
//===- Check.h - Is a program well typed? -----------------------*- C++ -*-===//
#ifndef ACRE_RLANG_CHECK_H
#define ACRE_RLANG_CHECK_H

#include "Judgements.h"

#include <set>

namespace acre::rlang {

/// A program's errors, and what checking found out about its statements.  Refers to the program,
/// which must stay where it is.
class Checked {
public:
  enum Keeping { OnlyErrors, Properties };
  explicit Checked(const Program &P, Keeping What = Properties);

  /// At most one for each function, unless names are misused: then these alone.
  const std::vector<Diagnostic> &errors() const { return Errors; }
  const Names &names() const { return Known; }

  // Only where no name is misused:
  const Liveness &liveness(const Function &F) const { return Live.at(&F); }
  /// The property before S, in the numbers of numberRegions; null if checking did not get there or
  /// they are not kept.
  const Knowledge *before(const Statement &S) const {
    auto Found = Before.find(&S);
    return Found == Before.end() ? nullptr : &Found->second;
  }

private:
  Names Known;
  std::vector<Diagnostic> Errors;
  std::map<const Function *, Liveness> Live;
  std::map<const Statement *, Knowledge> Before;
};

} // namespace acre::rlang

#endif

/* SPDX-License-Identifier: MIT */
//===- Liveness.h - Which variables a statement finds live ------*- C++ -*-===//
//
// The paper assumes "a standard liveness analysis".  The result variable is live
// at the end of its function.  Writing a field reads both variables.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_LIVENESS_H
#define ACRE_RLANG_LIVENESS_H

#include "Syntax.h"

#include <map>
#include <set>

namespace acre::rlang {

/// Refers to the function, which must stay where it is.
class Liveness {
public:
  using Set = std::set<std::string_view>;

  explicit Liveness(const Function &F);

  /// Before the first statement.
  const Set &atEntry() const { return Entry; }
  const Set &before(const Statement &S) const { return Around.at(&S).Before; }
  /// After S and whatever it holds, on the way to the next statement.
  const Set &after(const Statement &S) const { return Around.at(&S).After; }

private:
  struct Sets {
    Set Before, After;
  };

  Set block(const std::vector<Statement> &Block, Set Live);
  Set statement(const Statement &S, Set Live);
  /// What a loop's body may read before writing it.
  const Set &exposed(const Statement &Loop);

  std::map<const Statement *, Sets> Around;
  std::map<const Statement *, Set>
      Exposed; // each body is visited once for this, however deep it lies
  Set Entry;
};

} // namespace acre::rlang

#endif

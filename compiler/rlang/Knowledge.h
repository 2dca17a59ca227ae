/* SPDX-License-Identifier: MIT */
//===- Knowledge.h - The property at one point of a program -----*- C++ -*-===//
//
// The delta of the judgements.  A constraint set alone is what inference uses;
// checking adds an exact disjunction beside it.  The constraint set is not lost
// when the disjunction grows too large and is approximated, so whatever
// inference derives, checking accepts.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_KNOWLEDGE_H
#define ACRE_RLANG_KNOWLEDGE_H

#include "Constraints.h"
#include "Orders.h"

#include <optional>

namespace acre::rlang {

enum class Precision { ConstraintSets, Exact };

class Knowledge {
public:
  Knowledge(unsigned Size, Precision P) : Facts(Size) {
    if (P == Precision::Exact)
      Cases.emplace(Size);
  }

  const ConstraintSet &facts() const { return Facts; }
  bool isUnreachable() const { return Facts.isUnreachable(); }

  void assume(const Formula &F) {
    Facts.assume(F);
    if (Cases)
      Cases->assume(F);
    agreeOnReachability();
  }

  bool implies(const Formula &F) const { return Facts.implies(F) || (Cases && Cases->implies(F)); }

  void forget(RegionId Id) {
    Facts.forget(Id);
    if (Cases)
      Cases->forget(Id);
  }

  /// Becomes the disjunction of both; whether that changed it.
  bool join(const Knowledge &Other) {
    bool Changed = Facts.join(Other.Facts);
    if (Cases)
      Changed |= Cases->join(*Other.Cases);
    return Changed;
  }

  /// Whether it holds of actual regions: see Order::holds.
  template <class Test> bool holds(Test &&LessEqual) const {
    return Facts.holds(LessEqual) && (!Cases || Cases->holds(LessEqual));
  }

private:
  void agreeOnReachability() {
    if (!Cases)
      return;
    if (Facts.isUnreachable())
      Cases->makeUnreachable();
    if (Cases->isUnreachable())
      Facts.makeUnreachable();
  }

  ConstraintSet Facts;
  std::optional<Orders> Cases;
};

} // namespace acre::rlang

#endif

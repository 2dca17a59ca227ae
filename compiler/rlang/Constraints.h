/* SPDX-License-Identifier: MIT */
//===- Constraints.h - The constraint sets of region inference --*- C++ -*-===//
//
// Section 4.3 infers conjunctions of four kinds of fact about the regions
// a, b of a function: a = top, a != top, a <= b, and a = top | a = b.  Sets of
// them form a lattice of finite height under inclusion; the disjunction of two
// is approximated by their intersection, and the set of all facts, which cannot
// hold together, stands for a point that is never reached.
//
// Invariant: a reachable set is closed under the rules that saturate() lists, so
// that an intersection keeps what both sides imply by these rules.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_CONSTRAINTS_H
#define ACRE_RLANG_CONSTRAINTS_H

#include "BitMatrix.h"
#include "Formula.h"

namespace acre::rlang {

class ConstraintSet {
public:
  /// The set with nothing but what always holds.
  explicit ConstraintSet(unsigned Size);
  static ConstraintSet unreachable(unsigned Size);

  unsigned size() const { return Size; }
  bool isUnreachable() const { return Unreachable; }
  void makeUnreachable() { Unreachable = true; }

  /// Adds what the four kinds can say of F.
  void assume(const Formula &F);
  /// True only if the set implies F; false may also mean that this cannot be told.
  bool implies(const Formula &F) const;
  void forget(RegionId Id);
  /// Keeps what both say; whether that changed this set.
  bool join(const ConstraintSet &Other);
  /// The same facts about a renamed choice of regions: number I of the result is Ids[I] here.  Ids
  /// starts with the constants and may name a region twice.
  ConstraintSet select(const std::vector<RegionId> &Ids) const;
  /// A property that together with Given implies the set, with few conjuncts; Names[I] is the name
  /// of number I.
  Property describe(const std::vector<std::string> &Names, const Formula &Given = {}) const;

  /// Whether all facts hold of actual regions: see Order::holds.
  template <class Test> bool holds(Test &&LessEqual) const {
    auto AreEqual = [&](RegionId A, RegionId B) { return LessEqual(A, B) && LessEqual(B, A); };
    for (RegionId A = 0; A < Size; ++A) {
      if (isNotTop(A) && LessEqual(TopId, A))
        return false;
      for (RegionId B = 0; B < Size; ++B)
        if ((Below.test(A, B) && !LessEqual(A, B)) ||
            (TopOr.test(A, B) && !LessEqual(TopId, A) && !AreEqual(A, B)))
          return false;
    }
    return !Unreachable;
  }

  /// Whether both sets hold the same facts.
  bool operator==(const ConstraintSet &) const;

private:
  void saturate();
  bool closeBelow();
  bool closeTopOr();
  void activate(RegionId Id);
  bool isTop(RegionId Id) const { return Below.test(TopId, Id); }
  bool isNotTop(RegionId Id) const { return NotTop.test(0, Id); }
  bool isEqual(RegionId A, RegionId B) const { return Below.test(A, B) && Below.test(B, A); }

  unsigned Size;
  bool Unreachable = false;
  BitMatrix Below;  // a <= b; a = top is top <= a
  BitMatrix TopOr;  // a = top | a = b
  BitMatrix NotTop; // one row: a != top
  // The regions of which anything may be known beyond being at most top, in order; of most regions
  // of a large function nothing is, so closing need not look at them.
  std::vector<RegionId> Active = {TopId, TraditionalId};
};

} // namespace acre::rlang

#endif

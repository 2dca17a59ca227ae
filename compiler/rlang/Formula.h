/* SPDX-License-Identifier: MIT */
//===- Formula.h - Properties about numbered regions ------------*- C++ -*-===//
//
// A property speaks of names, and what a name stands for depends on where it is
// written: in a structure, a signature, a body.  A Scope gives each name the
// number of a region of the function being checked.  Resolving a property
// against a scope is the paper's substitution [s1/p1, ..., sm/pm], and no name
// can be captured because none is left.
//
// Invariant: a Formula is in negation normal form; its only atoms are a <= b and
// its negation, since a = b is a <= b and b <= a.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_FORMULA_H
#define ACRE_RLANG_FORMULA_H

#include "Syntax.h"

#include <map>

namespace acre::rlang {

using RegionId = unsigned;
inline constexpr RegionId TopId = 0, TraditionalId = 1, FirstAbstractId = 2;

class Scope {
public:
  Scope() = default;
  /// All names of Outer, which must outlive this and every copy, until they are bound anew.
  static Scope inside(const Scope &Outer) {
    Scope Result;
    Result.Outer = &Outer;
    return Result;
  }

  RegionId operator[](const Region &R) const {
    if (!R.isAbstract())
      return R.isTop() ? TopId : TraditionalId;
    auto Found = Ids.find(R.Name);
    return Found == Ids.end() ? (*Outer)[R] : Found->second;
  }
  void bind(const std::string &Name, RegionId Id) { Ids.insert_or_assign(Name, Id); }

private:
  const Scope *Outer = nullptr; // without it, everything that is looked up is in Ids
  std::map<std::string, RegionId, std::less<>> Ids;
};

struct Formula {
  enum Kind { LessEqual, NotLessEqual, And, Or }; // And of nothing is true, Or of nothing false
  Kind K = And;
  RegionId A = TopId, B = TopId;
  std::vector<Formula> Operands;

  static Formula lessEqual(RegionId A, RegionId B) { return {LessEqual, A, B, {}}; }
  static Formula equal(RegionId A, RegionId B) {
    return {And, 0, 0, {lessEqual(A, B), lessEqual(B, A)}};
  }
  static Formula isTop(RegionId A) { return lessEqual(TopId, A); }
  static Formula isNotTop(RegionId A) { return {NotLessEqual, TopId, A, {}}; }
};

Formula negate(const Formula &F);
Formula resolve(const Property &P, const Scope &S);

/// The abstract regions that occur in P, in S's numbers.
void collectRegions(const Property &P, const Scope &S, std::vector<RegionId> &To);

} // namespace acre::rlang

#endif

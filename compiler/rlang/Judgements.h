/* SPDX-License-Identifier: MIT */
//===- Judgements.h - The rules of Figure 6 ---------------------*- C++ -*-===//
//
// One implementation serves checking and inference: checking judges each
// function with exact properties and stops where a rule does not apply;
// inference judges it with constraint sets, and where a rule asks for more than
// they can tell it goes on, because what it infers is checked afterwards.
//
// Invariant: between the rules, the property speaks only of live abstract
// regions (L_s), so a name that is bound anew brings no old facts along.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_JUDGEMENTS_H
#define ACRE_RLANG_JUDGEMENTS_H

#include "Knowledge.h"
#include "Liveness.h"
#include "Names.h"

#include <memory>

namespace acre::rlang {

/// Told what holds where.  A statement in a loop is reported once for each round, and so is the
/// loop itself; the last report counts.
class Observer {
public:
  virtual ~Observer() = default;
  virtual void statement(const Statement &, const Knowledge &) {}
  /// Once the arguments are bound: Regions are what the callee's abstract regions stand for.
  virtual void call(const Statement &, const Knowledge &,
                    const std::vector<RegionId> & /*Regions*/) {}
  /// At the end: Witnesses are what the quantifiers of the result type stand for.
  virtual void end(const Knowledge &, const std::vector<RegionId> & /*Witnesses*/) {}
};

/// The numbers of a function's abstract regions: parameters first, then locals, from
/// FirstAbstractId.
Scope numberRegions(const Function &F);

class Judgements {
public:
  /// Everything referred to must outlive this.
  Judgements(const Names &N, const Function &F, const Liveness &Live, Precision P, Observer &Watch);
  ~Judgements();

  /// Rule (fndef).  Under Precision::Exact, what is wrong; under ConstraintSets only what no
  /// property could repair.
  std::optional<Diagnostic> run();

private:
  class Rules;
  std::unique_ptr<Rules> Implementation;
};

} // namespace acre::rlang

#endif

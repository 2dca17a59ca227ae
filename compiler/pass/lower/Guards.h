/* SPDX-License-Identifier: MIT */
//===- Guards.h - Calls that are made under a condition ---------*- C++ -*-===//
//
// What the lowering of every barrier and check shares: the function at hand, and
// how a call is moved behind the test that says whether it is needed.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_GUARDS_H
#define ACRE_PASS_GUARDS_H

#include "pass/lower/OutOfLine.h"
#include "pass/lower/PatchPoints.h"

namespace acre {

class Guards {
public:
  explicit Guards(llvm::Module &Unit);

  /// What follows is about F, none of whose calls is lowered yet.
  void enter(const llvm::Function &F);
  bool hasPins() const { return HasPins; }
  /// The unit names no region: barriers ask acre_rt_active in line, and nothing else.
  bool asksActive() const { return AsksActive; }
  /// Its barriers of single stores may be patch points.
  bool hasPatchPoints() const { return HasPatchPoints; }

  /// Makes a block for what happens before Before under Condition, as it seldom does.  Returns
  /// where to put it.
  llvm::Instruction *coldBlock(llvm::Instruction *Before, llvm::Value *Condition);
  /// Calls, one after the other, are made only under Condition.
  void guard(llvm::ArrayRef<llvm::CallInst *> Calls, llvm::Value *Condition);
  /// Calls, one after the other, are made only if there are regions.  A unit that makes, fills or
  /// names some is most likely one of a program that has them: there they are made in any case.
  void guardActive(llvm::ArrayRef<llvm::CallInst *> Calls);
  /// Call calls Callee instead.
  static void callInstead(llvm::CallInst &Call, llvm::Function *Callee);
  /// Call, of E, is made only under Condition, and out of line.
  void moveToCold(llvm::CallInst &Call, Entry E, llvm::Value *Condition);

  RuntimeABI ABI;
  InlineTests Tests;
  OutOfLine Functions;
  PatchPoints Patches;

private:
  const bool CallsRegions; ///< the unit calls functions that make regions or allocate in them
  bool HasPins = false, AsksActive = false, HasPatchPoints = false;
};

} // namespace acre

#endif

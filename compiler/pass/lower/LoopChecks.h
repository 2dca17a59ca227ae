/* SPDX-License-Identifier: MIT */
//===- LoopChecks.h - Checks of a loop over one region ----------*- C++ -*-===//
//
// In a loop whose checked slots all lie in one region, what a check has found
// true of a value's region stays true: the region of the slots lives, so its
// ancestors do.  The loop remembers the region of the last value in a register,
// and a value of the same region needs no relation looked up.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_LOOPCHECKS_H
#define ACRE_PASS_LOOPCHECKS_H

#include "pass/lower/InlineTests.h"
#include "llvm/ADT/MapVector.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace acre {

class LoopChecks {
public:
  LoopChecks(llvm::Function &Fn, RuntimeABI &Runtime) : F(Fn), Tests(Runtime) {}

  /// Finds which of Checks, of annotated slots, are in such loops.  Before any of them is lowered.
  void find(llvm::ArrayRef<llvm::CallInst *> Checks);
  /// If Check is one of them, guards it with the test of its value's region.  Returns whether it
  /// is one.
  bool guard(llvm::CallInst &Check);
  /// Once all checks are lowered: the remembered regions become values.
  void finish();

private:
  llvm::Function &F;
  InlineTests Tests;
  /// Where the region of a check's last value is remembered.  Checks of one holder and one rule
  /// share it.
  llvm::DenseMap<llvm::CallInst *, llvm::AllocaInst *> Remembered;
  llvm::SmallVector<llvm::AllocaInst *, 4> Slots;
};

} // namespace acre

#endif

// SPDX-License-Identifier: MIT
//===- PointsAfter.cpp - Where control is after an instruction ------------===//
#include "pass/base/PointsAfter.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace acre {

void forEachPointAfter(Instruction &I, bool IncludeUnwind, function_ref<void(IRBuilder<> &)> Emit) {
  if (!I.isTerminator()) {
    IRBuilder<> B(I.getNextNode());
    B.SetCurrentDebugLocation(I.getDebugLoc());
    Emit(B);
    return;
  }
  BasicBlock *From = I.getParent();
  SmallSetVector<BasicBlock *, 4> Targets;
  for (BasicBlock *Next : successors(From))
    if (IncludeUnwind || !Next->isEHPad())
      Targets.insert(Next);
  for (BasicBlock *Target : Targets) {
    BasicBlock *At = Target;
    if (!Target->getUniquePredecessor())
      At = Target->isEHPad() ? nullptr : SplitBlockPredecessors(Target, {From}, ".acre");
    if (!At) {
      SmallVector<BasicBlock *, 2> Pads;
      SplitLandingPadPredecessors(Target, {From}, ".acre", ".other", Pads);
      At = Pads.front();
    }
    IRBuilder<> B(At, At->getFirstInsertionPt());
    B.SetCurrentDebugLocation(I.getDebugLoc());
    Emit(B);
  }
}

} // namespace acre

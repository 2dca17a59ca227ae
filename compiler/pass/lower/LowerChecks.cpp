// SPDX-License-Identifier: MIT
//===- LowerChecks.cpp - Inline tests of checks ---------------------------===//
#include "pass/lower/LowerChecks.h"
#include "pass/base/BarrierEffects.h"
#include "versions/LLVM.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(ChecksInlined, "Checks with an inline test");

namespace acre {

void CheckLowering::lowerSlotChecks(Function &F, ArrayRef<CallInst *> Checks) {
  LoopChecks Loops(F, Guard.ABI);
  Loops.find(Checks);
  for (CallInst *Call : Checks)
    lowerSlotCheck(*Call, Loops);
  Loops.finish();
}

/// Null obeys, and what is on the slot's page is in its region.  A record that the slot may still
/// have from other data can only delay a delete.
void CheckLowering::lowerSlotCheck(CallInst &Call, LoopChecks &Loops) {
  IRBuilder<> B(&Call);
  Value *Slot = B.CreatePtrToInt(Call.getArgOperand(0), Guard.ABI.sizeType());
  Value *New = Guard.Tests.address(B, Call.getArgOperand(1));
  // Two branches, the common one first, are cheaper than one on the combined condition.
  moveBefore(Call, *Guard.coldBlock(&Call, Guard.Tests.isOnOtherPage(B, Slot, New)));
  B.SetInsertPoint(&Call);
  const bool IsSameregion = isCallOf(Call, Entry::CheckSameregion);
  Guard.moveToCold(Call, IsSameregion ? Entry::CheckSameregion : Entry::CheckParentptr,
                   B.CreateIsNotNull(New));
  // Many parentptr slots refer to another region, which the warm function finds soonest.
  if (!Loops.guard(Call) && IsSameregion)
    askRegions(Call);
  ++ChecksInlined;
}

/// Call, which is alone in its block, is made only if slot and value are not in one region.
void CheckLowering::askRegions(CallInst &Call) {
  BasicBlock *Ask = Call.getParent(), *Checked = SplitBlock(Ask, &Call);
  Ask->getTerminator()->eraseFromParent();
  IRBuilder<> B(Ask);
  Guard.Tests.branchOnRegions(B, Guard.Tests.address(B, Call.getArgOperand(0)),
                              Guard.Tests.address(B, Call.getArgOperand(1)), /*IsInside=*/false,
                              Checked->getSingleSuccessor(), Checked, Checked);
}

void CheckLowering::lowerSignatureCheck(CallInst &Call) {
  IRBuilder<> B(&Call);
  uint64_t Kind = cast<ConstantInt>(Call.getArgOperand(2))->getZExtValue();
  Value *Checked = Guard.Tests.address(B, Call.getArgOperand(0)),
        *Object = Guard.Tests.address(B, Call.getArgOperand(1));
  Guard.moveToCold(Call, Entry::CheckInregion,
                   Kind & ACRE_RT_BY_HANDLE ? B.CreateIsNotNull(Checked)
                                            : Guard.Tests.isFarFrom(B, Object, Checked));
  ++ChecksInlined;
}

void CheckLowering::lowerTraditionalCheck(CallInst &Call) {
  IRBuilder<> B(&Call);
  Value *New = Guard.Tests.address(B, Call.getArgOperand(1));
  Guard.moveToCold(Call, Entry::CheckTraditional, Guard.Tests.isInWindow(B, New));
  ++ChecksInlined;
}

/// Most memory is of no region: whose objects are not known is seen here.
void CheckLowering::lowerBounds(CallInst &Call) {
  IRBuilder<> B(&Call);
  Value *IsKnown = Guard.Tests.isBounded(B, Guard.Tests.address(B, Call.getArgOperand(0)));
  BasicBlock *Before = Call.getParent();
  Instruction *Then = SplitBlockAndInsertIfThen(IsKnown, &Call, /*Unreachable=*/false);
  B.SetInsertPoint(&Call);
  PHINode *Range = B.CreatePHI(Call.getType(), 2);
  Call.replaceAllUsesWith(Range);
  moveBefore(Call, *Then);
  Constant *All[] = {ConstantPointerNull::get(Guard.ABI.pointerType()),
                     ConstantExpr::getIntToPtr(ConstantInt::getAllOnesValue(Guard.ABI.sizeType()),
                                               Guard.ABI.pointerType())};
  Range->addIncoming(ConstantStruct::get(cast<StructType>(Call.getType()), All), Before);
  Range->addIncoming(&Call, Then->getParent());
}

void CheckLowering::lowerBoundsCheck(CallInst &Call) {
  IRBuilder<> B(&Call);
  auto AddressOf = [&](unsigned Operand) {
    return Guard.Tests.address(B, Call.getArgOperand(Operand));
  };
  Value *Low = AddressOf(0), *High = AddressOf(1), *At = AddressOf(2),
        *Size = Call.getArgOperand(3);
  Value *IsBelow = B.CreateICmpULT(At, Low);
  // No object is so near to address 0 that the difference with a constant wraps.
  Value *IsAbove = isa<Constant>(Size) ? B.CreateICmpUGT(At, B.CreateSub(High, Size))
                                       : B.CreateOr(B.CreateICmpUGT(At, High),
                                                    B.CreateICmpUGT(Size, B.CreateSub(High, At)));
  Instruction *Then = Guard.coldBlock(&Call, B.CreateOr(IsBelow, IsAbove));
  B.SetInsertPoint(Then);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Guard.ABI.call(B, Entry::OutOfBounds, SmallVector<Value *, 5>(Call.args()));
  changeToUnreachable(Then);
  Call.eraseFromParent();
  ++ChecksInlined;
}

} // namespace acre

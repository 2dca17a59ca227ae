// SPDX-License-Identifier: MIT
//===- PinnedValues.cpp - Values that a call may need pinned --------------===//
#include "pass/insert/PinnedValues.h"
#include "acre/abi.h"
#include "pass/base/StackObjects.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace acre {

StringRef variableName(StringRef Name) {
  Name = Name.substr(0, Name.find(".sroa."));
  Name.consume_back(".addr");
  while (true) {
    auto [Stem, Suffix] = Name.rsplit('.');
    if (Stem.empty() || Suffix.empty() || !all_of(Suffix, isDigit))
      return Name;
    Name = Stem;
  }
}

VariableNames collectVariableNames(Function &F) {
  VariableNames Names;
  for (Instruction &I : instructions(F))
    if (auto *S = dyn_cast<StoreInst>(&I))
      if (auto *Variable = dyn_cast<AllocaInst>(S->getPointerOperand());
          Variable && Variable->hasName())
        if (!isa<Constant>(S->getValueOperand()))
          Names.push_back({S->getValueOperand(), variableName(Variable->getName()).str()});
  return Names;
}

bool isOverlay(Type *T, const DataLayout &DL) {
  auto *V = dyn_cast<FixedVectorType>(T);
  if (!T->isDoubleTy() && !(V && !V->getElementType()->isPointerTy()))
    return false;
  uint64_t Bits = T->getPrimitiveSizeInBits();
  return Bits != 0 && Bits % DL.getPointerSizeInBits() == 0;
}

bool hasPinnableWord(Type *T, const DataLayout &DL) {
  if (isOverlay(T, DL))
    return true;
  if (auto *P = dyn_cast<PointerType>(T))
    return P->getAddressSpace() == 0;
  if (auto *I = dyn_cast<IntegerType>(T))
    return I->getBitWidth() >= DL.getPointerSizeInBits();
  if (auto *V = dyn_cast<FixedVectorType>(T))
    return hasPinnableWord(V->getElementType(), DL);
  if (auto *A = dyn_cast<ArrayType>(T))
    return A->getNumElements() > 0 && hasPinnableWord(A->getElementType(), DL);
  if (auto *S = dyn_cast<StructType>(T))
    return any_of(S->elements(), [&](Type *E) { return hasPinnableWord(E, DL); });
  return false;
}

/// Whether V only counts: constants that constants are added to, as a loop's counter is.
static bool isCounter(const Value &V) {
  constexpr unsigned MostSteps = 16;
  SmallSetVector<const Value *, MostSteps> Seen;
  Seen.insert(&V);
  for (unsigned I = 0; I < Seen.size(); ++I) {
    const Value *Step = Seen[I];
    auto *Sum = dyn_cast<BinaryOperator>(Step);
    if (Sum && (Sum->getOpcode() == Instruction::Add || Sum->getOpcode() == Instruction::Sub) &&
        isa<ConstantInt>(Sum->getOperand(1)))
      Seen.insert(Sum->getOperand(0));
    else if (auto *Phi = dyn_cast<PHINode>(Step))
      Seen.insert(Phi->op_begin(), Phi->op_end());
    else if (!isa<ConstantInt>(Step))
      return false;
    if (Seen.size() > MostSteps)
      return false;
  }
  return true;
}

bool mayNeedPin(const Value &V, const DataLayout &DL) {
  Type *T = V.getType();
  if (V.use_empty() || !hasPinnableWord(T, DL))
    return false;
  if (T->isPointerTy()) {
    auto *Call = dyn_cast<CallBase>(getUnderlyingObject(&V, 0));
    bool IsRuntime = Call && Call->getCalledFunction() &&
                     (Call->getIntrinsicID() == Intrinsic::stacksave ||
                      Call->getCalledFunction()->getName().starts_with("acre_rt_"));
    return !isOutsideRegions(&V) && !IsRuntime;
  }
  if (!T->isIntegerTy(DL.getPointerSizeInBits()))
    return true;
  // An integer of few bits, widened or negative, is no address in the window.
  return computeKnownBits(&V, DL).countMaxActiveBits() > ACRE_WINDOW_SHIFT &&
         ComputeNumSignBits(&V, DL) <= DL.getPointerSizeInBits() - ACRE_WINDOW_SHIFT &&
         !isCounter(V);
}

} // namespace acre

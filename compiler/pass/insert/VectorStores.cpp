// SPDX-License-Identifier: MIT
//===- VectorStores.cpp - Barriers of vectors of numbers ------------------===//
#include "pass/insert/VectorStores.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acre {

/// Whether the result of I is a number, whatever its operands are.
static bool isArithmetic(const Instruction &I) {
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return !isa<BitCastInst, IntToPtrInst, PtrToIntInst, AddrSpaceCastInst>(Cast);
  if (auto *Operator = dyn_cast<BinaryOperator>(&I))
    return !Operator->isBitwiseLogicOp();
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    switch (Call->getIntrinsicID()) {
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::sqrt:
    case Intrinsic::fabs:
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
      return true;
    default:
      return false;
    }
  return isa<UnaryOperator, CmpInst>(I);
}

/// Whether I only chooses among its operands, or their bits.
static bool isChoice(const Instruction &I) {
  auto *Operator = dyn_cast<BinaryOperator>(&I);
  return isa<PHINode, SelectInst, FreezeInst, BitCastInst>(I) ||
         isa<ShuffleVectorInst, InsertElementInst, ExtractElementInst>(I) ||
         (Operator && Operator->isBitwiseLogicOp());
}

static bool isComputed(const Value &V) {
  constexpr unsigned Most = 32;
  SmallVector<const Value *, 8> Work{&V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *Each = Work.pop_back_val();
    if (!Seen.insert(Each).second || isa<ConstantData>(Each) || isa<ConstantVector>(Each))
      continue;
    auto *I = dyn_cast<Instruction>(Each);
    if (!I || Seen.size() > Most || (!isArithmetic(*I) && !isChoice(*I)))
      return false;
    if (isChoice(*I))
      Work.append(I->op_begin(), I->op_end());
  }
  return true;
}

bool isOfComputedNumbers(const CallInst &Rescan) {
  auto *Bytes = dyn_cast<ConstantInt>(Rescan.getArgOperand(1));
  const DataLayout &DL = Rescan.getDataLayout();
  for (const Instruction *I = Rescan.getPrevNode(); Bytes && I; I = I->getPrevNode()) {
    auto *Store = dyn_cast<StoreInst>(I);
    if (Store)
      return Store->getPointerOperand() == Rescan.getArgOperand(0) && !Store->isVolatile() &&
             Store->getValueOperand()->getType()->isVectorTy() &&
             DL.getTypeStoreSize(Store->getValueOperand()->getType()) ==
                 TypeSize::getFixed(Bytes->getZExtValue()) &&
             isComputed(*Store->getValueOperand());
    if (I->mayWriteToMemory())
      return false;
  }
  return false;
}

} // namespace acre

// SPDX-License-Identifier: MIT
//===- LowerPins.cpp - Pins in line ---------------------------------------===//
//
// include/acre/abi.h says when a pin takes place in line and what it leaves
// behind (acre_rt_pins).  Frames are pinned here, and released if they pin
// nothing but values; of those with ranges, which have records to drop, and of
// all that is not as usual, the runtime is called.
//
// The accesses carry !nosanitize: they are none of the program's.
//
//===----------------------------------------------------------------------===//
#include "pass/lower/LowerPins.h"
#include "pass/base/BarrierEffects.h"
#include "pass/lower/InlineTests.h"
#include "versions/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cstddef>

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(PinsInlined, "Pins in line");

namespace acre {
namespace {

class PinLowering {
public:
  explicit PinLowering(RuntimeABI &Runtime)
      : ABI(Runtime), Tests(Runtime), Word(Runtime.sizeType()) {}
  void pin(CallInst &Call);
  void unpin(CallInst &Call);

private:
  Value *field(IRBuilder<> &B, Value *Structure, size_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Structure, Offset);
  }
  Value *load(IRBuilder<> &B, Type *T, Value *Structure, size_t Offset) {
    return Tests.load(B, T, field(B, Structure, Offset));
  }
  void store(IRBuilder<> &B, Value *V, Value *Structure, size_t Offset) {
    StoreInst *S = B.CreateStore(V, field(B, Structure, Offset));
    S->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(B.getContext(), {}));
  }
  Value *pending(IRBuilder<> &B) { return ABI.threadLocal(B, ThreadVariable::Pins); }
  Value *stack(IRBuilder<> &B) { return ABI.threadLocal(B, ThreadVariable::Stack); }
  Instruction *otherwise(CallInst &Call, Value *IsUsual);

  RuntimeABI &ABI;
  InlineTests Tests;
  Type *Word;
};

/// Makes Call only unless IsUsual; returns where to put what is done instead.
Instruction *PinLowering::otherwise(CallInst &Call, Value *IsUsual) {
  Instruction *Usual, *Else;
  SplitBlockAndInsertIfThenElse(IsUsual, Call.getIterator(), &Usual, &Else,
                                MDBuilder(Call.getContext()).createLikelyBranchWeights());
  moveBefore(Call, *Else);
  return Usual;
}

void PinLowering::pin(CallInst &Call) {
  constexpr size_t Length = sizeof(uintptr_t);
  IRBuilder<> B(&Call);
  Value *Frame = Call.getArgOperand(0), *Site = Call.getArgOperand(1);
  Value *Pins = pending(B), *Stack = stack(B);
  Value *Next = load(B, ABI.pointerType(), Pins, offsetof(acre_rt_pending_pins, next));
  Value *Limit = load(B, ABI.pointerType(), Pins, offsetof(acre_rt_pending_pins, limit));
  Value *Low = load(B, Word, Stack, 0), *Uncounted = load(B, Word, Stack, Length);
  Value *Below = B.CreateSub(B.CreatePtrToInt(B.CreateStackSave(), Word), Low);
  Value *Single =
      Tests.load(B, B.getInt8Ty(), ABI.variable("__libc_single_threaded", B.getInt8Ty()));
  Value *IsUsual = B.CreateAnd(B.CreateICmpNE(Next, Limit), B.CreateICmpULE(Below, Uncounted));
  B.SetInsertPoint(otherwise(Call, B.CreateAnd(B.CreateIsNotNull(Single), IsUsual)));
  store(B, Site, Frame, offsetof(acre_rt_pin_frame, site));
  store(B, Frame, Next, offsetof(acre_rt_pending_pin, frame));
  store(B, Site, Next, offsetof(acre_rt_pending_pin, site));
  store(B, Uncounted, Next, offsetof(acre_rt_pending_pin, uncounted));
  store(B, load(B, Word, Pins, offsetof(acre_rt_pending_pins, regions)), Next,
        offsetof(acre_rt_pending_pin, regions));
  store(B, field(B, Next, sizeof(acre_rt_pending_pin)), Pins, offsetof(acre_rt_pending_pins, next));
  store(B, Below, Stack, Length);
  ++PinsInlined;
}

void PinLowering::unpin(CallInst &Call) {
  constexpr size_t Length = sizeof(uintptr_t);
  IRBuilder<> B(&Call);
  Value *Pins = pending(B);
  Value *Last = B.CreateGEP(B.getInt8Ty(),
                            load(B, ABI.pointerType(), Pins, offsetof(acre_rt_pending_pins, next)),
                            ABI.size(-sizeof(acre_rt_pending_pin)));
  Value *Newest = load(B, ABI.pointerType(), Last, offsetof(acre_rt_pending_pin, frame));
  B.SetInsertPoint(otherwise(Call, B.CreateICmpEQ(Newest, Call.getArgOperand(0))));
  store(B, load(B, Word, Last, offsetof(acre_rt_pending_pin, uncounted)), stack(B), Length);
  store(B, Last, Pins, offsetof(acre_rt_pending_pins, next));
}

/// Whether a call that pins has no range among what it pins.
bool isOfValues(const CallInst &Pin) {
  auto *Site = dyn_cast<GlobalVariable>(Pin.getArgOperand(1));
  if (!Site || !Site->hasInitializer())
    return false;
  return Mirror<acre_rt_pin_site>::number<&acre_rt_pin_site::is_values_only>(Site->getInitializer())
             .value_or(0) != 0;
}

} // namespace

void lowerPins(Function &F, RuntimeABI &ABI) {
  SmallVector<CallInst *, 8> Pins, Unpins;
  for (Instruction &I : instructions(F)) {
    if (isCallOf(I, Entry::Pin))
      Pins.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::Unpin))
      Unpins.push_back(cast<CallInst>(&I));
  }
  // Where calls have been merged it is not known whose frame it is.
  if (any_of(Pins, [](CallInst *Pin) { return !isa<AllocaInst>(Pin->getArgOperand(0)); }))
    return;
  SmallPtrSet<Value *, 4> WithRanges;
  for (CallInst *Pin : Pins)
    if (!isOfValues(*Pin))
      WithRanges.insert(Pin->getArgOperand(0));
  PinLowering Lowering(ABI);
  for (CallInst *Pin : Pins)
    Lowering.pin(*Pin);
  // A frame that more than one call may have pinned is released as all of them want it.
  for (CallInst *Unpin : Unpins)
    if (isa<AllocaInst>(Unpin->getArgOperand(0)) && !WithRanges.contains(Unpin->getArgOperand(0)))
      Lowering.unpin(*Unpin);
}

} // namespace acre

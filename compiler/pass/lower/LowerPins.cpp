// SPDX-License-Identifier: MIT
//===- LowerPins.cpp - Pins in line ---------------------------------------===//
//
// include/acre/abi.h says when a pin takes place in line and what it leaves
// behind (acre_rt_pins).  Frames are pinned and released here, if they pin
// values and few small ranges; ranges whose lines have records are released by
// the runtime, and so is all that is not as usual.
//
// The accesses carry !nosanitize: they are none of the program's.
//
//===----------------------------------------------------------------------===//
#include "pass/lower/LowerPins.h"
#include "pass/base/BarrierEffects.h"
#include "pass/lower/InlineTests.h"
#include "versions/LLVM.h"
#include "llvm/ADT/DenseMap.h"
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

/// A range that a frame may have pinned: the number of the value that is its address.
struct PinnedRange {
  size_t Index;
  uint64_t Size;
  bool operator==(const PinnedRange &Other) const {
    return Index == Other.Index && Size == Other.Size;
  }
};
using PinnedRanges = SmallVector<PinnedRange, 2>;

class PinLowering {
public:
  explicit PinLowering(RuntimeABI &Runtime)
      : ABI(Runtime), Tests(Runtime), Word(Runtime.sizeType()) {}
  void pin(CallInst &Call);
  /// Ranges: all that the frame may have pinned.
  void unpin(CallInst &Call, const PinnedRanges &Ranges);

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
  void release(IRBuilder<> &B, Value *Frame, const PinnedRanges &Ranges);

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

/// The lines of both ends of each range say whether it may have records.  Where several calls have
/// pinned the frame, an address may be one of an earlier pin: then the runtime finds nothing.
void PinLowering::release(IRBuilder<> &B, Value *Frame, const PinnedRanges &Ranges) {
  Value *Count = nullptr;
  for (const PinnedRange &Range : Ranges) {
    Value *Low = B.CreateFreeze(
        load(B, Word, Frame, offsetof(acre_rt_pin_frame, values) + Range.Index * sizeof(void *)));
    Value *Ends = B.CreateOr(Tests.lineCount(B, Low),
                             Tests.lineCount(B, B.CreateAdd(Low, ABI.size(Range.Size - 1))));
    Count = Count ? B.CreateOr(Count, Ends) : Ends;
  }
  Instruction *Then =
      SplitBlockAndInsertIfThen(B.CreateIsNotNull(Count), B.GetInsertPoint(), false,
                                MDBuilder(B.getContext()).createUnlikelyBranchWeights());
  B.SetInsertPoint(Then);
  ABI.call(B, Entry::ReleasePinned, {Frame});
}

void PinLowering::unpin(CallInst &Call, const PinnedRanges &Ranges) {
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
  if (!Ranges.empty())
    release(B, Call.getArgOperand(0), Ranges);
}

/// Adds what ranges Pin is of to All.  False if one of them is not small, or if it is not known.
bool addRanges(const CallInst &Pin, PinnedRanges &All) {
  using Site = Mirror<acre_rt_pin_site>;
  using PinEntry = Mirror<acre_rt_pin_entry>;
  auto *At = dyn_cast<GlobalVariable>(Pin.getArgOperand(1));
  const Constant *Said = At && At->hasInitializer() ? At->getInitializer() : nullptr;
  if (!Said)
    return false;
  if (Site::number<&acre_rt_pin_site::is_values_only>(Said).value_or(0) != 0)
    return true;
  auto *Table = dyn_cast_or_null<GlobalVariable>(Site::member<&acre_rt_pin_site::entries>(Said));
  auto Count = Site::number<&acre_rt_pin_site::entry_count>(Said);
  if (!Count || !Table || !Table->hasInitializer())
    return false;
  for (size_t I = 0; I != *Count; ++I) {
    auto Size = PinEntry::number<&acre_rt_pin_entry::size>(
        Table->getInitializer()->getAggregateElement(static_cast<unsigned>(I)));
    if (!Size || *Size > LineSize)
      return false;
    if (PinnedRange Range{I, *Size}; *Size != 0 && !is_contained(All, Range))
      All.push_back(Range);
  }
  return true;
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
  constexpr size_t MostRanges = 3;
  SmallPtrSet<Value *, 4> ByRuntime;
  DenseMap<Value *, PinnedRanges> Ranges;
  for (CallInst *Pin : Pins) {
    Value *Frame = Pin->getArgOperand(0);
    if (!addRanges(*Pin, Ranges[Frame]) || Ranges[Frame].size() > MostRanges)
      ByRuntime.insert(Frame);
  }
  PinLowering Lowering(ABI);
  for (CallInst *Pin : Pins)
    Lowering.pin(*Pin);
  // A frame that more than one call may have pinned is released as all of them want it.
  for (CallInst *Unpin : Unpins) {
    Value *Frame = Unpin->getArgOperand(0);
    if (isa<AllocaInst>(Frame) && !ByRuntime.contains(Frame))
      Lowering.unpin(*Unpin, Ranges[Frame]);
  }
}

} // namespace acre

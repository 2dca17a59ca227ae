// SPDX-License-Identifier: MIT
//===- BarrierEmitter.cpp - The calls that keep records -------------------===//
#include "pass/insert/BarrierEmitter.h"
#include "pass/base/CheckMode.h"
#include "pass/base/PointsAfter.h"
#include "pass/base/SourceNames.h"
#include "pass/base/StackObjects.h"
#include "llvm/ADT/Statistic.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(StoreBarriers, "Barriers of single pointer stores");
STATISTIC(RangeBarriers, "Barriers of copies and fills");
STATISTIC(RuleChecks, "Checks of annotated stores");

namespace acre {

void BarrierEmitter::setPlace(CallInst &Call, Value *Slot) {
  std::optional<SourceName> Name = sourceNameOfSlot(*Slot);
  Call.setArgOperand(Call.arg_size() - 1,
                     ABI.stored(ABI.siteOf(Call), Name ? StringRef(Name->Text) : StringRef()));
}

void BarrierEmitter::notePlace(IRBuilder<> &B, Value *Slot, Value *Stored) {
  if (notesSites() && !isa<ConstantPointerNull>(Stored))
    setPlace(*ABI.call(B, Entry::StoredAt, {Slot, Stored, ABI.null()}), Slot);
}

void BarrierEmitter::notePlaces(IRBuilder<> &B, Value *Address, Value *Size) {
  if (notesSites())
    setPlace(*ABI.call(B, Entry::StoredRangeAt, {Address, Size, ABI.null()}), Address);
}

void BarrierEmitter::noteAfter(Instruction &I, Value *Slot, Value *New) {
  if (notesSites())
    forEachPointAfter(I, false, [&](IRBuilder<> &B) { notePlace(B, Slot, windowValue(B, New)); });
}

Value *BarrierEmitter::windowValue(IRBuilder<> &B, Value *V) {
  if (V->getType()->isIntegerTy())
    return isa<Constant>(V) ? ABI.null() : B.CreateIntToPtr(V, ABI.pointerType());
  return isOutsideRegions(V) ? ABI.null() : V;
}

void BarrierEmitter::check(IRBuilder<> &B, Value *Slot, Value *New, SlotRule Rule,
                           Constant *Where) {
  assert(Rule != SlotRule::Plain && Rule != SlotRule::Union && Rule != SlotRule::Numbers &&
         "the rule of an annotated slot");
  ++RuleChecks;
  ++Count;
  if (isHandleRule(Rule))
    ABI.call(B, Entry::CheckHandle, {Slot, New, B.getInt32(static_cast<uint32_t>(Rule)), Where});
  else if (Rule == SlotRule::Traditional)
    ABI.call(B, Entry::CheckTraditional, {Slot, New, Where});
  else
    ABI.call(B, Rule == SlotRule::Sameregion ? Entry::CheckSameregion : Entry::CheckParentptr,
             {Slot, New, Where});
}

void BarrierEmitter::storeAfter(Instruction &I, Value *Slot, Value *New) {
  forEachPointAfter(I, false, [&](IRBuilder<> &B) {
    Value *Stored = windowValue(B, New);
    ABI.call(B, Entry::Store, {Slot, Stored});
    notePlace(B, Slot, Stored);
    ++StoreBarriers;
    ++Count;
  });
}

void BarrierEmitter::rereadAfter(Instruction &I, Value *Slot) {
  forEachPointAfter(I, false, [&](IRBuilder<> &B) {
    ABI.call(B, Entry::Reread, {Slot});
    notePlaces(B, Slot, ABI.size(ABI.layout().getPointerSize()));
    ++StoreBarriers;
    ++Count;
  });
}

void BarrierEmitter::rescanAfter(Instruction &I, Value *Address, Value *Size, Align Known) {
  forEachPointAfter(I, false, [&](IRBuilder<> &B) {
    CallInst *Call = range(B, Entry::Rescan, {Address, B.CreateZExtOrTrunc(Size, ABI.sizeType())});
    if (Known > Align())
      Call->addParamAttr(0, Attribute::getWithAlignment(B.getContext(), Known));
  });
}

void BarrierEmitter::releaseAfter(Instruction &I, Value *Address, Value *Size) {
  forEachPointAfter(I, false, [&](IRBuilder<> &B) {
    range(B, Entry::Release, {Address, B.CreateZExtOrTrunc(Size, ABI.sizeType())});
  });
}

CallInst *BarrierEmitter::range(IRBuilder<> &B, Entry E, ArrayRef<Value *> Arguments) {
  ++RangeBarriers;
  ++Count;
  // Before the barrier, which may end the program with a message that asks for the place.
  if (E != Entry::Release)
    notePlaces(B, Arguments[0], Arguments[E == Entry::RescanCopied ? 2 : 1]);
  return ABI.call(B, E, Arguments);
}

} // namespace acre

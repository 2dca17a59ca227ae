//===- BarrierEffects.cpp - What barriers may be moved past ---------------===//
#include "BarrierEffects.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace acre {

bool isCallOf(const Instruction &I, Entry E) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == entryName(E);
}

bool mayObserveRecords(const Instruction &I) {
  // Who waits for an atomic or volatile access may delete then.
  if (I.isAtomic() || I.isVolatile())
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (isa<AnyMemIntrinsic, DbgInfoIntrinsic, LifetimeIntrinsic, AssumeInst>(Call))
    return false;
  // What they note is in the records.
  if (isCallOf(I, Entry::Keep) || isCallOf(I, Entry::KeepRange))
    return true;
  if (const Function *Callee = Call->getCalledFunction(); Callee && Callee->getName().starts_with("acre_rt_"))
    return !Callee->onlyAccessesInaccessibleMemOrArgMem();
  // What writes nothing neither deletes nor lets others go on.
  return !(Call->onlyReadsMemory() && Call->doesNotThrow() && Call->hasFnAttr(Attribute::WillReturn));
}

bool isRangeBarrier(const Instruction &I) {
  return any_of(ArrayRef{Entry::Reread, Entry::Rescan, Entry::RescanTyped, Entry::StoreRange, Entry::Release,
                         Entry::ReleaseBetween},
                [&](Entry E) { return isCallOf(I, E); });
}

SlotAddress slotAddress(const Value &Slot, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Slot.getType()), 0);
  const Value *Base = Slot.stripAndAccumulateConstantOffsets(DL, Offset, true);
  return {Base, Offset.getSExtValue()};
}

} // namespace acre

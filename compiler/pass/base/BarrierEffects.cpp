// SPDX-License-Identifier: MIT
//===- BarrierEffects.cpp - What barriers may be moved past ---------------===//
#include "pass/base/BarrierEffects.h"
#include "pass/base/RegionTerm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace acre {

std::optional<Entry> entryOf(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee ? entryNamed(Callee->getName()) : std::nullopt;
}

bool isCallOf(const Instruction &I, Entry E) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == entryName(E);
}

bool mayObserveRecords(const Instruction &I) {
  // A thread that waits for an atomic or volatile access may delete then.
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
  if (const Function *Callee = Call->getCalledFunction();
      Callee && Callee->getName().starts_with("acre_rt_"))
    return !Callee->onlyAccessesInaccessibleMemOrArgMem();
  // What writes nothing neither deletes nor lets others go on.
  return !(Call->onlyReadsMemory() && Call->doesNotThrow() &&
           Call->hasFnAttr(Attribute::WillReturn));
}

bool isRangeBarrier(const Instruction &I) {
  std::optional<Entry> E = entryOf(I);
  return E && is_contained({Entry::Reread, Entry::Rescan, Entry::RescanTyped, Entry::RescanSlots,
                            Entry::RescanCopied, Entry::StoreRange, Entry::Release,
                            Entry::ReleaseBetween},
                           *E);
}

bool isTypedRescan(const Instruction &I) {
  std::optional<Entry> E = entryOf(I);
  return E && is_contained({Entry::RescanTyped, Entry::RescanSlots, Entry::RescanCopied}, *E);
}

SlotAddress slotAddress(const Value &Slot, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Slot.getType()), 0);
  const Value *Base = Slot.stripAndAccumulateConstantOffsets(DL, Offset, true);
  return {Base, Offset.getSExtValue()};
}

bool isLentForReading(const Use &U) {
  auto *Call = dyn_cast<CallBase>(U.getUser());
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Call->isArgOperand(&U) || Callee->getName().starts_with("acre_rt_"))
    return false;
  const unsigned Index = Call->getArgOperandNo(&U);
  return Call->doesNotCapture(Index) && (Call->onlyReadsMemory() || Call->onlyReadsMemory(Index));
}

/// Whether Call returns memory that is zero and has no records.
static bool isAllocation(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && (Callee->getName() == "acre_region_alloc" ||
                    Callee->getName() == "acre_region_alloc_array");
}

/// Whether a use of an object's address, by I, leaves the records of the slot as they are: it is no
/// barrier of that slot, and nobody else gets the address.
static bool leavesSlot(const Use &U, const SlotAddress &Slot, const DataLayout &DL) {
  auto *I = cast<Instruction>(U.getUser());
  if (isa<LoadInst, ICmpInst, AnyMemIntrinsic, DbgInfoIntrinsic, LifetimeIntrinsic>(I))
    return true;
  if (isa<StoreInst>(I))
    return U.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (any_of(ArrayRef{Entry::CheckSameregion, Entry::CheckParentptr, Entry::CheckTraditional,
                      Entry::CheckHandle, Entry::CheckInregion, Entry::KnownInregion},
             [&](Entry E) { return isCallOf(*I, E); }) ||
      isLentForReading(U))
    return true;
  if (!isCallOf(*I, Entry::Store))
    return false;
  // A pointer that is stored escapes by that store, not by its barrier.
  SlotAddress Other = slotAddress(*I->getOperand(0), DL);
  const int64_t Size = DL.getPointerSize();
  return U.getOperandNo() == 1 ||
         (Other.Base == Slot.Base && std::abs(Other.Offset - Slot.Offset) >= Size);
}

/// Whether control can go from Event, in which an object that Allocation made is used, to At
/// without making a new one.
static bool isBetween(const CallInst &Allocation, const Instruction &Event, const Instruction &At) {
  if (Event.getParent() == At.getParent() && Event.comesBefore(&At))
    return true;
  if (At.getParent() == Allocation.getParent())
    return false;
  SmallVector<BasicBlock *, 4> From(successors(const_cast<BasicBlock *>(Event.getParent())));
  SmallPtrSet<BasicBlock *, 1> Without{const_cast<BasicBlock *>(Allocation.getParent())};
  return !From.empty() && isPotentiallyReachableFromMany(From, At.getParent(), &Without);
}

bool isFreshSlot(const CallInst &Store) {
  constexpr unsigned MostUses = 64;
  auto *Allocation = dyn_cast<CallInst>(objectOf(Store.getArgOperand(0)));
  if (!Allocation || !isAllocation(*Allocation))
    return false;
  const DataLayout &DL = Store.getDataLayout();
  const SlotAddress Slot = slotAddress(*Store.getArgOperand(0), DL);
  SmallVector<const Use *, 16> Uses(make_pointer_range(Allocation->uses()));
  for (unsigned Index = 0; Index < Uses.size(); ++Index) {
    if (Index >= MostUses)
      return false;
    const Use &U = *Uses[Index];
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I)
      return false;
    if (isa<GetElementPtrInst, FreezeInst>(I))
      append_range(Uses, make_pointer_range(I->uses()));
    else if (!leavesSlot(U, Slot, DL) && isBetween(*Allocation, *I, Store))
      return false;
  }
  return true;
}

} // namespace acre

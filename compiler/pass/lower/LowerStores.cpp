// SPDX-License-Identifier: MIT
//===- LowerStores.cpp - Inline tests of single stores --------------------===//
#include "pass/lower/LowerStores.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/RegionTerm.h"
#include "pass/simplify/CoalesceBarriers.h"
#include "versions/LLVM.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(StoresInlined, "Store barriers with an inline test");

namespace acre {

/// Whether V was allocated in a region just now: it is in the window.
static bool isInRegion(const Value *V) {
  auto *Call = dyn_cast<CallBase>(objectOf(V));
  return Call && knownResult(*Call).Meaning == ResultMeaning::InRegion;
}

/// Whether Slot is in a variable, which seldom lies in a region: a stack may.
static bool isInVariable(const Value *Slot) {
  return isa<GlobalVariable, AllocaInst>(objectOf(Slot));
}

/// The variable that says where the record of Slot is, if Slot is an aligned one of a variable that
/// all threads share; else null.
GlobalVariable *StoreLowering::placeOf(const Value &Slot) {
  const SlotAddress At = slotAddress(Slot, Guard.ABI.layout());
  auto *G = dyn_cast<GlobalVariable>(const_cast<Value *>(At.Base));
  const Align Needed(Guard.ABI.layout().getPointerSize());
  if (!G || G->isThreadLocal() || G->getPointerAlignment(Guard.ABI.layout()) < Needed ||
      !isAligned(Needed, static_cast<uint64_t>(At.Offset)))
    return nullptr;
  return Guard.Functions.placeOf(*G, At.Offset);
}

/// Whether Slot is most likely a local: of a caller, for a result, or one of the function's own.
static bool isLikelyInFrame(const Value *Slot) { return isa<Argument, AllocaInst>(Slot); }

/// The barrier of one store.  The slot should have a record only if the value is in the window and
/// not in the slot's region; whether it may have one, the count of its line says.
void StoreLowering::lowerStore(CallInst &Call) {
  if (Fresh.contains(&Call))
    return lowerFreshStore(Call);
  Value *New = Call.getArgOperand(1);
  BasicBlock *First = Call.getParent(), *Line = SplitBlock(First, &Call);
  IRBuilder<> B(&Call);
  Value *Slot = B.CreatePtrToInt(Call.getArgOperand(0), Guard.ABI.sizeType());
  GlobalVariable *Place = placeOf(*Call.getArgOperand(0));
  Guard.guard(&Call, B.CreateIsNotNull(Guard.Tests.eagerCount(B, Slot)));
  BasicBlock *Done = Call.getParent()->getSingleSuccessor();
  if (Place) {
    B.SetInsertPoint(&Call);
    Value *Record = Guard.Tests.recordAt(B, Place);
    // The mark of a lazy one, which may stay, is the sign.
    Guard.guard(&Call, B.CreateICmpSGT(Record, B.getInt32(0)));
  }
  Guards::callInstead(Call, Guard.Functions.near());
  ++StoresInlined;
  if (isa<ConstantPointerNull>(New))
    return;

  auto *Far = BasicBlock::Create(Guard.ABI.module().getContext(), "", First->getParent(), Line);
  First->getTerminator()->eraseFromParent();
  if (Place) {
    B.SetInsertPoint(Far);
    B.SetCurrentDebugLocation(Call.getDebugLoc());
    callGlobal(B, Call, *Place);
    B.CreateBr(Done);
    B.SetInsertPoint(First);
    Guard.Tests.branchOnPlace(B, Place, Guard.Tests.address(B, New), isInRegion(New), Done, Line,
                              Far);
    return;
  }
  auto *FarCall = cast<CallInst>(Call.clone());
  FarCall->insertInto(Far, Far->end());
  UncondBrInst::Create(Done, Far);
  Guards::callInstead(*FarCall, Guard.Functions.far());
  B.SetInsertPoint(First);
  testValue(B, Call, Line, Far, Done);
}

/// The call that is made where Store's slot, of a variable, has not the record that it should have.
void StoreLowering::callGlobal(IRBuilder<> &B, const CallInst &Store, GlobalVariable &Place) {
  Function *Callee = Guard.Functions.cold(Entry::StoreGlobal);
  CallInst *Call = B.CreateCall(Callee, {Store.getArgOperand(0), Store.getArgOperand(1), &Place});
  Call->setCallingConv(Callee->getCallingConv());
  Call->copyMetadata(Store);
  Call->setDoesNotThrow();
}

/// As lowerStore, for a slot that has no record: its line is not asked.
void StoreLowering::lowerFreshStore(CallInst &Call) {
  ++StoresInlined;
  if (isa<ConstantPointerNull>(Call.getArgOperand(1)))
    return void(Call.eraseFromParent());
  BasicBlock *First = Call.getParent(), *Done = SplitBlock(First, &Call);
  auto *Far = BasicBlock::Create(Guard.ABI.module().getContext(), "", First->getParent(), Done);
  Call.moveBefore(*Far, Far->end());
  UncondBrInst::Create(Done, Far);
  Guards::callInstead(Call, Guard.Functions.far());
  First->getTerminator()->eraseFromParent();
  IRBuilder<> B(First);
  testValue(B, Call, Done, Far, Done);
}

/// Goes to Far if the value is in a region that is not the slot's, to Line if it needs no record,
/// or to Done if the slot's page has none either.  Of a variable it is only asked whether the value
/// is in the window.  A slot that may be in a frame, which is on no page of a region, is Done if
/// that is not counted.
void StoreLowering::testValue(IRBuilder<> &B, const CallInst &Store, BasicBlock *Line,
                              BasicBlock *Far, BasicBlock *Done) {
  Value *New = Store.getArgOperand(1), *Place = Store.getArgOperand(0);
  if (isInVariable(Place))
    return void(B.CreateCondBr(Guard.Tests.isInWindow(B, Guard.Tests.address(B, New)), Far, Line));
  Value *Slot = B.CreatePtrToInt(Place, Guard.ABI.sizeType());
  BasicBlock *Outside = Far;
  if (isa<PHINode>(Place)) {
    Outside = BasicBlock::Create(Guard.ABI.module().getContext(), "", Far->getParent(), Far);
    IRBuilder<> OfFrame(Outside);
    OfFrame.CreateCondBr(Guard.Tests.isUncounted(OfFrame, Slot), Done, Far);
  }
  Guard.Tests.branchOnStore(B, Slot, Guard.Tests.address(B, New), isInRegion(New),
                            {Done, Line, Outside, Far});
}

/// In a unit that names no region: what cannot be a patch point is asked in line.
void StoreLowering::lowerActive(ArrayRef<CallInst *> Group) {
  SmallVector<CallInst *, 4> Left;
  for (CallInst *Call : Group)
    if (!Guard.hasPatchPoints() || !Guard.Patches.replace(*Call))
      Left.push_back(Call);
  StoresInlined += Left.size();
  if (Left.empty())
    return;
  Guard.guardActive(Left);
  for (CallInst *Call : Left)
    Guards::callInstead(*Call, Guard.Functions.any());
}

/// The barriers of stores to one object.
void StoreLowering::lowerStores(ArrayRef<CallInst *> Group) {
  if (Guard.asksActive())
    return lowerActive(Group);
  IRBuilder<> B(Group.front());
  bool IsCleared = all_of(
      Group, [](CallInst *Call) { return isa<ConstantPointerNull>(Call->getArgOperand(1)); });
  // One object is in one frame.
  Value *Slot = Group.front()->getArgOperand(0);
  if (isLikelyInFrame(Slot)) {
    Guard.guard(Group, B.CreateNot(Guard.Tests.isUncounted(
                           B, B.CreatePtrToInt(Slot, Guard.ABI.sizeType()))));
    B.SetInsertPoint(Group.front());
  }
  if (Group.size() > 1 && IsCleared)
    return lowerCleared(Group);
  for (CallInst *Call : Group)
    lowerStore(*Call);
}

/// Slots that are cleared need one test of where the first and the last one are.
void StoreLowering::lowerCleared(ArrayRef<CallInst *> Group) {
  IRBuilder<> B(Group.front());
  auto OffsetOf = [&](CallInst *Call) {
    return slotAddress(*Call->getArgOperand(0), Guard.ABI.layout()).Offset;
  };
  auto [Low, High] = std::minmax_element(Group.begin(), Group.end(), [&](CallInst *A, CallInst *B) {
    return OffsetOf(A) < OffsetOf(B);
  });
  const uint64_t Reach =
      static_cast<uint64_t>(OffsetOf(*High) - OffsetOf(*Low)) + Guard.ABI.layout().getPointerSize();
  auto CountOf = [&](CallInst *Call) {
    Value *Address = B.CreatePtrToInt(Call->getArgOperand(0), Guard.ABI.sizeType());
    return Reach <= LineSize ? Guard.Tests.eagerCount(B, Address)
                             : Guard.Tests.filterByte(B, Address);
  };
  Value *Count = CountOf(*Low);
  Guard.guard(Group, B.CreateIsNotNull(B.CreateOr(Count, CountOf(*High))));
  for (CallInst *Call : Group)
    Guards::callInstead(*Call, Guard.Functions.near());
  StoresInlined += Group.size();
}

/// Whether Barrier, which stands behind Group, can be tested together with it: its slot is in the
/// same object, and so near that what lies between the first and the last slot has been tested with
/// them.
bool StoreLowering::belongsTo(ArrayRef<CallInst *> Group, const CallInst &Barrier) const {
  static_assert(2 * GroupReach <= static_cast<int64_t>(FilteredSize));
  // Counting for statistics goes between.
  const Instruction *Next = Group.back()->getNextNode();
  while (Next != &Barrier && isa_and_nonnull<AtomicRMWInst>(Next) &&
         Next->hasMetadata(LLVMContext::MD_nosanitize))
    Next = Next->getNextNode();
  SlotAddress First = slotAddress(*Group.front()->getArgOperand(0), Guard.ABI.layout()),
              Slot = slotAddress(*Barrier.getArgOperand(0), Guard.ABI.layout());
  return Next == &Barrier && First.Base == Slot.Base &&
         std::abs(First.Offset - Slot.Offset) < GroupReach;
}

void StoreLowering::add(CallInst &Store) {
  assert(isCallOf(Store, Entry::Store) && "a barrier of one store");
  if (Groups.empty() || !belongsTo(Groups.back(), Store))
    Groups.emplace_back();
  Groups.back().push_back(&Store);
  if (isFreshSlot(Store))
    Fresh.insert(&Store);
}

void StoreLowering::run() {
  for (const Group &Each : Groups)
    lowerStores(Each);
}

} // namespace acre

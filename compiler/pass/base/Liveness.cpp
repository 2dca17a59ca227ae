//===- Liveness.cpp - What is still needed after a call -------------------===//
#include "pass/base/Liveness.h"
#include "pass/base/StackObjects.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acre {

/// Whether I does nothing but make a value.
static bool isPure(const Instruction &I) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->isSimple();
  return !I.mayReadOrWriteMemory() && !I.isTerminator() && !isa<AllocaInst, CallBase>(I);
}

DebuggerUses findDebuggerUses(const Function &F) {
  DebuggerUses Found;
  SmallVector<const Instruction *, 16> Worklist;
  if (!Intrinsic::getDeclarationIfExists(F.getParent(), Intrinsic::fake_use))
    return Found;
  // SROA leaves unused values behind where such a call used a record.
  for (const Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if ((Call && Call->getIntrinsicID() == Intrinsic::fake_use) || (I.use_empty() && isPure(I))) {
      Found.insert(&I);
      Worklist.push_back(&I);
    }
  }
  // What they might be alone in needing, and without what others need too.
  while (!Worklist.empty())
    for (const Value *Operand : Worklist.pop_back_val()->operands())
      if (auto *I = dyn_cast<Instruction>(Operand); I && isPure(*I) && Found.insert(I).second)
        Worklist.push_back(I);
  auto IsNeeded = [&](const Instruction *I) {
    return any_of(I->users(), [&](const User *U) { return !Found.contains(cast<Instruction>(U)); });
  };
  while (Found.remove_if(IsNeeded))
    ;
  return Found;
}

/// Completes LiveOut: a block's predecessors are live out if the first thing that happens in the
/// block, or, with nothing happening, after it, is a read.
void Liveness::propagate() {
  auto IsBefore = [](const auto &A, const auto &B) {
    return A.first != B.first && A.first->comesBefore(B.first);
  };
  for (auto &[BB, List] : Events)
    llvm::stable_sort(List, IsBefore);
  SmallVector<const BasicBlock *, 16> Worklist;
  SmallPtrSet<const BasicBlock *, 16> LiveIn;
  auto Enter = [&](const BasicBlock *BB) {
    if (LiveIn.insert(BB).second)
      Worklist.push_back(BB);
  };
  for (auto &[BB, List] : Events)
    if (List.front().second == Event::Read)
      Enter(BB);
  for (const BasicBlock *BB : Pending)
    if (!Events.contains(BB))
      Enter(BB);
  while (!Worklist.empty())
    for (const BasicBlock *Previous : predecessors(Worklist.pop_back_val()))
      if (LiveOut.insert(Previous).second && !Events.contains(Previous))
        Enter(Previous);
  Pending.clear();
}

const Liveness::Event *Liveness::firstEvent(const BasicBlock *BB, const Instruction *After) const {
  auto Found = Events.find(BB);
  if (Found == Events.end())
    return nullptr;
  for (auto &[I, E] : Found->second)
    if (After->comesBefore(I))
      return &E;
  return nullptr;
}

bool Liveness::isLiveAfter(const Instruction &I) const {
  if (const Event *First = firstEvent(I.getParent(), &I))
    return *First == Event::Read;
  return LiveOut.contains(I.getParent());
}

Liveness Liveness::ofValue(Value &V, const DebuggerUses &Ignored) {
  Liveness Result;
  if (auto *I = dyn_cast<Instruction>(&V))
    Result.Events[I->getParent()].push_back({I, Event::Kill});
  for (Use &U : V.uses()) {
    auto *User = cast<Instruction>(U.getUser());
    if (Ignored.contains(User))
      continue;
    if (auto *Phi = dyn_cast<PHINode>(User)) {
      BasicBlock *From = Phi->getIncomingBlock(U);
      if (Result.LiveOut.insert(From).second)
        Result.Pending.push_back(From);
    } else {
      Result.Events[User->getParent()].push_back({User, Event::Read});
    }
  }
  Result.propagate();
  return Result;
}

/// Whether a use writes all bytes of an object of Size bytes.
static bool overwrites(const Use &U, const Value &Object, uint64_t Size, const DataLayout &DL) {
  auto *I = cast<Instruction>(U.getUser());
  APInt Offset(DL.getIndexTypeSizeInBits(U->getType()), 0);
  if (U->stripAndAccumulateConstantOffsets(DL, Offset, true) != &Object || !Offset.isZero())
    return false;
  if (auto *S = dyn_cast<StoreInst>(I))
    return DL.getTypeStoreSize(S->getValueOperand()->getType()).getKnownMinValue() >= Size;
  if (auto *Mem = dyn_cast<AnyMemIntrinsic>(I))
    if (auto *Length = dyn_cast<ConstantInt>(Mem->getLength()))
      return Length->getZExtValue() >= Size;
  return false;
}

Liveness Liveness::ofObject(Value &Object, const DataLayout &DL, const DebuggerUses &Ignored) {
  Liveness Result;
  uint64_t Size = stackObjectSize(&Object, DL);
  forEachStackUse(&Object, [&](Use &U, StackUse Kind) {
    auto *I = cast<Instruction>(U.getUser());
    if (Ignored.contains(I))
      return;
    auto &List = Result.Events[I->getParent()];
    if (Kind == StackUse::Read)
      List.insert(List.begin(), {I, Event::Read}); // before a write by the same instruction
    else if (Kind == StackUse::Begin || Kind == StackUse::End ||
             (Kind == StackUse::Write && overwrites(U, Object, Size, DL)))
      List.push_back({I, Event::Kill});
    if (List.empty())
      Result.Events.erase(I->getParent());
  });
  Result.propagate();
  return Result;
}

} // namespace acre

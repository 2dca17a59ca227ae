// SPDX-License-Identifier: MIT
//===- Liveness.cpp - What is still needed after a call -------------------===//
#include "pass/base/Liveness.h"
#include "pass/base/StackObjects.h"
#include "versions/LLVM.h"
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

NeedlessUses findNeedlessUses(const Function &F) {
  NeedlessUses Found;
  SmallVector<const Instruction *, 16> Worklist;
  for (const Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    // A value that goes round a loop may need nothing but itself.
    if ((Call && isFakeUse(*Call)) || isa<PHINode>(I) || (I.use_empty() && isPure(I))) {
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
  Worklist.assign(Found.begin(), Found.end());
  while (!Worklist.empty()) {
    const Instruction *I = Worklist.pop_back_val();
    if (!Found.contains(I) || !IsNeeded(I))
      continue;
    Found.erase(I);
    for (const Value *Operand : I->operands())
      if (auto *Other = dyn_cast<Instruction>(Operand); Other && Found.contains(Other))
        Worklist.push_back(Other);
  }
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
    if (!After || After->comesBefore(I))
      return &E;
  return nullptr;
}

bool Liveness::isLiveAfter(const Instruction &I) const {
  if (const Event *First = firstEvent(I.getParent(), &I))
    return *First == Event::Read;
  return LiveOut.contains(I.getParent());
}

bool Liveness::isLiveOnEdge(const BasicBlock &From, const BasicBlock &To) const {
  for (const PHINode &Phi : To.phis())
    if (Phi.getIncomingValueForBlock(&From) == Of)
      return true;
  const Event *First = firstEvent(&To, nullptr);
  return First ? *First == Event::Read : LiveOut.contains(&To);
}

bool Liveness::isLiveOver(const Instruction &I, ArrayRef<const BasicBlock *> Next) const {
  if (const Event *First = firstEvent(I.getParent(), &I))
    return *First == Event::Read;
  return any_of(Next, [&](const BasicBlock *To) { return isLiveOnEdge(*I.getParent(), *To); });
}

Liveness Liveness::ofValue(Value &V, const NeedlessUses &Ignored) {
  Liveness Result;
  Result.Of = &V;
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

/// Puts what happens in each block in order; Place says where it happens.
template <typename Lists, typename Where> static void sortByPlace(Lists &Blocks, Where Place) {
  for (auto &[BB, List] : Blocks)
    llvm::stable_sort(List, [&](const auto &A, const auto &B) {
      return Place(A) != Place(B) && Place(A)->comesBefore(Place(B));
    });
}

ObjectLiveness::ObjectLiveness(ArrayRef<ObjectUse> Uses, uint64_t Bytes,
                               const NeedlessUses &Ignored, const Function *Read)
    : Size(Bytes) {
  constexpr uint64_t Word = 8, MostParts = 64;
  PartSize = std::max(Word, alignTo(divideCeil(Size, MostParts), Word));
  Count = Size ? divideCeil(Size, PartSize) : 1;
  const bool IsKept = any_of(Uses, [](const ObjectUse &U) { return U.What == ObjectUse::Keep; });
  for (const ObjectUse &U : Uses) {
    const BasicBlock *BB = U.At->getParent();
    bool IsLimit = U.What == ObjectUse::Begin || U.What == ObjectUse::End;
    if (IsKept && (IsLimit || U.What == ObjectUse::Keep))
      Marks[BB].push_back({U.At, !IsLimit});
    if (U.What == ObjectUse::Read && !Ignored.contains(U.At))
      Events[BB].push_back(
          {U.At, U.Bytes ? touched(U.Bytes->first, U.Bytes->second) : all(), 0, U.IsCopy});
    else if (IsLimit)
      Events[BB].push_back({U.At, 0, all()});
    else if (U.What == ObjectUse::Write && U.Bytes)
      Events[BB].push_back({U.At, 0, covered(U.Bytes->first, U.Bytes->second)});
  }
  if (Read)
    for (const BasicBlock &BB : *Read)
      if (isa<ReturnInst>(BB.getTerminator()))
        Events[&BB].push_back({BB.getTerminator(), all(), 0});
  sortByPlace(Events, [](const Event &E) { return E.At; });
  sortByPlace(Marks, [](const auto &Mark) { return Mark.first; });
  solve();
  solveKept();
}

ObjectLiveness::Parts ObjectLiveness::touched(uint64_t First, uint64_t End) const {
  Parts Found = 0;
  for (unsigned I = 0; I < Count; ++I)
    if (!Size || (First < (I + 1) * PartSize && End > I * PartSize))
      Found |= Parts(1) << I;
  return Found;
}

/// The parts all of whose bytes are in [First, End).
ObjectLiveness::Parts ObjectLiveness::covered(uint64_t First, uint64_t End) const {
  Parts Found = 0;
  for (unsigned I = 0; Size && I < Count; ++I)
    if (First <= I * PartSize && End >= std::min((I + 1) * PartSize, Size))
      Found |= Parts(1) << I;
  return Found;
}

/// The parts that are live before all events behind After, or before all, if Live are behind the
/// last.
ObjectLiveness::Parts ObjectLiveness::walkBack(ArrayRef<Event> List, Parts Live,
                                               const Instruction *After) {
  while (!List.empty() && !(After && !After->comesBefore(List.back().At))) {
    // What one instruction reads was there before what it writes.
    const Instruction *At = List.back().At;
    Parts Read = 0;
    for (; !List.empty() && List.back().At == At; List = List.drop_back()) {
      Live &= ~List.back().Killed;
      Read |= List.back().Read;
    }
    Live |= Read;
  }
  return Live;
}

void ObjectLiveness::solve() {
  SmallVector<const BasicBlock *, 16> Worklist;
  for (auto &[BB, List] : Events)
    Worklist.push_back(BB);
  while (!Worklist.empty()) {
    const BasicBlock *BB = Worklist.pop_back_val();
    Parts Live = liveIn(BB);
    for (const BasicBlock *Previous : predecessors(BB)) {
      Parts &Out = LiveOut[Previous];
      if ((Out | Live) == Out)
        continue;
      Out |= Live;
      Worklist.push_back(Previous);
    }
  }
}

ObjectLiveness::Parts ObjectLiveness::liveIn(const BasicBlock *BB) const {
  auto Found = Events.find(BB);
  Parts Live = LiveOut.lookup(BB);
  return Found == Events.end() ? Live : walkBack(Found->second, Live, nullptr);
}

ObjectLiveness::Parts ObjectLiveness::liveAtEntry(const Function &F) const {
  return liveIn(&F.getEntryBlock());
}

ObjectLiveness::Parts ObjectLiveness::readBy(const Instruction &I) const {
  Parts Read = 0;
  if (auto Found = Events.find(I.getParent()); Found != Events.end())
    for (const Event &E : Found->second)
      if (E.At == &I && !E.IsCopy)
        Read |= E.Read;
  return Read;
}

ObjectLiveness::Parts ObjectLiveness::liveBehind(const Instruction &I, Parts Out) const {
  auto Found = Events.find(I.getParent());
  return Found == Events.end() ? Out : walkBack(Found->second, Out, &I);
}

ObjectLiveness::Parts ObjectLiveness::liveAfter(const Instruction &I) const {
  return liveBehind(I, LiveOut.lookup(I.getParent()));
}

ObjectLiveness::Parts ObjectLiveness::liveOver(const Instruction &I,
                                               ArrayRef<const BasicBlock *> Next) const {
  Parts Out = 0;
  for (const BasicBlock *To : Next)
    Out |= liveIn(To);
  return liveBehind(I, Out);
}

ObjectLiveness::Parts ObjectLiveness::liveBefore(const Instruction &I) const {
  const Instruction *Before = I.getPrevNode();
  return Before ? liveAfter(*Before) : liveIn(I.getParent());
}

void ObjectLiveness::solveKept() {
  SmallVector<const BasicBlock *, 16> Worklist;
  auto Leave = [&](const BasicBlock *BB) {
    for (const BasicBlock *Next : successors(BB))
      if (KeptIn.insert(Next).second)
        Worklist.push_back(Next);
  };
  for (auto &[BB, List] : Marks)
    if (List.back().second)
      Leave(BB);
  while (!Worklist.empty())
    if (const BasicBlock *BB = Worklist.pop_back_val(); !Marks.contains(BB))
      Leave(BB);
}

bool ObjectLiveness::isKeptAt(const Instruction &I) const {
  bool IsKept = KeptIn.contains(I.getParent());
  if (auto Found = Marks.find(I.getParent()); Found != Marks.end())
    for (auto &[At, Keeps] : Found->second)
      if (At == &I || At->comesBefore(&I))
        IsKept = Keeps;
  return IsKept;
}

void ObjectLiveness::forEachRun(Parts Live, function_ref<void(uint64_t, uint64_t)> Visit) const {
  for (unsigned I = 0; I < Count; ++I) {
    unsigned First = I;
    while (I < Count && (Live >> I & 1))
      ++I;
    if (I > First)
      Visit(First * PartSize, Size ? std::min(I * PartSize, Size) - First * PartSize : 0);
  }
}

} // namespace acre

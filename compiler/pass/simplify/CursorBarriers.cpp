// SPDX-License-Identifier: MIT
//===- CursorBarriers.cpp - Pointers that move within an object -----------===//
#include "pass/simplify/CursorBarriers.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/CheckMode.h"
#include "pass/base/Stats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(CursorBarriers, "Barriers of pointers that only move within their object");

namespace acre {
namespace {

/// No more is looked at for one value, or for one barrier: functions of any size take linear time.
constexpr unsigned MostSteps = 32, MostInstructions = 256;

class Cursors {
public:
  Cursors(Function &Fn, AAResults &Aliases) : F(Fn), AA(Aliases), ABI(*Fn.getParent()) {}
  bool run();

private:
  const LoadInst *origin(const Value *Stored, const SlotAddress &Slot) const;
  bool keeps(const Instruction &I, const LoadInst &Read, const SlotAddress &Slot) const;
  bool isKeptSince(const LoadInst &Read, const CallInst &Barrier, const SlotAddress &Slot) const;

  Function &F;
  AAResults &AA;
  RuntimeABI ABI;
};

/// Whether Moved goes as far as two addresses are apart: so programs follow memory that was
/// reallocated, into another object.
static bool isByDistance(const GEPOperator &Moved) {
  SmallPtrSet<const Value *, MostSteps> Seen;
  SmallVector<const Value *, 8> Work(Moved.idx_begin(), Moved.idx_end());
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (isa<PtrToIntOperator>(V) || Seen.size() > MostSteps)
      return true;
    if (auto *I = dyn_cast<Instruction>(V);
        I && isa<BinaryOperator, CastInst, PHINode, SelectInst>(I))
      append_range(Work, I->operands());
  }
  return false;
}

/// The read of Slot that Stored was made from by moving the pointer, on all ways; null if there is
/// none.
const LoadInst *Cursors::origin(const Value *Stored, const SlotAddress &Slot) const {
  const LoadInst *Read = nullptr;
  SmallPtrSet<const Value *, MostSteps> Seen;
  SmallVector<const Value *, 8> Work = {Stored};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (Seen.size() > MostSteps)
      return nullptr;
    if (auto *Moved = dyn_cast<GEPOperator>(V)) {
      if (isByDistance(*Moved))
        return nullptr;
      Work.push_back(Moved->getPointerOperand());
    } else if (auto *Phi = dyn_cast<PHINode>(V)) {
      append_range(Work, Phi->incoming_values());
    } else if (auto *Choice = dyn_cast<SelectInst>(V)) {
      Work.append({Choice->getTrueValue(), Choice->getFalseValue()});
    } else {
      auto *Load = dyn_cast<LoadInst>(V);
      if (!Load || !Load->isSimple() || (Read && Read != Load) ||
          !(slotAddress(*Load->getPointerOperand(), ABI.layout()) == Slot))
        return nullptr;
      Read = Load;
    }
  }
  return Read;
}

/// Whether behind I the slot points into the object that it pointed into before, and has the record
/// that it had.
bool Cursors::keeps(const Instruction &I, const LoadInst &Read, const SlotAddress &Slot) const {
  bool IsStore = isCallOf(I, Entry::Store);
  if (IsStore || isCallOf(I, Entry::CheckSameregion) || isCallOf(I, Entry::CheckParentptr)) {
    auto &Barrier = cast<CallInst>(I);
    const Value *Other = Barrier.getArgOperand(0);
    if (IsStore && slotAddress(*Other, ABI.layout()) == Slot)
      return origin(Barrier.getArgOperand(1), Slot) == &Read;
    MemoryLocation Written(Other, LocationSize::precise(ABI.layout().getPointerSize()));
    return AA.isNoAlias(MemoryLocation::get(&Read), Written);
  }
  if (mayObserveRecords(I) || isRangeBarrier(I))
    return false;
  if (auto *Store = dyn_cast<StoreInst>(&I);
      Store && slotAddress(*Store->getPointerOperand(), ABI.layout()) == Slot)
    return origin(Store->getValueOperand(), Slot) == &Read;
  return !I.mayWriteToMemory() || !isModSet(AA.getModRefInfo(&I, MemoryLocation::get(&Read)));
}

/// Walks back from Barrier to Read, which dominates it.
bool Cursors::isKeptSince(const LoadInst &Read, const CallInst &Barrier,
                          const SlotAddress &Slot) const {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const Instruction *, 8> Work = {Barrier.getPrevNode()};
  unsigned Steps = 0;
  auto PushPredecessors = [&](const BasicBlock &Block) {
    for (const BasicBlock *Before : predecessors(&Block))
      if (Seen.insert(Before).second)
        Work.push_back(Before->getTerminator());
  };
  if (!Work.front()) {
    Work.clear();
    PushPredecessors(*Barrier.getParent());
  }
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    const BasicBlock &Block = *I->getParent();
    for (; I && I != &Read; I = I->getPrevNode())
      if (++Steps > MostInstructions || !keeps(*I, Read, Slot))
        return false;
    if (!I)
      PushPredecessors(Block);
  }
  return true;
}

bool Cursors::run() {
  SmallVector<CallInst *, 8> Needless;
  for (Instruction &I : instructions(F)) {
    if (!isCallOf(I, Entry::Store))
      continue;
    auto &Barrier = cast<CallInst>(I);
    SlotAddress Slot = slotAddress(*Barrier.getArgOperand(0), ABI.layout());
    const LoadInst *Read = origin(Barrier.getArgOperand(1), Slot);
    if (Read && isKeptSince(*Read, Barrier, Slot))
      Needless.push_back(&Barrier);
  }
  // Each proof stands by itself: what a barrier that goes would have set, the slot has.
  for (CallInst *Barrier : Needless) {
    noteRemoved(*Barrier, ABI);
    Barrier->eraseFromParent();
  }
  CursorBarriers += Needless.size();
  return !Needless.empty();
}

} // namespace

PreservedAnalyses CursorBarriersPass::run(Function &F, FunctionAnalysisManager &FAM) {
  if (F.hasOptNone() || checkMode(*F.getParent()) == CheckMode::All)
    return PreservedAnalyses::all();
  if (!Cursors(F, FAM.getResult<AAManager>(F)).run())
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace acre

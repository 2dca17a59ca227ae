// SPDX-License-Identifier: MIT
//===- CoalesceBarriers.cpp - Several barriers of one object --------------===//
#include "pass/simplify/CoalesceBarriers.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/CheckMode.h"
#include "pass/base/Stats.h"
#include "versions/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(OverwrittenBarriers, "Barriers of slots that are stored again before anybody looks");
STATISTIC(GroupedBarriers, "Barriers moved to another one of the same object");

namespace acre {
namespace {

/// Bytes whose records a later barrier sets on every way from here, with nobody looking before.
struct Covered {
  SlotAddress Begin;
  int64_t Size;

  bool contains(const SlotAddress &Slot, int64_t Bytes) const {
    return Slot.Base == Begin.Base && Slot.Offset >= Begin.Offset &&
           Slot.Offset + Bytes <= Begin.Offset + Size;
  }
  bool operator==(const Covered &Other) const { return Begin == Other.Begin && Size == Other.Size; }
};
/// No more than these are remembered: functions of any size take linear time.
constexpr unsigned MostCovered = 16;
using CoveredSet = SmallVector<Covered, 8>;

class Coalescer {
public:
  explicit Coalescer(Function &Fn)
      : F(Fn), ABI(*Fn.getParent()), Word(ABI.layout().getPointerSize()) {}
  bool run();

private:
  CoveredSet atEnd(const BasicBlock &Block) const;
  void visit(BasicBlock &Block);
  bool visitStore(CallInst &Barrier, CoveredSet &Known);
  void join(CallInst &Barrier, const SlotAddress &Slot);
  static void add(CoveredSet &Known, const Covered &Range) {
    if (Known.size() < MostCovered)
      Known.push_back(Range);
  }

  Function &F;
  RuntimeABI ABI;
  const int64_t Word;
  DenseMap<const BasicBlock *, CoveredSet> AtBegin;
  /// The barriers that stand together where the walk is, and what slots they are of.
  CallInst *First = nullptr;
  const Value *GroupBase = nullptr;
  SmallVector<int64_t, 8> GroupOffsets;
  bool IsChanged = false;
};

/// What is covered on all ways on.  Ways back to where the walk has not been cover nothing.
CoveredSet Coalescer::atEnd(const BasicBlock &Block) const {
  CoveredSet Result;
  bool IsFirst = true;
  for (const BasicBlock *Next : successors(&Block)) {
    auto Found = AtBegin.find(Next);
    if (Found == AtBegin.end())
      return {};
    if (IsFirst)
      Result = Found->second;
    else
      erase_if(Result, [&](const Covered &C) { return !is_contained(Found->second, C); });
    IsFirst = false;
  }
  return Result;
}

/// Moves Barrier to the group after it, if it is of the same object: nothing between can be about
/// its slot.
void Coalescer::join(CallInst &Barrier, const SlotAddress &Slot) {
  bool IsNear = First && Slot.Base == GroupBase && GroupOffsets.size() < MostCovered &&
                all_of(
                    GroupOffsets,
                    [&](int64_t Offset) {
                      int64_t Distance = std::abs(Offset - Slot.Offset);
                      return Distance >= Word && Distance < GroupReach;
                    });
  if (!IsNear)
    GroupOffsets.clear();
  else if (Barrier.getNextNode() != First) {
    moveBefore(Barrier, *First);
    IsChanged = true;
  }
  GroupedBarriers += IsNear;
  GroupOffsets.push_back(Slot.Offset);
  GroupBase = Slot.Base;
  First = &Barrier;
}

/// True if Barrier is in vain.
bool Coalescer::visitStore(CallInst &Barrier, CoveredSet &Known) {
  SlotAddress Slot = slotAddress(*Barrier.getArgOperand(0), ABI.layout());
  if (any_of(Known, [&](const Covered &C) { return C.contains(Slot, Word); }))
    return true;
  add(Known, {Slot, Word});
  join(Barrier, Slot);
  return false;
}

void Coalescer::visit(BasicBlock &Block) {
  CoveredSet Known = atEnd(Block);
  First = nullptr;
  for (Instruction &I : make_early_inc_range(reverse(Block))) {
    if (mayObserveRecords(I)) {
      Known.clear();
      First = nullptr;
    } else if (isCallOf(I, Entry::Store)) {
      auto &Barrier = cast<CallInst>(I);
      if (!visitStore(Barrier, Known))
        continue;
      noteRemoved(Barrier, ABI);
      Barrier.eraseFromParent();
      ++OverwrittenBarriers;
      IsChanged = true;
    } else if (isRangeBarrier(I)) {
      First = nullptr;
      auto &Barrier = cast<CallInst>(I);
      auto *Size =
          Barrier.arg_size() > 1 ? dyn_cast<ConstantInt>(Barrier.getArgOperand(1)) : nullptr;
      if (Size && Size->getValue().isSignedIntN(32))
        add(Known, {slotAddress(*Barrier.getArgOperand(0), ABI.layout()), Size->getSExtValue()});
    }
  }
  AtBegin[&Block] = std::move(Known);
}

bool Coalescer::run() {
  if (none_of(instructions(F), [](const Instruction &I) { return isCallOf(I, Entry::Store); }))
    return false;
  for (BasicBlock *Block : post_order(&F))
    visit(*Block);
  return IsChanged;
}

} // namespace

PreservedAnalyses CoalesceBarriersPass::run(Function &F, FunctionAnalysisManager &) {
  if (F.hasOptNone() || checkMode(*F.getParent()) == CheckMode::All || !Coalescer(F).run())
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace acre

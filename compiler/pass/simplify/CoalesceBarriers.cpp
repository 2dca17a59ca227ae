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
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(OverwrittenBarriers, "Barriers of slots that are stored again before anybody looks");
STATISTIC(GroupedBarriers, "Barriers moved to another one of the same object");
STATISTIC(ShrunkBarriers,
          "Barriers of copies of which words are stored again before anybody reads");

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
  CoveredSet onWay(const BasicBlock &From, const BasicBlock &To) const;
  void visit(BasicBlock &Block);
  bool visitStore(CallInst &Barrier, CoveredSet &Known);
  void shrink(CallInst &Copy);
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
  /// The slots of barriers of single stores that follow where the walk is, before anything reads.
  CoveredSet Replaced;
  bool IsChanged = false;
};

/// What is covered where control comes to To from From: an object that is chosen there is the one
/// that is chosen on this way.  A way back to where the walk has not been covers nothing.
CoveredSet Coalescer::onWay(const BasicBlock &From, const BasicBlock &To) const {
  CoveredSet Result = AtBegin.lookup(&To);
  for (Covered &Each : Result)
    if (auto *Chosen = dyn_cast<PHINode>(Each.Begin.Base); Chosen && Chosen->getParent() == &To) {
      const int64_t Offset = Each.Begin.Offset;
      Each.Begin = slotAddress(*Chosen->getIncomingValueForBlock(&From), ABI.layout());
      Each.Begin.Offset += Offset;
    }
  return Result;
}

/// What is covered on all ways on.
CoveredSet Coalescer::atEnd(const BasicBlock &Block) const {
  CoveredSet Result;
  bool IsFirst = true;
  for (const BasicBlock *Next : successors(&Block)) {
    const CoveredSet There = onWay(Block, *Next);
    if (IsFirst)
      Result = There;
    else
      erase_if(Result, [&](const Covered &C) { return !is_contained(There, C); });
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
  add(Replaced, {Slot, Word});
  join(Barrier, Slot);
  return false;
}

/// Takes off Copy the first and the last words that are stored again before anything reads them:
/// the check of an annotated slot, which a copy makes too, is one that a read relies on.
void Coalescer::shrink(CallInst &Copy) {
  Value *Address = Copy.getArgOperand(0);
  auto *Bytes = dyn_cast<ConstantInt>(Copy.getArgOperand(1));
  const Align Known =
      std::max(Copy.getParamAlign(0).valueOrOne(), getKnownAlignment(Address, ABI.layout(), &Copy));
  if (!Bytes || !Bytes->getValue().isSignedIntN(32) || Known.value() < static_cast<uint64_t>(Word))
    return;
  SlotAddress Begin = slotAddress(*Address, ABI.layout());
  const int64_t Low = Begin.Offset, High = Low + Bytes->getSExtValue();
  auto IsReplaced = [&](int64_t Offset) {
    return any_of(Replaced,
                  [&](const Covered &C) { return C.contains({Begin.Base, Offset}, Word); });
  };
  int64_t Start = Low, End = High;
  while (Start + Word <= End && IsReplaced(Start))
    Start += Word;
  while (Start + Word <= End && (End - Low) % Word == 0 && IsReplaced(End - Word))
    End -= Word;
  if (Start == End || (Start == Low && End == High))
    return;
  IRBuilder<> B(&Copy);
  Copy.setArgOperand(0, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, Start - Low));
  Copy.setArgOperand(1, ConstantInt::get(Bytes->getType(), End - Start));
  Copy.addParamAttr(0, Attribute::getWithAlignment(Copy.getContext(), Align(Word)));
  ++ShrunkBarriers;
  IsChanged = true;
}

void Coalescer::visit(BasicBlock &Block) {
  CoveredSet Known = atEnd(Block);
  First = nullptr;
  Replaced.clear();
  for (Instruction &I : make_early_inc_range(reverse(Block))) {
    if (I.mayReadFromMemory() && !isCallOf(I, Entry::Store) && !isCallOf(I, Entry::Rescan))
      Replaced.clear();
    if (mayObserveRecords(I)) {
      Known.clear();
      Replaced.clear();
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
      if (isCallOf(I, Entry::Rescan))
        shrink(Barrier);
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

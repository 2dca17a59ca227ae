// SPDX-License-Identifier: MIT
//===- SinkBarriers.cpp - Barriers of loops, after the loop ---------------===//
#include "pass/simplify/SinkBarriers.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/CheckMode.h"
#include "versions/LLVM.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Scalar/LoopIdiomRecognize.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(BarriersSunk, "Barriers moved behind loops");

namespace acre {
namespace {

/// A barrier of a loop.  One that can be moved behind it is about Size bytes at Begin there; of one
/// slot, if Size is null, which holds what the last round stored.
struct LoopBarrier {
  CallInst *Call;
  bool IsMovable = false;
  const SCEV *Begin = nullptr, *Size = nullptr;

  Value *slot() const { return Call->getArgOperand(0); }
  Value *value() const { return Call->getArgOperand(1); }
};
using LoopBarriers = SmallVector<LoopBarrier, 4>;

class LoopSinker {
public:
  LoopSinker(Function &Fn, FunctionAnalysisManager &FAM)
      : ABI(*Fn.getParent()), Loops(FAM.getResult<LoopAnalysis>(Fn)),
        Dominators(FAM.getResult<DominatorTreeAnalysis>(Fn)),
        Evolution(FAM.getResult<ScalarEvolutionAnalysis>(Fn)),
        Assumptions(FAM.getResult<AssumptionAnalysis>(Fn)), Aliases(FAM.getResult<AAManager>(Fn)) {}
  bool run();

private:
  bool sinkFrom(Loop &L);
  std::optional<LoopBarriers> collect(Loop &L);
  LoopBarrier place(CallInst &Barrier, const Loop &L);
  bool isAlone(const LoopBarrier &Barrier, const LoopBarriers &All);
  void emit(const LoopBarrier &Barrier, Loop &L, Instruction &At, bool IsCleared);

  RuntimeABI ABI;
  LoopInfo &Loops;
  DominatorTree &Dominators;
  ScalarEvolution &Evolution;
  AssumptionCache &Assumptions;
  AAResults &Aliases;
};

/// What Barrier's store writes in all rounds of L: one slot, or one range that it fills.
LoopBarrier LoopSinker::place(CallInst &Barrier, const Loop &L) {
  const uint64_t Word = ABI.layout().getPointerSize();
  Type *Wide = ABI.sizeType();
  // Each round passes the barrier: no slot is looked at that was not written.
  if (!Dominators.dominates(Barrier.getParent(), L.getLoopLatch()))
    return {&Barrier};
  const SCEV *Slot = Evolution.getSCEV(Barrier.getArgOperand(0));
  if (Evolution.isLoopInvariant(Slot, &L))
    return {&Barrier, true, Slot, nullptr};
  auto *Step = dyn_cast<SCEVAddRecExpr>(Slot);
  const SCEV *Rounds = Evolution.getBackedgeTakenCount(&L);
  if (!Step || Step->getLoop() != &L || !Step->isAffine() || isa<SCEVCouldNotCompute>(Rounds) ||
      Evolution.getTypeSizeInBits(Rounds->getType()) > Evolution.getTypeSizeInBits(Wide))
    return {&Barrier};
  auto *Distance = dyn_cast<SCEVConstant>(Step->getStepRecurrence(Evolution));
  if (!Distance || Distance->getAPInt().abs() != Word)
    return {&Barrier};
  const SCEV *Length = Evolution.getNoopOrZeroExtend(Rounds, Wide),
             *Bytes = Evolution.getConstant(Wide, Word);
  const SCEV *Last = Evolution.getMulExpr(Length, Bytes), *Begin = Step->getStart();
  if (Distance->getAPInt().isNegative())
    Begin = Evolution.getMinusSCEV(Begin, Last);
  return {&Barrier, true, Begin, Evolution.getAddExpr(Last, Bytes)};
}

/// The barriers of L.  None if something in the loop may look at records, or sets those of unknown
/// slots.
std::optional<LoopBarriers> LoopSinker::collect(Loop &L) {
  LoopBarriers All;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (mayObserveRecords(I) || isRangeBarrier(I))
        return std::nullopt;
      if (isCallOf(I, Entry::Store))
        All.push_back(place(cast<CallInst>(I), L));
    }
  return All;
}

/// Whether no other store of the loop is to the slot that Barrier is about.  The optimizer may have
/// moved the store itself behind the loop, so what the slot holds there is known only from the
/// barrier.
bool LoopSinker::isAlone(const LoopBarrier &Barrier, const LoopBarriers &All) {
  MemoryLocation Slot(Barrier.slot(), LocationSize::precise(ABI.layout().getPointerSize()));
  return all_of(All, [&](const LoopBarrier &Other) {
    return Other.Call == Barrier.Call ||
           Aliases.isNoAlias(Slot, MemoryLocation::getBeforeOrAfter(Other.slot()));
  });
}

void LoopSinker::emit(const LoopBarrier &Barrier, Loop &L, Instruction &At, bool IsCleared) {
  SCEVExpander Expander = expanderFor(Evolution, "acre.range");
  Value *Begin = Expander.expandCodeFor(Barrier.Begin, ABI.pointerType(), &At);
  SmallVector<Value *, 2> Arguments = {Begin};
  if (Barrier.Size) {
    Arguments.push_back(Expander.expandCodeFor(Barrier.Size, ABI.sizeType(), &At));
  } else if (L.isLoopInvariant(Barrier.value())) {
    Arguments.push_back(Barrier.value());
  } else {
    PHINode *Last = PHINode::Create(ABI.pointerType(), 1, "acre.last", At.getParent()->begin());
    Last->addIncoming(Barrier.value(), L.getLoopLatch());
    Arguments.push_back(Last);
  }
  IRBuilder<> B(&At);
  B.SetCurrentDebugLocation(Barrier.Call->getDebugLoc());
  Entry Kind = !Barrier.Size ? Entry::Store : IsCleared ? Entry::Release : Entry::StoreRange;
  CallInst *Moved = ABI.call(B, Kind, Arguments);
  Moved->copyMetadata(*Barrier.Call);
  if (Barrier.Call->hasFnAttr(Attribute::NoMerge))
    Moved->addFnAttr(Attribute::NoMerge);
  Barrier.Call->eraseFromParent();
  ++BarriersSunk;
}

bool LoopSinker::sinkFrom(Loop &L) {
  constexpr unsigned FewRounds = 4;
  BasicBlock *Exit = L.getUniqueExitBlock();
  if (!L.isLoopSimplifyForm() || !Exit || L.getExitingBlock() != L.getLoopLatch())
    return false;
  unsigned MostRounds = Evolution.getSmallConstantMaxTripCount(&L);
  std::optional<LoopBarriers> All =
      MostRounds != 0 && MostRounds <= FewRounds ? std::nullopt : collect(L);
  if (!All)
    return false;
  // A release does not look at what the slots hold: nothing else may have been stored there.
  bool IsCleared =
      all_of(*All, [](const LoopBarrier &B) { return isa<ConstantPointerNull>(B.value()); });
  Instruction &At = *Exit->getFirstInsertionPt();
  SCEVExpander Expander = expanderFor(Evolution, "acre.range");
  LoopBarriers Moved;
  for (const LoopBarrier &B : *All)
    if (B.IsMovable && (B.Size || isAlone(B, *All)) && Expander.isSafeToExpandAt(B.Begin, &At) &&
        (!B.Size || Expander.isSafeToExpandAt(B.Size, &At)))
      Moved.push_back(B);
  // In the order of control: of blocks that each round passes, one dominates the other.
  llvm::stable_sort(Moved, [&](const LoopBarrier &A, const LoopBarrier &B) {
    return Dominators.properlyDominates(A.Call->getParent(), B.Call->getParent());
  });
  for (const LoopBarrier &B : Moved)
    emit(B, L, At, IsCleared);
  return !Moved.empty();
}

static bool isCandidate(const Loop *L) {
  return L->isInnermost() && any_of(L->blocks(), [](const BasicBlock *Block) {
           return any_of(*Block, [](const Instruction &I) { return isCallOf(I, Entry::Store); });
         });
}

bool LoopSinker::run() {
  bool IsChanged = false;
  for (Loop *L : Loops.getLoopsInPreorder())
    if (isCandidate(L)) {
      simplifyLoop(L, &Dominators, &Loops, &Evolution, &Assumptions, nullptr,
                   /*PreserveLCSSA=*/false);
      IsChanged |= sinkFrom(*L);
    }
  return IsChanged;
}

} // namespace

PreservedAnalyses SinkBarriersPass::run(Function &F, FunctionAnalysisManager &FAM) {
  if (F.hasOptNone() || F.hasMinSize() || checkMode(*F.getParent()) == CheckMode::All ||
      none_of(FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder(), isCandidate))
    return PreservedAnalyses::all();
  bool IsChanged = LoopSinker(F, FAM).run();
  FAM.invalidate(F, PreservedAnalyses::none());
  // Loops that are nothing but a fill or a copy now.
  if (IsChanged)
    createFunctionToLoopPassAdaptor(LoopIdiomRecognizePass()).run(F, FAM);
  return PreservedAnalyses::none();
}

} // namespace acre

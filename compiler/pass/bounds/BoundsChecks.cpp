// SPDX-License-Identifier: MIT
//===- BoundsChecks.cpp - Fewer checks of bounds --------------------------===//
//
// A check that moves before its loop stands for what all rounds would check: the
// loop has one exit, at its end, nothing in it leaves otherwise, and the check is
// made in each round.  A program that fails one fails earlier by that, with the
// stores of the rounds before not made.
//
//===----------------------------------------------------------------------===//
#include "pass/base/BarrierEffects.h"
#include "pass/base/RuntimeABI.h"
#include "pass/bounds/Bounds.h"
#include "versions/LLVM.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(BoundsDropped, "Checks of bounds that cannot fail or were made before");
STATISTIC(BoundsHoisted, "Checks of bounds made once before their loop");

namespace acre {
namespace {

enum Operand : unsigned { Low, High, Address, Size, Where };

class Reduction {
public:
  Reduction(Function &Fn, FunctionAnalysisManager &FAM)
      : Layout(Fn.getDataLayout()), Dominators(FAM.getResult<DominatorTreeAnalysis>(Fn)),
        Loops(FAM.getResult<LoopAnalysis>(Fn)),
        Evolution(FAM.getResult<ScalarEvolutionAnalysis>(Fn)) {}
  bool run();

private:
  bool isSurelyInside(const CallInst &Check) const;
  bool dropNeedless();
  bool hoistFrom(Loop &L);
  bool hoist(CallInst &Check, Loop &L, const SCEV *Rounds);

  const DataLayout &Layout;
  DominatorTree &Dominators;
  LoopInfo &Loops;
  ScalarEvolution &Evolution;
};

/// All of it within an object of constant size, at a constant offset.
bool Reduction::isSurelyInside(const CallInst &Check) const {
  auto *Bytes = dyn_cast<ConstantInt>(Check.getArgOperand(Size));
  auto OffsetOf = [&](const Value *V) {
    APInt Offset(Layout.getIndexTypeSizeInBits(V->getType()), 0);
    const Value *Base =
        V->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
    return std::pair(Base, Offset.getSExtValue());
  };
  auto [Object, First] = OffsetOf(Check.getArgOperand(Low));
  auto [SameObject, End] = OffsetOf(Check.getArgOperand(High));
  auto [Accessed, At] = OffsetOf(Check.getArgOperand(Address));
  return Bytes && Object == SameObject && Object == Accessed && At >= First && At <= End &&
         Bytes->getValue().ule(static_cast<uint64_t>(End - At));
}

bool Reduction::dropNeedless() {
  bool IsChanged = false;
  DenseMap<std::pair<Value *, Value *>, SmallVector<CallInst *, 2>> Made;
  auto IsMadeBefore = [&](CallInst &Check) {
    auto &Others = Made[{Check.getArgOperand(Low), Check.getArgOperand(Address)}];
    auto *Bytes = dyn_cast<ConstantInt>(Check.getArgOperand(Size));
    for (CallInst *Other : Others) {
      auto *OtherBytes = dyn_cast<ConstantInt>(Other->getArgOperand(Size));
      bool IsAsLong = Other->getArgOperand(Size) == Check.getArgOperand(Size) ||
                      (Bytes && OtherBytes && OtherBytes->getZExtValue() >= Bytes->getZExtValue());
      if (IsAsLong && Other->getArgOperand(High) == Check.getArgOperand(High) &&
          Dominators.dominates(Other, &Check))
        return true;
    }
    Others.push_back(&Check);
    return false;
  };
  // Dominators come first.
  for (DomTreeNode *Node : depth_first(Dominators.getRootNode()))
    for (Instruction &I : make_early_inc_range(*Node->getBlock()))
      if (isCallOf(I, Entry::CheckBounds) &&
          (isSurelyInside(cast<CallInst>(I)) || IsMadeBefore(cast<CallInst>(I)))) {
        I.eraseFromParent();
        ++BoundsDropped;
        IsChanged = true;
      }
  return IsChanged;
}

/// The place that a check names.  Of one that was made of two, in the branches of an `if`, it is
/// chosen anew in each round: any of those that may be chosen, as the check is of all rounds.  Null
/// if none is found.
Constant *placeOf(Value *V) {
  SmallPtrSet<Value *, 8> Seen;
  SmallVector<Value *, 8> Work{V};
  while (!Work.empty()) {
    Value *Next = Work.pop_back_val();
    if (auto *Place = dyn_cast<Constant>(Next); Place && !isa<UndefValue>(Place))
      return Place;
    if (!Seen.insert(Next).second)
      continue;
    if (auto *Choice = dyn_cast<SelectInst>(Next))
      append_values(Work, Choice->getFalseValue(), Choice->getTrueValue());
    else if (auto *Phi = dyn_cast<PHINode>(Next))
      append_range(Work, Phi->incoming_values());
  }
  return nullptr;
}

/// Check becomes one of all that it checks in the rounds of L.
bool Reduction::hoist(CallInst &Check, Loop &L, const SCEV *Rounds) {
  auto *Bytes = dyn_cast<ConstantInt>(Check.getArgOperand(Size));
  Constant *Place = placeOf(Check.getArgOperand(Where));
  if (!Bytes || !Place || !L.isLoopInvariant(Check.getArgOperand(Low)) ||
      !L.isLoopInvariant(Check.getArgOperand(High)))
    return false;
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  if (L.isLoopInvariant(Check.getArgOperand(Address))) {
    Check.setArgOperand(Where, Place);
    moveBefore(Check, *Before);
    return true;
  }
  auto *Moving = dyn_cast<SCEVAddRecExpr>(Evolution.getSCEV(Check.getArgOperand(Address)));
  auto *Step = Moving && Moving->isAffine() && Moving->getLoop() == &L
                   ? dyn_cast<SCEVConstant>(Moving->getStepRecurrence(Evolution))
                   : nullptr;
  SCEVExpander Expander = expanderFor(Evolution, "acre.bounds");
  if (!Step || !Expander.isSafeToExpand(Moving->getStart()) || !Expander.isSafeToExpand(Rounds))
    return false;
  constexpr uint64_t MostStep = 1 << 16;
  uint64_t Distance = Step->getAPInt().abs().getZExtValue();
  if (Distance > MostStep)
    return false;
  IRBuilder<> B(Before);
  Type *Word = Bytes->getType();
  Value *First =
      Expander.expandCodeFor(Moving->getStart(), Check.getArgOperand(Address)->getType(), Before);
  Value *Count =
      Expander.expandCodeFor(Evolution.getTruncateOrZeroExtend(Rounds, Word), Word, Before);
  // No object is that large, and the product does not wrap.
  constexpr uint64_t MostRounds = uint64_t(1) << 46;
  Value *Way = B.CreateMul(
      B.CreateBinaryIntrinsic(Intrinsic::umin, Count, ConstantInt::get(Word, MostRounds)),
      ConstantInt::get(Word, Distance));
  if (Step->getAPInt().isNegative())
    First = B.CreateGEP(B.getInt8Ty(), First, B.CreateNeg(Way));
  Check.setArgOperand(Address, First);
  Check.setArgOperand(Size, B.CreateAdd(Way, Bytes));
  Check.setArgOperand(Where, Place);
  moveBefore(Check, *Before);
  return true;
}

bool Reduction::hoistFrom(Loop &L) {
  BasicBlock *Latch = L.getLoopLatch();
  if (!L.getLoopPreheader() || !Latch || L.getExitingBlock() != Latch)
    return false;
  const SCEV *Rounds = Evolution.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Rounds) || Evolution.getTypeSizeInBits(Rounds->getType()) > 64)
    return false;
  SmallVector<CallInst *, 8> Checks;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (!isGuaranteedToTransferExecutionToSuccessor(&I))
        return false;
      if (isCallOf(I, Entry::CheckBounds) && Dominators.dominates(Block, Latch))
        Checks.push_back(cast<CallInst>(&I));
    }
  bool IsChanged = false;
  for (CallInst *Check : Checks)
    if (hoist(*Check, L, Rounds)) {
      ++BoundsHoisted;
      IsChanged = true;
    }
  return IsChanged;
}

bool Reduction::run() {
  bool IsChanged = dropNeedless();
  // Inner loops first: what leaves one is in the next.
  auto Preorder = Loops.getLoopsInPreorder();
  for (Loop *L : reverse(Preorder))
    IsChanged |= hoistFrom(*L);
  return dropNeedless() || IsChanged;
}

const Function *askerOf(const Function &F) {
  const Function *Asker = F.getParent()->getFunction(entryName(Entry::Bounds));
  return Asker && !Asker->use_empty() ? Asker : nullptr;
}

} // namespace

PreservedAnalyses BoundsOfVariablesPass::run(Function &F, FunctionAnalysisManager &FAM) {
  const Function *Asker = askerOf(F);
  if (!Asker)
    return PreservedAnalyses::all();
  bool IsChanged = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isCallOf(I, Entry::Bounds))
      continue;
    Value *Object = getUnderlyingObject(cast<CallInst>(I).getArgOperand(0));
    std::optional<uint64_t> Bytes =
        sizeOfObject(*Object, F.getDataLayout(), FAM.getResult<TargetLibraryAnalysis>(F));
    if (!Bytes)
      continue;
    IRBuilder<> B(&I);
    Value *Range = B.CreateInsertValue(PoisonValue::get(I.getType()), Object, 0);
    I.replaceAllUsesWith(
        B.CreateInsertValue(Range, B.CreateConstGEP1_64(B.getInt8Ty(), Object, *Bytes), 1));
    I.eraseFromParent();
    IsChanged = true;
  }
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return IsChanged ? Preserved : PreservedAnalyses::all();
}

PreservedAnalyses BoundsOfLoopsPass::run(Function &F, FunctionAnalysisManager &FAM) {
  const Function *Check = F.getParent()->getFunction(entryName(Entry::CheckBounds));
  if (!Check || Check->use_empty() || !Reduction(F, FAM).run())
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace acre

// SPDX-License-Identifier: MIT
//===- LoopChecks.cpp - Checks of a loop over one region ------------------===//
#include "pass/lower/LoopChecks.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/RegionTerm.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(ChecksRemembering, "Checks in loops that remember the last value's region");

namespace acre {

/// No region has this index.
static constexpr uint32_t NoRegion = ~uint32_t(0);

/// A value that says in which region Slot lies, in all rounds of a loop that it does not change in.
static const Value *holderOf(const Value *Slot) {
  const Value *Object = objectOf(Slot);
  auto *Allocation = dyn_cast<CallBase>(Object);
  KnownResult Known = Allocation ? knownResult(*Allocation) : KnownResult();
  if (Known.Meaning != ResultMeaning::InRegion)
    return Object;
  const Value *Handle = Allocation->getArgOperand(Known.Argument);
  auto *Query = dyn_cast<CallBase>(Handle);
  bool IsRegionOf = Query && knownResult(*Query).Meaning == ResultMeaning::RegionOf;
  return IsRegionOf ? objectOf(Query->getArgOperand(knownResult(*Query).Argument)) : Handle;
}

void LoopChecks::find(ArrayRef<CallInst *> Checks) {
  assert(all_of(Checks,
                [](CallInst *Check) {
                  return isCallOf(*Check, Entry::CheckSameregion) ||
                         isCallOf(*Check, Entry::CheckParentptr);
                }) &&
         "checks of annotated slots, none of which is lowered");
  if (Checks.empty())
    return;
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  DenseMap<std::tuple<const Loop *, const Value *, const Function *>, AllocaInst *> Known;
  for (CallInst *Check : Checks) {
    const Value *Holder = holderOf(Check->getArgOperand(0));
    Loop *Outermost = nullptr;
    for (Loop *L = Loops.getLoopFor(Check->getParent()); L && L->isLoopInvariant(Holder);
         L = L->getParentLoop())
      Outermost = L;
    if (!Outermost)
      continue;
    AllocaInst *&Slot = Known[{Outermost, Holder, Check->getCalledFunction()}];
    if (!Slot) {
      IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().begin());
      Slot = Entry.CreateAlloca(Entry.getInt32Ty(), nullptr, "acre.found");
      for (BasicBlock *Before : predecessors(Outermost->getHeader()))
        if (!Outermost->contains(Before))
          new StoreInst(Entry.getInt32(NoRegion), Slot, Before->getTerminator()->getIterator());
      Slots.push_back(Slot);
    }
    Remembered[Check] = Slot;
  }
}

bool LoopChecks::guard(CallInst &Check) {
  AllocaInst *Slot = Remembered.lookup(&Check);
  if (!Slot)
    return false;
  ++ChecksRemembering;
  // The check is alone in its block: what lowering has put it in.
  BasicBlock *Look = Check.getParent();
  BasicBlock *Checked = SplitBlock(Look, &Check), *After = SplitBlock(Checked, Check.getNextNode());
  Look->getTerminator()->eraseFromParent();
  IRBuilder<> B(Look);
  Value *Pages = Tests.windowPages(B);
  Value *Page = Tests.windowPage(B, Tests.address(B, Check.getArgOperand(1)));
  auto *Inside = BasicBlock::Create(F.getContext(), "", &F, Checked);
  B.CreateCondBr(B.CreateICmpULT(Page, Pages), Inside, Checked);

  B.SetInsertPoint(Inside);
  Type *Index = B.getInt32Ty();
  Value *Owner = Tests.ownerOf(B, Page);
  MDNode *Likely = MDBuilder(F.getContext()).createLikelyBranchWeights();
  B.CreateCondBr(B.CreateICmpEQ(Owner, B.CreateLoad(Index, Slot)), After, Checked, Likely);

  B.SetInsertPoint(Checked, Checked->begin());
  PHINode *Found = B.CreatePHI(Index, 2, "acre.owner");
  Found->addIncoming(B.getInt32(NoRegion), Look);
  Found->addIncoming(Owner, Inside);
  // Only a check that has passed says anything.
  B.SetInsertPoint(Checked->getTerminator());
  B.CreateStore(Found, Slot);
  return true;
}

void LoopChecks::finish() {
  if (Slots.empty())
    return;
  DominatorTree Dominators(F);
  PromoteMemToReg(Slots, Dominators);
}

} // namespace acre

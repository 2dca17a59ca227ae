// SPDX-License-Identifier: MIT
//===- SplitCleanups.cpp - One cleanup for each way out -------------------===//
#include "pass/insert/SplitCleanups.h"
#include "versions/LLVM.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace acre {

static constexpr unsigned MostInstructions = 64, MostCopies = 256;

static bool isUsedOnlyWithin(const BasicBlock &Block) {
  return none_of(Block, [&](const Instruction &I) {
    return any_of(I.users(),
                  [&](const User *U) { return cast<Instruction>(U)->getParent() != &Block; });
  });
}

/// The variable that says where a cleanup leads to: nothing but stores and loads use it.
static AllocaInst *wayOf(const SwitchInst &Switch) {
  auto *Load = dyn_cast<LoadInst>(Switch.getCondition());
  auto *Way = Load && Load->getParent() == Switch.getParent()
                  ? dyn_cast<AllocaInst>(Load->getPointerOperand())
                  : nullptr;
  bool HasNoOtherUse = Way && all_of(Way->users(), [&](const User *U) {
                         auto *Store = dyn_cast<StoreInst>(U);
                         return isa<LoadInst>(U) || (Store && Store->getPointerOperand() == Way);
                       });
  return HasNoOtherUse ? Way : nullptr;
}

static SwitchInst *splittable(BasicBlock &Block) {
  auto *Switch = dyn_cast<SwitchInst>(Block.getTerminator());
  bool IsSimple = Switch && !Block.isEntryBlock() && !Block.hasAddressTaken() &&
                  !isa<PHINode>(Block.front()) && Block.size() <= MostInstructions;
  return IsSimple && wayOf(*Switch) && isUsedOnlyWithin(Block) ? Switch : nullptr;
}

/// The number that is in Way at the end of Block, if it was stored there.
static ConstantInt *lastStored(BasicBlock &Block, const AllocaInst *Way) {
  for (Instruction &I : reverse(Block))
    if (auto *Store = dyn_cast<StoreInst>(&I); Store && Store->getPointerOperand() == Way)
      return dyn_cast<ConstantInt>(Store->getValueOperand());
  return nullptr;
}

/// Makes From, which jumps to the block of Switch with Number in Way, jump to a copy that goes on
/// as the switch would.
static void copyFor(BasicBlock &From, SwitchInst &Switch, AllocaInst *Way, ConstantInt *Number) {
  BasicBlock &Block = *Switch.getParent(), *Next = Switch.findCaseValue(Number)->getCaseSuccessor();
  ValueToValueMapTy Map;
  BasicBlock *Copy = CloneBasicBlock(&Block, Map, "", Block.getParent());
  Copy->moveAfter(&Block);
  SmallVector<BasicBlock *, 1> Copies{Copy};
  remapInstructionsInBlocks(Copies, Map);
  Copy->getTerminator()->eraseFromParent();
  // A cleanup further out may ask for the way too.
  new StoreInst(Number, Way, Copy);
  UncondBrInst::Create(Next, Copy)->setDebugLoc(Switch.getDebugLoc());
  for (PHINode &Phi : Next->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(&Block), Copy);
  From.getTerminator()->replaceSuccessorWith(&Block, Copy);
}

static unsigned split(BasicBlock &Block, SwitchInst &Switch) {
  AllocaInst *Way = wayOf(Switch);
  unsigned Copies = 0;
  for (BasicBlock *From : to_vector(predecessors(&Block))) {
    ConstantInt *Number = From->getSingleSuccessor() ? lastStored(*From, Way) : nullptr;
    if (!Number)
      continue;
    copyFor(*From, Switch, Way, Number);
    ++Copies;
  }
  if (pred_empty(&Block))
    DeleteDeadBlock(&Block);
  return Copies;
}

bool splitCleanups(Function &F) {
  unsigned Copies = 0;
  for (bool HasMore = true; HasMore && Copies < MostCopies;) {
    HasMore = false;
    for (BasicBlock &Block : make_early_inc_range(F)) {
      SwitchInst *Switch = splittable(Block);
      unsigned More = Switch ? split(Block, *Switch) : 0;
      Copies += More;
      HasMore |= More != 0;
    }
  }
  return Copies != 0;
}

} // namespace acre

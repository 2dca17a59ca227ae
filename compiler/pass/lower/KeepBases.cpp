// SPDX-License-Identifier: MIT
//===- KeepBases.cpp - Derived pointers keep their objects ----------------===//
#include "pass/lower/KeepBases.h"
#include "pass/base/Bases.h"
#include "pass/base/Library.h"
#include "versions/LLVM.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(BasesKept, "Uses that keep the base of a derived pointer");

namespace acre {

namespace {

/// The last use in a block of what is derived from a base: By uses Derived.
struct LastUse {
  Instruction *By = nullptr;
  Value *Derived = nullptr;
};
using BlockSet = SmallPtrSet<BasicBlock *, 16>;

class Keeper {
public:
  Keeper(Function &F, const DominatorTree &Tree, const LoopInfo &Loops)
      : F(F), Tree(Tree), Loops(Loops), Known(F, Tree) {}
  bool run();

private:
  void collect(Value &V);
  void addUses(Value *Base, Value &V);
  void keep(Value *Base, const MapVector<BasicBlock *, LastUse> &Uses);
  void keepBehindLoops(Value *Base, const BlockSet &Inside, const BlockSet &LiveIn, BlockSet &Kept);
  void keepInBlock(Value *Base, const LastUse &Use);
  void use(Value *V, BasicBlock::iterator Where);

  Function &F;
  const DominatorTree &Tree;
  const LoopInfo &Loops;
  Bases Known;
  MapVector<Value *, MapVector<BasicBlock *, LastUse>> UsesOf;
};

} // namespace

/// Where a merge takes over that is a base itself, the base of what it merges ends.
static bool isTakenOver(const Use &U, const Bases &Known) {
  auto *I = cast<Instruction>(U.getUser());
  return isa<PHINode, SelectInst>(I) && isObjectPointer(I) && Known.of(I) == I;
}

/// Whether the user only computes another derived value, whose uses are looked at themselves.
static bool isDerivation(const Use &U, const Bases &Known) {
  auto *I = cast<Instruction>(U.getUser());
  if (isTakenOver(U, Known))
    return false;
  if (isa<GetElementPtrInst>(I))
    return U.getOperandNo() == GetElementPtrInst::getPointerOperandIndex();
  if (isa<CastInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst>(I))
    return true;
  if (isa<PHINode, FreezeInst, SelectInst>(I) && isObjectPointer(I))
    return true;
  if (auto *Call = dyn_cast<IntrinsicInst>(I))
    return Call->isAssumeLikeIntrinsic() || Call->isLifetimeStartOrEnd() || Call->isDroppable() ||
           isFakeUse(*Call) || Call->getIntrinsicID() == Intrinsic::ptrmask;
  return I->getType()->isIntegerTy(64) && Known.ofInteger(I);
}

/// A call of code that may run for long: nothing is to stay in a register across it without need.
static bool isRealCall(const Instruction &I) { return isa<CallBase>(I) && !isa<IntrinsicInst>(I); }

void Keeper::addUses(Value *Base, Value &V) {
  SmallVector<Value *, 4> Carriers{&V};
  while (!Carriers.empty())
    for (Use &U : Carriers.pop_back_val()->uses()) {
      auto *By = cast<Instruction>(U.getUser());
      if (isa<InsertValueInst>(By)) {
        Carriers.push_back(By);
        continue;
      }
      if (isDerivation(U, Known))
        continue;
      if (auto *Phi = dyn_cast<PHINode>(By))
        By = Phi->getIncomingBlock(U)->getTerminator();
      if (!Tree.isReachableFromEntry(By->getParent()))
        continue;
      LastUse &Last = UsesOf[Base][By->getParent()];
      if (!Last.By || Last.By->comesBefore(By))
        Last = {By, &V};
    }
}

/// Notes the uses of V for each base that has to outlive them.
void Keeper::collect(Value &V) {
  bool IsPointer = isObjectPointer(&V);
  Value *Base = IsPointer ? Known.of(&V) : Known.ofInteger(&V);
  if (!Base)
    return;
  if (IsPointer ? !Known.isWithin(&V, Base)
                : !isa<PtrToIntInst>(V) || !Known.isWithin(cast<User>(V).getOperand(0), Base))
    addUses(Base, V);
  SmallVector<Value *, 4> Work = Known.originsOf(Base);
  SmallPtrSet<Value *, 8> Seen;
  while (!Work.empty()) {
    Value *Origin = Work.pop_back_val();
    if (!Seen.insert(Origin).second)
      continue;
    addUses(Origin, V);
    append_range(Work, Known.originsOf(Origin));
  }
}

void Keeper::use(Value *V, BasicBlock::iterator Where) {
  IRBuilder<> B(Where->getParent(), Where);
  createFakeUse(B, V);
  ++BasesKept;
}

/// Values that every target has a register for.
static bool fitsRegister(const Value &V) {
  Type *T = V.getType();
  return T->isPointerTy() || T->isFloatTy() || T->isDoubleTy() || T->isIntegerTy(8) ||
         T->isIntegerTy(16) || T->isIntegerTy(32) || T->isIntegerTy(64);
}

/// Behind the use, but not in the middle of what is scheduled together: in front of the next call,
/// or the end of the block. A call gets the derived value whole, so there the base ends in front of
/// it.
void Keeper::keepInBlock(Value *Base, const LastUse &Use) {
  Instruction *By = Use.By;
  if (isRealCall(*By) || By->isTerminator()) {
    use(Use.Derived, By->getIterator());
    use(Base, By->getIterator());
    return;
  }
  Instruction *Where = By->getNextNode();
  while (!isRealCall(*Where) && !Where->isTerminator())
    Where = Where->getNextNode();
  // A load whose value is used in other blocks only may move there, and a choice anywhere.
  bool IsUsedHere = any_of(By->users(), [&](const User *Each) {
    return cast<Instruction>(Each)->getParent() == By->getParent() && !isa<PHINode>(Each);
  });
  bool MayMove = isa<LoadInst>(By) && Where->isTerminator() && !IsUsedHere && fitsRegister(*By);
  if (MayMove || (isa<SelectInst>(By) && By->getType()->isPointerTy()))
    use(By, Where->getIterator());
  use(Base, Where->getIterator());
}

static BasicBlock *blockOf(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  return I ? I->getParent() : &cast<Argument>(V)->getParent()->getEntryBlock();
}

/// The blocks at whose start something behind the base's definition may still reach one of Ends.
static BlockSet reachingBackward(Value *Base, ArrayRef<BasicBlock *> Ends) {
  BasicBlock *Definition = blockOf(Base);
  BlockSet Result;
  SmallVector<BasicBlock *, 16> Work(Ends);
  while (!Work.empty()) {
    BasicBlock *Block = Work.pop_back_val();
    if (Block != Definition && Result.insert(Block).second)
      append_range(Work, predecessors(Block));
  }
  return Result;
}

static bool isLiveOut(BasicBlock *Block, const BlockSet &LiveIn) {
  return any_of(successors(Block), [&](BasicBlock *Next) { return LiveIn.contains(Next); });
}

/// In a loop the next turn uses the base again.  What keeps it for all turns stands where the loop
/// is left.
void Keeper::keepBehindLoops(Value *Base, const BlockSet &Inside, const BlockSet &LiveIn,
                             BlockSet &Kept) {
  BasicBlock *Definition = blockOf(Base);
  SmallPtrSet<const Loop *, 8> Outermost;
  for (BasicBlock *Block : Inside) {
    const Loop *L = Loops.getLoopFor(Block);
    if (!L || L->contains(Definition))
      continue;
    while (L->getParentLoop() && !L->getParentLoop()->contains(Definition))
      L = L->getParentLoop();
    Outermost.insert(L);
  }
  for (const Loop *L : Outermost) {
    SmallVector<BasicBlock *, 8> Exits;
    L->getUniqueExitBlocks(Exits);
    for (BasicBlock *Exit : Exits) {
      auto *I = dyn_cast<Instruction>(Base);
      BasicBlock::iterator Where = Exit->getFirstInsertionPt();
      if (LiveIn.contains(Exit) || Where == Exit->end() || (I && !Tree.dominates(I, &*Where)))
        continue;
      if (Kept.insert(Exit).second)
        use(Base, Where);
    }
  }
}

void Keeper::keep(Value *Base, const MapVector<BasicBlock *, LastUse> &Uses) {
  SmallVector<BasicBlock *, 16> Blocks;
  for (const auto &[Block, Last] : Uses)
    Blocks.push_back(Block);
  BlockSet LiveIn = reachingBackward(Base, Blocks), Repeated, Kept;
  for (const auto &[Block, Last] : Uses) {
    if (isLiveOut(Block, LiveIn)) {
      Repeated.insert(Block);
      continue;
    }
    keepInBlock(Base, Last);
    Kept.insert(Block);
  }
  keepBehindLoops(Base, Repeated, LiveIn, Kept);
  // A loop without an exit, or with one that the base does not dominate, is kept from within.
  BlockSet Reaching = reachingBackward(Base, to_vector(Kept));
  for (BasicBlock *Block : Blocks) {
    if (Kept.contains(Block) || isLiveOut(Block, Reaching))
      continue;
    keepInBlock(Base, Uses.lookup(Block));
    Kept.insert(Block);
    Reaching = reachingBackward(Base, to_vector(Kept));
  }
}

bool Keeper::run() {
  for (Instruction &I : instructions(F))
    collect(I);
  for (const auto &[Base, Uses] : UsesOf)
    keep(Base, Uses);
  return !UsesOf.empty();
}

PreservedAnalyses KeepBasesPass::run(Function &F, FunctionAnalysisManager &FAM) {
  if (!F.getParent()->getModuleFlag(CollectedFlag) || F.hasOptNone())
    return PreservedAnalyses::all();
  Keeper(F, FAM.getResult<DominatorTreeAnalysis>(F), FAM.getResult<LoopAnalysis>(F)).run();
  PreservedAnalyses Result;
  Result.preserveSet<CFGAnalyses>();
  return Result;
}

} // namespace acre

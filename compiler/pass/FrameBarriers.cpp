//===- FrameBarriers.cpp - Barriers on a function's own frame -------------===//
#include "FrameBarriers.h"
#include "RegionTerm.h"
#include "RuntimeABI.h"
#include "StackObjects.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(FrameStores, "Barriers on the function's own frame removed after inlining");
STATISTIC(FrameReleases, "Releases of locals that nobody reaches removed after inlining");

namespace acre {

/// Whether no code but this function's own instructions can have stored in Object.
static bool isOnlyReachedHere(AllocaInst &Object) {
  bool IsOnly = true;
  forEachStackUse(&Object, [&](Use &U, StackUse Kind) {
    // A callee counts what it stores in the memory of its result.
    bool IsResult = Kind == StackUse::Write && isa<CallBase>(U.getUser()) && !isa<IntrinsicInst>(U.getUser());
    IsOnly &= Kind != StackUse::Expose && !IsResult;
  });
  return IsOnly;
}

PreservedAnalyses FrameBarriersPass::run(Function &F, FunctionAnalysisManager &) {
  SmallVector<CallInst *, 8> Barriers, Releases;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !Callee->getName().starts_with("acre_rt_"))
      continue;
    if (Callee->getName() == entryName(Entry::Pin))
      return PreservedAnalyses::all();
    bool IsBarrier = any_of(ArrayRef{Entry::Store, Entry::StoreRange, Entry::Reread, Entry::Rescan},
                            [&](Entry E) { return Callee->getName() == entryName(E); });
    bool IsRelease = Callee->getName() == entryName(Entry::Release);
    if ((IsBarrier || IsRelease) && isa<AllocaInst>(objectOf(Call->getArgOperand(0))))
      (IsBarrier ? Barriers : Releases).push_back(Call);
  }
  FrameStores += Barriers.size();
  for (CallInst *Barrier : Barriers)
    Barrier->eraseFromParent();
  bool IsChanged = !Barriers.empty();
  for (CallInst *Release : Releases)
    if (auto *Object = dyn_cast<AllocaInst>(Release->getArgOperand(0)); Object && isOnlyReachedHere(*Object)) {
      Release->eraseFromParent();
      ++FrameReleases;
      IsChanged = true;
    }
  if (!IsChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace acre

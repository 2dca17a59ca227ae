// SPDX-License-Identifier: MIT
//===- FrameBarriers.cpp - Barriers on uncounted frames -------------------===//
#include "pass/simplify/FrameBarriers.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/RegionTerm.h"
#include "pass/base/RuntimeABI.h"
#include "pass/base/StackObjects.h"
#include "pass/prove/ProgramView.h"
#include "shared/markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(FrameStores, "Barriers on the function's own frame removed after inlining");
STATISTIC(ParameterStores, "Barriers on the frames of callers removed");
STATISTIC(FrameReleases, "Releases of locals that nobody reaches removed after inlining");

namespace acre {

/// Whether no code but this function's own instructions can have stored in Object.
static bool isOnlyReachedHere(AllocaInst &Object) {
  bool IsOnly = true;
  // What moves through the object in a loop is followed too.
  SmallSetVector<Value *, 4> Addresses;
  Addresses.insert(&Object);
  for (unsigned Index = 0; IsOnly && Index < Addresses.size(); ++Index)
    forEachStackUse(Addresses[Index], [&](Use &U, StackUse Kind) {
      if (Kind == StackUse::Expose && isa<PHINode>(U.getUser()))
        return void(Addresses.insert(U.getUser()));
      // A callee counts what it stores in the memory of its result.
      bool IsResult =
          Kind == StackUse::Write && isa<CallBase>(U.getUser()) && !isa<IntrinsicInst>(U.getUser());
      IsOnly &= !IsResult && (Kind != StackUse::Expose || isLentForReading(U));
    });
  return IsOnly;
}

/// Whether I does nothing but make records agree with memory.
static bool onlyKeepsRecords(const Instruction &I) {
  std::optional<Entry> E = entryOf(I);
  return E && is_contained({Entry::Store, Entry::StoreRange, Entry::Reread, Entry::Rescan}, *E);
}

/// Whether frames are counted at times because of I: it pins its own, or the region of a block ends
/// there, while which is there its callers' frames wait.
static bool mayCountFrames(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee &&
         (Callee->getName() == entryName(Entry::Pin) || Callee->getName() == markers::ScopeLeave);
}

PreservedAnalyses FrameBarriersPass::run(Function &F, FunctionAnalysisManager &) {
  SmallVector<CallInst *, 8> Barriers, Releases;
  for (Instruction &I : instructions(F)) {
    if (mayCountFrames(I))
      return PreservedAnalyses::all();
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !Callee->getName().starts_with("acre_rt_"))
      continue;
    bool IsBarrier = onlyKeepsRecords(I);
    bool IsRelease = Callee->getName() == entryName(Entry::Release);
    if ((IsBarrier || IsRelease) && isa<AllocaInst>(objectOf(Call->getArgOperand(0))))
      (IsBarrier ? Barriers : Releases).push_back(Call);
  }
  FrameStores += Barriers.size();
  for (CallInst *Barrier : Barriers)
    Barrier->eraseFromParent();
  bool IsChanged = !Barriers.empty();
  for (CallInst *Release : Releases)
    if (auto *Object = dyn_cast<AllocaInst>(Release->getArgOperand(0));
        Object && isOnlyReachedHere(*Object)) {
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

namespace {

class FrameParameters {
public:
  bool runOn(Function &F);

private:
  bool isInFrame(const Argument &Parameter);
  bool mayCount(const Function &F);

  ProgramView Program;
  DenseMap<const Argument *, bool> Known;
  DenseMap<const Function *, bool> Counting;
};

bool FrameParameters::mayCount(const Function &F) {
  auto [Found, IsNew] = Counting.try_emplace(&F);
  if (IsNew)
    Found->second = any_of(instructions(F), mayCountFrames);
  return Found->second;
}

/// Whether each call gives the parameter null or an address in a frame that is not counted.  Of a
/// call that gives what its caller was given, the same is asked there.
bool FrameParameters::isInFrame(const Argument &Parameter) {
  if (auto Found = Known.find(&Parameter); Found != Known.end())
    return Found->second;
  SmallSetVector<const Argument *, 8> Asked;
  Asked.insert(&Parameter);
  for (unsigned Index = 0; Index < Asked.size(); ++Index) {
    const Argument &At = *Asked[Index];
    bool IsOther = At.hasByValAttr() || mayCount(*At.getParent());
    const ProgramView::Calls *Calls = IsOther ? nullptr : Program.callers(*At.getParent());
    if (!Calls)
      return Known[&Parameter] = false;
    for (const CallBase *Call : *Calls) {
      const Value *Object = objectOf(Call->getArgOperand(At.getArgNo()));
      if (auto *Outer = dyn_cast<Argument>(Object))
        Asked.insert(Outer);
      else if (!isa<ConstantPointerNull>(Object) &&
               (!isa<AllocaInst>(Object) || mayCount(*Call->getFunction())))
        return Known[&Parameter] = false;
    }
  }
  for (const Argument *At : Asked)
    Known[At] = true;
  return true;
}

bool FrameParameters::runOn(Function &F) {
  SmallVector<Instruction *, 8> Barriers;
  for (Instruction &I : instructions(F)) {
    if (!onlyKeepsRecords(I))
      continue;
    auto *Parameter = dyn_cast<Argument>(objectOf(cast<CallBase>(I).getArgOperand(0)));
    if (Parameter && isInFrame(*Parameter))
      Barriers.push_back(&I);
  }
  ParameterStores += Barriers.size();
  for (Instruction *Barrier : Barriers)
    Barrier->eraseFromParent();
  return !Barriers.empty();
}

} // namespace

PreservedAnalyses FrameParametersPass::run(Module &M, ModuleAnalysisManager &) {
  FrameParameters Parameters;
  bool IsChanged = false;
  for (Function &F : M)
    if (F.hasLocalLinkage() && !F.isDeclaration() && !F.hasOptNone())
      IsChanged |= Parameters.runOn(F);
  if (!IsChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace acre

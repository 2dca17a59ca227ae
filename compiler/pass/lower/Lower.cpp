// SPDX-License-Identifier: MIT
//===- Lower.cpp - Inline tests for the calls that remain -----------------===//
//
// Which calls are lowered and how is the table below; what each becomes is said
// where that is done:
//
//   single stores              LowerStores.h
//   copies, fills, releases    LowerRanges.h
//   checks, bounds             LowerChecks.h, LoopChecks.h
//   pins                       LowerPins.cpp
//   locals                     LowerLocals.cpp
//
// Stores and checks go through functions of the LLVM module (OutOfLine.h).
//
//===----------------------------------------------------------------------===//
#include "pass/lower/Lower.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/Markers.h"
#include "pass/base/StackObjects.h"
#include "pass/lower/LowerChecks.h"
#include "pass/lower/LowerLocals.h"
#include "pass/lower/LowerPins.h"
#include "pass/lower/LowerRanges.h"
#include "pass/lower/LowerStores.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace acre {
namespace {

/// The calls of one function, and their lowering.
class FunctionLowering {
public:
  FunctionLowering(Function &Fn, Guards &Shared)
      : F(Fn), Guard(Shared), Stores(Shared), Checks(Shared), Ranges(Shared) {}
  void run();
  /// Whether calls of E are lowered.
  static bool isLowered(Entry E);

private:
  using Handler = void (FunctionLowering::*)(ArrayRef<CallInst *>);
  /// What happens to all calls of an entry point.
  struct Step {
    Entry Of;
    Handler Lower;
  };
  static const Step Steps[13];
  static constexpr size_t SlotChecks = 0; ///< the first step

  void collect();
  void lowerSlotChecks(ArrayRef<CallInst *> Calls) { Checks.lowerSlotChecks(F, Calls); }
  template <auto Lower> void eachCheck(ArrayRef<CallInst *> Calls) {
    for (CallInst *Call : Calls)
      (Checks.*Lower)(*Call);
  }
  template <auto Lower> void eachRange(ArrayRef<CallInst *> Calls) {
    for (CallInst *Call : Calls)
      (Ranges.*Lower)(*Call);
  }

  Function &F;
  Guards &Guard;
  StoreLowering Stores;
  CheckLowering Checks;
  RangeLowering Ranges;
  SmallVector<CallInst *, 8> Calls[std::size(Steps)]; ///< by the first step with the same handler
  uint64_t FrameSize = 0;
};

/// In the order in which they are done; neighbours with one handler are done together.
const FunctionLowering::Step FunctionLowering::Steps[] = {
    {Entry::CheckSameregion, &FunctionLowering::lowerSlotChecks},
    {Entry::CheckParentptr, &FunctionLowering::lowerSlotChecks},
    {Entry::CheckTraditional, &FunctionLowering::eachCheck<&CheckLowering::lowerTraditionalCheck>},
    {Entry::CheckInregion, &FunctionLowering::eachCheck<&CheckLowering::lowerSignatureCheck>},
    {Entry::Bounds, &FunctionLowering::eachCheck<&CheckLowering::lowerBounds>},
    {Entry::CheckBounds, &FunctionLowering::eachCheck<&CheckLowering::lowerBoundsCheck>},
    {Entry::Rescan, &FunctionLowering::eachRange<&RangeLowering::lowerRescan>},
    {Entry::StoreRange, &FunctionLowering::eachRange<&RangeLowering::lowerRescan>},
    {Entry::RescanTyped, &FunctionLowering::eachRange<&RangeLowering::lowerTypedRescan>},
    {Entry::RescanSlots, &FunctionLowering::eachRange<&RangeLowering::lowerTypedRescan>},
    {Entry::Reread, &FunctionLowering::eachRange<&RangeLowering::lowerReread>},
    {Entry::RescanCopied, &FunctionLowering::eachRange<&RangeLowering::lowerActive>},
    {Entry::ReleaseBetween, &FunctionLowering::eachRange<&RangeLowering::lowerActive>},
};

bool FunctionLowering::isLowered(Entry E) {
  return E == Entry::Store || E == Entry::Release || E == Entry::Pin || isOfLocals(E) ||
         any_of(Steps, [&](const Step &Each) { return Each.Of == E; });
}

void FunctionLowering::collect() {
  for (Instruction &I : instructions(F)) {
    if (auto *A = dyn_cast<AllocaInst>(&I); A && A->isStaticAlloca())
      FrameSize += stackObjectSize(A, Guard.ABI.layout());
    std::optional<Entry> E = entryOf(I);
    if (!E)
      continue;
    auto *Call = cast<CallInst>(&I);
    if (E == Entry::Store)
      Stores.add(*Call);
    else if (E == Entry::Release)
      Ranges.addRelease(*Call);
    auto *Found = find_if(Steps, [&](const Step &Each) { return Each.Of == *E; });
    if (Found == std::end(Steps))
      continue;
    auto *First = find_if(Steps, [&](const Step &Each) { return Each.Lower == Found->Lower; });
    Calls[First - Steps].push_back(Call);
    if (isTypedRescan(*Call) && E != Entry::RescanCopied)
      append_range(Calls[SlotChecks], Ranges.splitTypedRescan(*Call));
  }
}

void FunctionLowering::run() {
  Guard.enter(F);
  collect();
  Stores.run();
  for (size_t I = 0; I != std::size(Steps); ++I)
    if (!Calls[I].empty())
      (this->*Steps[I].Lower)(Calls[I]);
  if (Guard.hasPins())
    lowerPins(F, Guard.ABI);
  Ranges.lowerReleases(FrameSize);
  lowerLocals(F, Guard.ABI);
}

bool lowerModule(Module &M) {
  static constexpr StringLiteral LoweredFlag = "acre-lowered";
  bool HasEntries = any_of(M, [](const Function &F) {
    std::optional<Entry> E = entryNamed(F.getName());
    return E && FunctionLowering::isLowered(*E);
  });
  // In a unit that was lowered before, calls are behind their tests already.
  if (!HasEntries || M.getModuleFlag(LoweredFlag))
    return false;
  M.addModuleFlag(Module::Max, LoweredFlag, 1);
  SmallVector<Function *, 32> Functions;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasOptNone() && !F.hasMinSize())
      Functions.push_back(&F);
  Guards Shared(M);
  for (Function *F : Functions)
    FunctionLowering(*F, Shared).run();
  return !Functions.empty();
}

} // namespace

PreservedAnalyses ForgetPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M)
    dropSlotRules(F);
  if (Function *Known = M.getFunction(entryName(Entry::KnownInregion))) {
    for (User *U : make_early_inc_range(Known->users()))
      cast<Instruction>(U)->eraseFromParent();
    Known->eraseFromParent();
  }
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

PreservedAnalyses LowerPass::run(Module &M, ModuleAnalysisManager &) {
  return lowerModule(M) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace acre

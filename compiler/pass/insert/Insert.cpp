// SPDX-License-Identifier: MIT
//===- Insert.cpp - The insertion pass ------------------------------------===//
#include "pass/insert/Insert.h"
#include "pass/base/CheckMode.h"
#include "pass/base/Library.h"
#include "pass/base/Markers.h"
#include "pass/base/RegisteredTable.h"
#include "pass/base/SetByDeletes.h"
#include "pass/base/StackObjects.h"
#include "pass/base/Stats.h"
#include "pass/insert/Barriers.h"
#include "pass/insert/CallSites.h"
#include "pass/insert/FreshLocals.h"
#include "pass/insert/Globals.h"
#include "pass/insert/PackedStores.h"
#include "pass/insert/Pins.h"
#include "pass/insert/PoolCalls.h"
#include "pass/insert/SetjmpReturns.h"
#include "pass/insert/SplitCleanups.h"
#include "pass/insert/StaysLoaded.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Scalar/SROA.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(FunctionsInstrumented, "Functions instrumented");
STATISTIC(ValuesPinned, "Values pinned at calls that may delete");
STATISTIC(LocalsFreshened, "Locals that are null at first because they may be copied unset");
STATISTIC(LibraryUses, "Uses of C library functions replaced");

namespace acre {

static constexpr StringLiteral InstrumentedFlag = "acre-instrumented";

namespace {

class Inserter {
public:
  Inserter(Module &Unit, FunctionAnalysisManager &Analyses) : M(Unit), FAM(Analyses), ABI(Unit) {}
  void run();

private:
  void instrument(Function &F);

  Module &M;
  FunctionAnalysisManager &FAM;
  RuntimeABI ABI;
  AddressUses Addresses;
  MarkerFacts Facts;
};

void Inserter::instrument(Function &F) {
  assert(!F.isDeclaration() && !Facts.Uninstrumented.contains(&F) && "a function to instrument");
  bool Deletes = hasDeletesCall(F);
  if (Deletes && splitCleanups(F))
    FAM.invalidate(F, PreservedAnalyses::none());
  const bool PinsFrames = Deletes && !searchesFrames();
  StackObjects Stack(F);
  // Pins are named while variables still are allocas.
  VariableNames Names;
  if (PinsFrames)
    Names = collectVariableNames(F);
  unsigned Barriers = insertBarriers(F, ABI, Stack, Facts);
  keepWhatPackedStoresHide(F, ABI);
  nameStores(F, ABI);
  noteCallSites(F, ABI);
  Stack.insertReleases(ABI, Deletes);
  LocalsFreshened += freshenLocals(F, Addresses, ABI);
  FAM.invalidate(F, PreservedAnalyses::none());
  // Unoptimised functions keep their variables in memory, for the debugger; they are pinned as
  // ranges.
  if (PinsFrames && !F.hasOptNone()) {
    SROAPass(SROAOptions::ModifyCFG).run(F, FAM);
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  unsigned Pins = PinsFrames ? insertPins(F, ABI, Addresses, Names) : 0;
  insertUnwinds(F, ABI);
  if (searchesFrames())
    keepOnStackAtSetjmp(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  ++FunctionsInstrumented;
  ValuesPinned += Pins;
  auto &Remarks = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  if (Barriers || Pins)
    Remarks.emit([&] {
      return OptimizationRemark(DEBUG_TYPE, "Instrumented", DiagnosticLocation(F.getSubprogram()),
                                &F.getEntryBlock())
             << "inserted " << ore::NV("Barriers", Barriers) << " barriers and "
             << ore::NV("Pins", Pins) << " pins";
    });
#ifndef NDEBUG
  if (verifyFunction(F, &errs()))
    report_fatal_error("acre: instrumentation broke function " + F.getName());
#endif
}

void Inserter::run() {
  Facts = stripMarkers(ABI);
  insertPoolCalls(ABI, Facts.PoolCalls);
  noteSetters(M);
  LibraryUses += replaceLibraryFunctions(ABI);
  // An ifunc's resolver runs while the program is being relocated: the runtime cannot be called
  // yet.
  for (GlobalIFunc &Indirect : M.ifuncs())
    if (Function *Resolver = Indirect.getResolverFunction())
      Facts.Uninstrumented.insert(Resolver);
  SmallVector<Function *, 64> Functions;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(Attribute::Naked) &&
        !Facts.Uninstrumented.contains(&F) && !isFortifiedCopier(F))
      Functions.push_back(&F);
  for (Function *F : Functions) {
    if (!Facts.NamesRegions)
      F->addFnAttr(AsksActiveAttribute, patchesBarriers() ? "patched" : "inline");
    instrument(*F);
  }
  if (!Facts.NamesRegions) // members have no names then: nobody asks for them
    Facts.GlobalLayouts.clear();
  emitGlobalTable(ABI, Facts.GlobalLayouts, Facts.NamesRegions);
  if (searchesFrames())
    callAtStart(ABI, Entry::SearchFrames, "acre.search_frames");
  else if (!setByDeletes(M).empty())
    callAtStart(ABI, Entry::ExpectSetByDeletes, "acre.expect_settled");
  keepLoaded(ABI);
  isRuntimeShared(M); // a link with -flto, which has no such option, is to know
  M.addModuleFlag(Module::Max, InstrumentedFlag, 1);
}

} // namespace

PreservedAnalyses InsertPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (M.getModuleFlag(InstrumentedFlag))
    return PreservedAnalyses::all();
  if (M.getDataLayout().getPointerSizeInBits() != 64) {
    M.getContext().emitError("acre: only targets with 64-bit pointers are supported");
    return PreservedAnalyses::all();
  }
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  Inserter(M, FAM).run();
  return PreservedAnalyses::none();
}

} // namespace acre

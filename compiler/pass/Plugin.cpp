// SPDX-License-Identifier: MIT
//===- Plugin.cpp - Where the passes stand in LLVM's pipelines ------------===//
//
// Insertion is first in every pipeline that starts from the front end, at every
// optimisation level.  Lowering is last: at the end of an ordinary compilation,
// or of the link when the unit is compiled for link-time optimisation.  A link
// that does not load the plugin leaves the calls as they are.
//
//===----------------------------------------------------------------------===//
#include "pass/base/AccessRules.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/Stats.h"
#include "pass/bounds/Bounds.h"
#include "pass/insert/Insert.h"
#include "pass/locals/Locals.h"
#include "pass/lower/Allocate.h"
#include "pass/lower/KeepBases.h"
#include "pass/lower/Lower.h"
#include "pass/prove/Infer.h"
#include "pass/rlang/Rlang.h"
#include "pass/simplify/CoalesceBarriers.h"
#include "pass/simplify/CursorBarriers.h"
#include "pass/simplify/FrameBarriers.h"
#include "pass/simplify/SinkBarriers.h"
#include "versions/PassPlugin.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

/// Whether no link will optimize what is compiled now.
static bool isLast(ThinOrFullLTOPhase Phase) {
  return Phase == ThinOrFullLTOPhase::None || Phase == ThinOrFullLTOPhase::ThinLTOPostLink;
}

/// SROA for the proofs and checks at the start, which want values instead of variables.  Where
/// there is nothing to prove, Clang's optimizer is to find what it finds without Acre: an SROA
/// that comes early leads to other loops and branches.
class EarlySROAPass : public PassInfoMixin<EarlySROAPass> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    const bool IsWanted = acre::checksBounds() || acre::checksLocals() || acre::writesRlang() ||
                          !F.hasFnAttribute(acre::AsksActiveAttribute) ||
                          llvm::any_of(instructions(F), [](const Instruction &I) {
                            return acre::entryOf(I).has_value();
                          });
    return IsWanted ? SROAPass(SROAOptions::ModifyCFG).run(F, FAM) : PreservedAnalyses::all();
  }
};

/// What ends a compilation, or the link if it optimizes.
static void addLastPasses(ModulePassManager &MPM, OptimizationLevel Level) {
  MPM.addPass(acre::ForgetPass());
  MPM.addPass(acre::StatsPass());
  if (Level != OptimizationLevel::O0)
    MPM.addPass(acre::LowerPass());
  MPM.addPass(acre::CallStatsPass());
  if (Level == OptimizationLevel::O0)
    return;
  MPM.addPass(acre::AllocatePass());
  MPM.addPass(createModuleToFunctionPassAdaptor(acre::KeepBasesPass()));
}

static void registerPasses(PassBuilder &PB) {
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel Level) {
    MPM.addPass(acre::InsertPass());
    if (Level == OptimizationLevel::O0) {
      MPM.addPass(acre::BoundsPass(/*Complete=*/true));
      MPM.addPass(acre::LocalsPass());
      return;
    }
    // The first inference sees each store of the source once, and all annotations of slots that are
    // read: later passes merge loads and drop what they do not know.
    MPM.addPass(createModuleToFunctionPassAdaptor(EarlySROAPass()));
    // Here stores and barriers stand in the order of the source, which the proofs rely on.
    MPM.addPass(createModuleToFunctionPassAdaptor(acre::CursorBarriersPass()));
    MPM.addPass(acre::RlangPass());
    MPM.addPass(acre::FrameParametersPass());
    MPM.addPass(acre::InferPass(acre::InferPhase::AtStart));
    MPM.addPass(acre::BoundsPass(/*Complete=*/false));
    MPM.addPass(acre::LocalsPass());
  });
  PB.registerPeepholeEPCallback([](FunctionPassManager &FPM, OptimizationLevel Level) {
    if (Level == OptimizationLevel::O0)
      return;
    FPM.addPass(acre::FrameBarriersPass());
    FPM.addPass(acre::BoundsOfVariablesPass());
    FPM.addPass(acre::KnownLocalsPass());
  });
  PB.registerOptimizerEarlyEPCallback(acre::withPhase(
      [](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase Phase) {
        if (Level != OptimizationLevel::O0)
          MPM.addPass(acre::InferPass(isLast(Phase) ? acre::InferPhase::Last
                                                    : acre::InferPhase::AfterInlining));
      }));
  // Behind all proofs, which are about single stores, and before the vectorizers.
  PB.registerVectorizerStartEPCallback([](FunctionPassManager &FPM, OptimizationLevel) {
    FPM.addPass(acre::BoundsOfLoopsPass());
    FPM.addPass(acre::CoalesceBarriersPass());
    FPM.addPass(acre::SinkBarriersPass());
  });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (Level == OptimizationLevel::O0)
          return;
        MPM.addPass(acre::FrameParametersPass());
        MPM.addPass(acre::InferPass(acre::InferPhase::AtStart));
      });
  PB.registerOptimizerLastEPCallback(acre::withPhase(
      [](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase Phase) {
        if (isLast(Phase))
          addLastPasses(MPM, Level);
      }));
  PB.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0) {
          MPM.addPass(acre::InferPass(acre::InferPhase::Last));
          MPM.addPass(createModuleToFunctionPassAdaptor(acre::CoalesceBarriersPass()));
        }
        addLastPasses(MPM, Level);
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "acre-insert")
          MPM.addPass(acre::InsertPass());
        else if (Name == "acre-infer")
          MPM.addPass(acre::InferPass(acre::InferPhase::AfterInlining));
        else if (Name == "acre-bounds")
          MPM.addPass(acre::BoundsPass(/*Complete=*/false));
        else if (Name == "acre-bounds-of-loops")
          MPM.addPass(createModuleToFunctionPassAdaptor(acre::BoundsOfLoopsPass()));
        else if (Name == "acre-locals")
          MPM.addPass(acre::LocalsPass());
        else if (Name == "acre-known-locals")
          MPM.addPass(createModuleToFunctionPassAdaptor(acre::KnownLocalsPass()));
        else if (Name == "acre-frame-barriers")
          MPM.addPass(createModuleToFunctionPassAdaptor(acre::FrameBarriersPass()));
        else if (Name == "acre-frame-parameters")
          MPM.addPass(acre::FrameParametersPass());
        else if (Name == "acre-cursor-barriers")
          MPM.addPass(createModuleToFunctionPassAdaptor(acre::CursorBarriersPass()));
        else if (Name == "acre-coalesce-barriers")
          MPM.addPass(createModuleToFunctionPassAdaptor(acre::CoalesceBarriersPass()));
        else if (Name == "acre-sink-barriers")
          MPM.addPass(createModuleToFunctionPassAdaptor(acre::SinkBarriersPass()));
        else if (Name == "acre-keep-bases")
          MPM.addPass(createModuleToFunctionPassAdaptor(acre::KeepBasesPass()));
        else if (Name == "acre-lower")
          MPM.addPass(acre::LowerPass());
        else if (Name == "acre-allocate")
          MPM.addPass(acre::AllocatePass());
        else
          return false;
        return true;
      });
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "acre", ACRE_VERSION, registerPasses};
}

// SPDX-License-Identifier: MIT
//===- CheckMode.cpp - What becomes of checks -----------------------------===//
#include "pass/base/CheckMode.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<acre::CheckMode>
    Mode("acre-checks", cl::desc("What becomes of Acre's checks"),
         cl::init(acre::CheckMode::Inferred),
         cl::values(clEnumValN(acre::CheckMode::Inferred, "inferred",
                               "those that cannot fail are removed"),
                    clEnumValN(acre::CheckMode::All, "all", "all are made"),
                    clEnumValN(acre::CheckMode::Verified, "verified",
                               "those that cannot fail are made, and reported if they do"),
                    clEnumValN(acre::CheckMode::None, "none",
                               "no check of an annotated store is made")));

static cl::opt<bool> Strict("acre-strict", cl::desc("Report checks that stay as errors"));

static cl::opt<bool>
    IgnoreAnnotations("acre-ignore-annotations",
                      cl::desc("Count stores to annotated slots instead of checking them"));

static cl::opt<bool> NotesSites("acre-sites",
                                cl::desc("Tell the runtime where each slot is stored"));

static cl::opt<bool> SearchesFrames("acre-conservative-frames",
                                    cl::desc("Let deletes search frames; pin nothing"));

static cl::opt<bool> SharedRuntime("acre-shared-runtime",
                                   cl::desc("The program is linked with libacre.so"));

namespace {
enum class BarrierKind { Patched, Inline };
} // namespace
static cl::opt<BarrierKind>
    Barriers("acre-barriers", cl::desc("How stores of units that name no region are counted"),
             cl::init(BarrierKind::Patched),
             cl::values(clEnumValN(BarrierKind::Patched, "patched",
                                   "the runtime makes barriers of them when it has to"),
                        clEnumValN(BarrierKind::Inline, "inline", "a test follows each")));

namespace acre {

/// The value of the flag Name of M, which is set to Wanted if there is none.
static uint64_t flagOf(Module &M, StringRef Name, uint32_t Wanted) {
  if (auto *Known = mdconst::extract_or_null<ConstantInt>(M.getModuleFlag(Name)))
    return Known->getZExtValue();
  M.addModuleFlag(Module::Max, Name, Wanted);
  return Wanted;
}

CheckMode checkMode(Module &M) {
  return static_cast<CheckMode>(flagOf(M, "acre-checks", static_cast<uint32_t>(Mode.getValue())));
}

bool isStrict(Module &M) { return flagOf(M, "acre-strict", Strict) != 0; }

bool isRuntimeShared(Module &M) {
  const StringRef Name = "acre-shared-runtime";
  return (SharedRuntime || M.getModuleFlag(Name)) && flagOf(M, Name, 1) != 0;
}

bool ignoresAnnotations() { return IgnoreAnnotations; }

bool searchesFrames() { return SearchesFrames; }

bool notesSites() { return NotesSites; }

bool patchesBarriers() { return Barriers == BarrierKind::Patched; }

} // namespace acre

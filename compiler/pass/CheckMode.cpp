//===- CheckMode.cpp - What becomes of checks -----------------------------===//
#include "CheckMode.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<acre::CheckMode> Mode(
    "acre-checks", cl::desc("What becomes of Acre's checks"), cl::init(acre::CheckMode::Inferred),
    cl::values(clEnumValN(acre::CheckMode::Inferred, "inferred", "those that cannot fail are removed"),
               clEnumValN(acre::CheckMode::All, "all", "all are made"),
               clEnumValN(acre::CheckMode::Verified, "verified", "those that cannot fail are made, and reported if they do"),
               clEnumValN(acre::CheckMode::None, "none", "no check of an annotated store is made")));

static cl::opt<bool> IgnoreAnnotations("acre-ignore-annotations",
                                       cl::desc("Count stores to annotated slots instead of checking them"));

namespace acre {

static constexpr StringLiteral ModeFlag = "acre-checks";

CheckMode checkMode(Module &M) {
  if (auto *Known = mdconst::extract_or_null<ConstantInt>(M.getModuleFlag(ModeFlag)))
    return static_cast<CheckMode>(Known->getZExtValue());
  M.addModuleFlag(Module::Max, ModeFlag, static_cast<uint32_t>(Mode.getValue()));
  return Mode;
}

bool ignoresAnnotations() { return IgnoreAnnotations; }

} // namespace acre

//===- RegionTerm.cpp - Abstract regions of SSA values --------------------===//
#include "RegionTerm.h"
#include "RuntimeABI.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace acre {

KnownResult knownResult(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclarationForLinker())
    return {};
  auto Result = StringSwitch<KnownResult>(GlobalValue::dropLLVMManglingEscape(Callee->getName()))
#define ACRE_ENTRY(...)
#define ACRE_RESULT(Name, Meaning, Argument) .Case(Name, KnownResult{ResultMeaning::Meaning, Argument})
#include "shared/runtime_entry.def"
                    .Default(KnownResult());
  return Result.Argument < std::max(Call.arg_size(), 1u) ? Result : KnownResult();
}

bool leavesProgramMemory(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return false;
  if (Callee->getName().starts_with("acre_rt_"))
    return Callee->onlyAccessesInaccessibleMemOrArgMem();
  switch (knownResult(Call).Meaning) {
  case ResultMeaning::InRegion:
  case ResultMeaning::RegionOf:
  case ResultMeaning::Subregion:
  case ResultMeaning::NewRegion:
  case ResultMeaning::Traditional:
  case ResultMeaning::Permanent:
    return true;
  case ResultMeaning::Unknown:
  case ResultMeaning::Into:
  case ResultMeaning::Outside:
    return false;
  }
  llvm_unreachable("all meanings are handled");
}

std::optional<RuleCheck> ruleCheck(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return std::nullopt;
  if (Callee->getName() == entryName(Entry::CheckSameregion))
    return RuleCheck{Call->getArgOperand(0), Call->getArgOperand(1), SlotRule::Sameregion};
  if (Callee->getName() == entryName(Entry::CheckParentptr))
    return RuleCheck{Call->getArgOperand(0), Call->getArgOperand(1), SlotRule::Parentptr};
  if (Callee->getName() == entryName(Entry::CheckTraditional))
    return RuleCheck{nullptr, Call->getArgOperand(0), SlotRule::Traditional};
  return std::nullopt;
}

const Value *objectOf(const Value *V) {
  while (true) {
    const Value *Next = getUnderlyingObject(V, 0);
    if (auto *Freeze = dyn_cast<FreezeInst>(Next))
      Next = Freeze->getOperand(0);
    if (Next == V)
      return V;
    V = Next;
  }
}

} // namespace acre

// SPDX-License-Identifier: MIT
//===- RegionTerm.cpp - Abstract regions of SSA values --------------------===//
#include "pass/base/RegionTerm.h"
#include "acre/abi.h"
#include "pass/base/RuntimeABI.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace acre {

KnownResult knownResult(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclarationForLinker())
    return {};
  auto Result = StringSwitch<KnownResult>(GlobalValue::dropLLVMManglingEscape(Callee->getName()))
#define ACRE_RESULT(Name, Meaning, Argument) \
  .Case(Name, KnownResult{ResultMeaning::Meaning, Argument})
#include "shared/library.def"
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

StringRef RuleCheck::word() const {
  switch (From) {
  case Store:
    return IsUpward ? "parentptr" : "sameregion";
  case Outside:
    return "traditional";
  case Signature:
  case Known:
    return IsUpward ? "inparent" : "inregion";
  }
  llvm_unreachable("all origins have words");
}

std::optional<RuleCheck> ruleCheck(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return std::nullopt;
  if (Callee->getName() == entryName(Entry::CheckSameregion))
    return RuleCheck{
        RuleCheck::Store, Call->getArgOperand(1), {RegionTerm::Address, Call->getArgOperand(0)}};
  if (Callee->getName() == entryName(Entry::CheckParentptr))
    return RuleCheck{RuleCheck::Store,
                     Call->getArgOperand(1),
                     {RegionTerm::Address, Call->getArgOperand(0)},
                     true};
  if (Callee->getName() == entryName(Entry::CheckTraditional))
    return RuleCheck{RuleCheck::Outside, Call->getArgOperand(1), {RegionTerm::Traditional}};
  bool IsKnown = Callee->getName() == entryName(Entry::KnownInregion);
  if (!IsKnown && Callee->getName() != entryName(Entry::CheckInregion))
    return std::nullopt;
  uint64_t Kind = cast<ConstantInt>(Call->getArgOperand(2))->getZExtValue();
  if (Kind & ACRE_RT_OUTSIDE)
    return RuleCheck{RuleCheck::Known, Call->getArgOperand(0), {RegionTerm::Traditional}};
  RegionTerm In{Kind & ACRE_RT_BY_HANDLE ? RegionTerm::Handle : RegionTerm::Address,
                Call->getArgOperand(1)};
  return RuleCheck{IsKnown ? RuleCheck::Known : RuleCheck::Signature, Call->getArgOperand(0), In,
                   (Kind & ACRE_RT_OR_ANCESTOR) != 0};
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

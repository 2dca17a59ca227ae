//===- Explanation.cpp - Decisions in words -------------------------------===//
#include "Explanation.h"
#include "Markers.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

namespace acre {

/// The name of V in the source, or what it is.
static std::string nameOf(const Value *V) {
  if (!V)
    return "a value";
  if (isa<ConstantPointerNull>(V))
    return "null";
  if (auto *G = dyn_cast<GlobalValue>(V))
    return "'" + G->getName().str() + "'";
  SmallVector<DbgVariableRecord *, 4> Records;
  if (!isa<Constant>(V))
    findDbgValues(const_cast<Value *>(V), Records);
  for (const DbgVariableRecord *Record : Records)
    if (!Record->getVariable()->getName().empty() && !Record->hasArgList())
      return "'" + Record->getVariable()->getName().str() + "'";
  if (V->hasName() && isa<Argument>(V))
    return "'" + V->getName().str() + "'";
  if (auto *Call = dyn_cast<CallBase>(V))
    return Call->getCalledFunction() ? "the result of '" + Call->getCalledFunction()->getName().str() + "'"
                                     : std::string("the result of an indirect call");
  if (isa<Argument>(V))
    return "a parameter";
  if (isa<LoadInst>(V))
    return "a pointer read from memory";
  if (isa<PHINode, SelectInst>(V))
    return "one of several pointers";
  return "a value";
}

static std::string lineOf(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  return I && I->getDebugLoc() ? " (line " + std::to_string(I->getDebugLoc().getLine()) + ")" : "";
}

static std::string describeStore(const CallInst &Barrier) {
  std::optional<RuleCheck> Check = ruleCheck(Barrier);
  if (!Check)
    return "counted store";
  switch (Check->Rule) {
  case SlotRule::Sameregion:
    return "check of sameregion store";
  case SlotRule::Parentptr:
    return "check of parentptr store";
  default:
    return "check of traditional pointer";
  }
}

static std::string describeEvidence(const Value *V) {
  if (auto *Call = dyn_cast<CallBase>(V)) {
    const Function *Callee = Call->getCalledFunction();
    if (ruleCheck(*Call))
      return "a check that was passed" + lineOf(V);
    if (Callee)
      return "the call of '" + Callee->getName().str() + "'" + lineOf(V);
  }
  if (isa<LoadInst>(V))
    return "an annotated slot that is read" + lineOf(V);
  if (isa<ICmpInst>(V))
    return "a test" + lineOf(V);
  if (isa<AllocaInst>(V))
    return "all that is stored in " + nameOf(V);
  if (isa<Argument, GlobalValue>(V))
    return nameOf(V);
  return "";
}

static std::string regionOf(const RegionTerm &T) {
  switch (T.K) {
  case RegionTerm::Address:
    return "the region of " + nameOf(T.V);
  case RegionTerm::Handle:
    return "region " + nameOf(T.V);
  case RegionTerm::CurrentHandle:
  case RegionTerm::Global:
    return "region " + nameOf(T.V);
  case RegionTerm::CurrentObject:
  case RegionTerm::GlobalObject:
    return "the region of what " + nameOf(T.V) + " points to";
  case RegionTerm::Traditional:
    return "no region";
  case RegionTerm::Permanent:
    return "the permanent region";
  }
  llvm_unreachable("all kinds are named");
}

static std::string describeMissing(const MissingFact &Missing) {
  const Value *V = Missing.Value;
  std::string Wanted = regionOf(Missing.Wanted);
  switch (Missing.Why) {
  case MissingFact::None:
    return "nothing is known of the value";
  case MissingFact::UnknownCaller: {
    const Function *F = cast<Argument>(V)->getParent();
    std::string Text = nameOf(V) + ", a parameter of '" + F->getName().str() + "', may be in another region than " + Wanted;
    return Text + (F->hasLocalLinkage() ? "; not all calls pass one that is, or a call is indirect"
                                        : "; make the function static, or link with -flto, and the calls are looked at");
  }
  case MissingFact::UnknownResult:
    return nameOf(V) + lineOf(V) + " may be in another region than " + Wanted +
           "; if the function is defined in this file or linked with -flto, its definition is looked at";
  case MissingFact::PlainLoad:
    if (Missing.IsHandle)
      return "the region handle " + nameOf(V) + lineOf(V) + " is read from memory and may name another region than " + Wanted +
             "; allocate in regionof() of an object instead, or pass the region as a parameter";
    return nameOf(V) + lineOf(V) + " comes from a slot without annotation and may be in another region than " + Wanted +
           "; annotate the field it is read from";
  case MissingFact::GlobalLoad:
    return nameOf(V) + lineOf(V) + " comes from global " + nameOf(objectOf(cast<LoadInst>(V)->getPointerOperand())) +
           " and may be in another region than " + Wanted +
           "; make the global static and set it once, or pass it as a parameter";
  case MissingFact::ArrayLoad:
    return nameOf(V) + lineOf(V) + " comes from a local array in which pointers into other regions than " + Wanted +
           " may be";
  case MissingFact::MadeFromInteger:
    return nameOf(V) + lineOf(V) + " is made from an integer";
  case MissingFact::OtherRegion:
    return nameOf(V) + (V ? lineOf(V) : "") + " is in a region of which nothing says that it is " + Wanted;
  case MissingFact::Budget:
    return "the search for a proof was given up; make the function smaller";
  }
  llvm_unreachable("all reasons are named");
}

OptimizationRemark explainRemoved(const CallInst &Barrier, ArrayRef<const Value *> Evidence) {
  OptimizationRemark R(DEBUG_TYPE, ruleCheck(Barrier) ? "CheckRemoved" : "CountRemoved", &Barrier);
  R << describeStore(Barrier) << " removed";
  unsigned Shown = 0;
  for (const Value *V : Evidence) {
    std::string Text = V ? describeEvidence(V) : std::string();
    if (!Text.empty() && Shown < 4)
      R << (Shown++ ? ", " : ": by ") << Text;
  }
  return R;
}

OptimizationRemarkMissed explainKept(const CallInst &Barrier, const MissingFact &Missing) {
  OptimizationRemarkMissed R(DEBUG_TYPE, ruleCheck(Barrier) ? "CheckKept" : "CountKept", &Barrier);
  R << describeStore(Barrier) << " kept: " << describeMissing(Missing);
  return R;
}

} // namespace acre

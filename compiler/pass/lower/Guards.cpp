// SPDX-License-Identifier: MIT
//===- Guards.cpp - Calls that are made under a condition -----------------===//
#include "pass/lower/Guards.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/Markers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace acre {

static bool callsRegions(const Module &M) {
  return any_of(M, [](const Function &F) {
    return F.getName().starts_with("acre_region_") && !F.use_empty();
  });
}

Guards::Guards(Module &Unit)
    : ABI(Unit), Tests(ABI), Functions(ABI), Patches(ABI), CallsRegions(callsRegions(Unit)) {}

void Guards::enter(const Function &F) {
  HasPins = any_of(instructions(F), [](const Instruction &I) { return isCallOf(I, Entry::Pin); });
  AsksActive = F.hasFnAttribute(AsksActiveAttribute);
  HasPatchPoints = AsksActive && !CallsRegions && PatchPoints::mayBeIn(F);
}

Instruction *Guards::coldBlock(Instruction *Before, Value *Condition) {
  MDNode *Weights = MDBuilder(Before->getContext()).createUnlikelyBranchWeights();
  return SplitBlockAndInsertIfThen(Condition, Before->getIterator(), false, Weights);
}

void Guards::guard(ArrayRef<CallInst *> Calls, Value *Condition) {
  assert(
      all_of(Calls, [&](CallInst *Call) { return Call->getParent() == Calls[0]->getParent(); }) &&
      "calls that share a test stand side by side");
  Instruction *Then = coldBlock(Calls.front(), Condition);
  for (CallInst *Call : Calls)
    Call->moveBefore(Then->getIterator());
}

void Guards::guardActive(ArrayRef<CallInst *> Calls) {
  IRBuilder<> B(Calls.front());
  if (AsksActive && !CallsRegions)
    guard(Calls, Tests.isActive(B));
}

void Guards::callInstead(CallInst &Call, Function *Callee) {
  assert(Call.arg_size() == Callee->arg_size() && "both take the same arguments");
  Call.setCalledFunction(Callee);
  Call.setCallingConv(Callee->getCallingConv());
  Call.setTailCallKind(CallInst::TCK_None);
}

void Guards::moveToCold(CallInst &Call, Entry E, Value *Condition) {
  assert(isCallOf(Call, E) && "the call is one of the entry point that it is moved for");
  Call.moveBefore(coldBlock(&Call, Condition)->getIterator());
  callInstead(Call, Functions.of(E));
}

} // namespace acre

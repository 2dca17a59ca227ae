// SPDX-License-Identifier: MIT
//===- Infer.cpp - Removing the checks that cannot fail -------------------===//
#include "pass/prove/Infer.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/CheckMode.h"
#include "pass/base/RuntimeABI.h"
#include "pass/base/Stats.h"
#include "pass/prove/Explanation.h"
#include "pass/prove/RegionProver.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(ChecksProved, "Checks of annotated stores proved");
STATISTIC(CountsProved, "Counted stores proved to count nothing");
STATISTIC(FreshStores, "Stores to fresh memory without barrier");
STATISTIC(ProofsGivenUp, "Proofs given up");

namespace acre {
namespace {

/// A barrier and what is known of it.
struct Decision {
  CallInst *Barrier;
  enum { Remove, Clear, Keep } Outcome;
};

class Inference {
public:
  Inference(Module &Unit, FunctionAnalysisManager &Analyses, InferPhase When)
      : M(Unit), FAM(Analyses), ABI(Unit), Prover(Analyses, Program), Phase(When),
        Mode(checkMode(Unit)), IsStrict(isStrict(Unit)) {}
  bool run();

private:
  void decide(Function &F);
  void decideCheck(CallInst &Call, const RuleCheck &Check);
  void decideStore(CallInst &Call);
  void verify(CallInst &Call);
  bool verifySignatures();
  void verifyKnown();
  void apply(const Decision &D);
  void report(CallInst &Call, bool IsProved, const MissingFact &Missing);
  void reportCopy(CallInst &Call);
  void refuse(CallInst &Call, function_ref<OptimizationRemarkMissed()> Explain);

  Module &M;
  FunctionAnalysisManager &FAM;
  RuntimeABI ABI;
  ProgramView Program;
  RegionProver Prover;
  InferPhase Phase;
  CheckMode Mode;
  bool IsStrict;
  // Calls are replaced only when all decisions are made: proofs refer to them.
  SmallVector<Decision, 64> Decisions;
  StringSet<> Refused;
};

void Inference::report(CallInst &Call, bool IsProved, const MissingFact &Missing) {
  auto &Remarks = FAM.getResult<OptimizationRemarkEmitterAnalysis>(*Call.getFunction());
  if (IsProved)
    Remarks.emit([&] { return explainRemoved(Call, Prover.evidence()); });
  else if (Phase != InferPhase::AtStart)
    Remarks.emit([&] { return explainKept(Call, Missing); });
  if (!IsProved && ruleCheck(Call))
    refuse(Call, [&] { return explainKept(Call, Missing); });
}

/// With -facre-strict, a check that stays is an error.
void Inference::refuse(CallInst &Call, function_ref<OptimizationRemarkMissed()> Explain) {
  if (!IsStrict || Phase != InferPhase::Last)
    return;
  std::string Text = Explain().getMsg();
  const DILocation *At = Call.getDebugLoc().get();
  std::string Place =
      At ? (At->getFilename() + ":" + Twine(At->getLine()) + ":" + Twine(At->getColumn())).str()
         : "";
  // Copies of one store.
  if (Refused.insert(Place + ": " + Text).second)
    M.getContext().diagnose(DiagnosticInfoUnsupported(
        *Call.getFunction(), Text + " [-facre-strict]", Call.getDebugLoc()));
}

/// Copies of structures are not decided on, but their annotated slots are assignments too.
void Inference::reportCopy(CallInst &Call) {
  auto &Remarks = FAM.getResult<OptimizationRemarkEmitterAnalysis>(*Call.getFunction());
  if (!IsStrict && !Remarks.allowExtraAnalysis(DEBUG_TYPE))
    return;
  std::optional<OptimizationRemarkMissed> Remark = explainCopy(Call);
  if (!Remark)
    return;
  Remarks.emit(*Remark);
  refuse(Call, [&] { return *Remark; });
}

void Inference::decideCheck(CallInst &Call, const RuleCheck &Check) {
  if (Check.From == RuleCheck::Known)
    return;
  if (Mode == CheckMode::None)
    return Decisions.push_back({&Call, Decision::Remove});
  GoalKind Kind = Check.IsUpward ? GoalKind::Ancestor : GoalKind::Same;
  bool IsProved = Prover.prove(Kind, {RegionTerm::Address, Check.Value}, Check.In,
                               Check.From == RuleCheck::Store, Call);
  ChecksProved += IsProved;
  report(Call, IsProved, Prover.missing());
  if (IsProved)
    Decisions.push_back({&Call, Decision::Remove});
}

void Inference::decideStore(CallInst &Call) {
  Value *Slot = Call.getArgOperand(0), *New = Call.getArgOperand(1);
  bool IsNull = isa<ConstantPointerNull>(New);
  RegionTerm Value{RegionTerm::Address, New}, Holder{RegionTerm::Address, Slot};
  // What points to an ancestor of its region is not counted either.
  bool IsProved = IsNull || Prover.prove(GoalKind::Ancestor, Value, Holder, true, Call);
  MissingFact Missing = Prover.missing();
  if (!IsProved)
    IsProved = Prover.prove(GoalKind::Same, Value, {RegionTerm::Traditional}, false, Call) ||
               Prover.prove(GoalKind::Same, Value, {RegionTerm::Permanent}, false, Call);
  if (!IsNull) {
    CountsProved += IsProved;
    report(Call, IsProved, Missing);
  }
  if (!IsProved)
    return;
  bool IsNothing = isFreshSlot(Call);
  FreshStores += IsNothing;
  if (IsNothing || !IsNull)
    Decisions.push_back({&Call, IsNothing ? Decision::Remove : Decision::Clear});
}

void Inference::decide(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee)
      continue;
    if (std::optional<RuleCheck> Check = ruleCheck(*Call))
      decideCheck(*Call, *Check);
    else if (Callee->getName() == entryName(Entry::Store))
      decideStore(*Call);
    else if (isTypedRescan(*Call) && Phase != InferPhase::AtStart)
      reportCopy(*Call);
  }
}

/// Executes all the same what Call, which is proved to do nothing, does.
void Inference::verify(CallInst &Call) {
  IRBuilder<> B(&Call);
  std::optional<RuleCheck> Check = ruleCheck(Call);
  bool IsKnown = Check && Check->From == RuleCheck::Known;
  Constant *Where = Check && !IsKnown ? cast<Constant>(Call.getArgOperand(Call.arg_size() - 1))
                                      : ABI.where(ABI.siteOf(Call));
  if (Check && (IsKnown || Check->From == RuleCheck::Signature) &&
      Check->In.K != RegionTerm::Traditional) {
    ABI.call(B, Entry::VerifyInregion,
             {Call.getArgOperand(0), Call.getArgOperand(1), Call.getArgOperand(2), Where});
    return;
  }
  Value *Slot =
      Check && !Check->slot() ? ConstantPointerNull::get(ABI.pointerType()) : Call.getArgOperand(0);
  Value *New = Check ? const_cast<Value *>(Check->Value) : Call.getArgOperand(1);
  SlotRule Rule = !Check            ? SlotRule::Plain
                  : !Check->slot()  ? SlotRule::Traditional
                  : Check->IsUpward ? SlotRule::Parentptr
                                    : SlotRule::Sameregion;
  ABI.call(B, Entry::VerifyProved, {Slot, New, B.getInt32(static_cast<uint32_t>(Rule)), Where});
}

void Inference::apply(const Decision &D) {
  CallInst &Call = *D.Barrier;
  if (Mode == CheckMode::Verified)
    verify(Call);
  noteProved(Call);
  if (D.Outcome == Decision::Clear)
    return Call.setArgOperand(1, ConstantPointerNull::get(ABI.pointerType()));
  noteRemoved(Call, ABI);
  Call.eraseFromParent();
}

/// What a signature says holds without a check where it is relied on.  Last, so that it changes
/// nothing of what is inlined.
bool Inference::verifySignatures() {
  SmallVector<CallInst *, 16> Known;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (std::optional<RuleCheck> Check = ruleCheck(I); Check && Check->From == RuleCheck::Known)
        Known.push_back(cast<CallInst>(&I));
  for (CallInst *Call : Known)
    verify(*Call);
  return !Known.empty();
}

bool Inference::run() {
  if (Mode == CheckMode::All)
    return false;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasOptNone())
      decide(F);
  ProofsGivenUp += Prover.givenUp();
  for (const Decision &D : Decisions)
    apply(D);
  bool IsVerified = Mode == CheckMode::Verified && Phase == InferPhase::Last && verifySignatures();
  return !Decisions.empty() || IsVerified;
}

} // namespace

PreservedAnalyses InferPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  if (!Inference(M, FAM, Phase).run())
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace acre

// SPDX-License-Identifier: MIT
//===- RegionProver.cpp - Proofs about the regions of SSA values ----------===//
#include "pass/prove/RegionProver.h"
#include "pass/base/Markers.h"
#include "versions/LLVM.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acre {

/// A proof is given up after this many goals, or this many below each other; a module after this
/// many in all.
static constexpr unsigned MostSteps = 600, MostDepth = 60;
static constexpr uint64_t MostTotalSteps = 3000000;
/// Uses of a value that are looked at.
static constexpr unsigned MostUses = 64;

DominatorTree &RegionProver::dominators(const Function &F) const {
  return FAM.getResult<DominatorTreeAnalysis>(const_cast<Function &>(F));
}

//===----------------------------------------------------------------------===//
// Facts that instructions establish
//===----------------------------------------------------------------------===//

/// Whether I has been executed when control reaches Where, and has not been reached again since.
bool RegionProver::dominates(const Instruction &I, ProofPoint Where) const {
  if (I.getFunction() != Where.At->getFunction())
    return false;
  if (Where.Into && &I == Where.At)
    return true;
  return dominators(*I.getFunction()).dominates(&I, Where.At);
}

/// Whether control reaches Where only if Compare had this outcome.
bool RegionProver::holdsOn(const ICmpInst &Compare, ProofPoint Where, bool Outcome) const {
  const Function &F = *Where.At->getFunction();
  if (Compare.getFunction() != &F)
    return false;
  for (const User *U : Compare.users()) {
    auto *Branch = dyn_cast<CondBrInst>(U);
    if (!Branch)
      continue;
    const BasicBlock *Target = Branch->getSuccessor(Outcome ? 0 : 1);
    if (Target == Branch->getSuccessor(Outcome ? 1 : 0))
      continue;
    if (Where.Into == Target && Branch == Where.At)
      return true;
    if (dominators(F).dominates(BasicBlockEdge(Branch->getParent(), Target), Where.At->getParent()))
      return true;
  }
  return false;
}

bool RegionProver::isNullAt(const Value *V, ProofPoint Where) const {
  unsigned Seen = 0;
  for (const User *U : V->users()) {
    if (++Seen > MostUses)
      return false;
    auto *Compare = dyn_cast<ICmpInst>(U);
    if (Compare && Compare->isEquality() &&
        (isa<ConstantPointerNull>(Compare->getOperand(0)) ||
         isa<ConstantPointerNull>(Compare->getOperand(1))) &&
        holdsOn(*Compare, Where, Compare->getPredicate() == ICmpInst::ICMP_EQ))
      return true;
  }
  return false;
}

/// V, whose region of this kind is G.L, is equal to something else where control passed a
/// comparison.
bool RegionProver::byEquality(const Goal &G, RegionTerm::Kind Kind, const Value &V,
                              ProofPoint Where, unsigned Depth) {
  unsigned Seen = 0;
  for (const User *U : V.users()) {
    if (++Seen > MostUses)
      return false;
    auto *Compare = dyn_cast<ICmpInst>(U);
    if (!Compare || !Compare->isEquality())
      continue;
    const Value *Other = Compare->getOperand(Compare->getOperand(0) == &V ? 1 : 0);
    if (isa<Constant>(Other) || Other == &V ||
        !holdsOn(*Compare, Where, Compare->getPredicate() == ICmpInst::ICMP_EQ))
      continue;
    Goal Next = G;
    Next.L = {Kind, Other};
    if (solveEarlier(Next, {Compare}, Depth)) {
      note(Compare);
      return true;
    }
  }
  return false;
}

/// Checks and tests of L that control has passed.
bool RegionProver::byFacts(const Goal &G, ProofPoint Where, unsigned Depth) {
  if (G.L.isConstant())
    return false;
  unsigned Seen = 0;
  for (const User *U : G.L.V->users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I || ++Seen > MostUses)
      break;
    std::optional<RuleCheck> Check = ruleCheck(*I);
    if (!Check || G.L.K != RegionTerm::Address || Check->Value != G.L.V || I == Where.At ||
        !dominates(*I, Where))
      continue;
    if (Check->IsUpward && G.Kind != GoalKind::Ancestor)
      continue;
    Goal Next = G;
    Next.L = Check->In;
    if (solveEarlier(Next, {I}, Depth)) {
      note(I);
      return true;
    }
  }
  if (byEquality(G, G.L.K, *G.L.V, Where, Depth))
    return true;
  if (G.L.K != RegionTerm::Address)
    return false;
  // What its handle was compared with.
  Seen = 0;
  for (const User *U : G.L.V->users()) {
    auto *Call = dyn_cast<CallBase>(U);
    if (++Seen > MostUses)
      break;
    if (Call && knownResult(*Call).Meaning == ResultMeaning::RegionOf &&
        byEquality(G, RegionTerm::Handle, *Call, Where, Depth))
      return true;
  }
  return false;
}

/// The holder, which is not null, passed a check itself, so it lies in the region of another slot's
/// holder.
bool RegionProver::byHolderFacts(const Goal &G, ProofPoint Where, unsigned Depth) {
  if (G.R.K != RegionTerm::Address || !G.IsHolder)
    return false;
  unsigned Seen = 0;
  for (const User *U : G.R.V->users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I || ++Seen > MostUses)
      break;
    std::optional<RuleCheck> Check = ruleCheck(*I);
    if (!Check || Check->Value != G.R.V || Check->IsUpward || I == Where.At ||
        !dominates(*I, Where))
      continue;
    Goal Next = G;
    Next.R = Check->In;
    if (solve(Next, Where, Depth)) {
      note(I);
      return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Steps back
//===----------------------------------------------------------------------===//

/// T as it was when control passed the edge From -> To: the same instance, or the value that a phi
/// of To takes.
std::optional<RegionTerm> RegionProver::acrossEdge(RegionTerm T, const BasicBlock &To,
                                                   const BasicBlock &From) const {
  auto *I = T.V ? dyn_cast<Instruction>(T.V) : nullptr;
  if (!I)
    return T;
  if (auto *Phi = dyn_cast<PHINode>(I); Phi && Phi->getParent() == &To)
    return T.with(Phi->getIncomingValueForBlock(&From));
  if (I->getParent() != &To && dominators(*To.getParent()).dominates(I->getParent(), &To))
    return T;
  return std::nullopt;
}

bool RegionProver::byPhi(const Goal &G, const PHINode &Phi, unsigned Depth) {
  const BasicBlock &To = *Phi.getParent();
  for (const BasicBlock *From : Phi.blocks()) {
    std::optional<RegionTerm> L = acrossEdge(G.L, To, *From), R = acrossEdge(G.R, To, *From);
    if (!L || !R ||
        !solveEarlier({G.Kind, *L, *R, G.IsHolder}, {From->getTerminator(), &To}, Depth))
      return false;
  }
  return true;
}

bool RegionProver::bySelect(const Goal &G, const SelectInst &Select, ProofPoint Where,
                            unsigned Depth) {
  bool IsL = G.L.V == &Select, IsR = G.R.V == &Select;
  for (const Value *Arm : {Select.getTrueValue(), Select.getFalseValue()})
    if (!solve({G.Kind, IsL ? G.L.with(Arm) : G.L, IsR ? G.R.with(Arm) : G.R, G.IsHolder}, Where,
               Depth))
      return false;
  return true;
}

/// Whether T is the same for the whole activation of F.
bool RegionProver::isInvariant(const RegionTerm &T, const Function &F) const {
  if (T.isConstant() || isa<Argument>(T.V))
    return true;
  auto *I = dyn_cast<Instruction>(T.V);
  return I && I->getParent() == &F.getEntryBlock();
}

/// Load reads from memory all of whose contents are in sight.
bool RegionProver::byContents(const Goal &G, const Value &Object, const LoadInst &Load,
                              unsigned Depth) {
  bool IsLocal = isa<AllocaInst>(Object);
  if (IsLocal ? !isInvariant(G.R, *Load.getFunction()) : !G.R.isForWholeRun())
    return false;
  const auto *Stored = Program.contents(Object);
  if (!Stored)
    return false;
  // The list may move while goals are solved.
  const SmallVector<StoreInst *, 8> Stores = *Stored;
  for (const StoreInst *Store : Stores)
    if (!solveEarlier({G.Kind, G.L.with(Store->getValueOperand()), G.R, G.IsHolder}, {Store},
                      Depth))
      return false;
  note(&Object);
  return true;
}

bool RegionProver::byLoad(const Goal &G, const LoadInst &Load, ProofPoint Where, unsigned Depth) {
  const Value *Object = objectOf(Load.getPointerOperand());
  SlotRule Rule = ruleRead(Load);
  RegionTerm Holder{RegionTerm::Address, Load.getPointerOperand()};
  if (G.L.K == RegionTerm::Address) {
    bool IsProved = false;
    if (Rule == SlotRule::Sameregion ||
        (Rule == SlotRule::Parentptr && G.Kind == GoalKind::Ancestor))
      IsProved = solve({G.Kind, Holder, G.R, G.IsHolder}, Where, Depth);
    else if (Rule == SlotRule::Traditional)
      IsProved = solve({G.Kind, {RegionTerm::Traditional}, G.R, G.IsHolder}, Where, Depth);
    if (IsProved) {
      note(&Load);
      return true;
    }
  }
  if (byContents(G, *Object, Load, Depth))
    return true;
  return fail(isa<GlobalVariable>(Object) ? MissingFact::GlobalLoad
              : isa<AllocaInst>(Object)   ? MissingFact::ArrayLoad
                                          : MissingFact::UnannotatedLoad,
              G, Where);
}

/// T, a term of the caller at Call, as the callee has it: a parameter or a constant.
static SmallVector<RegionTerm, 2> inCallee(const RegionTerm &T, const CallBase &Call,
                                           const Function &Callee) {
  if (T.isConstant())
    return {T};
  SmallVector<RegionTerm, 2> Result;
  for (const Argument &Parameter : Callee.args())
    if (Parameter.getArgNo() < Call.arg_size() && Parameter.getType()->isPointerTy() &&
        objectOf(Call.getArgOperand(Parameter.getArgNo())) == T.V)
      Result.push_back(T.with(&Parameter));
  return Result;
}

bool RegionProver::byCall(const Goal &G, const CallBase &Call, ProofPoint Where, unsigned Depth) {
  KnownResult Known = knownResult(Call);
  if (G.L.K == RegionTerm::Address && Known.Meaning == ResultMeaning::Into)
    return solve(
        {G.Kind, {RegionTerm::Address, Call.getArgOperand(Known.Argument)}, G.R, G.IsHolder}, Where,
        Depth);
  // Handles are no addresses of regions' memory.
  bool IsOutside =
      Known.Meaning != ResultMeaning::Unknown && Known.Meaning != ResultMeaning::InRegion;
  if (G.L.K == RegionTerm::Address && IsOutside)
    return solve({G.Kind, {RegionTerm::Traditional}, G.R, G.IsHolder}, Where, Depth);
  Function *Callee = Call.getCalledFunction();
  const auto *Returns = Callee && Callee->getFunctionType() == Call.getFunctionType()
                            ? Program.returns(*Callee)
                            : nullptr;
  if (!Returns || Callee->isDeclaration())
    return fail(MissingFact::UnknownResult, G, Where);
  const SmallVector<ReturnInst *, 2> Exits = *Returns;
  auto AllReturn = [&](GoalKind Kind, RegionTerm R, bool IsHolder) {
    return all_of(Exits, [&](const ReturnInst *Return) {
      return solveEarlier({Kind, G.L.with(Return->getReturnValue()), R, IsHolder}, {Return}, Depth);
    });
  };
  for (const RegionTerm &R : inCallee(G.R, Call, *Callee))
    if (AllReturn(G.Kind, R, G.IsHolder)) {
      note(&Call);
      return true;
    }
  // The result is in the region of a parameter: the argument's region says the rest.
  for (const Argument &Parameter : Callee->args()) {
    if (!Parameter.getType()->isPointerTy() || Parameter.getArgNo() >= Call.arg_size())
      continue;
    for (RegionTerm::Kind Kind : {RegionTerm::Address, RegionTerm::Handle}) {
      RegionTerm Actual{Kind, Call.getArgOperand(Parameter.getArgNo())};
      if (AllReturn(GoalKind::Same, {Kind, &Parameter}, false) &&
          solve({G.Kind, Actual, G.R, G.IsHolder}, Where, Depth)) {
        note(&Call);
        return true;
      }
    }
  }
  return fail(MissingFact::UnknownResult, G, Where);
}

/// L or R is a parameter: what holds at all calls.
bool RegionProver::byCallers(const Goal &G, const Argument &Parameter, unsigned Depth) {
  const Function &F = *Parameter.getParent();
  const ProgramView::Calls *Known = Program.callers(F);
  if (!Known)
    return false;
  const ProgramView::Calls Calls = *Known;
  for (const CallBase *Call : Calls) {
    auto AtCall = [&](const RegionTerm &T) -> std::optional<RegionTerm> {
      if (T.isForWholeRun())
        return T;
      if (T.isConstant())
        return Program.isUnchangedDuring(*cast<GlobalVariable>(T.V), *Call->getFunction())
                   ? std::optional(T)
                   : std::nullopt;
      auto *A = dyn_cast<Argument>(T.V);
      if (!A || A->getParent() != &F)
        return std::nullopt;
      return T.with(Call->getArgOperand(A->getArgNo()));
    };
    std::optional<RegionTerm> L = AtCall(G.L), R = AtCall(G.R);
    if (!L || !R || !solveEarlier({G.Kind, *L, *R, G.IsHolder}, {Call}, Depth))
      return false;
  }
  for (const CallBase *Call : Calls)
    note(Call);
  return true;
}

/// The holder's own definition.
bool RegionProver::byHolder(const Goal &G, ProofPoint Where, unsigned Depth) {
  if (G.R.isConstant())
    return false;
  if (auto *Phi = dyn_cast<PHINode>(G.R.V))
    return byPhi(G, *Phi, Depth);
  if (auto *Select = dyn_cast<SelectInst>(G.R.V))
    return bySelect(G, *Select, Where, Depth);
  if (auto *Parameter = dyn_cast<Argument>(G.R.V))
    return (G.L.isConstant() || isa<Argument>(G.L.V)) && byCallers(G, *Parameter, Depth);
  auto *Call = dyn_cast<CallBase>(G.R.V);
  if (!Call)
    return false;
  KnownResult Known = knownResult(*Call);
  if (Known.Meaning == ResultMeaning::Subregion && G.R.K == RegionTerm::Handle &&
      G.Kind == GoalKind::Ancestor)
    return solve({G.Kind, G.L, {RegionTerm::Handle, Call->getArgOperand(Known.Argument)}, true},
                 Where, Depth);
  if (!G.IsHolder)
    return false;
  return byHolderCall(G, *Call, Where, Depth);
}

/// The holder is the result of Call, which is not null.
bool RegionProver::byHolderCall(const Goal &G, const CallBase &Call, ProofPoint Where,
                                unsigned Depth) {
  Function *Callee = Call.getCalledFunction();
  const auto *Returns = Callee && Callee->getFunctionType() == Call.getFunctionType()
                            ? Program.returns(*Callee)
                            : nullptr;
  if (!Returns || Callee->isDeclaration())
    return false;
  const SmallVector<ReturnInst *, 2> Exits = *Returns;
  auto AllReturn = [&](GoalKind Kind, const RegionTerm *L, const RegionTerm *R, bool IsHolder) {
    return all_of(Exits, [&](const ReturnInst *Return) {
      RegionTerm Result = G.R.with(Return->getReturnValue());
      return solveEarlier({Kind, L ? *L : Result, R ? *R : Result, IsHolder}, {Return}, Depth);
    });
  };
  // All that it returns has the value in its region, as the callee knows the value.
  for (const RegionTerm &L : inCallee(G.L, Call, *Callee))
    if (AllReturn(G.Kind, &L, nullptr, true)) {
      note(&Call);
      return true;
    }
  // The result is in the region of an argument, which is not null either.
  for (const Argument &Parameter : Callee->args()) {
    if (!Parameter.getType()->isPointerTy() || Parameter.getArgNo() >= Call.arg_size())
      continue;
    for (RegionTerm::Kind Kind : {RegionTerm::Address, RegionTerm::Handle}) {
      RegionTerm Formal{Kind, &Parameter}, Actual{Kind, Call.getArgOperand(Parameter.getArgNo())};
      if (AllReturn(GoalKind::Same, nullptr, &Formal, false) &&
          solve({G.Kind, G.L, Actual, true}, Where, Depth)) {
        note(&Call);
        return true;
      }
    }
  }
  return false;
}

bool RegionProver::byDefinition(const Goal &G, ProofPoint Where, unsigned Depth) {
  if (G.L.isConstant())
    return fail(MissingFact::OtherRegion, G, Where);
  if (auto *Phi = dyn_cast<PHINode>(G.L.V))
    return byPhi(G, *Phi, Depth);
  if (auto *Select = dyn_cast<SelectInst>(G.L.V))
    return bySelect(G, *Select, Where, Depth);
  if (auto *Load = dyn_cast<LoadInst>(G.L.V))
    return byLoad(G, *Load, Where, Depth);
  if (auto *Parameter = dyn_cast<Argument>(G.L.V))
    return byCallers(G, *Parameter, Depth) || fail(MissingFact::UnknownCaller, G, Where);
  if (auto *Call = dyn_cast<CallBase>(G.L.V)) {
    // A region that was just made is no other's.
    if (knownResult(*Call).Meaning != ResultMeaning::Unknown && G.L.K == RegionTerm::Handle)
      return fail(MissingFact::OtherRegion, G, Where);
    return byCall(G, *Call, Where, Depth);
  }
  return fail(MissingFact::MadeFromInteger, G, Where);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

bool RegionProver::fail(MissingFact::Reason Why, const Goal &G, ProofPoint Where) {
  if (Missing.Why == MissingFact::None || Why == MissingFact::Budget)
    Missing = {Why, G.L.V, Where.At, G.R, G.L.K == RegionTerm::Handle};
  return false;
}

bool RegionProver::search(const Goal &G, ProofPoint Where, unsigned Depth) {
  return byDefinition(G, Where, Depth) || byHolder(G, Where, Depth) || byFacts(G, Where, Depth) ||
         byHolderFacts(G, Where, Depth);
}

bool RegionProver::solve(Goal G, ProofPoint Where, unsigned Depth) {
  if (IsOut || Depth >= MostDepth || ++Steps > MostSteps || ++TotalSteps > MostTotalSteps) {
    IsOut = true;
    return fail(MissingFact::Budget, G, Where);
  }
  // Where the holder would be null, control does not come to what is written in it.
  if (G.IsHolder && G.R.K == RegionTerm::Address && isa<ConstantPointerNull>(G.R.V))
    return true;
  G.R = Terms.resolve(G.R, G.IsHolder);
  const Value *Whole = G.L.V;
  G.L = Terms.resolve(G.L, false);
  // A pointer made from null by arithmetic is an integer; null itself is in no region.
  if (!G.L.isConstant() && isa<ConstantPointerNull, UndefValue>(G.L.V))
    return Whole == G.L.V || fail(MissingFact::MadeFromInteger, G, Where);
  if (Terms.isEqual(G.L, G.R)) {
    note(G.L.V);
    return true;
  }
  if (!G.L.isConstant() && isNullAt(G.L.V, Where))
    return true;
  Key Name{static_cast<unsigned>(G.Kind) * 2 + G.IsHolder,
           G.L.K,
           G.L.V,
           G.R.K,
           G.R.V,
           Where.At,
           Where.Into};
  if (auto Found = Proved.find(Name); Found != Proved.end())
    return isUsable(Found->second);
  if (Failed.contains(Name))
    return false;
  size_t Mark = Trail.size(), Notes = Evidence.size();
  unsigned Level = Open.size();
  Proved.insert({Name, {static_cast<int>(Moves), Level}});
  Trail.push_back(Name);
  Open.push_back({static_cast<int>(Moves), NoAssumption, Level});
  bool IsProved = search(G, Where, Depth + 1);
  OpenGoal Done = Open.pop_back_val();
  assert(Open.size() == Level && Done.Moves == static_cast<int>(Moves) &&
         "each goal is closed where it was opened");
  if (IsProved) {
    Proved[Name] = {Done.Assumed, IsClosed};
    return true;
  }
  // What was proved since may rest on this goal.
  while (Trail.size() > Mark)
    Proved.erase(Trail.pop_back_val());
  Evidence.truncate(Notes);
  // It may have a proof where no goal above it is open.
  if (Done.Refused < Level && !Open.empty())
    Open.back().Refused = std::min(Open.back().Refused, Done.Refused);
  else if (!IsOut)
    Failed.insert(Name);
  return false;
}

bool RegionProver::solveEarlier(const Goal &G, ProofPoint Where, unsigned Depth) {
  ++Moves;
  bool IsProved = solve(G, Where, Depth);
  --Moves;
  return IsProved;
}

bool RegionProver::isUsable(const Proof &Known) {
  int Now = static_cast<int>(Moves);
  if (Known.Assumed >= Now) {
    if (!Open.empty())
      Open.back().Refused =
          std::min(Open.back().Refused, Known.Level == IsClosed ? 0 : Known.Level);
    return false;
  }
  // The goals that were opened since the last step back in time rest on what this one rests on.
  for (OpenGoal &Each : reverse(Open)) {
    if (Each.Moves != Now)
      break;
    Each.Assumed = std::max(Each.Assumed, Known.Assumed);
  }
  return true;
}

bool RegionProver::prove(GoalKind Kind, RegionTerm Value, RegionTerm In, bool IsHolder,
                         const Instruction &At) {
  assert(Open.empty() && Trail.empty() && Moves == 0 && "proofs do not nest");
  Steps = 0;
  IsOut = false;
  Missing = {};
  Evidence.clear();
  bool IsProved = solve({Kind, Value, In, IsHolder}, {&At}, 0);
  // What is left on the trail of a successful proof rests on no assumption any more.
  for (const Key &Each : Trail)
    Proved[Each] = {NoAssumption, IsClosed};
  Trail.clear();
  GivenUp += !IsProved && IsOut;
  return IsProved;
}

} // namespace acre

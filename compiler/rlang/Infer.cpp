// SPDX-License-Identifier: MIT
//===- Infer.cpp - Region inference: section 4.3 --------------------------===//
#include "Infer.h"

#include <algorithm>

namespace acre::rlang {
namespace {

template <class Visit> void eachStatement(const std::vector<Statement> &Block, Visit &&Do) {
  for (const Statement &S : Block) {
    Do(S);
    eachStatement(S.Then, Do);
    eachStatement(S.Else, Do);
  }
}

/// An existential type as the paper gives every result hides the region of a variable that only
/// collects the result. With a region of its own, what is assigned to it decides what the result
/// property may say.
void openResultVariable(Function &F) {
  auto Place = std::find_if(F.Locals.begin(), F.Locals.end(),
                            [&](const Variable &V) { return V.Name == F.ResultVariable; });
  if (Place == F.Locals.end())
    return;
  Type &T = Place->Type;
  bool IsRead = false;
  eachStatement(F.Body, [&](const Statement &S) {
    IsRead |= S.Source == Place->Name ||
              std::count(S.Arguments.begin(), S.Arguments.end(), Place->Name) ||
              (S.Target == Place->Name &&
               (S.K == Statement::Write || S.K == Statement::If || S.K == Statement::While));
  });
  bool IsUnconstrained = std::all_of(T.Exists.begin(), T.Exists.end(), [](const Quantifier &Q) {
    return Q.Where.K == Property::True;
  });
  if (IsRead || !IsUnconstrained)
    return;
  std::set<std::string> Taken(F.Signature.Regions.begin(), F.Signature.Regions.end());
  Taken.insert(F.LocalRegions.begin(), F.LocalRegions.end());
  for (const Variable &V : F.Locals)
    if (V.Name != F.ResultVariable)
      for (const Quantifier &Q : V.Type.Exists)
        Taken.insert(Q.Name);
  while (!T.Exists.empty()) {
    const std::string Old = T.Exists.back().Name;
    std::string New = Old;
    while (!Taken.insert(New).second)
      New += "'";
    for (Region &R : T.Arguments)
      if (R.Name == Old)
        R.Name = New;
    if (T.Target.Name == Old)
      T.Target.Name = New;
    F.LocalRegions.push_back(New);
    T.Exists.pop_back();
  }
}

/// What is known of one function: sets over the constants, its region parameters and, in Result,
/// the quantifiers of its result type.
struct Summary {
  Property StatedInput, StatedOutput, StatedResult;
  ConstraintSet Input, Output, Result;
  bool IsEntry = false;

  explicit Summary(const Signature &S)
      : StatedInput(S.Input), StatedOutput(S.Output),
        StatedResult(S.Result.Exists.empty() ? Property{} : S.Result.Exists.back().Where),
        Input(ConstraintSet::unreachable(parameters(S))), Output(Input),
        Result(ConstraintSet::unreachable(parameters(S) +
                                          static_cast<unsigned>(S.Result.Exists.size()))) {}

  static unsigned parameters(const Signature &S) {
    return FirstAbstractId + static_cast<unsigned>(S.Regions.size());
  }

  enum Style { Whole, Brief };

  /// Makes S say it.  A caller that meets the input property knows it still holds afterwards, so in
  /// brief the output property does not repeat it, nor the result property either.  During the
  /// search that would be wrong: a call site may not meet the input property of the round, which is
  /// still to be weakened.
  void state(Signature &S, Style How) const {
    std::vector<std::string> Names = {std::string(TopName), std::string(TraditionalName)};
    Scope Numbers;
    auto Add = [&](const std::string &Name) {
      Numbers.bind(Name, static_cast<RegionId>(Names.size()));
      Names.push_back(Name);
    };
    std::for_each(S.Regions.begin(), S.Regions.end(), Add);
    Formula Given;
    auto Strengthen = [&](const Property &Stated, const ConstraintSet &Inferred) {
      Formula Known = How == Brief ? Given : Formula{};
      Known.Operands.push_back(resolve(Stated, Numbers));
      Property New = Inferred.describe(Names, Known);
      Given.Operands.push_back(resolve(New, Numbers));
      Given.Operands.push_back(resolve(Stated, Numbers));
      if (Stated.K == Property::True)
        return New;
      return New.K == Property::True ? Stated : Property::combine(Property::And, {Stated, New});
    };
    S.Input = Strengthen(StatedInput, Input);
    S.Output = Strengthen(StatedOutput, Output);
    for (const Quantifier &Q : S.Result.Exists)
      Add(Q.Name);
    if (!S.Result.Exists.empty())
      S.Result.Exists.back().Where = Strengthen(StatedResult, Result);
  }
};

class FixedPoint : private Observer {
public:
  FixedPoint(Program &P, const Names &N, const InferenceOptions &Options) : P(P), N(N) {
    std::set<std::string_view> Called;
    for (const Function &F : P.Functions)
      eachStatement(F.Body, [&](const Statement &S) {
        if (S.K == Statement::Call)
          Called.insert(S.Name);
      });
    bool HasMain = N.function("main");
    for (Function &F : P.Functions) {
      if (!F.HasBody)
        continue;
      Summary &New = Summaries.emplace(F.Signature.Name, F.Signature).first->second;
      Lives.emplace(&F, F);
      New.IsEntry = Options.IsEntry
                        ? Options.IsEntry(F)
                        : !HasMain || F.Signature.Name == "main" || !Called.count(F.Signature.Name);
      if (New.IsEntry)
        New.Input = ConstraintSet(New.Input.size());
      New.state(F.Signature, Summary::Whole);
    }
  }

  std::vector<Diagnostic> run() {
    for (Changed = true; Changed;) {
      Changed = false;
      Implied.clear();
      for (Function &F : P.Functions)
        if (F.HasBody)
          judge(F);
      if (!Errors.empty())
        break;
    }
    for (Function &F : P.Functions)
      if (F.HasBody)
        Summaries.find(F.Signature.Name)->second.state(F.Signature, Summary::Brief);
    return std::move(Errors);
  }

  std::set<const Statement *> implied() { return std::move(Implied); }

private:
  Program &P;
  const Names &N;
  std::map<std::string, Summary, std::less<>> Summaries;
  std::map<const Function *, Liveness> Lives;
  const Function *Current = nullptr;
  bool Changed = false;
  std::set<const Statement *> Implied;
  std::vector<Diagnostic> Errors;

  void judge(Function &F) {
    Summary &Mine = Summaries.find(F.Signature.Name)->second;
    Mine.state(F.Signature, Summary::Whole);
    if (Mine.Input.isUnreachable())
      return;
    Current = &F;
    Judgements Rules(N, F, Lives.at(&F), Precision::ConstraintSets, *this);
    if (std::optional<Diagnostic> Error = Rules.run())
      Errors.push_back(std::move(*Error));
    Mine.state(F.Signature, Summary::Whole);
  }

  void statement(const Statement &S, const Knowledge &Known) override {
    if (S.K != Statement::Check)
      return;
    if (Known.implies(resolve(S.Where, numberRegions(*Current))))
      Implied.insert(&S);
    else
      Implied.erase(&S);
  }

  void call(const Statement &S, const Knowledge &Known,
            const std::vector<RegionId> &Regions) override {
    auto Callee = Summaries.find(S.Name);
    if (Callee == Summaries.end() || Callee->second.IsEntry)
      return;
    Changed |= Callee->second.Input.join(Known.facts().select(withConstants(Regions)));
  }

  void end(const Knowledge &Known, const std::vector<RegionId> &Witnesses) override {
    Summary &Mine = Summaries.find(Current->Signature.Name)->second;
    std::vector<RegionId> Ids = withConstants({});
    for (RegionId Id = FirstAbstractId; Id < Mine.Output.size(); ++Id)
      Ids.push_back(Id);
    Changed |= Mine.Output.join(Known.facts().select(Ids));
    Ids.insert(Ids.end(), Witnesses.begin(), Witnesses.end());
    Changed |= Mine.Result.join(Known.facts().select(Ids));
  }

  static std::vector<RegionId> withConstants(const std::vector<RegionId> &Ids) {
    std::vector<RegionId> Result = {TopId, TraditionalId};
    Result.insert(Result.end(), Ids.begin(), Ids.end());
    return Result;
  }
};

/// Block without the statements removed; Original has the same shape and is what Removed points
/// into.
void dropChecks(std::vector<Statement> &Block, const std::vector<Statement> &Original,
                const std::set<const Statement *> &Removed) {
  std::vector<Statement> Kept;
  for (size_t I = 0; I < Block.size(); ++I) {
    if (Removed.count(&Original[I]))
      continue;
    dropChecks(Block[I].Then, Original[I].Then, Removed);
    dropChecks(Block[I].Else, Original[I].Else, Removed);
    Kept.push_back(std::move(Block[I]));
  }
  Block = std::move(Kept);
}

} // namespace

Inference::Inference(Program From, const InferenceOptions &Options) : Annotated(std::move(From)) {
  {
    Names Known(Annotated);
    Errors = checkNames(Annotated, Known);
    if (!Errors.empty())
      return;
  }
  for (Function &F : Annotated.Functions)
    openResultVariable(F);
  Names Known(Annotated);
  FixedPoint Search(Annotated, Known, Options);
  Errors = Search.run();
  if (Errors.empty())
    Errors = Checked(Annotated, Checked::OnlyErrors).errors();
  if (Errors.empty())
    Removable = Search.implied();
}

Program Inference::reduced() const {
  Program Result = Annotated;
  for (size_t I = 0; I < Result.Functions.size(); ++I)
    dropChecks(Result.Functions[I].Body, Annotated.Functions[I].Body, Removable);
  return Result;
}

} // namespace acre::rlang

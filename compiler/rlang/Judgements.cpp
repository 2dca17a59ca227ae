// SPDX-License-Identifier: MIT
//===- Judgements.cpp - The rules of Figure 6 -----------------------------===//
#include "Judgements.h"

#include "Print.h"

#include <algorithm>

namespace acre::rlang {
namespace {

/// A type as it stands in a structure or a signature, with what its abstract regions mean here.
struct ScopedType {
  const Type *T;
  Scope Regions;
};

/// A base type at a region after instantiation.  Of null the arguments are whatever is wanted.
struct Source {
  std::string Base;
  std::vector<RegionId> Arguments;
  RegionId Target = TopId;
  bool IsNull = false;
};

/// The left half of a judgement: the property, and the live abstract regions by number.
struct State {
  Knowledge Known;
  std::vector<bool> Live;
};

unsigned mostQuantifiers(const Names &N, const Function &F) {
  size_t Most = F.Signature.Result.Exists.size();
  auto Consider = [&](const std::vector<Variable> &Variables) {
    for (const Variable &V : Variables) {
      Most = std::max(Most, V.Type.Exists.size());
      if (const Struct *S = N.structure(V.Type.Base))
        for (const Variable &Field : S->Fields)
          Most = std::max(Most, Field.Type.Exists.size());
    }
  };
  Consider(F.Signature.Parameters);
  Consider(F.Locals);
  auto Calls = [&](auto &&Self, const std::vector<Statement> &Block) -> void {
    for (const Statement &S : Block) {
      if (S.K == Statement::Call)
        Most = std::max(Most, N.signature(S.Name)->Result.Exists.size());
      Self(Self, S.Then);
      Self(Self, S.Else);
    }
  };
  Calls(Calls, F.Body);
  return static_cast<unsigned>(Most);
}

} // namespace

Scope numberRegions(const Function &F) {
  Scope Result;
  RegionId Next = FirstAbstractId;
  for (const std::vector<std::string> *Group : {&F.Signature.Regions, &F.LocalRegions})
    for (const std::string &Name : *Group)
      Result.bind(Name, Next++);
  return Result;
}

class Judgements::Rules {
public:
  Rules(const Names &N, const Function &F, const Liveness &Live, Precision P, Observer &Watch)
      : N(N), F(F), Live(Live), P(P), Watch(Watch), Regions(numberRegions(F)) {
    RegionNames = {std::string(TopName), std::string(TraditionalName)};
    for (const std::vector<std::string> *Group : {&F.Signature.Regions, &F.LocalRegions})
      RegionNames.insert(RegionNames.end(), Group->begin(), Group->end());
    FirstFresh = NextFresh = static_cast<RegionId>(RegionNames.size());
    RegionNames.resize(FirstFresh + mostQuantifiers(N, F));
  }

  std::optional<Diagnostic> fndef();

private:
  const Names &N;
  const Function &F;
  const Liveness &Live;
  const Precision P;
  Observer &Watch;
  Scope Regions;
  std::vector<std::string> RegionNames; // by number
  RegionId FirstFresh, NextFresh;       // regions that stand for what (exists inst.) opens
  std::map<const Statement *, Knowledge> Invariants;
  mutable std::map<std::string_view, std::vector<RegionId>>
      RegionsOf; // found once for each variable
  std::optional<Diagnostic> Error;

  bool isExact() const { return P == Precision::Exact; }

  // Statements: each takes the property before and leaves the one after; false once Error is set.
  bool sequence(const std::vector<Statement> &Block, Knowledge &Known);
  bool statement(const Statement &S, Knowledge &Known);
  bool assign(const Statement &S, State &Here);
  bool null(const Statement &S, State &Here);
  bool read(const Statement &S, State &Here);
  bool write(const Statement &S, State &Here);
  bool newObject(const Statement &S, State &Here);
  bool check(const Statement &S, State &Here);
  bool call(const Statement &S, State &Here);
  bool ifElse(const Statement &S, Knowledge &Known);
  bool whileLoop(const Statement &S, Knowledge &Known);

  // Assignability: To <- From.  An empty result is success, anything else says why not.
  using Reason = std::string;
  Reason assignable(State &Here, const ScopedType &To, const ScopedType &From);
  Source instantiate(State &Here, const ScopedType &From);
  Reason generalise(State &Here, const ScopedType &To, const Source &From,
                    std::vector<RegionId> &Witnesses);
  Reason generaliseWith(State &Here, const ScopedType &To, const Source &From,
                        std::vector<RegionId> &Witnesses, RegionId Witness);
  std::vector<RegionId> witnesses(const State &Here, const ScopedType &To, const Source &From,
                                  size_t Index) const;
  Reason matchBase(State &Here, const ScopedType &To, const Source &From);
  Reason matchRegion(State &Here, RegionId To, RegionId From);
  void dropFresh(State &Here);

  ScopedType typeOf(const std::string &Name) const {
    return {&variable(F, Name)->Type, Scope::inside(Regions)};
  }
  std::optional<ScopedType> fieldType(const Statement &S, const std::string &Object, State &Here);
  std::vector<bool> liveRegions(const Liveness::Set &Variables) const;
  const std::vector<RegionId> &regionsOf(std::string_view Name) const;
  void restrict(Knowledge &Known, const std::vector<bool> &To) const;
  void assumeTest(const Statement &S, Knowledge &Known, bool IsTrue) const;
  bool areBound(const Statement &S, const State &Here, std::string_view Rule);

  bool fail(const Statement &S, std::string_view Rule, const std::string &Why) {
    if (!Error)
      Error = Diagnostic{S.At, "(" + std::string(Rule) + ") " + printShort(S) + ": " + Why};
    return false;
  }
  bool failExistential(const Statement &S, std::string_view Rule, const std::string &Variable) {
    return fail(S, Rule,
                "the type of '" + Variable +
                    "' is existential; assign it to a variable with an abstract region first");
  }
  bool accept(const Statement &S, std::string_view Rule, const std::string &What,
              const Reason &Why) {
    return Why.empty() || fail(S, Rule, What + Why);
  }
  std::string explain(const Knowledge &Known, std::vector<RegionId> About) const;
  std::string inNames(Property Where, const Scope &In) const;
};

//===-- What the rules share ----------------------------------------------===//

/// L_s: the function's region parameters and the abstract regions in the types of live variables.
std::vector<bool> Judgements::Rules::liveRegions(const Liveness::Set &Variables) const {
  std::vector<bool> Result(RegionNames.size());
  Result[TopId] = Result[TraditionalId] = true;
  for (const std::string &Name : F.Signature.Regions)
    Result[Regions[{Name, {}}]] = true;
  for (std::string_view Name : Variables)
    for (RegionId Id : regionsOf(Name))
      Result[Id] = true;
  return Result;
}

/// The regions that the type of a variable names.
const std::vector<RegionId> &Judgements::Rules::regionsOf(std::string_view Name) const {
  auto [Found, IsNew] = RegionsOf.try_emplace(Name);
  std::vector<RegionId> &Used = Found->second;
  if (!IsNew)
    return Used;
  const Type &T = variable(F, Name)->Type;
  Scope Inside = Scope::inside(Regions);
  for (const Quantifier &Q : T.Exists) {
    Inside.bind(Q.Name, TopId);
    collectRegions(Q.Where, Inside, Used);
  }
  for (const Region &R : T.Arguments)
    Used.push_back(Inside[R]);
  Used.push_back(Inside[T.Target]);
  return Used;
}

void Judgements::Rules::restrict(Knowledge &Known, const std::vector<bool> &To) const {
  for (RegionId Id = FirstAbstractId; Id < To.size(); ++Id)
    if (!To[Id])
      Known.forget(Id);
}

/// A tested variable is null exactly if its region is top.  The paper's rules do not use that.
void Judgements::Rules::assumeTest(const Statement &S, Knowledge &Known, bool IsTrue) const {
  if (S.Target.empty())
    return;
  const Type &T = variable(F, S.Target)->Type;
  if (!T.Exists.empty())
    return;
  RegionId Target = Regions[T.Target];
  Known.assume(IsTrue ? Formula::isNotTop(Target) : Formula::isTop(Target));
}

std::string Judgements::Rules::inNames(Property Where, const Scope &In) const {
  auto Rename = [&](auto &&Self, Property &Each) -> void {
    for (Region *R : {&Each.Left, &Each.Right})
      if (R->isAbstract())
        R->Name = RegionNames[In[*R]];
    for (Property &Operand : Each.Operands)
      Self(Self, Operand);
  };
  Rename(Rename, Where);
  return print(Where);
}

std::string Judgements::Rules::explain(const Knowledge &Known, std::vector<RegionId> About) const {
  std::sort(About.begin(), About.end());
  About.erase(std::unique(About.begin(), About.end()), About.end());
  std::erase_if(About, [](RegionId Id) { return Id < FirstAbstractId; });
  std::vector<RegionId> Ids = {TopId, TraditionalId};
  Ids.insert(Ids.end(), About.begin(), About.end());
  std::vector<std::string> IdNames;
  for (RegionId Id : Ids)
    IdNames.push_back(RegionNames[Id]);
  std::string Facts = print(Known.facts().select(Ids).describe(IdNames));
  return Facts == "true" ? "; nothing is known of them here" : "; known here: " + Facts;
}

//===-- Assignability ------------------------------------------------------===//

/// Rule (exists inst.), for every quantifier of From: each is opened as a region that no variable's
/// type uses.
Source Judgements::Rules::instantiate(State &Here, const ScopedType &From) {
  Scope Inside = From.Regions;
  for (const Quantifier &Q : From.T->Exists) {
    RegionId Fresh = NextFresh++;
    RegionNames[Fresh] = Q.Name + "'";
    Here.Live[Fresh] = true;
    Inside.bind(Q.Name, Fresh);
    Here.Known.assume(resolve(Q.Where, Inside));
  }
  Source Result{From.T->Base, {}, Inside[From.T->Target], false};
  for (const Region &R : From.T->Arguments)
    Result.Arguments.push_back(Inside[R]);
  return Result;
}

void Judgements::Rules::dropFresh(State &Here) {
  while (NextFresh > FirstFresh) {
    Here.Known.forget(--NextFresh);
    Here.Live[NextFresh] = false;
  }
}

/// What (exists gen.) may put for quantifier Index.  Where the quantified region occurs in the base
/// type, it has to match the source's region there, which is live: any other choice would have to
/// be equal to it.
std::vector<RegionId> Judgements::Rules::witnesses(const State &Here, const ScopedType &To,
                                                   const Source &From, size_t Index) const {
  const Type &T = *To.T;
  const std::string &Name = T.Exists[Index].Name;
  if (T.Target.Name == Name)
    return {From.Target};
  for (size_t I = 0; I < T.Arguments.size() && I < From.Arguments.size(); ++I)
    if (T.Arguments[I].Name == Name)
      return {From.Arguments[I]};
  std::vector<RegionId> Result;
  for (RegionId Id = 0; Id < Here.Live.size(); ++Id)
    if (Here.Live[Id])
      Result.push_back(Id);
  return Result;
}

/// Rule (exists gen.) for the quantifiers from Witnesses.size() on, then the rules for base types.
Judgements::Rules::Reason Judgements::Rules::generalise(State &Here, const ScopedType &To,
                                                        const Source &From,
                                                        std::vector<RegionId> &Witnesses) {
  if (Witnesses.size() == To.T->Exists.size())
    return matchBase(Here, To, From);
  Reason First;
  std::vector<RegionId> Choices = witnesses(Here, To, From, Witnesses.size());
  for (RegionId Witness : Choices) {
    State Tried = Here;
    size_t Depth = Witnesses.size();
    Reason Why = generaliseWith(Tried, To, From, Witnesses, Witness);
    if (Why.empty()) {
      Here = std::move(Tried);
      return {};
    }
    Witnesses.resize(Depth);
    if (First.empty())
      First = std::move(Why);
  }
  if (isExact())
    return First;
  // The property is being inferred; the constraint sets do not show which region is meant.
  Witnesses.push_back(Choices.front());
  ScopedType Inner = To;
  Inner.Regions.bind(To.T->Exists[Witnesses.size() - 1].Name, Choices.front());
  return generalise(Here, Inner, From, Witnesses);
}

Judgements::Rules::Reason Judgements::Rules::generaliseWith(State &Here, const ScopedType &To,
                                                            const Source &From,
                                                            std::vector<RegionId> &Witnesses,
                                                            RegionId Witness) {
  const Quantifier &Q = To.T->Exists[Witnesses.size()];
  ScopedType Inner = To;
  Inner.Regions.bind(Q.Name, Witness);
  std::vector<RegionId> Free;
  collectRegions(Q.Where, Inner.Regions, Free);
  for (RegionId Id : Free)
    if (!Here.Live[Id])
      return "(exists gen.) '" + print(Q.Where) + "' speaks of '" + RegionNames[Id] +
             "', which is not live";
  if (!Here.Known.implies(resolve(Q.Where, Inner.Regions)))
    return "(exists gen.) '" + inNames(Q.Where, Inner.Regions) + "' is not implied" +
           explain(Here.Known, Free);
  Witnesses.push_back(Witness);
  return generalise(Here, Inner, From, Witnesses);
}

Judgements::Rules::Reason Judgements::Rules::matchBase(State &Here, const ScopedType &To,
                                                       const Source &From) {
  const Type &T = *To.T;
  if (T.Base != From.Base)
    return "the types are '" + T.Base + "' and '" + From.Base + "'";
  if (Reason Why = matchRegion(Here, To.Regions[T.Target], From.Target); !Why.empty())
    return Why;
  for (size_t I = 0; I < T.Arguments.size(); ++I) {
    RegionId Wanted = To.Regions[T.Arguments[I]];
    if (From.IsNull)
      Here.Live[Wanted] = true; // s <- s: whatever it is bound to will do
    else if (Reason Why = matchRegion(Here, Wanted, From.Arguments[I]); !Why.empty())
      return Why;
  }
  return {};
}

/// s <- s': equal if s is live or a constant; otherwise s is bound.
Judgements::Rules::Reason Judgements::Rules::matchRegion(State &Here, RegionId To, RegionId From) {
  Formula Equal = Formula::equal(To, From);
  if (Here.Live[To]) {
    if (Here.Known.implies(Equal) || !isExact())
      return {};
    return "regions '" + RegionNames[To] + "' and '" + RegionNames[From] +
           "' must be equal, and '" + RegionNames[To] + "' cannot be bound here" +
           explain(Here.Known, {To, From});
  }
  Here.Known.assume(Equal); // To is dead, so nothing is known of what it stood for before
  Here.Live[To] = true;
  return {};
}

Judgements::Rules::Reason Judgements::Rules::assignable(State &Here, const ScopedType &To,
                                                        const ScopedType &From) {
  Source Instance = instantiate(Here, From);
  std::vector<RegionId> Witnesses;
  Reason Why = generalise(Here, To, Instance, Witnesses);
  dropFresh(Here);
  return Why;
}

//===-- Statements ---------------------------------------------------------===//

bool Judgements::Rules::assign(const Statement &S, State &Here) {
  return accept(S, "assign", "", assignable(Here, typeOf(S.Target), typeOf(S.Source)));
}

bool Judgements::Rules::null(const Statement &S, State &Here) {
  ScopedType To = typeOf(S.Target);
  std::vector<RegionId> Witnesses;
  return accept(S, "null", "", generalise(Here, To, {To.T->Base, {}, TopId, true}, Witnesses));
}

/// The type of the field S names, of the object in variable Object, whose region is not top
/// afterwards.
std::optional<ScopedType> Judgements::Rules::fieldType(const Statement &S,
                                                       const std::string &Object, State &Here) {
  ScopedType Holder = typeOf(Object);
  if (!Holder.T->Exists.empty()) {
    failExistential(S, S.K == Statement::Read ? "read" : "write", Object);
    return std::nullopt;
  }
  const Struct &Layout = *N.structure(Holder.T->Base);
  Scope Inside;
  for (size_t I = 0; I < Layout.Parameters.size(); ++I)
    Inside.bind(Layout.Parameters[I], Holder.Regions[Holder.T->Arguments[I]]);
  Here.Known.assume(Formula::isNotTop(Holder.Regions[Holder.T->Target]));
  return ScopedType{&Names::field(Layout, S.Name)->Type, Inside};
}

bool Judgements::Rules::read(const Statement &S, State &Here) {
  std::optional<ScopedType> Field = fieldType(S, S.Source, Here);
  return Field && accept(S, "read", "", assignable(Here, typeOf(S.Target), *Field));
}

bool Judgements::Rules::write(const Statement &S, State &Here) {
  std::optional<ScopedType> Field = fieldType(S, S.Target, Here);
  return Field && accept(S, "write", "", assignable(Here, *Field, typeOf(S.Source)));
}

/// Region arguments that were dead before the statement have to be bound by its arguments.
bool Judgements::Rules::areBound(const Statement &S, const State &Here, std::string_view Rule) {
  for (const Region &R : S.Regions)
    if (!Here.Live[Regions[R]])
      return fail(S, Rule,
                  "region argument '" + R.Name + "' is neither live nor bound by an argument");
  return true;
}

/// Only a region that exists can be allocated in, so its region is not top afterwards; the paper
/// does not use that.
bool Judgements::Rules::newObject(const Statement &S, State &Here) {
  const Struct &Layout = *N.structure(S.Name);
  ScopedType Handle = typeOf(S.Source);
  if (!Handle.T->Exists.empty())
    return failExistential(S, "new", S.Source);
  Here.Known.assume(Formula::isNotTop(Regions[Handle.T->Target]));
  Scope Inside;
  for (size_t I = 0; I < S.Regions.size(); ++I)
    Inside.bind(Layout.Parameters[I], Regions[S.Regions[I]]);
  for (size_t I = 0; I < S.Arguments.size(); ++I)
    if (!accept(S, "new", "field '" + Layout.Fields[I].Name + "': ",
                assignable(Here, {&Layout.Fields[I].Type, Inside}, typeOf(S.Arguments[I]))))
      return false;
  Type Object{{}, S.Name, S.Regions, Handle.T->Target, {}};
  return areBound(S, Here, "new") &&
         accept(S, "new", "",
                assignable(Here, typeOf(S.Target), {&Object, Scope::inside(Regions)}));
}

bool Judgements::Rules::check(const Statement &S, State &Here) {
  std::vector<RegionId> Free;
  collectRegions(S.Where, Regions, Free);
  for (RegionId Id : Free)
    if (!Here.Live[Id])
      return fail(S, "check",
                  "'" + RegionNames[Id] +
                      "' is in no live variable's type here, so it stands for nothing");
  Here.Known.assume(resolve(S.Where, Regions));
  return true;
}

bool Judgements::Rules::call(const Statement &S, State &Here) {
  const Signature &Callee = *N.signature(S.Name);
  Scope Inside;
  std::vector<RegionId> Given;
  for (size_t I = 0; I < S.Regions.size(); ++I) {
    Given.push_back(Regions[S.Regions[I]]);
    Inside.bind(Callee.Regions[I], Given.back());
  }
  for (size_t I = 0; I < S.Arguments.size(); ++I)
    if (!accept(S, "fncall", "argument '" + S.Arguments[I] + "': ",
                assignable(Here, {&Callee.Parameters[I].Type, Inside}, typeOf(S.Arguments[I]))))
      return false;
  if (!areBound(S, Here, "fncall"))
    return false;
  if (isExact() && !Here.Known.implies(resolve(Callee.Input, Inside)))
    return fail(S, "fncall",
                "the input property '" + inNames(Callee.Input, Inside) + "' is not implied" +
                    explain(Here.Known, Given));
  Watch.call(S, Here.Known, Given);
  Here.Known.assume(resolve(Callee.Output, Inside));
  return accept(S, "fncall",
                "result: ", assignable(Here, typeOf(S.Target), {&Callee.Result, Inside}));
}

bool Judgements::Rules::ifElse(const Statement &S, Knowledge &Known) {
  Knowledge Otherwise = Known;
  assumeTest(S, Known, true);
  assumeTest(S, Otherwise, false);
  if (!sequence(S.Then, Known) || !sequence(S.Else, Otherwise))
    return false;
  Known.join(Otherwise);
  return true;
}

/// The least invariant.  An inner loop starts from the one it had in the last round of the loop
/// around it: properties only grow weaker from round to round.
bool Judgements::Rules::whileLoop(const Statement &S, Knowledge &Known) {
  auto [Place, IsFirst] = Invariants.emplace(&S, Known);
  Knowledge &Invariant = Place->second;
  if (!IsFirst)
    Invariant.join(Known);
  std::vector<bool> LiveHere = liveRegions(Live.before(S));
  Knowledge Body = Invariant;
  do {
    Body = Invariant;
    Watch.statement(S, Invariant);
    assumeTest(S, Body, true);
    if (!sequence(S.Then, Body))
      return false;
    restrict(Body, LiveHere);
  } while (Invariant.join(Body));
  Known = Invariant;
  assumeTest(S, Known, false);
  return true;
}

bool Judgements::Rules::statement(const Statement &S, Knowledge &Known) {
  State Here{std::move(Known), liveRegions(Live.before(S))};
  restrict(Here.Known, Here.Live);
  Watch.statement(S, Here.Known);
  auto Apply = [&] {
    switch (S.K) {
    case Statement::If:
      return ifElse(S, Here.Known);
    case Statement::While:
      return whileLoop(S, Here.Known);
    case Statement::Assign:
      return assign(S, Here);
    case Statement::Call:
      return call(S, Here);
    case Statement::Read:
      return read(S, Here);
    case Statement::Write:
      return write(S, Here);
    case Statement::Null:
      return null(S, Here);
    case Statement::New:
      return newObject(S, Here);
    case Statement::Check:
      return check(S, Here);
    }
    return false;
  };
  bool IsGood = Apply();
  Known = std::move(Here.Known);
  return IsGood;
}

bool Judgements::Rules::sequence(const std::vector<Statement> &Block, Knowledge &Known) {
  return std::all_of(Block.begin(), Block.end(),
                     [&](const Statement &S) { return statement(S, Known); });
}

/// The result variable's value has to fit the result type; the paper wants the types to be the
/// same, which does.
std::optional<Diagnostic> Judgements::Rules::fndef() {
  const Signature &S = F.Signature;
  auto Fail = [&](const std::string &Why) {
    if (!Error)
      Error = Diagnostic{F.At, "(fndef) " + S.Name + ": " + Why};
    return Error;
  };
  for (const Variable &V : F.Locals)
    if (Live.atEntry().count(V.Name))
      return Fail("local variable '" + V.Name + "' may be read before it is assigned");
  State Here{Knowledge(static_cast<unsigned>(RegionNames.size()), P), {}};
  Here.Known.assume(resolve(S.Input, Regions));
  if (!sequence(F.Body, Here.Known))
    return Error;
  Here.Live = liveRegions({F.ResultVariable});
  restrict(Here.Known, Here.Live);
  Source Result = instantiate(Here, typeOf(F.ResultVariable));
  std::vector<RegionId> Witnesses;
  if (Reason Why = generalise(Here, {&S.Result, Scope::inside(Regions)}, Result, Witnesses);
      !Why.empty())
    return Fail("result '" + F.ResultVariable + "': " + Why);
  Watch.end(Here.Known, Witnesses);
  dropFresh(Here);
  if (isExact() && !Here.Known.implies(resolve(S.Output, Regions))) {
    std::vector<RegionId> Free;
    collectRegions(S.Output, Regions, Free);
    return Fail("the output property '" + print(S.Output) + "' is not implied" +
                explain(Here.Known, Free));
  }
  return std::nullopt;
}

Judgements::Judgements(const Names &N, const Function &F, const Liveness &Live, Precision P,
                       Observer &Watch)
    : Implementation(std::make_unique<Rules>(N, F, Live, P, Watch)) {}

Judgements::~Judgements() = default;

std::optional<Diagnostic> Judgements::run() { return Implementation->fndef(); }

} // namespace acre::rlang

// SPDX-License-Identifier: MIT
//===- Names.cpp - What the names of a program stand for ------------------===//
#include "Names.h"

#include <algorithm>
#include <set>

namespace acre::rlang {
namespace {

Type regionAt(std::string_view Target) {
  return {{}, std::string(RegionBase), {}, {std::string(Target), {}}, {}};
}

Type someRegion(const std::string &Name, Property Where) {
  Type Result = regionAt(Name);
  Result.Exists = {{Name, std::move(Where), {}}};
  return Result;
}

/// regionof_T[p, p1, ...] / true (x : T[p1, ...]@p) : region@p, true
Signature regionOf(const Struct &S) {
  std::string Target = "p";
  Type Object{{}, S.Name, {}, {Target, {}}, {}};
  Signature Result{std::string(RegionOfPrefix) + S.Name, {Target}, {}, {}, regionAt(Target), {}};
  for (size_t I = 1; I <= S.Parameters.size(); ++I) {
    Result.Regions.push_back(Target + std::to_string(I));
    Object.Arguments.push_back({Result.Regions.back(), {}});
  }
  Result.Parameters = {{"x", std::move(Object), {}}};
  return Result;
}

std::vector<Signature> predefinedSignatures(const Program &P) {
  Variable Handle{"r", regionAt("p"), {}};
  std::vector<Signature> Result = {
      {"newregion", {}, {}, {}, someRegion("p", {}), {}},
      {"newsubregion",
       {"p"},
       {},
       {Handle},
       someRegion("q", Property::relation(Property::LessEqual, "q", "p")),
       {}},
      {"deleteregion", {"p"}, {}, {Handle}, regionAt(TopName), {}},
      {"traditional", {}, {}, {}, regionAt(TraditionalName), {}},
  };
  for (const Struct &S : P.Structs)
    Result.push_back(regionOf(S));
  return Result;
}

class Checker {
public:
  Checker(const Program &P, const Names &N) : P(P), N(N) {}

  std::vector<Diagnostic> run() {
    std::set<std::string_view> Known;
    for (const Struct &S : P.Structs) {
      introduce(Known, S.Name, S.At, "structure");
      structure(S);
    }
    Known.clear();
    for (const Function &F : P.Functions) {
      if (Names::predefined(F.Signature.Name) != Predefined::None)
        report(F.At, "function '" + F.Signature.Name + "' is predefined");
      introduce(Known, F.Signature.Name, F.At, "function");
      function(F);
    }
    return std::move(Found);
  }

private:
  using Scope = std::set<std::string_view>;

  const Program &P;
  const Names &N;
  std::vector<Diagnostic> Found;

  void report(Location At, std::string Message) { Found.push_back({At, std::move(Message)}); }

  void introduce(std::set<std::string_view> &Known, std::string_view Name, Location At,
                 std::string_view What) {
    if (!Known.insert(Name).second)
      report(At, std::string(What) + " '" + std::string(Name) + "' is introduced twice");
  }

  Scope scope(const std::vector<std::string> &Names, Location At) {
    Scope Result;
    for (const std::string &Name : Names)
      introduce(Result, Name, At, "abstract region");
    return Result;
  }

  void region(const Region &R, const Scope &Regions) {
    if (R.isAbstract() && !Regions.count(R.Name))
      report(R.At, "abstract region '" + R.Name + "' is not introduced here");
  }

  void property(const Property &Where, const Scope &Regions) {
    for (const Property &Each : Where.Operands)
      property(Each, Regions);
    if (Where.K == Property::LessEqual || Where.K == Property::Equal ||
        Where.K == Property::NotEqual) {
      region(Where.Left, Regions);
      region(Where.Right, Regions);
    }
  }

  void structureUse(const std::string &Name, size_t Given, Location At) {
    const Struct *S = N.structure(Name);
    if (!S)
      report(At, "no structure is called '" + Name + "'");
    else if (S->Parameters.size() != Given)
      report(At, "structure '" + Name + "' has " + std::to_string(S->Parameters.size()) +
                     " abstract regions, but is given " + std::to_string(Given));
  }

  void type(const Type &T, Scope Regions) {
    for (const Quantifier &Q : T.Exists) {
      if (!Regions.insert(Q.Name).second)
        report(Q.At, "abstract region '" + Q.Name + "' is introduced twice");
      property(Q.Where, Regions);
    }
    for (const Region &R : T.Arguments)
      region(R, Regions);
    region(T.Target, Regions);
    if (!T.isRegion())
      structureUse(T.Base, T.Arguments.size(), T.At);
  }

  void structure(const Struct &S) {
    Scope Regions = scope(S.Parameters, S.At);
    std::set<std::string_view> Known;
    for (const Variable &Field : S.Fields) {
      introduce(Known, Field.Name, Field.At, "field");
      type(Field.Type, Regions);
    }
  }

  void function(const Function &F) {
    const Signature &S = F.Signature;
    Scope Regions = scope(S.Regions, F.At);
    property(S.Input, Regions);
    property(S.Output, Regions);
    type(S.Result, Regions);
    std::set<std::string_view> Known;
    for (const Variable &V : S.Parameters) {
      introduce(Known, V.Name, V.At, "variable");
      type(V.Type, Regions);
    }
    for (const std::string &Name : F.LocalRegions)
      introduce(Regions, Name, F.At, "abstract region");
    for (const Variable &V : F.Locals) {
      introduce(Known, V.Name, V.At, "variable");
      type(V.Type, Regions);
    }
    if (!F.HasBody)
      return;
    block(F, F.Body, Regions);
    use(F, F.ResultVariable, F.At);
  }

  const Variable *use(const Function &F, const std::string &Name, Location At) {
    const Variable *V = variable(F, Name);
    if (!V)
      report(At, "no variable is called '" + Name + "'");
    return V;
  }

  void block(const Function &F, const std::vector<Statement> &Block, const Scope &Regions) {
    for (const Statement &S : Block)
      statement(F, S, Regions);
  }

  void statement(const Function &F, const Statement &S, const Scope &Regions) {
    if (S.K != Statement::Check && !S.Target.empty())
      use(F, S.Target, S.At);
    if (!S.Source.empty())
      use(F, S.Source, S.At);
    for (const std::string &Name : S.Arguments)
      use(F, Name, S.At);
    for (const Region &R : S.Regions)
      region(R, Regions);
    property(S.Where, Regions);
    if (S.K == Statement::Read || S.K == Statement::Write)
      fieldUse(F, S.K == Statement::Read ? S.Source : S.Target, S);
    if (S.K == Statement::New)
      newUse(F, S);
    if (S.K == Statement::Call)
      call(S);
    block(F, S.Then, Regions);
    block(F, S.Else, Regions);
  }

  void fieldUse(const Function &F, const std::string &Object, const Statement &S) {
    const Variable *V = variable(F, Object);
    if (!V)
      return;
    const Struct *Layout = N.structure(V->Type.Base);
    if (V->Type.isRegion())
      report(S.At, "'" + Object + "' is a region and has no fields");
    else if (Layout && !Names::field(*Layout, S.Name))
      report(S.At, "structure '" + Layout->Name + "' has no field '" + S.Name + "'");
  }

  void newUse(const Function &F, const Statement &S) {
    structureUse(S.Name, S.Regions.size(), S.At);
    if (const Struct *Layout = N.structure(S.Name);
        Layout && Layout->Fields.size() != S.Arguments.size())
      report(S.At, "structure '" + S.Name + "' has " + std::to_string(Layout->Fields.size()) +
                       " fields, but " + std::to_string(S.Arguments.size()) + " values are given");
    if (const Variable *V = variable(F, S.Source); V && !V->Type.isRegion())
      report(S.At, "'" + S.Source + "' is not a region to allocate in");
  }

  void call(const Statement &S) {
    const Signature *Callee = N.signature(S.Name);
    if (!Callee) {
      report(S.At, "no function is called '" + S.Name + "'");
      return;
    }
    auto Compare = [&](size_t Wanted, size_t Given, std::string_view What) {
      if (Wanted != Given)
        report(S.At, "function '" + S.Name + "' has " + std::to_string(Wanted) + " " +
                         std::string(What) + ", but is given " + std::to_string(Given));
    };
    Compare(Callee->Regions.size(), S.Regions.size(), "abstract regions");
    Compare(Callee->Parameters.size(), S.Arguments.size(), "parameters");
  }
};

} // namespace

Names::Names(const Program &P) {
  for (const Struct &S : P.Structs)
    Structs.emplace(S.Name, &S);
  for (const Function &F : P.Functions)
    Functions.emplace(F.Signature.Name, &F);
  for (Signature &S : predefinedSignatures(P)) {
    std::string Name = S.Name;
    PredefinedSignatures.emplace(std::move(Name), std::move(S));
  }
}

const Signature *Names::signature(std::string_view Name) const {
  if (auto Found = PredefinedSignatures.find(Name); Found != PredefinedSignatures.end())
    return &Found->second;
  const Function *F = function(Name);
  return F ? &F->Signature : nullptr;
}

Predefined Names::predefined(std::string_view Name) {
  if (Name == "newregion")
    return Predefined::NewRegion;
  if (Name == "newsubregion")
    return Predefined::NewSubregion;
  if (Name == "deleteregion")
    return Predefined::DeleteRegion;
  if (Name == "traditional")
    return Predefined::Traditional;
  return Name.starts_with(RegionOfPrefix) ? Predefined::RegionOf : Predefined::None;
}

const Variable *Names::field(const Struct &S, std::string_view Name) {
  auto Found = std::find_if(S.Fields.begin(), S.Fields.end(),
                            [&](const Variable &V) { return V.Name == Name; });
  return Found == S.Fields.end() ? nullptr : &*Found;
}

const Variable *variable(const Function &F, std::string_view Name) {
  for (const std::vector<Variable> *Group : {&F.Signature.Parameters, &F.Locals})
    for (const Variable &V : *Group)
      if (V.Name == Name)
        return &V;
  return nullptr;
}

std::vector<Diagnostic> checkNames(const Program &P, const Names &N) { return Checker(P, N).run(); }

} // namespace acre::rlang

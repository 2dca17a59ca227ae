//===- generate.cpp - Random rlang programs -------------------------------===//
#include "generate.h"

#include "rlang/Check.h"

#include <algorithm>

namespace acre::rlang {
namespace {

using Strings = std::vector<std::string>;
using Renaming = std::map<std::string, Region>;

Region region(std::string_view Name) { return {std::string(Name), {}}; }

Property renamed(Property P, const Renaming &To) {
  for (Region *R : {&P.Left, &P.Right})
    if (auto Found = To.find(R->Name); Found != To.end())
      *R = Found->second;
  for (Property &Each : P.Operands)
    Each = renamed(Each, To);
  return P;
}

class Generator {
public:
  explicit Generator(std::mt19937_64 &Random) : Random(Random) {}

  Program run() {
    unsigned Structs = 1 + pick(3), Functions = pick(4);
    for (unsigned I = 0; I < Structs; ++I)
      P.Structs.push_back({"S" + number(I), names("p", 1 + pick(2)), {}, {}});
    for (Struct &S : P.Structs)
      for (unsigned I = 0, Fields = 1 + pick(2) + pick(2); I < Fields; ++I)
        S.Fields.push_back({"f" + number(I), fieldType(S), {}});
    for (unsigned I = 0; I < Functions; ++I)
      P.Functions.push_back(signature("g" + number(I)));
    P.Functions.push_back({});
    Function &Main = P.Functions.back();
    Main.HasBody = true;
    Main.At = nextLine();
    Main.Signature.Name = "main";
    Main.Signature.Result = {{}, std::string(RegionBase), {}, region(TopName), {}};
    for (Function &Each : P.Functions)
      body(Each);
    return std::move(P);
  }

private:
  std::mt19937_64 &Random;
  Program P;
  Function *F = nullptr; // whose body is being written
  unsigned Line = 0;

  unsigned pick(size_t Count) { return static_cast<unsigned>(Random() % Count); }
  bool chance(unsigned Percent) { return Random() % 100 < Percent; }
  template <class Range> auto &any(Range &From) { return From[pick(From.size())]; }
  static std::string number(unsigned N) { return std::to_string(N); }
  Location nextLine() { return {++Line, 1}; }

  static Strings names(const char *Prefix, unsigned Count) {
    Strings Result;
    for (unsigned I = 0; I < Count; ++I)
      Result.push_back(Prefix + number(I));
    return Result;
  }

  //===-- Types and properties ---------------------------------------------===//

  Property relation(const Strings &Regions) {
    static constexpr Property::Kind Kinds[] = {Property::LessEqual, Property::Equal,
                                               Property::NotEqual};
    auto One = [&]() -> std::string {
      return chance(15)   ? std::string(TopName)
             : chance(15) ? std::string(TraditionalName)
                          : any(Regions);
    };
    return Property::relation(Kinds[pick(3)], One(), One());
  }

  Property property(const Strings &Regions, unsigned Depth) {
    if (Regions.empty())
      return {};
    if (Depth == 0 || chance(40))
      return relation(Regions);
    if (chance(15))
      return {Property::Not, {}, {}, {property(Regions, Depth - 1)}, {}};
    return Property::combine(chance(50) ? Property::And : Property::Or,
                             {property(Regions, Depth - 1), property(Regions, Depth - 1)});
  }

  /// What an annotation of RC means for region Q in an object at Own, or something else.
  Property annotation(const std::string &Q, const std::string &Own, const Strings &Known) {
    auto TopOr = [&](std::string_view Other) {
      return Property::combine(Property::Or, {Property::relation(Property::Equal, Q, TopName),
                                              Property::relation(Property::Equal, Q, Other)});
    };
    switch (pick(6)) {
    case 0:
    case 1:
      return TopOr(Own);
    case 2:
      return TopOr(TraditionalName);
    case 3:
      return Property::relation(Property::LessEqual, Own, Q);
    case 4:
      return {};
    default: {
      Strings All = Known;
      All.push_back(Q);
      return property(All, 2);
    }
    }
  }

  Type fieldType(const Struct &Holder) {
    Type T;
    T.Exists = {{"q", annotation("q", any(Holder.Parameters), Holder.Parameters), {}}};
    auto One = [&] {
      return chance(75) ? region("q") : chance(80) ? region(any(Holder.Parameters)) : region("RT");
    };
    T.Target = One();
    if (chance(15)) {
      T.Base = RegionBase;
      return T;
    }
    const Struct &S = any(P.Structs);
    T.Base = S.Name;
    while (T.Arguments.size() < S.Parameters.size())
      T.Arguments.push_back(One());
    return T;
  }

  /// A type whose abstract regions are new ones of Regions, named after Stem.
  Type variableType(const std::string &Stem, bool IsRegion, Strings &Regions) {
    Type T;
    Regions.push_back("r" + Stem);
    T.Target = region(Regions.back());
    T.Base = RegionBase;
    if (IsRegion)
      return T;
    const Struct &S = any(P.Structs);
    T.Base = S.Name;
    while (T.Arguments.size() < S.Parameters.size()) {
      if (chance(50))
        Regions.push_back("r" + Stem + "_" + number(static_cast<unsigned>(T.Arguments.size())));
      T.Arguments.push_back(chance(10) ? region(any(Regions)) : region(Regions.back()));
    }
    return T;
  }

  Function signature(const std::string &Name) {
    Function Result;
    Result.HasBody = true;
    Result.At = nextLine();
    Signature &S = Result.Signature;
    S.Name = Name;
    for (unsigned I = 0, Count = pick(4); I < Count; ++I) {
      Type T = variableType("x" + number(I), chance(30), S.Regions);
      S.Parameters.push_back({"x" + number(I), std::move(T), {}});
    }
    if (chance(50))
      S.Input = property(S.Regions, 1);
    if (chance(35))
      S.Output = property(S.Regions, 1);
    Strings Own;
    S.Result = variableType("q", chance(20), Own);
    Property Where = S.Regions.empty() || chance(60)
                         ? Property{}
                         : annotation(Own.front(), any(S.Regions), S.Regions);
    for (const std::string &Each : Own)
      S.Result.Exists.push_back(
          {Each, Each == Own.back() && Own.size() == 1 ? Where : Property{}, {}});
    return Result;
  }

  //===-- Bodies -------------------------------------------------------------===//

  std::vector<const Variable *> variables(std::string_view Base = {}) const {
    std::vector<const Variable *> Result;
    for (const std::vector<Variable> *Group : {&F->Signature.Parameters, &F->Locals})
      for (const Variable &V : *Group)
        if (V.Name != "nothing" && (Base.empty() ? !V.Type.isRegion() : V.Type.Base == Base))
          Result.push_back(&V);
    return Result;
  }

  Region anyRegion() {
    Strings All = F->Signature.Regions;
    All.insert(All.end(), F->LocalRegions.begin(), F->LocalRegions.end());
    return chance(8) || All.empty() ? region("RT") : region(any(All));
  }

  /// A variable that may be assigned, of Base; null if there is none.
  const Variable *target(std::string_view Base) {
    std::vector<const Variable *> All = variables(Base);
    std::erase_if(All, [&](const Variable *V) {
      return std::none_of(F->Locals.begin(), F->Locals.end(),
                          [&](const Variable &Local) { return &Local == V; });
    });
    return All.empty() ? nullptr : any(All);
  }

  Statement make(Statement::Kind K, std::string Target = {}, std::string Source = {},
                 std::string Name = {}) {
    Statement S;
    S.K = K;
    S.Target = std::move(Target);
    S.Source = std::move(Source);
    S.Name = std::move(Name);
    S.At = nextLine();
    return S;
  }

  Statement check(Property Where) {
    Statement S = make(Statement::Check);
    S.Where = std::move(Where);
    return S;
  }

  using Block = std::vector<Statement>;

  void body(Function &Of) {
    F = &Of;
    unsigned Next = 0;
    for (unsigned I = 0, Count = 4 + pick(4); I < Count; ++I) {
      std::string Name = "v" + number(Next++);
      Type T = variableType(Name, I < 2, F->LocalRegions);
      if (I >= 2 && chance(10)) {
        for (const std::string &Each : Strings(F->LocalRegions))
          if (Each.starts_with("r" + Name)) {
            T.Exists.push_back({Each, {}, {}});
            std::erase(F->LocalRegions, Each);
          }
      }
      F->Locals.push_back({Name, std::move(T), {}});
    }
    resultVariable();
    F->Locals.push_back({"nothing", {{}, std::string(RegionBase), {}, region(TopName), {}}, {}});
    for (const Variable &V : F->Locals) {
      if (V.Type.isRegion() && V.Name != "nothing" && V.Type.Exists.empty())
        F->Body.push_back(newHandle(V));
      else
        F->Body.push_back(make(Statement::Null, V.Name));
    }
    for (int I = 0; I < 3; ++I)
      newObject(F->Body);
    for (int I = 0; I < 4 && F->Signature.Name == "main";
         ++I) // before anything else ends the program
      call(F->Body);
    for (unsigned I = 0, Count = 6 + pick(12); I < Count; ++I)
      statement(F->Body, 0);
    if (F->Signature.Name == "main" && chance(60))
      deletion(F->Body);
  }

  /// Whether regions that are the same in Wanted are the same in T.
  static bool hasShape(const Type &T, const Type &Wanted) {
    Renaming Meaning = {{Wanted.Target.Name, T.Target}};
    for (size_t I = 0; I < T.Arguments.size(); ++I)
      if (Meaning.emplace(Wanted.Arguments[I].Name, T.Arguments[I]).first->second.Name !=
          T.Arguments[I].Name)
        return false;
    return true;
  }

  void resultVariable() {
    const Type &Wanted = F->Signature.Result;
    if (Wanted.Target.isTop()) {
      F->ResultVariable = "nothing";
      return;
    }
    std::vector<const Variable *> Fitting = variables(Wanted.Base);
    std::erase_if(Fitting, [&](const Variable *V) { return !hasShape(V->Type, Wanted); });
    if (Fitting.empty() || chance(20)) {
      Type T = Wanted;
      for (Quantifier &Q : T.Exists) {
        Q.Where = {};
        F->LocalRegions.push_back(Q.Name);
      }
      T.Exists.clear();
      F->Locals.push_back({"result", std::move(T), {}});
      F->ResultVariable = "result";
    } else {
      F->ResultVariable = any(Fitting)->Name;
    }
  }

  Statement newHandle(const Variable &V) {
    std::vector<const Variable *> Handles = variables(RegionBase);
    Statement S = make(Statement::Call, V.Name, {}, "newregion");
    if (chance(10)) {
      S.Name = "traditional";
    } else if (chance(40)) {
      const Variable *Parent = any(Handles);
      if (Parent < &V && Parent->Type.Exists.empty()) {
        S.Name = "newsubregion";
        S.Regions = {Parent->Type.Target};
        S.Arguments = {Parent->Name};
      }
    }
    return S;
  }

  void statement(Block &To, unsigned Depth) {
    unsigned Dice = pick(100);
    if (Dice < 20)
      newObject(To);
    else if (Dice < 38)
      write(To);
    else if (Dice < 52)
      read(To);
    else if (Dice < 61)
      assign(To);
    else if (Dice < 73)
      call(To);
    else if (Dice < 75)
      to(To, Statement::Null);
    else if (Dice < 77)
      To.push_back(check(property({anyRegion().Name, anyRegion().Name}, 1)));
    else if (Dice < 79)
      deletion(To);
    else if (Depth < 3)
      nested(To, Depth);
  }

  void to(Block &To, Statement::Kind K) {
    const Variable *V = target(chance(20) ? RegionBase : std::string_view());
    if (V)
      To.push_back(make(K, V->Name));
  }

  void nested(Block &To, unsigned Depth) {
    std::vector<const Variable *> Objects = variables();
    Statement S = make(chance(45) ? Statement::If : Statement::While);
    if (!Objects.empty() && S.K == Statement::If && chance(60))
      S.Target = any(Objects)->Name;
    for (unsigned I = 0, Count = 1 + pick(4); I < Count; ++I)
      statement(S.Then, Depth + 1);
    if (S.K == Statement::If)
      for (unsigned I = 0, Count = pick(3); I < Count; ++I)
        statement(S.Else, Depth + 1);
    To.push_back(std::move(S));
  }

  void deletion(Block &To) {
    const Variable *Handle = target(RegionBase);
    if (!Handle || !Handle->Type.Exists.empty())
      return;
    if (chance(70))
      for (const Variable &V : F->Locals)
        if (V.Name != Handle->Name)
          To.push_back(make(Statement::Null, V.Name));
    Statement S = make(Statement::Call, "nothing", {}, "deleteregion");
    S.Regions = {Handle->Type.Target};
    S.Arguments = {Handle->Name};
    guarded(To, Handle->Name, {std::move(S)});
    Statement Again = newHandle(*Handle);
    To.push_back(std::move(Again));
  }

  void newObject(Block &To) {
    const Variable *V = target({});
    std::vector<const Variable *> Handles = variables(RegionBase);
    if (!V || Handles.empty())
      return;
    const Variable *Handle = any(Handles);
    const Struct &S = *structure(V->Type.Base);
    Statement New = make(Statement::New, V->Name, Handle->Name, S.Name);
    for (size_t I = 0; I < S.Parameters.size(); ++I)
      New.Regions.push_back(chance(60) && Handle->Type.Exists.empty() ? Handle->Type.Target
                                                                      : anyRegion());
    for (const Variable &Field : S.Fields) {
      // Something null always fits an annotated field.
      std::vector<const Variable *> Fitting = variables(Field.Type.Base);
      if (Fitting.empty())
        return;
      const Variable *Given = any(Fitting);
      if (const Variable *Local = target(Field.Type.Base);
          Local && Local != V && Local != Handle && chance(60)) {
        Given = Local;
        if (chance(60))
          To.push_back(make(Statement::Null, Local->Name));
      }
      New.Arguments.push_back(Given->Name);
      // An object in one region with the contents of another.
      if (chance(40) && Given->Type.Exists.empty())
        any(New.Regions) = Given->Type.Target;
    }
    guarded(To, Handle->Name, {std::move(New)});
    if (chance(40))
      read(To, V);
  }

  const Struct *structure(const std::string &Name) const {
    auto Found = std::find_if(P.Structs.begin(), P.Structs.end(),
                              [&](const Struct &S) { return S.Name == Name; });
    return Found == P.Structs.end() ? nullptr : &*Found;
  }

  /// Puts S into To, mostly below a test that Object is not null.
  void guarded(Block &To, const std::string &Object, Block Inner) {
    if (chance(4)) {
      To.insert(To.end(), Inner.begin(), Inner.end());
      return;
    }
    Statement Test = make(Statement::If, Object);
    Test.Then = std::move(Inner);
    To.push_back(std::move(Test));
  }

  void write(Block &To) {
    std::vector<const Variable *> Objects = variables();
    if (Objects.empty())
      return;
    const Variable *Object = any(Objects);
    const Struct &S = *structure(Object->Type.Base);
    const Variable &Field = any(S.Fields);
    std::vector<const Variable *> Values = variables(Field.Type.Base);
    if (Values.empty())
      return;
    const Variable *V = Object->Type.Base == Field.Type.Base && chance(30) ? Object : any(Values);
    Block Inner;
    if (chance(70) && Object->Type.Exists.empty() && V->Type.Exists.empty())
      Inner.push_back(check(needed(S, *Object, Field, *V)));
    Inner.push_back(make(Statement::Write, Object->Name, V->Name, Field.Name));
    guarded(To, Object->Name, std::move(Inner));
  }

  /// What makes V assignable to Field of Object: the field's property, and equality where regions
  /// are given.
  Property needed(const Struct &S, const Variable &Object, const Variable &Field,
                  const Variable &V) {
    Renaming To;
    for (size_t I = 0; I < S.Parameters.size(); ++I)
      To[S.Parameters[I]] = Object.Type.Arguments[I];
    std::vector<Property> All;
    auto Match = [&](const Region &Wanted, const Region &Given) {
      if (Wanted.Name == "q" && To.emplace("q", Given).second)
        return;
      All.push_back(renamed(Property::relation(Property::Equal, Wanted.Name, "q'"), [&] {
        Renaming Both = To;
        Both["q'"] = Given;
        return Both;
      }()));
    };
    Match(Field.Type.Target, V.Type.Target);
    for (size_t I = 0; I < Field.Type.Arguments.size(); ++I)
      Match(Field.Type.Arguments[I], V.Type.Arguments[I]);
    To.emplace("q", region(TopName));
    All.push_back(renamed(Field.Type.Exists.front().Where, To));
    return Property::combine(Property::And, std::move(All));
  }

  void read(Block &To, const Variable *Object = nullptr) {
    std::vector<const Variable *> Objects = variables();
    if (!Object && !Objects.empty())
      Object = any(Objects);
    if (!Object)
      return;
    const Variable &Field = any(structure(Object->Type.Base)->Fields);
    if (const Variable *V = target(Field.Type.Base))
      guarded(To, Object->Name, {make(Statement::Read, V->Name, Object->Name, Field.Name)});
  }

  void assign(Block &To) {
    std::vector<const Variable *> All = chance(25) ? variables(RegionBase) : variables();
    if (All.empty())
      return;
    const Variable *From = any(All);
    if (const Variable *V = target(From->Type.Base))
      To.push_back(make(Statement::Assign, V->Name, From->Name));
  }

  void call(Block &To) {
    if (chance(30)) {
      regionOf(To);
      return;
    }
    const Function &Callee = any(P.Functions);
    if (Callee.Signature.Name == "main")
      return;
    const Variable *V = target(Callee.Signature.Result.Base);
    if (!V)
      return;
    Statement S = make(Statement::Call, V->Name, {}, Callee.Signature.Name);
    Renaming Actual;
    for (const Variable &Parameter : Callee.Signature.Parameters) {
      std::vector<const Variable *> Fitting = variables(Parameter.Type.Base);
      if (Fitting.empty())
        return;
      const Variable *Given = any(Fitting);
      S.Arguments.push_back(Given->Name);
      if (!Given->Type.Exists.empty())
        continue;
      Actual.emplace(Parameter.Type.Target.Name, Given->Type.Target);
      for (size_t I = 0; I < Given->Type.Arguments.size(); ++I)
        Actual.emplace(Parameter.Type.Arguments[I].Name, Given->Type.Arguments[I]);
    }
    for (const std::string &Name : Callee.Signature.Regions)
      S.Regions.push_back(Actual.emplace(Name, anyRegion()).first->second);
    if (Callee.Signature.Input.K != Property::True && chance(50))
      To.push_back(check(renamed(Callee.Signature.Input, Actual)));
    To.push_back(std::move(S));
  }

  void regionOf(Block &To) {
    std::vector<const Variable *> Objects = variables();
    const Variable *Handle = target(RegionBase);
    if (Objects.empty() || !Handle)
      return;
    const Variable *Object = any(Objects);
    if (!Object->Type.Exists.empty())
      return;
    Statement S = make(Statement::Call, Handle->Name, {}, "regionof_" + Object->Type.Base);
    S.Regions = {Object->Type.Target};
    S.Regions.insert(S.Regions.end(), Object->Type.Arguments.begin(), Object->Type.Arguments.end());
    S.Arguments = {Object->Name};
    guarded(To, Object->Name, {std::move(S)});
  }
};

template <class Visit> bool eachBlock(std::vector<Statement> &Block, Visit &&Do) {
  if (Do(Block))
    return true;
  for (Statement &S : Block)
    if (eachBlock(S.Then, Do) || eachBlock(S.Else, Do))
      return true;
  return false;
}

/// Makes the statement or function at Line harmless.
void disarm(Program &P, unsigned Line) {
  for (Function &F : P.Functions) {
    if (F.At.Line == Line) {
      F.Signature.Output = {};
      for (Quantifier &Q : F.Signature.Result.Exists)
        Q.Where = {};
      return;
    }
    if (eachBlock(F.Body, [&](std::vector<Statement> &Block) {
          auto Found = std::find_if(Block.begin(), Block.end(),
                                    [&](const Statement &S) { return S.At.Line == Line; });
          if (Found == Block.end())
            return false;
          if (Found->K == Statement::Null || Found->K == Statement::Write ||
              Found->K == Statement::Check) {
            Block.erase(Found);
          } else {
            Location At = Found->At;
            std::string Target = std::move(Found->Target);
            *Found = {};
            Found->K = Statement::Null;
            Found->Target = std::move(Target);
            Found->At = At;
          }
          return true;
        }))
      return;
  }
}

/// A statement of kind K; null if F has none.
Statement *anyOf(Function &F, Statement::Kind K, std::mt19937_64 &Random) {
  std::vector<Statement *> All;
  eachBlock(F.Body, [&](std::vector<Statement> &Block) {
    for (Statement &S : Block)
      if (S.K == K)
        All.push_back(&S);
    return false;
  });
  return All.empty() ? nullptr : All[Random() % All.size()];
}

size_t countStatements(Program &P) {
  size_t Result = 0;
  for (Function &F : P.Functions)
    eachBlock(F.Body, [&](std::vector<Statement> &Block) {
      Result += Block.size();
      return false;
    });
  return Result;
}

/// Takes out the statement with this number, in the order of eachBlock, and leaves what it held.
void eraseStatement(Program &P, size_t Number) {
  for (Function &F : P.Functions)
    if (eachBlock(F.Body, [&](std::vector<Statement> &Block) {
          if (Number >= Block.size()) {
            Number -= Block.size();
            return false;
          }
          auto Place = Block.begin() + static_cast<std::ptrdiff_t>(Number);
          Statement Gone = std::move(*Place);
          Place = Block.erase(Place);
          Place = Block.insert(Place, Gone.Else.begin(), Gone.Else.end());
          Block.insert(Place, Gone.Then.begin(), Gone.Then.end());
          return true;
        }))
      return;
}

/// Adds what makeIllTyped needs to main: regions a and b, of which x and y get one each, a null n,
/// and an unused d.
void addCells(Program &P) {
  Property Same =
      Property::combine(Property::Or, {Property::relation(Property::Equal, "q", TopName),
                                       Property::relation(Property::Equal, "q", "p")});
  Type Link{{{"q", Same, {}}}, "Cell", {region("q")}, region("q"), {}};
  P.Structs.push_back({"Cell", {"p"}, {{"same", Link, {}}}, {}});
  Function &Main = P.Functions.back();
  for (std::string Name : {"a", "b", "x", "y", "n", "d"}) {
    Main.LocalRegions.push_back("r" + Name);
    Region At = region(Main.LocalRegions.back());
    if (Name == "a" || Name == "b")
      Main.Locals.push_back({Name, {{}, std::string(RegionBase), {}, At, {}}, {}});
    else
      Main.Locals.push_back({Name, {{}, "Cell", {At}, At, {}}, {}});
  }
  Main.Locals.push_back({"again", {{}, "Cell", {region("rx")}, region("rx"), {}}, {}});
}

Statement make(Statement::Kind K, std::string Target, std::string Source = {},
               std::string Name = {}, Strings Arguments = {}, std::vector<Region> Regions = {}) {
  return {K,
          std::move(Target),
          std::move(Source),
          std::move(Name),
          std::move(Regions),
          std::move(Arguments),
          {},
          {},
          {},
          {}};
}

} // namespace

Program generate(std::mt19937_64 &Random) { return Generator(Random).run(); }

bool repair(Program &P) {
  for (int Round = 0; Round < 60; ++Round) {
    Checked C(P);
    if (C.errors().empty())
      return true;
    for (const Diagnostic &D : C.errors())
      disarm(P, D.At.Line);
  }
  return false;
}

void mutate(Program &P, std::mt19937_64 &Random) {
  Function &F = P.Functions[Random() % P.Functions.size()];
  switch (Random() % 4) {
  case 0: // a check that says nothing
  case 1:
    if (Statement *S = anyOf(F, Statement::Check, Random))
      S->Where = {};
    break;
  case 2: // the value of another statement of the same kind and type
    for (Statement::Kind K : {Statement::Write, Statement::Assign, Statement::Read}) {
      Statement *To = anyOf(F, K, Random), *From = anyOf(F, K, Random);
      if (To && variable(F, To->Source)->Type.Base == variable(F, From->Source)->Type.Base)
        To->Source = From->Source;
    }
    break;
  default: // an input property that says nothing, an output property that promises what held at the
           // start
    std::swap(F.Signature.Input, F.Signature.Output);
  }
}

void makeIllTyped(Program &P, unsigned Kind) {
  addCells(P);
  std::vector<Statement> First = {
      make(Statement::Call, "a", "", "newregion"),
      make(Statement::Call, "b", "", "newregion"),
      make(Statement::Null, "n"),
      make(Statement::New, "x", "a", "Cell", {"n"}, {region("ra")}),
      make(Statement::New, "y", "b", "Cell", {"n"}, {region("rb")}),
  };
  switch (Kind) {
  case 0: // a sameregion field gets an object of another region
    First.push_back(make(Statement::Write, "x", "y", "same"));
    break;
  case 1: // so does one of a new object
    First.push_back(make(Statement::New, "d", "a", "Cell", {"y"}, {region("ra")}));
    break;
  case 2: // a region is no object
    First.push_back(make(Statement::Assign, "x", "a"));
    break;
  case 3: // an abstract region in use cannot stand for another
    First.push_back(make(Statement::Assign, "again", "y"));
    First.push_back(make(Statement::Write, "x", "again", "same"));
    break;
  case 4: // nothing was assigned to d
    First.push_back(make(Statement::Write, "x", "d", "same"));
    break;
  default: // rd stands for nothing
    First.push_back(make(Statement::Check, ""));
    First.back().Where = Property::relation(Property::NotEqual, "rd", TopName);
  }
  Function &Main = P.Functions.back();
  Main.Body.insert(Main.Body.begin(), First.begin(), First.end());
}

Program shrink(Program P, const std::function<bool(const Program &)> &Fails) {
  auto Try = [&](Program Smaller) {
    if (Fails(Smaller))
      P = std::move(Smaller);
  };
  auto Without = [&](auto &&Part) { // Part(Program&) is a vector
    for (size_t I = Part(P).size(); I-- > 0;) {
      Program Smaller = P;
      auto &List = Part(Smaller);
      List.erase(List.begin() + static_cast<std::ptrdiff_t>(I));
      Try(std::move(Smaller));
    }
  };
  for (bool Changed = true; Changed;) {
    Program Before = P;
    for (size_t I = countStatements(P); I-- > 0;) {
      Program Smaller = P;
      eraseStatement(Smaller, I);
      Try(std::move(Smaller));
    }
    Without([](Program &From) -> auto & { return From.Functions; });
    Without([](Program &From) -> auto & { return From.Structs; });
    for (size_t I = 0; I < P.Functions.size(); ++I) {
      Without([I](Program &From) -> auto & { return From.Functions[I].Locals; });
      Without([I](Program &From) -> auto & { return From.Functions[I].LocalRegions; });
    }
    Changed = !(P == Before);
  }
  return P;
}

} // namespace acre::rlang

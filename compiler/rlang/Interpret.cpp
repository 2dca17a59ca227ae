// SPDX-License-Identifier: MIT
//===- Interpret.cpp - Running rlang programs -----------------------------===//
//
// Each active function has a stack of cursors into its blocks, so nothing here
// recurses with the program.
//
// Invariant: between steps, a frame that waits for a call has its cursor just
// past it; the call's target gets its value, and its type's dead abstract
// regions their meaning, when the callee returns.
//
//===----------------------------------------------------------------------===//
#include "Interpret.h"

#include "Heap.h"
#include "Print.h"

#include <algorithm>
#include <random>

namespace acre::rlang {
namespace {

struct Cursor {
  const std::vector<Statement> *Block;
  size_t Next = 0;
  const Statement *Loop = nullptr; // whose body Block is
};

struct Frame {
  const Function *F;
  Scope Regions; // what the abstract regions stand for
  std::map<std::string_view, Value> Variables;
  std::vector<Cursor> Cursors;
  const Statement *Waiting = nullptr; // the call this frame waits for
};

/// A value on its way to a variable: with the regions that its type's parts stand for.
struct TypedValue {
  Value V;
  RegionId Target = TopId;
  std::optional<std::vector<RegionId>> Arguments; // none: null, and whatever is wanted
};

class Machine {
public:
  Machine(const Checked &C, const RunOptions &Options)
      : C(C), Options(Options), Random(Options.Seed) {}

  Outcome run();

private:
  const Checked &C;
  const RunOptions &Options;
  std::mt19937_64 Random;
  rlang::Heap Heap;
  std::vector<Frame> Frames;
  Outcome Result;
  bool IsOver = false;

  Frame &top() { return Frames.back(); }
  Value value(const std::string &Name) { return top().Variables[Name]; }

  void stop(Outcome::Kind K, Location At, std::string Message) {
    if (IsOver)
      return;
    IsOver = true;
    Result.K = K;
    Result.At = At;
    Result.Message = std::move(Message);
  }

  void enter(const Function &F, Scope Regions, std::map<std::string_view, Value> Arguments);
  void step();
  void leave();
  void execute(const Statement &S);
  bool test(const Statement &S);
  void call(const Statement &S);
  Value callPredefined(const Statement &S, Predefined Which);
  Value deleteRegion(const Statement &S, Value Handle);
  void newObject(const Statement &S);
  Object *dereference(const Statement &S, const std::string &Name);
  void check(const Statement &S);

  TypedValue typed(Value V, const Type &T, const Scope &Regions) const;
  using Live = std::set<std::string>;
  Live liveRegions(const Statement &S);
  void bind(const Type &To, const TypedValue &From, Live &Here,
            const std::map<std::string, Region> *Renamed = nullptr);
  void assign(const Statement &S, const TypedValue &From, Live &Here);

  Liveness::Set liveIn(const Frame &F) const;
  void verify();
  void verifyVariables();
  void verifyFields();
  void verifyProperty(const Statement &S);
  std::string describe(Value V) const;
};

//===-- Binding abstract regions -------------------------------------------===//

/// V as a value of type T: the dynamic counterpart of (exists inst.).
TypedValue Machine::typed(Value V, const Type &T, const Scope &Regions) const {
  TypedValue From{V, Heap.regionOf(V), std::nullopt};
  if (std::optional<Scope> Inside = Heap.instantiate(V, T, Regions)) {
    From.Arguments.emplace();
    for (const Region &R : T.Arguments)
      From.Arguments->push_back((*Inside)[R]);
  } else if (V.K == Value::Object) {
    From.Arguments = Heap.object(V).Arguments; // not of type T: verification reports it
  }
  return From;
}

/// L_s by name.
Machine::Live Machine::liveRegions(const Statement &S) {
  const Function &F = *top().F;
  Live Result(F.Signature.Regions.begin(), F.Signature.Regions.end());
  for (std::string_view Name : C.liveness(F).before(S)) {
    const Type &T = variable(F, Name)->Type;
    std::set<std::string> Bound;
    auto Add = [&](auto &&Self, const Property &P) -> void {
      for (const Property &Each : P.Operands)
        Self(Self, Each);
      for (const Region *R : {&P.Left, &P.Right})
        if (!Bound.count(R->Name))
          Result.insert(R->Name);
    };
    for (const Quantifier &Q : T.Exists) {
      Bound.insert(Q.Name);
      Add(Add, Q.Where);
    }
    for (const Region &R : T.Arguments)
      if (!Bound.count(R.Name))
        Result.insert(R.Name);
    if (!Bound.count(T.Target.Name))
      Result.insert(T.Target.Name);
  }
  return Result;
}

/// Gives the dead abstract regions of To the meaning that From has for them.  Renamed is the
/// callee's view: what its abstract regions are called here.
void Machine::bind(const Type &To, const TypedValue &From, Live &Here,
                   const std::map<std::string, Region> *Renamed) {
  auto One = [&](const Region &Formal, std::optional<RegionId> Meaning) {
    for (const Quantifier &Q : To.Exists)
      if (Q.Name == Formal.Name)
        return;
    const Region &R = Renamed && Formal.isAbstract() ? Renamed->at(Formal.Name) : Formal;
    if (!R.isAbstract() || !Here.insert(R.Name).second || !Meaning)
      return;
    top().Regions.bind(R.Name, *Meaning);
  };
  One(To.Target, From.Target);
  for (size_t I = 0; I < To.Arguments.size(); ++I)
    One(To.Arguments[I], From.Arguments && I < From.Arguments->size()
                             ? std::optional((*From.Arguments)[I])
                             : std::nullopt);
}

void Machine::assign(const Statement &S, const TypedValue &From, Live &Here) {
  bind(variable(*top().F, S.Target)->Type, From, Here);
  top().Variables[S.Target] = From.V;
}

//===-- Statements ---------------------------------------------------------===//

bool Machine::test(const Statement &S) {
  return S.Target.empty() ? Random() & 1 : value(S.Target).K != Value::Null;
}

Object *Machine::dereference(const Statement &S, const std::string &Name) {
  Value V = value(Name);
  if (V.K == Value::Object)
    return &Heap.object(V);
  stop(Outcome::Aborted, S.At, printShort(S) + ": '" + Name + "' is " + describe(V));
  return nullptr;
}

void Machine::check(const Statement &S) {
  if (Heap.holds(S.Where, top().Regions))
    return;
  if (Options.Removed && Options.Removed->count(&S))
    stop(Outcome::Inconsistent, S.At, printShort(S) + " was said to hold always, but it does not");
  else
    stop(Outcome::Aborted, S.At, printShort(S) + " failed");
}

Value Machine::deleteRegion(const Statement &S, Value Handle) {
  RegionId Id = Heap.regionOf(Handle);
  std::string Why = Heap.whyNotDeletable(Id);
  for (const Frame &F : Frames) {
    if (!Why.empty())
      break;
    Liveness::Set Live = &F == &top() ? C.liveness(*F.F).after(S) : liveIn(F);
    if (&F == &top())
      Live.erase(S.Target);
    for (std::string_view Name : Live)
      if (auto Found = F.Variables.find(Name);
          Found != F.Variables.end() && Heap.regionOf(Found->second) == Id)
        Why = "region " + std::to_string(Id) + " is referenced by variable '" + std::string(Name) +
              "' of " + F.F->Signature.Name;
  }
  if (Why.empty())
    Heap.deleteRegion(Id);
  else
    stop(Outcome::Aborted, S.At, printShort(S) + ": " + Why);
  return {};
}

Value Machine::callPredefined(const Statement &S, Predefined Which) {
  auto Fresh = [&](RegionId Parent) { return Value{Value::Region, Heap.newRegion(Parent)}; };
  if (Which == Predefined::NewRegion)
    return Fresh(TopId);
  if (Which == Predefined::Traditional)
    return {Value::Region, TraditionalId};
  Value Given = value(S.Arguments.front());
  if (Which == Predefined::RegionOf)
    return Given.K == Value::Null ? Given : Value{Value::Region, Heap.regionOf(Given)};
  if (Given.K != Value::Region) {
    stop(Outcome::Aborted, S.At,
         printShort(S) + ": '" + S.Arguments.front() + "' is " + describe(Given));
    return {};
  }
  return Which == Predefined::NewSubregion ? Fresh(Heap.regionOf(Given)) : deleteRegion(S, Given);
}

void Machine::call(const Statement &S) {
  const Signature &Callee = *C.names().signature(S.Name);
  const Function &Caller = *top().F;
  Live Here = liveRegions(S);
  std::map<std::string, Region> Renamed;
  for (size_t I = 0; I < S.Regions.size(); ++I)
    Renamed[Callee.Regions[I]] = S.Regions[I];
  std::map<std::string_view, Value> Arguments;
  for (size_t I = 0; I < S.Arguments.size(); ++I) {
    Value V = value(S.Arguments[I]);
    bind(Callee.Parameters[I].Type, typed(V, variable(Caller, S.Arguments[I])->Type, top().Regions),
         Here, &Renamed);
    Arguments[Callee.Parameters[I].Name] = V;
  }
  Scope Inside;
  for (auto &[Formal, Actual] : Renamed)
    Inside.bind(Formal, top().Regions[Actual]);
  if (Predefined Which = Names::predefined(S.Name); Which != Predefined::None) {
    Value V = callPredefined(S, Which);
    if (!IsOver)
      assign(S, typed(V, Callee.Result, Inside), Here);
    return;
  }
  const Function &F = *C.names().function(S.Name);
  if (!F.HasBody)
    return stop(Outcome::Stuck, S.At, "function '" + S.Name + "' has no body");
  if (Frames.size() >= Options.DepthLimit)
    return stop(Outcome::LimitReached, S.At, "too many calls are active");
  top().Waiting = &S;
  enter(F, Inside, std::move(Arguments));
}

void Machine::newObject(const Statement &S) {
  Value Handle = value(S.Source);
  if (Handle.K != Value::Region)
    return stop(Outcome::Aborted, S.At,
                printShort(S) + ": '" + S.Source + "' is " + describe(Handle));
  const Struct &Layout = *C.names().structure(S.Name);
  const Function &F = *top().F;
  Live Here = liveRegions(S);
  std::map<std::string, Region> Renamed;
  for (size_t I = 0; I < S.Regions.size(); ++I)
    Renamed[Layout.Parameters[I]] = S.Regions[I];
  Object New{&Layout, Heap.regionOf(Handle), {}, {}};
  for (size_t I = 0; I < S.Arguments.size(); ++I) {
    New.Fields.push_back(value(S.Arguments[I]));
    bind(Layout.Fields[I].Type,
         typed(New.Fields.back(), variable(F, S.Arguments[I])->Type, top().Regions), Here,
         &Renamed);
  }
  for (const Region &R : S.Regions)
    New.Arguments.push_back(top().Regions[R]);
  TypedValue From{{}, New.In, New.Arguments};
  From.V = Heap.newObject(std::move(New));
  assign(S, From, Here);
}

void Machine::execute(const Statement &S) {
  Frame &Here = top();
  switch (S.K) {
  case Statement::If:
    Here.Cursors.push_back({test(S) ? &S.Then : &S.Else});
    return;
  case Statement::While:
    if (test(S))
      Here.Cursors.push_back({&S.Then, 0, &S});
    return;
  case Statement::Check:
    return check(S);
  case Statement::Call:
    return call(S);
  case Statement::New:
    return newObject(S);
  default:
    break;
  }
  Live LiveHere = liveRegions(S);
  if (S.K == Statement::Assign)
    return assign(S, typed(value(S.Source), variable(*Here.F, S.Source)->Type, Here.Regions),
                  LiveHere);
  if (S.K == Statement::Null)
    return assign(S, {}, LiveHere);
  Object *O = dereference(S, S.K == Statement::Read ? S.Source : S.Target);
  if (!O)
    return;
  const Variable *Field = Names::field(*O->Layout, S.Name);
  if (!Field) // the variable's type is wrong about it
    return stop(Outcome::Inconsistent, S.At, printShort(S) + ": the object has no such field");
  Value &Slot = O->Fields[static_cast<size_t>(Field - O->Layout->Fields.data())];
  if (S.K == Statement::Write) {
    Slot = value(S.Source);
    return;
  }
  Scope Inside;
  for (size_t I = 0; I < O->Arguments.size(); ++I)
    Inside.bind(O->Layout->Parameters[I], O->Arguments[I]);
  assign(S, typed(Slot, Field->Type, Inside), LiveHere);
}

//===-- Functions ----------------------------------------------------------===//

void Machine::enter(const Function &F, Scope Regions, std::map<std::string_view, Value> Arguments) {
  for (const std::string &Name : F.LocalRegions)
    Regions.bind(Name, TopId);
  Frames.push_back({&F, std::move(Regions), {}, {{&F.Body}}});
  for (const Variable &V : F.Signature.Parameters)
    top().Variables[V.Name] = Arguments[V.Name];
}

void Machine::leave() {
  const Signature &Callee = top().F->Signature;
  Value V = value(top().F->ResultVariable);
  TypedValue From = typed(V, Callee.Result, top().Regions);
  if (Options.Verify && (!Heap.instantiate(V, Callee.Result, top().Regions) ||
                         !Heap.holds(Callee.Output, top().Regions)))
    return stop(Outcome::Inconsistent, top().F->At,
                "the result of " + Callee.Name + " is " + describe(V) +
                    ", which its result type or output property does not allow");
  Frames.pop_back();
  if (Frames.empty()) {
    IsOver = true;
    Result.Result = describe(V);
    return;
  }
  const Statement &S = *std::exchange(top().Waiting, nullptr);
  // What the arguments bound is live too, as in rule (fncall).
  Live Here = liveRegions(S);
  for (const Region &R : S.Regions)
    Here.insert(R.Name);
  assign(S, From, Here);
}

void Machine::step() {
  Frame &Here = top();
  if (Here.Cursors.empty())
    return leave();
  Cursor &At = Here.Cursors.back();
  if (At.Next < At.Block->size()) {
    const Statement &S = (*At.Block)[At.Next++];
    if (Options.Verify)
      verifyProperty(S);
    if (!IsOver)
      execute(S);
    return;
  }
  const Statement *Loop = At.Loop;
  Here.Cursors.pop_back();
  if (!Loop)
    return;
  if (Options.Verify)
    verifyProperty(*Loop);
  execute(*Loop);
}

Outcome Machine::run() {
  const Function *Main = C.names().function("main");
  if (!Main || !Main->HasBody)
    return {Outcome::Stuck, "there is no function 'main' to call", {}, 0, 0, {}};
  if (!Main->Signature.Regions.empty() || !Main->Signature.Parameters.empty())
    return {Outcome::Stuck, "'main' must have no parameters", Main->At, 0, 0, {}};
  enter(*Main, {}, {});
  if (Options.Verify && !Heap.holds(Main->Signature.Input, {}))
    stop(Outcome::Stuck, Main->At, "the input property of 'main' does not hold");
  while (!IsOver) {
    if (Result.Steps == Options.StepLimit) {
      stop(Outcome::LimitReached, {}, "stopped after " + std::to_string(Result.Steps) + " steps");
      break;
    }
    ++Result.Steps;
    step();
    if (Options.Verify && !IsOver)
      verify();
  }
  Result.LiveRegions = Heap.liveRegions();
  return std::move(Result);
}

//===-- Consistency of typed values with the heap --------------------------===//

/// The variables of F that will be read before they are written, from where it now stands.
Liveness::Set Machine::liveIn(const Frame &F) const {
  const Liveness &Live = C.liveness(*F.F);
  Liveness::Set Result = {F.F->ResultVariable};
  if (F.Waiting) {
    Result = Live.after(*F.Waiting);
    Result.erase(F.Waiting->Target);
    return Result;
  }
  for (auto At = F.Cursors.rbegin(); At != F.Cursors.rend(); ++At) {
    if (At->Next < At->Block->size())
      return Live.before((*At->Block)[At->Next]);
    if (At->Loop)
      return Live.before(*At->Loop);
  }
  return Result;
}

void Machine::verifyVariables() {
  for (const Frame &F : Frames)
    for (std::string_view Name : liveIn(F)) {
      auto Found = F.Variables.find(Name);
      Value V = Found == F.Variables.end() ? Value{} : Found->second;
      const Type &T = variable(*F.F, Name)->Type;
      std::string What =
          "variable '" + std::string(Name) + "' of " + F.F->Signature.Name + " is " + describe(V);
      if (V.K != Value::Null && Heap.isDeleted(Heap.regionOf(V)))
        stop(Outcome::Inconsistent, {}, What + ", which is deleted");
      else if (!Heap.instantiate(V, T, F.Regions))
        stop(Outcome::Inconsistent, {}, What + ", but its type is " + print(T));
    }
}

void Machine::verifyFields() {
  for (const Object &O : Heap.objects()) {
    if (Heap.isDeleted(O.In))
      continue;
    Scope Inside;
    for (size_t I = 0; I < O.Arguments.size(); ++I)
      Inside.bind(O.Layout->Parameters[I], O.Arguments[I]);
    for (size_t I = 0; I < O.Fields.size(); ++I) {
      const Variable &Field = O.Layout->Fields[I];
      std::string What = "field '" + Field.Name + "' of a " + O.Layout->Name + " in region " +
                         std::to_string(O.In) + " is " + describe(O.Fields[I]);
      if (O.Fields[I].K != Value::Null && Heap.isDeleted(Heap.regionOf(O.Fields[I])))
        stop(Outcome::Inconsistent, {}, What + ", which is deleted");
      else if (!Heap.instantiate(O.Fields[I], Field.Type, Inside))
        stop(Outcome::Inconsistent, {}, What + ", but its type is " + print(Field.Type));
    }
  }
}

void Machine::verify() {
  verifyVariables();
  verifyFields();
}

void Machine::verifyProperty(const Statement &S) {
  const Knowledge *Known = C.before(S);
  if (!Known)
    return;
  const Frame &Here = top();
  std::vector<RegionId> Meaning = {TopId, TraditionalId};
  for (const std::vector<std::string> *Group : {&Here.F->Signature.Regions, &Here.F->LocalRegions})
    for (const std::string &Name : *Group)
      Meaning.push_back(Here.Regions[{Name, {}}]);
  auto LessEqual = [&](RegionId A, RegionId B) {
    auto Of = [&](RegionId Id) { return Id < Meaning.size() ? Meaning[Id] : RegionId{TopId}; };
    return Heap.isLessEqual(Of(A), Of(B));
  };
  // Numbers beyond the function's own are unused between statements: nothing is known of them.
  if (!Known->holds(LessEqual))
    stop(Outcome::Inconsistent, S.At,
         "before " + printShort(S) + ": the property that checking found does not hold");
}

std::string Machine::describe(Value V) const {
  if (V.K == Value::Null)
    return "null";
  std::string Number = std::to_string(Heap.regionOf(V));
  RegionId In = Heap.regionOf(V);
  std::string Place = In == TraditionalId ? "the traditional region" : "region " + Number;
  return V.K == Value::Region ? Place : "a " + Heap.object(V).Layout->Name + " in " + Place;
}

} // namespace

Outcome run(const Checked &C, const RunOptions &Options) { return Machine(C, Options).run(); }

} // namespace acre::rlang

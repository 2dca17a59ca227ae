// SPDX-License-Identifier: MIT
//===- RlangFunction.cpp - A function in the paper's region language ------===//
#include "pass/rlang/RlangFunction.h"
#include "pass/base/AccessRules.h"
#include "pass/base/HeaderTypes.h"
#include "pass/base/RegionTerm.h"
#include "pass/base/SourceNames.h"
#include "pass/rlang/Rlang.h"
#include "versions/LLVM.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace acre {
namespace {

using rlang::Statement;
using Statements = std::vector<Statement>;

const Value *rootOf(const Value *V) {
  while (true) {
    if (auto *Step = dyn_cast<GEPOperator>(V))
      V = Step->getPointerOperand();
    else if (auto *Frozen = dyn_cast<FreezeInst>(V))
      V = Frozen->getOperand(0);
    else
      return V;
  }
}

/// The base type of what F returns, if it says what it returns.
std::string resultBase(const Function &F) {
  const DISubprogram *Own = F.getSubprogram();
  return Own && Own->getType()->getTypeArray().size() ? baseOf(Own->getType()->getTypeArray()[0])
                                                      : "";
}

class Body {
public:
  Body(const Function &Fn, Declarations &All) : F(Fn), Known(All) {}
  rlang::Function run(FunctionAnalysisManager &FAM);

private:
  struct Local {
    std::string Name, Base, Region;
  };

  Local local(const Value *V);
  Local addLocal(StringRef Wanted, StringRef Base, StringRef Region = "");
  std::string baseOfValue(const Value *V, unsigned Depth = 0);
  Local nullOf(StringRef Base, Statements &To);
  /// The variable that has V as a pointer to Base, with what must come before.
  Local valueAs(const Value *V, StringRef Base, Statements &To);
  void cast(const Local &From, const Local &Into, Statements &To);
  bool isPointer(const Value *V) const { return V->getType()->isPointerTy(); }

  Statements block(const BasicBlock &B);
  Statements copies(const BasicBlock &From, const BasicBlock &To);
  std::optional<std::string> test(const BasicBlock &B, bool &Negated);
  void instruction(const Instruction &I, Statements &To);
  void load(const LoadInst &L, Statements &To);
  void store(const StoreInst &S, Statements &To);
  void call(const CallBase &Call, Statements &To);
  bool runtimeCall(const CallBase &Call, Statements &To);
  void unknown(const Value &V, StringRef What, Statements &To);
  void callOf(StringRef Name, const Local *Result, ArrayRef<Local> Arguments, Statements &To);
  const DIType *declaredType(const Value &V);
  std::string fieldOf(const Value &Address, const Value &Root);
  bool isVariable(const Value *Root) const { return isa<AllocaInst, GlobalValue>(Root); }
  rlang::Signature signature();

  const Function &F;
  Declarations &Known;
  DenseMap<const Value *, Local> Locals;
  std::vector<Local> Declared;
  StringMap<Local> Nulls; // by base type
  Local Done, Result;     // of calls without result; of the function
  StringSet<> Names;
};

Body::Local Body::addLocal(StringRef Wanted, StringRef Base, StringRef Region) {
  std::string Name = identifier(Wanted), Unique = Name;
  for (unsigned N = 2; !Names.insert(Unique).second; ++N)
    Unique = Name + "_" + utostr(N);
  Known.need(Base);
  Declared.push_back({Unique, Base.str(), Region.empty() ? "p_" + Unique : Region.str()});
  return Declared.back();
}

std::string Body::baseOfValue(const Value *V, unsigned Depth) {
  constexpr unsigned MostDepth = 6, SiteFromEnd = 1;
  if (Depth > MostDepth)
    return "";
  if (auto *Call = dyn_cast<CallBase>(V)) {
    KnownResult Result = knownResult(*Call);
    switch (Result.Meaning) {
    case ResultMeaning::RegionOf:
    case ResultMeaning::NewRegion:
    case ResultMeaning::Subregion:
    case ResultMeaning::Traditional:
    case ResultMeaning::Permanent:
      return RegionType.str();
    case ResultMeaning::InRegion: {
      const Value *Site = Call->getArgOperand(Call->arg_size() - SiteFromEnd);
      auto InitializerOf = [](const Value *V) -> const Constant * {
        auto *G = dyn_cast_or_null<GlobalVariable>(V);
        return G && G->hasInitializer() ? G->getInitializer() : nullptr;
      };
      const Constant *Type =
          InitializerOf(Mirror<acre_site>::member<&acre_site::type>(InitializerOf(Site)));
      const Constant *Text = Mirror<acre_type>::member<&acre_type::name>(Type);
      StringRef Name;
      if (Text && getConstantStringInfo(Text, Name) &&
          (Name.consume_front("struct ") || Name.consume_front("union ")))
        return identifier(Name);
      return BytesType.str();
    }
    default:
      break;
    }
  }
  if (std::string Base = baseOf(declaredType(*V)); !Base.empty())
    return Base;
  auto *Phi = dyn_cast<PHINode>(V);
  auto *Select = dyn_cast<SelectInst>(V);
  SmallVector<const Value *, 4> From;
  if (Phi)
    append_range(From, Phi->incoming_values());
  if (Select)
    From = {Select->getTrueValue(), Select->getFalseValue()};
  for (const Value *Each : From)
    if (!isa<Constant>(Each))
      if (std::string Base = baseOfValue(rootOf(Each), Depth + 1); !Base.empty())
        return Base;
  return "";
}

Body::Local Body::local(const Value *V) {
  auto Found = Locals.find(V);
  if (Found != Locals.end())
    return Found->second;
  std::string Base = baseOfValue(V);
  if (Base.empty())
    Base = BytesType.str();
  std::optional<SourceName> Name = sourceName(*V);
  Local New = addLocal(Name ? Name->Text : V->hasName() ? V->getName().str() : "v", Base);
  return Locals[V] = New;
}

/// A variable that is null as a pointer to Base.
Body::Local Body::nullOf(StringRef Base, Statements &To) {
  auto [Found, IsNew] = Nulls.try_emplace(Base);
  if (IsNew)
    Found->second = addLocal(("null_" + Base).str(), Base);
  Statement S;
  S.K = Statement::Null;
  S.Target = Found->second.Name;
  To.push_back(std::move(S));
  return Found->second;
}

void Body::callOf(StringRef Name, const Local *Result, ArrayRef<Local> Arguments, Statements &To) {
  Statement S;
  S.K = Statement::Call;
  S.Name = Name.str();
  if (!Result) {
    if (Done.Name.empty())
      Done = addLocal("done", RegionType, "top");
    Result = &Done;
  }
  S.Target = Result->Name;
  for (const Local &Each : Arguments) {
    S.Arguments.push_back(Each.Name);
    S.Regions.push_back(at(Each.Region));
  }
  To.push_back(std::move(S));
}

Body::Local Body::valueAs(const Value *V, StringRef Base, Statements &To) {
  V = rootOf(V);
  if (isa<ConstantPointerNull, UndefValue>(V))
    return nullOf(Base, To);
  if (isa<Constant>(V) && !isa<GlobalVariable>(V)) {
    Local Result = addLocal("code", Base);
    std::string Name = ("constant_" + Base).str();
    Known.declare(declared(Name, {}, Base));
    callOf(Name, &Result, {}, To);
    return Result;
  }
  if (isVariable(V)) {
    Local Result = addLocal("address", Base);
    std::string Name = ("address_" + Base).str();
    rlang::Function Outside = declared(Name, {}, Base);
    Outside.Signature.Result = typed(Base, "RT");
    Known.declare(Outside);
    callOf(Name, &Result, {}, To);
    return Result;
  }
  Local From = local(V);
  if (From.Base == Base)
    return From;
  Local Result = addLocal(From.Name, Base);
  cast(From, Result, To);
  return Result;
}

/// Into becomes From, which is a pointer of another type.
void Body::cast(const Local &From, const Local &Into, Statements &To) {
  std::string Name = From.Base + "_as_" + Into.Base;
  Known.declare(declared(Name, {From.Base}, Into.Base, true));
  callOf(Name, &Into, {From}, To);
}

/// The type of a pointer in the debug information, or null.
const DIType *Body::declaredType(const Value &V) {
  if (std::optional<SourceName> Name = sourceName(V); Name && Name->Type)
    return Name->Type;
  const DISubprogram *Of = nullptr;
  unsigned Index = 0;
  if (auto *Call = dyn_cast<CallBase>(&V); Call && Call->getCalledFunction())
    Of = Call->getCalledFunction()->getSubprogram();
  if (auto *Parameter = dyn_cast<Argument>(&V)) {
    Of = Parameter->getParent()->getSubprogram();
    Index = Parameter->getArgNo() + 1;
    if (Of && Of->getType()->getTypeArray().size() != Parameter->getParent()->arg_size() + 1)
      return nullptr;
  }
  if (!Of || Index >= Of->getType()->getTypeArray().size())
    return nullptr;
  return Of->getType()->getTypeArray()[Index];
}

/// The member at Address, in what Root points to.
std::string Body::fieldOf(const Value &Address, const Value &Root) {
  constexpr StringLiteral Start = "v";
  std::optional<SourceName> Member =
      sourceNameOfMember(Address, {Start.str(), declaredType(Root), nullptr});
  StringRef Text = Member ? StringRef(Member->Text) : StringRef();
  return Text.consume_front(Start) && Text.find_if(isAlpha) != StringRef::npos ? identifier(Text)
                                                                               : "at";
}

void Body::unknown(const Value &V, StringRef What, Statements &To) {
  Local Result = local(&V);
  std::string Name = (What + "_" + Result.Base).str();
  Known.declare(declared(Name, {}, Result.Base));
  callOf(Name, &Result, {}, To);
}

void Body::load(const LoadInst &L, Statements &To) {
  const Value *Root = rootOf(L.getPointerOperand());
  Local Result = local(&L);
  if (isVariable(Root) || isa<Constant>(Root)) {
    std::string Name = isa<GlobalVariable>(Root) ? "get_" + identifier(Root->getName())
                                                 : "read_" + identifier(Root->getName());
    Name += "_" + Result.Base;
    Known.declare(declared(Name, {}, Result.Base));
    return callOf(Name, &Result, {}, To);
  }
  Local Holder = local(Root);
  std::string Field = Holder.Base == RegionType ? "" : fieldOf(*L.getPointerOperand(), *Root);
  if (Field.empty())
    return unknown(L, "unknown", To);
  Known.addField(Holder.Base, Field, Result.Base, slotRule(L));
  StringRef Base = Known.fieldBase(Holder.Base, Field);
  Local Read = Base == Result.Base ? Result : addLocal(Result.Name, Base);
  Statement S;
  S.K = Statement::Read;
  S.Target = Read.Name;
  S.Source = Holder.Name;
  S.Name = Field;
  To.push_back(S);
  if (Base != Result.Base)
    cast(Read, Result, To);
}

void Body::store(const StoreInst &S, Statements &To) {
  const Value *Root = rootOf(S.getPointerOperand());
  if (isVariable(Root) || isa<Constant>(Root)) {
    Local New = valueAs(S.getValueOperand(),
                        isa<Constant>(rootOf(S.getValueOperand()))
                            ? BytesType.str()
                            : local(rootOf(S.getValueOperand())).Base,
                        To);
    std::string Name = (isa<GlobalVariable>(Root) ? "set_" : "write_") +
                       identifier(Root->getName()) + "_" + New.Base;
    Known.declare(declared(Name, {New.Base}, ""));
    return callOf(Name, nullptr, {New}, To);
  }
  Local Holder = local(Root);
  if (Holder.Base == RegionType)
    return;
  std::string Field = fieldOf(*S.getPointerOperand(), *Root);
  const Value *New = rootOf(S.getValueOperand());
  std::optional<SourceName> Slot = sourceNameOfMemory(*S.getPointerOperand());
  std::string Base = Slot ? baseOf(Slot->Type) : "";
  if (Base.empty())
    Base = isa<Constant>(New) ? BytesType.str() : local(New).Base;
  Known.addField(Holder.Base, Field, Base, slotRule(S));
  Local Value = valueAs(New, Known.fieldBase(Holder.Base, Field), To);
  SlotRule Rule = slotRule(S);
  // The check is a statement of its own; null and what is outside all regions obeys without one.
  if (Rule != SlotRule::Plain && Rule != SlotRule::Union) {
    Statement Check;
    Check.Where = ruleOf(Rule, Value.Region, Holder.Region);
    To.push_back(std::move(Check));
  }
  Statement Write;
  Write.K = Statement::Write;
  Write.Target = Holder.Name;
  Write.Name = Field;
  Write.Source = Value.Name;
  To.push_back(std::move(Write));
}

/// Calls of the region library.
bool Body::runtimeCall(const CallBase &Call, Statements &To) {
  KnownResult Result = knownResult(Call);
  auto Argument = [&](StringRef Base) {
    return valueAs(Call.getArgOperand(Result.Argument), Base, To);
  };
  switch (Result.Meaning) {
  case ResultMeaning::InRegion: {
    Local Handle = Argument(RegionType);
    Statement S;
    S.K = Statement::New;
    Local New = local(&Call);
    S.Target = New.Name;
    S.Name = New.Base;
    S.Regions = {at(Handle.Region)};
    S.Source = Handle.Name;
    To.push_back(std::move(S));
    return true;
  }
  case ResultMeaning::RegionOf: {
    const Value *Of = rootOf(Call.getArgOperand(Result.Argument));
    Local Object =
        valueAs(Of, isa<Constant, AllocaInst>(Of) ? BytesType.str() : local(Of).Base, To);
    Local New = local(&Call);
    if (Object.Base == RegionType)
      return false;
    callOf("regionof_" + Object.Base, &New, {Object, Object}, To);
    To.back().Arguments.pop_back();
    return true;
  }
  case ResultMeaning::NewRegion:
  case ResultMeaning::Traditional: {
    Local New = local(&Call);
    callOf(Result.Meaning == ResultMeaning::NewRegion ? "newregion" : "traditional", &New, {}, To);
    return true;
  }
  case ResultMeaning::Subregion: {
    Local Parent = Argument(RegionType), New = local(&Call);
    callOf("newsubregion", &New, {Parent}, To);
    return true;
  }
  default:
    break;
  }
  const Function *Callee = Call.getCalledFunction();
  if (Callee && Callee->getName() == "acre_region_delete") {
    callOf("deleteregion", nullptr, {valueAs(Call.getArgOperand(0), RegionType, To)}, To);
    return true;
  }
  return Callee && Callee->getName().starts_with("acre_rt_");
}

void Body::call(const CallBase &Call, Statements &To) {
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm() || runtimeCall(Call, To))
    return;
  const Function *Callee = Call.getCalledFunction();
  std::string Name = Callee ? identifier(Callee->getName()) : "indirect";
  SmallVector<std::string, 4> Bases;
  SmallVector<Local, 4> Arguments;
  unsigned Fixed = Call.getFunctionType()->getNumParams();
  for (unsigned I = 0; I < Fixed; ++I) {
    const Value *Given = Call.getArgOperand(I);
    if (!isPointer(Given))
      continue;
    std::string Base;
    if (Callee && !Callee->isDeclaration())
      Base = Body(*Callee, Known).baseOfValue(Callee->getArg(I));
    else if (Callee && Callee->getSubprogram() &&
             Callee->getSubprogram()->getType()->getTypeArray().size() == Fixed + 1)
      Base = baseOf(Callee->getSubprogram()->getType()->getTypeArray()[I + 1]);
    else if (!Callee && !isa<Constant, AllocaInst>(rootOf(Given)))
      Base = local(rootOf(Given)).Base;
    Bases.push_back(Base.empty() ? BytesType.str() : Base);
    Arguments.push_back(valueAs(Given, Bases.back(), To));
  }
  std::string ResultBase;
  if (isPointer(&Call))
    ResultBase = Callee ? resultBase(*Callee) : "";
  if (isPointer(&Call) && ResultBase.empty())
    ResultBase = local(&Call).Base;
  if (!Callee)
    for (const std::string &Base : Bases)
      Name += "_" + Base;
  if (!Callee)
    Name += "_" + (ResultBase.empty() ? std::string("none") : ResultBase);
  // Without debug information each call of a function may know another type.
  else if (Callee->isDeclaration() && !Callee->getSubprogram() && ResultBase != BytesType &&
           !ResultBase.empty())
    Name += "_" + ResultBase;
  if (!Callee || Callee->isDeclaration())
    Known.declare(declared(Name, Bases, ResultBase));
  for (const std::string &Base : Bases)
    Known.need(Base);
  if (ResultBase.empty())
    return callOf(Name, nullptr, Arguments, To);
  // A void * that an allocator returns is assigned to a pointer of another type.
  Local Result = local(&Call);
  Local Returned = Result.Base == ResultBase ? Result : addLocal(Result.Name, ResultBase);
  callOf(Name, &Returned, Arguments, To);
  if (Result.Base != ResultBase)
    cast(Returned, Result, To);
}

void Body::instruction(const Instruction &I, Statements &To) {
  if (auto *L = dyn_cast<LoadInst>(&I); L && isPointer(L))
    return load(*L, To);
  if (auto *S = dyn_cast<StoreInst>(&I); S && isPointer(S->getValueOperand()))
    return store(*S, To);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return call(*Call, To);
  if (auto *Select = dyn_cast<SelectInst>(&I); Select && isPointer(Select)) {
    Local Result = local(Select);
    Statement Choice, Assign;
    Choice.K = Statement::If;
    Assign.K = Statement::Assign;
    Assign.Target = Result.Name;
    Assign.Source = valueAs(Select->getTrueValue(), Result.Base, Choice.Then).Name;
    Choice.Then.push_back(Assign);
    Assign.Source = valueAs(Select->getFalseValue(), Result.Base, Choice.Else).Name;
    Choice.Else.push_back(Assign);
    To.push_back(std::move(Choice));
    return;
  }
  bool IsKnown = isa<PHINode, GetElementPtrInst, FreezeInst, AllocaInst>(I);
  if (isPointer(&I) && !IsKnown)
    unknown(I, "unknown", To);
}

Statements Body::block(const BasicBlock &B) {
  Statements Own;
  for (const Instruction &I : B) {
    instruction(I, Own);
    if (auto *Return = dyn_cast<ReturnInst>(&I);
        Return && Return->getReturnValue() && isPointer(Return->getReturnValue())) {
      Statement Assign;
      Assign.K = Statement::Assign;
      Assign.Target = Result.Name;
      Assign.Source = valueAs(Return->getReturnValue(), Result.Base, Own).Name;
      Own.push_back(std::move(Assign));
    }
  }
  return Own;
}

/// What phis take on the edge.  Those that read each other's old values go by way of copies.
Statements Body::copies(const BasicBlock &From, const BasicBlock &To) {
  Statements Result, Last;
  SmallPtrSet<const Value *, 8> Assigned;
  for (const PHINode &Phi : To.phis()) {
    if (!isPointer(&Phi))
      continue;
    Local Own = local(&Phi);
    const Value *Taken = rootOf(Phi.getIncomingValueForBlock(&From));
    if (Taken == &Phi)
      continue;
    Local New = valueAs(Taken, Own.Base, Result);
    auto *Other = dyn_cast<PHINode>(Taken);
    if (Other && Other->getParent() == &To && Assigned.contains(Other)) {
      // Its old value is gone: the copy was made before.
      Local Copy = addLocal("old_" + New.Name, New.Base);
      Statement Save;
      Save.K = Statement::Assign;
      Save.Target = Copy.Name;
      Save.Source = New.Name;
      Result.insert(Result.begin(), Save);
      New = Copy;
    }
    Statement Assign;
    Assign.K = Statement::Assign;
    Assign.Target = Own.Name;
    Assign.Source = New.Name;
    Result.push_back(std::move(Assign));
    Assigned.insert(&Phi);
  }
  return Result;
}

std::optional<std::string> Body::test(const BasicBlock &B, bool &Negated) {
  auto *Branch = dyn_cast<CondBrInst>(B.getTerminator());
  auto *Compare = Branch ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!Compare || !Compare->isEquality() || !isPointer(Compare->getOperand(0)) ||
      !isa<ConstantPointerNull>(Compare->getOperand(1)) ||
      isa<Constant, AllocaInst>(rootOf(Compare->getOperand(0))))
    return std::nullopt;
  Negated = Compare->getPredicate() == ICmpInst::ICMP_EQ;
  return local(rootOf(Compare->getOperand(0))).Name;
}

rlang::Signature Body::signature() {
  rlang::Signature Result;
  Result.Name = identifier(F.getName());
  for (const Argument &Parameter : F.args()) {
    if (!isPointer(&Parameter))
      continue;
    Local Own = local(&Parameter);
    Result.Regions.push_back(Own.Region);
    Result.Parameters.push_back({Own.Name, typed(Own.Base, Own.Region), {}});
  }
  std::string Base;
  if (F.getReturnType()->isPointerTy()) {
    Base = resultBase(F);
    Base = Base.empty() ? BytesType.str() : Base;
    Known.need(Base);
  }
  Result.Result = Base.empty() ? typed(RegionType, "top") : some(Base);
  return Result;
}

rlang::Function Body::run(FunctionAnalysisManager &FAM) {
  rlang::Function Rendered;
  Rendered.Signature = signature();
  size_t Parameters = Declared.size();
  Result = F.getReturnType()->isPointerTy() ? addLocal("result", Rendered.Signature.Result.Base)
                                            : addLocal("result", RegionType, "top");
  auto Own = [&](const BasicBlock &B) { return block(B); };
  auto Edge = [&](const BasicBlock &From, const BasicBlock &To) { return copies(From, To); };
  auto Test = [&](const BasicBlock &B, bool &Negated) { return test(B, Negated); };
  std::optional<Statements> Made = structureOf(F, FAM, {Own, Edge, Test});
  if (!Made)
    return Rendered;
  Rendered.HasBody = true;
  Rendered.Body = std::move(*Made);
  Rendered.ResultVariable = Result.Name;
  for (size_t I = Parameters; I < Declared.size(); ++I) {
    const Local &Each = Declared[I];
    if (Each.Region != "top")
      Rendered.LocalRegions.push_back(Each.Region);
    Rendered.Locals.push_back({Each.Name, typed(Each.Base, Each.Region), {}});
  }
  return Rendered;
}

} // namespace

rlang::Function renderFunction(const Function &F, Declarations &Known,
                               FunctionAnalysisManager &FAM) {
  return Body(F, Known).run(FAM);
}

} // namespace acre

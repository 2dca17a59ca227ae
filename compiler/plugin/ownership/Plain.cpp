// SPDX-License-Identifier: MIT
//===- Plain.cpp - Functions in which nothing can be owned ----------------===//

#include "plugin/ownership/Plain.h"
#include "plugin/Annotations.h"
#include "plugin/Inheritance.h"
#include "plugin/ownership/Cursors.h"
#include "plugin/ownership/Flow.h"
#include "plugin/ownership/Unions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/bit.h"

using namespace clang;
using namespace acre::ast;

/// Whether values of this type are owners, or lent.
static bool saysOwner(QualType Type) { return disciplineOf(Type) != Discipline::None; }
/// Whether a plain pointer is not good enough for a parameter of this type.
static bool asksForOwner(QualType Type) { return isOwning(Type) || isLentReference(Type); }

PlainFacts::Callee PlainFacts::of(const CallExpr *Call) {
  const FunctionDecl *Function = Call->getDirectCallee();
  if (!Function) {
    Callee Indirect;
    Indirect.MayOwn = saysOwner(Call->getCallReturnType(Context));
    for (unsigned I = 0; I != Call->getNumArgs() && !Indirect.MayOwn; ++I)
      Indirect.MayOwn = asksForOwner(parameterType(Call, I));
    return Indirect;
  }
  auto [Found, IsNew] = Callees.try_emplace(Function);
  Callee &Facts = Found->second;
  llvm::StringRef Name = Function->getIdentifier() ? Function->getName() : "";
  auto Resolved = [Call](Callee Of) {
    if (Of.Effect)
      resolve(*Of.Effect, Call);
    return Of;
  };
  if (!IsNew)
    return Resolved(Facts);
  Facts.Effect = effectOfCallee(Call);
  QualType Made = Call->getCallReturnType(Context);
  Facts.MayOwn = saysOwner(Made) || (Made->isRecordType() && hasUniqueSlots(Made)) ||
                 (Name.starts_with("acre_") && !Name.starts_with("acre_region_")) ||
                 llvm::any_of(Function->parameters(), [](const ParmVarDecl *Each) {
                   return asksForOwner(Each->getType()) || saysOut(Each->getType());
                 });
  return Resolved(Facts);
}

bool PlainFacts::hasUniqueSlots(QualType Type) {
  const RecordDecl *Record = Context.getBaseElementType(Type)->getAsRecordDecl();
  if (!Record)
    return ast::hasUniqueSlots(Context, Type);
  auto [Found, IsNew] = Records.try_emplace(Record);
  if (IsNew)
    Found->second = ast::hasUniqueSlots(Context, Type);
  return Found->second;
}

bool PlainFacts::leadsToSlots(const ParmVarDecl *Parameter) {
  QualType Pointee = Parameter->getType()->getPointeeType();
  return !Pointee.isNull() && Pointee->isRecordType() &&
         disciplineOf(Parameter->getType()) == Discipline::None &&
         !isRegionHandle(Parameter->getType()) && hasUniqueSlots(Pointee);
}

std::optional<Summaries::Parameter> PlainFacts::privateParameter(const CallExpr *Call,
                                                                 unsigned Index) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || Callee->isExternallyVisible() || Index >= Callee->getNumParams() ||
      !leadsToSlots(Callee->getParamDecl(Index)))
    return std::nullopt;
  return Summaries::Parameter(Callee->getCanonicalDecl(), Index);
}

bool PlainBody::isOuter(const VarDecl *Variable) const {
  return isa<ParmVarDecl>(Variable) || (!HasLabels && Outer.contains(Variable));
}

bool PlainBody::addParameters() {
  if (Function->getNumParams() > MostParameters)
    return false;
  if (saysOwner(resultType(Function)))
    return false;
  for (const ParmVarDecl *Each : Function->parameters()) {
    if (saysOwner(Each->getType()))
      return false;
    if (isSlotType(Each->getType()) && !isRegionHandle(Each->getType())) {
      Index[Each] = Values.size();
      Values.push_back({Origins(1) << Each->getFunctionScopeIndex(), 0});
      if (QualType Content = Each->getType()->getPointeeType();
          !Content.isNull() && mayBeCursor(Content) &&
          !Facts.hasUniqueSlots(Content->getPointeeType()))
        Places |= Values.back().May;
    }
  }
  for (const Stmt *Each : Function->getBody()->children())
    if (const auto *Statement = dyn_cast_or_null<DeclStmt>(Each))
      for (const Decl *Declared : Statement->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(Declared))
          Outer.insert(Variable);
  return true;
}

bool PlainBody::mayCopyOwners(const Stmt *Copy) {
  return llvm::any_of(Copy->children(), [this](const Stmt *Each) {
    const auto *Operand = dyn_cast_or_null<Expr>(Each);
    QualType Pointed = Operand ? pointedBy(Operand) : QualType();
    return !Pointed.isNull() && Facts.hasUniqueSlots(Pointed);
  });
}

void PlainBody::noteAssignment(const BinaryOperator *Operator) {
  if (Operator->getOpcode() != BO_Assign || !isSlotType(Operator->getLHS()->getType()))
    return;
  if (const VarDecl *Variable = localVariable(Operator->getLHS()))
    return noteAssigned(Variable, Operator->getRHS());
  const auto *Reference = dyn_cast<DeclRefExpr>(Operator->getLHS()->IgnoreParens());
  Kept.push_back({Operator->getRHS(), Reference && isa<VarDecl>(Reference->getDecl()),
                  contents(placeOf(Operator->getLHS()))});
}

bool PlainBody::note(const Stmt *Node) {
  if (const auto *Lvalue = dyn_cast<Expr>(Node);
      Lvalue && Lvalue->isLValue() &&
      (isOwning(Lvalue->getType()) || (isa<MemberExpr>(Node) && sharingMember(Context, Lvalue))))
    return false;
  switch (Node->getStmtClass()) {
  case Stmt::DeclStmtClass:
    giveAway(Node);
    return noteDeclarations(cast<DeclStmt>(Node));
  case Stmt::InitListExprClass:
    return noteList(cast<InitListExpr>(Node));
  case Stmt::CallExprClass: {
    const auto *Call = cast<CallExpr>(Node);
    Calls.push_back(Call);
    for (unsigned I = 0; I != Call->getNumArgs(); ++I)
      noteCursor(Call, I);
    const PlainFacts::Callee Callee = Facts.of(Call);
    bool Copies = (Callee.Effect && Callee.Effect->CopiesMemory) || isAtomicBuiltin(Call);
    std::optional<unsigned> Filled = Callee.Effect ? Callee.Effect->Filled : std::nullopt;
    if (Callee.Effect && Callee.Effect->FilledWhenClosed)
      Filled = Callee.Effect->FilledWhenClosed;
    bool Fills = Filled && *Filled < Call->getNumArgs() &&
                 !pointedBy(Call->getArg(*Filled)).isNull() &&
                 isOwning(pointedBy(Call->getArg(*Filled)));
    const std::optional<unsigned> Cleared =
        Callee.Effect ? overwrittenArgument(Call) : std::nullopt;
    QualType Overwritten =
        Cleared && *Cleared < Call->getNumArgs() ? pointedBy(Call->getArg(*Cleared)) : QualType();
    if (!Overwritten.isNull() && Facts.hasUniqueSlots(Overwritten))
      return false;
    const FunctionDecl *Function = Call->getDirectCallee();
    const bool IsLentGlobals = Function && Known.Lenders.isOfGlobal(Function->getCanonicalDecl());
    const bool IsFollowed = Callee.Effect && (Callee.Effect->Opens || Callee.Effect->OpensResult ||
                                              !Callee.Effect->Lends.empty());
    return !Callee.MayOwn && !IsFollowed && !IsLentGlobals && !Fills &&
           !(Copies && mayCopyOwners(Call));
  }
  case Stmt::BinaryOperatorClass:
    noteAssignment(cast<BinaryOperator>(Node));
    return true;
  case Stmt::UnaryOperatorClass:
    if (const auto *Operator = cast<UnaryOperator>(Node); Operator->getOpcode() == UO_AddrOf)
      if (const VarDecl *Variable = localVariable(Operator->getSubExpr());
          Variable && !Moved.contains(Operator))
        AddressTaken.insert(Variable);
    return true;
  case Stmt::CStyleCastExprClass: // what is adopted so has gone when it is given away
    return disciplineOf(cast<CStyleCastExpr>(Node)->getTypeAsWritten()) != Discipline::Unique;
  case Stmt::ImplicitCastExprClass: {
    const auto *Cast = cast<ImplicitCastExpr>(Node);
    bool IsRecordCopied =
        Cast->getCastKind() == CK_LValueToRValue && Cast->getType()->isRecordType();
    if (IsRecordCopied)
      Unfollowed.push_back(Cast->getSubExpr());
    return !IsRecordCopied || !Facts.hasUniqueSlots(Cast->getSubExpr()->getType());
  }
  case Stmt::ReturnStmtClass:
    if (const Expr *Value = cast<ReturnStmt>(Node)->getRetValue();
        Value && isSlotType(Value->getType()))
      Returned.push_back(Value);
    return true;
  case Stmt::LabelStmtClass:
  case Stmt::IndirectGotoStmtClass:
    HasLabels = true;
    return true;
  case Stmt::AtomicExprClass:
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
  case Stmt::BlockExprClass:
    giveAway(Node);
    return !isa<AtomicExpr>(Node) || !mayCopyOwners(Node);
  default:
    return !isa<CallExpr>(Node); // a kind of its own, of another language
  }
}

void PlainBody::giveAway(const Stmt *Node) {
  for (const VarDecl *Each : variablesGivenAway(Node))
    AddressTaken.insert(Each);
  for (const Expr *Each : pointersGivenAway(Node))
    if (Each->isLValue())
      Unfollowed.push_back(Each);
    else
      Kept.push_back({Each});
  if (const auto *Atomic = dyn_cast<AtomicExpr>(Node))
    Atomics.push_back(Atomic->getPtr());
}

bool PlainBody::noteDeclarations(const DeclStmt *Statement) {
  for (const Decl *Each : Statement->decls()) {
    const auto *Variable = dyn_cast<VarDecl>(Each);
    if (!Variable || !Variable->hasLocalStorage())
      continue;
    if (!isSlotType(Variable->getType())) {
      if (!Variable->getInit() && Facts.hasUniqueSlots(Variable->getType()))
        return false;
      continue;
    }
    if (isOwning(Variable->getType()))
      return false;
    if (!isRegionHandle(Variable->getType()) && Index.try_emplace(Variable, Values.size()).second)
      Values.push_back({});
    if (Variable->getInit())
      noteAssigned(Variable, Variable->getInit());
  }
  return true;
}

void PlainBody::noteAssigned(const VarDecl *Variable, const Expr *Value) {
  auto Found = Index.find(Variable);
  if (Found == Index.end())
    return Kept.push_back({Value});
  Definitions.push_back({Found->second, Value});
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(Variable))
    Places &= ~(Origins(1) << Parameter->getFunctionScopeIndex());
}

/// Notes what the call may put where this argument points to.
void PlainBody::noteCursor(const CallExpr *Call, unsigned At) {
  const Expr *Argument = Call->getArg(At);
  if (const InitListExpr *List = transparentList(Call, At))
    Transparent.insert(List);
  if (!isPlace(Argument))
    return;
  const UnaryOperator *Address = cursorAddress(Call, At, Known);
  if (Address)
    Moved.insert(Address);
  std::optional<CursorEffect> Library = cursorEffect(Call, At);
  if (!Library || !Library->Put || isNullPointer(Context, Argument))
    return;
  const Expr *Put = Call->getArg(*Library->Put);
  if (Address)
    return noteAssigned(localVariable(Address->getSubExpr()), Put);
  const auto *Parameter =
      dyn_cast_or_null<ParmVarDecl>(localVariable(Argument->IgnoreParenCasts()));
  Kept.push_back(
      {Put, false,
       Parameter ? contents(Places & Origins(1) << Parameter->getFunctionScopeIndex()) : 0});
}

bool PlainBody::noteList(const InitListExpr *List) {
  if (const InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  if (Transparent.contains(List))
    return true;
  if (isSlotType(List->getType()) || Facts.hasUniqueSlots(List->getType()))
    return false;
  for (const Expr *Each : List->inits())
    if (Each && isSlotType(Each->getType()))
      Kept.push_back({Each});
  return true;
}

/// Pointers that the variables may hold, at whatever time.
void PlainBody::define() {
  llvm::SmallBitVector Exposed(Values.size()); // anyone may read and set it
  for (const VarDecl *Variable : AddressTaken)
    if (auto Found = Index.find(Variable); Found != Index.end()) {
      Places &= ~Values[Found->second].May;
      Lost |= Values[Found->second].May; // of a parameter
      Values[Found->second] = {};
      Exposed.set(Found->second);
    }
  auto IsKept = [&](const Definition &Each) { return Exposed.test(Each.Variable); };
  if (Exposed.any()) {
    for (const Definition &Each : Definitions)
      if (IsKept(Each))
        Kept.push_back({Each.Value});
    llvm::erase_if(Definitions, IsKept);
  }
  for (bool HasChanged = true; HasChanged;) {
    HasChanged = false;
    for (const Definition &Each : Definitions) {
      Origins New = Values[Each.Variable].May | read(Each.Value).May;
      HasChanged |= New != Values[Each.Variable].May;
      Values[Each.Variable].May = New;
    }
  }
}

void PlainBody::findOrder() {
  // What some definition does not give a variable, it holds at times only.
  for (const auto &[Variable, Number] : Index)
    if (const auto *Parameter = dyn_cast<ParmVarDecl>(Variable); Parameter && Values[Number].May)
      Values[Number].AtTimes =
          Values[Number].May & ~(Origins(1) << Parameter->getFunctionScopeIndex());
  for (bool HasChanged = true; HasChanged;) {
    HasChanged = false;
    for (const Definition &Each : Definitions) {
      Pointer Given = read(Each.Value);
      Pointer &Of = Values[Each.Variable];
      Origins New = Of.AtTimes | Given.AtTimes | (Of.May & ~Given.May);
      HasChanged |= New != Of.AtTimes;
      Of.AtTimes = New;
    }
  }
}

PlainBody::Pointer PlainBody::load(const Expr *Lvalue) {
  const VarDecl *Variable = localVariable(Lvalue);
  auto Found = Variable ? Index.find(Variable) : Index.end();
  if (Found != Index.end())
    return Values[Found->second];
  return {Variable ? 0 : contentsAt(Lvalue), 0};
}

PlainBody::Origins PlainBody::placeOf(const Expr *Lvalue) const {
  Lvalue = Lvalue->IgnoreParens();
  const auto *Deref = dyn_cast<UnaryOperator>(Lvalue);
  const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue);
  const Expr *Base = Deref && Deref->getOpcode() == UO_Deref ? Deref->getSubExpr()
                     : Element                               ? Element->getBase()
                                                             : nullptr;
  const auto *Reference = Base ? dyn_cast<DeclRefExpr>(Base->IgnoreParenImpCasts()) : nullptr;
  const auto *Parameter = Reference ? dyn_cast<ParmVarDecl>(Reference->getDecl()) : nullptr;
  return Parameter ? Places & Origins(1) << Parameter->getFunctionScopeIndex() : 0;
}

PlainBody::Origins PlainBody::contentsAt(const Expr *Lvalue) {
  return Places && !variableAround(Lvalue) ? contents(address(Lvalue).May & Places) : 0;
}

PlainBody::Pointer PlainBody::behind(const CallExpr *Call, unsigned At) {
  const Expr *Argument = Call->getArg(At);
  if (!isPlace(Argument))
    return {};
  if (const auto *Address = dyn_cast<UnaryOperator>(Argument->IgnoreParenCasts());
      Address && Moved.contains(Address))
    return load(Address->getSubExpr());
  return {Places ? contents(read(Argument).May & Places) : 0, 0};
}

PlainBody::Pointer PlainBody::address(const Expr *Lvalue) {
  Lvalue = Lvalue->IgnoreParens();
  if (const VarDecl *Variable = localVariable(Lvalue)) {
    if (Pointed)
      Pointed->insert(Variable);
    return {isOuter(Variable) ? OfOuterVariable : OfInnerVariable, 0};
  }
  if (const auto *Member = dyn_cast<MemberExpr>(Lvalue))
    return Member->isArrow() ? read(Member->getBase()) : address(Member->getBase());
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue))
    return read(Element->getBase());
  if (const auto *Deref = dyn_cast<UnaryOperator>(Lvalue); Deref && Deref->getOpcode() == UO_Deref)
    return read(Deref->getSubExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(Lvalue))
    return address(Cast->getSubExpr());
  if (const auto *Literal = dyn_cast<CompoundLiteralExpr>(Lvalue);
      Literal && !Literal->isFileScope())
    return {OfOuterVariable, 0};
  return {};
}

PlainBody::Pointer PlainBody::result(const CallExpr *Call) {
  const PlainFacts::Callee Says = Facts.of(Call);
  const FunctionDecl *Callee = Call->getDirectCallee();
  Pointer Result;
  if (isAlloca(Call))
    return {OfOuterVariable, 0};
  if ((Says.Effect && Says.Effect->IsFresh) || !isSlotType(Call->getType()))
    return Result;
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    const Expr *Argument = Call->getArg(I);
    if (!isSlotType(Argument->getType()))
      continue;
    if (Says.Effect) {
      if (Says.Effect->pointsInto(I))
        Result |= read(Argument);
      if (std::optional<CursorEffect> Moves = cursorEffect(Call, I); Moves && Moves->IsResult)
        Result |= behind(Call, I);
    } else if (QualType To = parameterType(Call, I);
               Callee && !To.isNull() && !saysOwner(To) &&
               Known.mayReturn({Callee->getCanonicalDecl(), I})) {
      Pointer Passed = read(Argument);
      Origins Known =
          this->Known.alwaysReturned(Callee->getCanonicalDecl()) == I ? ~Origins(0) : ~OfVariables;
      Result |= {Passed.May & Known, Passed.AtTimes};
    }
    if (!Says.Effect && Callee && isPlace(Argument) &&
        Known.mayReturn({Callee->getCanonicalDecl(), I | Summaries::Content})) {
      Pointer Found = behind(Call, I);
      Result |= {Found.May & ~OfVariables, Found.AtTimes};
    }
  }
  return Result;
}

PlainBody::Pointer PlainBody::read(const Expr *Expression) {
  Expression = Expression->IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(Expression)) {
    const Expr *From = Cast->getSubExpr();
    if (Cast->getCastKind() == CK_LValueToRValue)
      return load(From);
    if (Cast->getCastKind() == CK_ArrayToPointerDecay)
      return address(From);
    return isSlotType(From->getType()) ? read(From) : Pointer();
  }
  if (const auto *Operator = dyn_cast<UnaryOperator>(Expression)) {
    if (Operator->getOpcode() == UO_AddrOf)
      return address(Operator->getSubExpr());
    if (Operator->isIncrementDecrementOp())
      return load(Operator->getSubExpr());
    return {};
  }
  if (const auto *Operator = dyn_cast<BinaryOperator>(Expression)) {
    if (Operator->getOpcode() == BO_Comma)
      return read(Operator->getRHS());
    if (Operator->isAssignmentOp())
      return load(Operator->getLHS());
    Pointer Result;
    for (const Expr *Each : {Operator->getLHS(), Operator->getRHS()})
      if (isSlotType(Each->getType()))
        Result |= read(Each);
    return Result;
  }
  if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(Expression)) {
    Pointer Result = read(Choice->getTrueExpr());
    return Result |= read(Choice->getFalseExpr());
  }
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Expression))
    return Opaque->getSourceExpr() ? read(Opaque->getSourceExpr()) : Pointer();
  if (const auto *Call = dyn_cast<CallExpr>(Expression))
    return result(Call);
  if (const auto *Block = dyn_cast<StmtExpr>(Expression)) {
    const CompoundStmt *Inside = Block->getSubStmt();
    const auto *Last = Inside->body_empty() ? nullptr : dyn_cast<Expr>(Inside->body_back());
    return Last ? read(Last) : Pointer();
  }
  return {};
}

template <typename Action> bool PlainBody::forEachParameter(Pointer Value, Action Do) {
  if (Value.AtTimes & OfParameters)
    return false;
  for (Origins Left = Value.May & ~OfVariables; Left; Left &= Left - 1) {
    unsigned Number = llvm::countr_zero(Left);
    Do(Summaries::Parameter(
        Function->getCanonicalDecl(),
        Number < MostParameters ? Number : (Number - MostParameters) | Summaries::Content));
  }
  return true;
}

bool PlainBody::recordKept(Pointer Value, const Stored &By) {
  if (By.IsGlobal && (Value.May & OfVariables))
    return false;
  Value.May &= ~By.In;
  return forEachParameter(Value, [&](Summaries::Parameter Each) { Known.escapes(Each); });
}

bool PlainBody::recordReturned(Pointer Value) {
  if (Value.May & OfVariables)
    return false;
  return forEachParameter(Value, [&](Summaries::Parameter Each) { Known.isReturned(Each); });
}

void PlainBody::recordOthers(Summaries::Parameter Which, const CallExpr *Call, unsigned At) {
  const Expr *Argument = Call->getArg(At);
  if (isNullPointer(Context, Argument))
    return;
  const VarDecl *Variable = localVariable(Argument->IgnoreParenCasts());
  const auto *Parameter = dyn_cast_or_null<ParmVarDecl>(Variable);
  auto Found = Parameter ? Index.find(Parameter) : Index.end();
  bool IsAsGiven =
      Found != Index.end() && !AddressTaken.contains(Parameter) &&
      llvm::none_of(Definitions,
                    [&](const Definition &Each) { return Each.Variable == Found->second; }) &&
      Facts.leadsToSlots(Parameter); // for others nobody notes what they are given
  for (unsigned I = 0; IsAsGiven && I != Call->getNumArgs(); ++I)
    if (const Expr *Other = Call->getArg(I); I != At && isSlotType(Other->getType()))
      IsAsGiven = !(read(Other).May & Values[Found->second].May);
  if (IsAsGiven)
    Known.isAsOpenAs(Which, {Function->getCanonicalDecl(), Parameter->getFunctionScopeIndex()});
  else
    Known.isLentOpenly(Which); // which other pointers lead there is not known here
}

bool PlainBody::recordCursor(const CallExpr *Call, unsigned At) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  Pointer Behind = behind(Call, At);
  bool IsLibrary = cursorEffect(Call, At).has_value();
  const auto *Address = dyn_cast<UnaryOperator>(Call->getArg(At)->IgnoreParenCasts());
  bool IsMoved = Address && Moved.contains(Address);
  QualType To = parameterType(Call, At);
  if (IsLibrary)
    return true;
  if (!IsMoved && (Facts.of(Call).Effect || !Callee || At >= Callee->getNumParams() ||
                   saysOwner(To) || isFormatted(Callee, At))) {
    Places &= ~read(Call->getArg(At)).May;
    return true;
  }
  return forEachParameter(Behind, [&](Summaries::Parameter Each) {
    Known.isLentTo(Each, {Callee->getCanonicalDecl(), At | Summaries::Content});
  });
}

bool PlainBody::recordCallback(const CallExpr *Call, const Expr *Argument) {
  llvm::SmallVector<Summaries::Parameter, 2> Seen = parametersRunBy(Call);
  return forEachParameter(read(Argument), [&](Summaries::Parameter Each) {
    for (Summaries::Parameter Other : Seen)
      Known.isLentTo(Each, Other);
  });
}

bool PlainBody::recordCall(const CallExpr *Call) {
  const std::optional<LibraryEffect> Effect = Facts.of(Call).Effect;
  const FunctionDecl *Callee = Call->getDirectCallee();
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    const Expr *Argument = Call->getArg(I);
    if (!isSlotType(Argument->getType()))
      continue;
    if ((Places || isPlace(Argument)) && !recordCursor(Call, I))
      return false;
    bool IsFreed = Effect && Effect->ends(I);
    QualType To = parameterType(Call, I);
    const bool IsKept = Effect && Effect->keeps(I);
    if (Effect && Effect->CallsBack && !recordCallback(Call, Argument))
      return false;
    if (Effect && !IsKept ? !IsFreed || To.isNull()
                          : (!To.isNull() && saysOwner(To)) || isFormatted(Callee, I))
      continue;
    bool HasParameter = !IsFreed && Callee && I < Callee->getNumParams();
    if (std::optional<Summaries::Parameter> Private = Facts.privateParameter(Call, I))
      recordOthers(*Private, Call, I);
    bool IsCertain = forEachParameter(read(Argument), [&](Summaries::Parameter Each) {
      if (HasParameter)
        Known.isLentTo(Each, {Callee->getCanonicalDecl(), I});
      else
        Known.escapes(Each);
    });
    if (!IsCertain)
      return false;
  }
  return true;
}

bool PlainBody::summarize() {
  if (!addParameters() || !llvm::all_of(Body, [this](const Stmt *Node) { return note(Node); }))
    return false;
  IsOwnerless = true;
  define();
  Origins Held = 0;
  for (const Pointer &Each : Values)
    Held |= Each.May;
  if (Held & OfInnerVariable)
    return false;
  findOrder();
  Known.begin(Function->getCanonicalDecl());
  auto IsKept = [this](const Stored &Each) { return recordKept(read(Each.Value), Each); };
  if (!recordKept({Lost, 0}, {}) || !llvm::all_of(Kept, IsKept) ||
      !llvm::all_of(Returned, [this](const Expr *Each) { return recordReturned(read(Each)); }) ||
      !llvm::all_of(Calls, [this](const CallExpr *Each) { return recordCall(Each); }))
    return false;
  if (Places) {
    for (const Expr *Each : Unfollowed)
      if (!variableAround(Each))
        Places &= ~address(Each).May;
    for (const Expr *Each : Atomics)
      Places &= ~read(Each).May;
  }
  for (Origins Left = Places; Left; Left &= Left - 1)
    Known.follows(
        {Function->getCanonicalDecl(), unsigned(llvm::countr_zero(Left)) | Summaries::Content});
  Known.end(Function->getCanonicalDecl());
  return true;
}

std::optional<Orderly> PlainBody::orderly() {
  if (!IsOwnerless)
    return std::nullopt;
  Orderly Result;
  for (const auto &[Variable, Number] : Index)
    if (Values[Number].May)
      Result.Pointers.insert(Variable);
  Pointed = &Result.Frames;
  for (const Definition &Each : Definitions)
    read(Each.Value);
  for (const Stored &Each : Kept)
    read(Each.Value);
  for (const Expr *Each : Returned)
    read(Each);
  Pointed = nullptr;
  return Result;
}

// SPDX-License-Identifier: MIT
//===- Steady.cpp - Functions that take nothing out of memory -------------===//

#include "plugin/ownership/Steady.h"
#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Plain.h"
#include "plugin/ownership/Value.h"
#include "versions/StringSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

bool acre::ast::isOwnBody(const FunctionDecl *Function) {
  if (Function->isWeak() || Function->isMultiVersion())
    return false;
  // An inline definition leaves open whether it or that of another file runs.
  const FunctionDecl *Definition = Function->getDefinition();
  return !Definition || !Definition->isInlined() || !Definition->isExternallyVisible() ||
         Definition->hasAttr<AlwaysInlineAttr>() ||
         Definition->isInlineDefinitionExternallyVisible();
}

/// Functions after which the program does nothing.
static bool endsProgram(const FunctionDecl *Callee) {
  return Callee->getIdentifier() &&
         acre::StringSwitch<bool>(Callee->getName())
             .Cases({"abort", "_Exit", "_exit", "__assert_fail", "__builtin_trap"}, true)
             .Case("__builtin_unreachable", true)
             .Default(false);
}

/// Whether this lvalue is an owner's slot, or one of the object that an owner of the function has:
/// nobody else can reach that.
static bool isOfOwn(const Expr *Lvalue) {
  Lvalue = Lvalue->IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Lvalue)) {
    const Expr *Base = Member->getBase()->IgnoreParenImpCasts();
    return (!Member->isArrow() || disciplineOf(Base->getType()) == Discipline::Unique) &&
           isOfOwn(Base);
  }
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue);
      Element && Element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
    return isOfOwn(Element->getBase());
  if (const auto *Deref = dyn_cast<UnaryOperator>(Lvalue); Deref && Deref->getOpcode() == UO_Deref)
    return disciplineOf(Deref->getSubExpr()->getType()) == Discipline::Unique &&
           isOfOwn(Deref->getSubExpr());
  const VarDecl *Variable = localVariable(Lvalue);
  return Variable && disciplineOf(Variable->getType()) == Discipline::Unique;
}

/// Whether this is the value of such an owner, or of a slot of its object that is taken.
static bool isOwn(const Expr *Pointer) {
  Pointer = Pointer->IgnoreParenCasts();
  const auto *Call = dyn_cast<CallExpr>(Pointer);
  if (!Call)
    return localVariable(Pointer) && isOfOwn(Pointer);
  return isSwap(Call) && disciplineOf(Call->getType()) != Discipline::Refcounted;
}

Steadiness::Lent Steadiness::objectLent(const Expr *Pointer) const {
  Pointer = Pointer->IgnoreParenCasts();
  if (isOwn(Pointer))
    return Lent::Own;
  if (const Expr *Lvalue = addressed(Pointer); Lvalue && isOfOwn(Lvalue))
    return Lent::Own;
  std::optional<Place> Whole = Place::lentBy(Pointer);
  return Whole && Fixed.contains(Whole->base()) && Whole->isInPointee() ? Lent::Parameters
                                                                        : Lent::Any;
}

Steadiness::Lent Steadiness::objectsLent(const CallExpr *Call) const {
  Lent Result = Lent::Own;
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    const Expr *Argument = argumentOf(Call, I);
    const QualType To = parameterType(Call, I), Pointed = pointedBy(Argument);
    if (!isSlotType(Argument->getType()) || (!To.isNull() && isOwning(To)) ||
        isNullPointer(Context, Argument))
      continue;
    const bool MayLead = Pointed.isNull() || Pointed->isVoidType() || Pointed->isIncompleteType() ||
                         isSlotType(Pointed) || Facts.hasUniqueSlots(Pointed);
    if (MayLead)
      Result = std::max(Result, objectLent(Argument));
  }
  return Result;
}

/// Whether a function of the C library, or of notes, puts something into a slot that others reach.
static bool setsSlot(const CallExpr *Call, const LibraryEffect &Effect) {
  const std::optional<unsigned> Filled = Effect.Filled ? Effect.Filled : Effect.FilledWhenClosed;
  if (!Filled || *Filled >= Call->getNumArgs())
    return false;
  const QualType Pointed = pointedBy(Call->getArg(*Filled));
  const Expr *Slot = addressed(Call->getArg(*Filled));
  return !Pointed.isNull() && isOwning(Pointed) && !(Slot && isOfOwn(Slot));
}

bool Steadiness::isSteadyCall(const CallExpr *Call, CalledFunctions &Called) {
  if (isSwap(Call)) {
    const Expr *Slot = addressed(Call->getArg(0));
    return Slot && isOfOwn(Slot);
  }
  const std::optional<LibraryEffect> Effect = Facts.of(Call).Effect;
  if (Effect && (!Effect->CallsBack || Effect->endsAny()))
    return !Effect->Taken && !setsSlot(Call, *Effect) &&
           (!Effect->Freed ||
            (Effect->Of == Discipline::Unique && isOwn(Call->getArg(*Effect->Freed)))) &&
           !Effect->Waits;
  const FunctionDecl *Callee = functionRunBy(Call);
  if (!Callee || isAtomicBuiltin(Call))
    return false;
  if (!Callee->hasAttr<ConstAttr>() && !endsProgram(Callee))
    Called.push_back({Callee->getCanonicalDecl(), objectsLent(Call)});
  return true;
}

bool Steadiness::isSteady(const Stmt *Node, CalledFunctions &Called) {
  if (const auto *Call = dyn_cast<CallExpr>(Node))
    return isSteadyCall(Call, Called);
  if (const auto *Operator = dyn_cast<BinaryOperator>(Node)) {
    QualType Type = Operator->isAssignmentOp() ? Operator->getLHS()->getType() : QualType();
    return Type.isNull() ||
           (isSlotType(Type) ? !isOwning(Type) || localVariable(Operator->getLHS())
                             : !Type->isRecordType() || !Facts.hasUniqueSlots(Type)) ||
           isOfOwn(Operator->getLHS());
  }
  if (const auto *Statement = dyn_cast<DeclStmt>(Node)) {
    for (const Decl *Each : Statement->decls())
      if (const auto *Cleanup = Each->getAttr<CleanupAttr>())
        Called.push_back({Cleanup->getFunctionDecl()->getCanonicalDecl(), Lent::Any});
    return true;
  }
  return !isa<AsmStmt, AtomicExpr, BlockExpr>(Node);
}

bool Steadiness::isOpaque(const Stmt *Node) const {
  const auto *Call = dyn_cast<CallExpr>(Node);
  if (!Call)
    return isa<AsmStmt, AtomicExpr, BlockExpr>(Node);
  const std::optional<LibraryEffect> Effect = Facts.of(Call).Effect;
  return !isSwap(Call) && (!Effect || Effect->CallsBack || Effect->Waits);
}

bool Steadiness::noteChanged(const FunctionDecl *Function, const Stmt *Node) {
  const auto *Call = dyn_cast<CallExpr>(Node);
  const auto *Assignment = dyn_cast<BinaryOperator>(Node);
  if (!(Call && isSwap(Call)) && !Assignment)
    return false;
  std::optional<Place> Slot =
      Call ? Place::lentBy(Call->getArg(0)) : Place::of(Assignment->getLHS());
  if (Slot && Slot->base()->hasLocalStorage() && !Slot->base()->getType()->isPointerType())
    return false;
  // What a pointer leads to may hang anywhere on a global variable.
  const bool IsOfArgument = Slot && isa<ParmVarDecl>(Slot->base()) && Slot->isInPointee();
  Changed[Function].push_back(
      {Slot && Slot->isInGlobal() ? Slot->part() : OwnSlot(), IsOfArgument});
  return IsOfArgument && Fixed.contains(Slot->base());
}

void Steadiness::note(const FunctionDecl *Definition, const Evaluated &Body) {
  const FunctionDecl *Function = Definition->getCanonicalDecl();
  CalledFunctions Called;
  Fixed = Parameters(Definition->param_begin(), Definition->param_end());
  for (const Stmt *Node : Body)
    if (const VarDecl *Changed = variableChanged(Node))
      Fixed.erase(Changed);
  for (const Stmt *Node : Body) {
    if (!isSteady(Node, Called)) {
      (noteChanged(Function, Node) ? ChangesArguments : Unsteady).insert(Function);
      if (isOpaque(Node))
        Opaque.insert(Function);
      const auto *Assignment = dyn_cast<BinaryOperator>(Node);
      if (!Assignment || !isOwning(Assignment->getLHS()->getType()) ||
          isNullPointer(Context, Assignment->getRHS()))
        Emptying.insert(Function);
    }
    const auto *Reference = dyn_cast<DeclRefExpr>(Node);
    const auto *Variable = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
    if (Variable && Variable->hasGlobalStorage())
      Named[Function].insert(Variable->getCanonicalDecl());
  }
  Calls[Function] = std::move(Called);
}

bool Steadiness::isSoOfReached(const FunctionDecl *Function,
                               llvm::function_ref<bool(const FunctionDecl *)> IsSo) const {
  llvm::SetVector<const FunctionDecl *> Reached;
  Reached.insert(Function);
  for (unsigned I = 0; I != Reached.size(); ++I) {
    if (!IsSo(Reached[I]))
      return false;
    if (auto Found = Calls.find(Reached[I]); Found != Calls.end())
      for (const CalledFunction &Each : Found->second)
        Reached.insert(Each.Callee);
  }
  return true;
}

Steadiness::Reached Steadiness::reachedWithObjects(const FunctionDecl *Function,
                                                   bool AreKnown) const {
  Reached Result;
  Result.insert({Function, unsigned(AreKnown)});
  for (unsigned I = 0; I != Result.size(); ++I)
    if (auto Found = Calls.find(Result[I].first); Found != Calls.end())
      for (const CalledFunction &Each : Found->second)
        Result.insert({Each.Callee, Each.Objects == Lent::Own ||
                                        (Result[I].second && Each.Objects == Lent::Parameters)});
  return Result;
}

llvm::SmallVector<OwnSlot, 2> Steadiness::changedBy(const FunctionDecl *Callee) const {
  llvm::SmallVector<OwnSlot, 2> Result;
  for (const auto &[Each, AreKnown] : reachedWithObjects(Callee, true))
    for (const ChangedSlot &Changes : Changed.lookup(Each))
      if (!(Changes.IsOfArgument && AreKnown) && !llvm::is_contained(Result, Changes.Slot))
        Result.push_back(Changes.Slot);
  return Result;
}

bool Steadiness::mayEmpty(const FunctionDecl *Callee) const {
  return !isSoOfReached(Callee->getCanonicalDecl(), [this](const FunctionDecl *Each) {
    return Calls.contains(Each) && !Emptying.contains(Each) && isOwnBody(Each->getMostRecentDecl());
  });
}

bool Steadiness::is(const FunctionDecl *Function, bool AreAlone) const {
  return llvm::all_of(reachedWithObjects(Function, false), [&](const auto &Each) {
    const auto [Called, AreOwn] = Each;
    if (AreAlone && AreOwn && !Called->isDefined())
      return true;
    return Calls.contains(Called) && !Unsteady.contains(Called) &&
           (AreOwn || !ChangesArguments.contains(Called)) && isOwnBody(Called->getMostRecentDecl());
  });
}

bool Steadiness::leavesAlone(const FunctionDecl *Function, const VarDecl *Global) const {
  return isSoOfReached(Function, [&](const FunctionDecl *Each) {
    auto Names = Named.find(Each);
    return Calls.contains(Each) && !Opaque.contains(Each) && isOwnBody(Each->getMostRecentDecl()) &&
           (Names == Named.end() || !Names->second.contains(Global));
  });
}

// SPDX-License-Identifier: MIT
//===- Outcomes.cpp - What functions leave to their callers ---------------===//

#include "plugin/ownership/Outcomes.h"
#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "plugin/ownership/Steady.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

bool OutcomeTransfer::isNoted() const {
  return Says.isOn() && !Says.isQuiet() && isOwnBody(Function);
}

std::optional<unsigned> OutcomeTransfer::numberOf(const Place &Slot) const {
  const auto *Parameter = dyn_cast<ParmVarDecl>(Slot.base());
  const QualType Pointee = Parameter ? Parameter->getType()->getPointeeType() : QualType();
  if (Pointee.isNull() || !(Pointee->isRecordType() || isOwning(Pointee)) || !Slot.isInPointee())
    return std::nullopt;
  llvm::SmallVector<Place, 4> Slots;
  All.Losses.appendSlotPlaces(Pointee, Place(Parameter).dereferenced(), Slots);
  const auto *Found = llvm::find(Slots, Slot);
  if (Found == Slots.end() || Slots.size() != owningSlots(Context, Pointee).count())
    return std::nullopt; // arrays are numbered and have no place
  return Found - Slots.begin();
}

void OutcomeTransfer::noteEmptied(const Expr *Lvalue) {
  std::optional<Place> Slot = Place::of(Lvalue);
  if (Slot && isa<ParmVarDecl>(Slot->base()) && Slot->isInPointee() &&
      !llvm::is_contained(Now.Emptied, *Slot))
    Now.Emptied.push_back(*Slot);
}

/// Whether this result of a function with places for others says that it has failed.  A positive
/// number is often one of what was found.
static bool saysFailed(const ASTContext &Context, const Expr *Result, QualType Type) {
  const std::optional<llvm::APSInt> Number = Result->getIntegerConstantExpr(Context);
  if (Type->isBooleanType())
    return Number && Number->isZero();
  return Number && Type->isIntegerType() && Number->isNegative();
}

void OutcomeTransfer::noteLeft(const Expr *Result) {
  if (!isNoted() || !Function->getReturnType()->isIntegerType())
    return;
  bool HasPlaces = false, MayHold = false;
  for (const ParmVarDecl *Each : Function->parameters()) {
    const QualType Pointee = Each->getType()->getPointeeType();
    if (!saysOut(Each->getType()) || Pointee.isNull() || !Facts.hasUniqueSlots(Pointee))
      continue;
    llvm::SmallVector<Place, 4> Slots;
    All.Losses.appendSlotPlaces(Pointee, Place(Each).dereferenced(), Slots);
    HasPlaces = true;
    MayHold |= Slots.empty() || !llvm::all_of(Slots, [this](const Place &Slot) {
                 return llvm::is_contained(Now.Empty, Slot);
               });
  }
  const std::optional<llvm::APSInt> Number = Result->getIntegerConstantExpr(Context);
  if (HasPlaces)
    Known.Outcomes.leaves(Function->getCanonicalDecl(), MayHold,
                          Number && !Number->isNegative() && !Number->isZero());
}

void OutcomeTransfer::checkFailed(const Expr *Result, const Stmt *At) {
  noteLeft(Result);
  if (!saysFailed(Context, Result, Function->getReturnType()))
    return;
  for (const ParmVarDecl *Each : Function->parameters()) {
    const QualType Pointee = Each->getType()->getPointeeType();
    llvm::SmallVector<Place, 4> Slots;
    if (saysOut(Each->getType()) && !Pointee.isNull())
      All.Losses.appendSlotPlaces(Pointee, Place(Each).dereferenced(), Slots);
    const auto *Lost = llvm::find_if(Slots, [&](const Place &Slot) {
      return All.Places.isFilled(Slot) && !llvm::is_contained(Now.Empty, Slot) &&
             !All.Places.isTouched(All.Places.rootsBehind(Each), Slot);
    });
    if (Lost == Slots.end())
      continue;
    Says.reportLoss(Loss::SlotEndOfScope, At, NoName, 1u, Lost->text());
    Says.noteDeclared(Each, "callers take %0 for empty where the result says that the call failed");
  }
}

void OutcomeTransfer::noteExit() {
  if (!isNoted())
    return;
  auto Note = [this](const Place &Each) {
    if (std::optional<unsigned> Number = numberOf(Each)) {
      llvm::SmallBitVector &Slots = Emptied[Each.base()];
      Slots.resize(std::max<size_t>(Slots.size(), *Number + 1));
      Slots.set(*Number);
    }
  };
  llvm::for_each(Now.Emptied, Note);
  for (const Place &Each : Now.Empty) // a test has found that, after the slot was set again
    if (All.Places.isFilled(Each))
      Note(Each);
  for (const ParmVarDecl *Each : Function->parameters()) {
    if (!llvm::is_contained(Now.Empty, Place(Each).dereferenced()))
      Left.insert(Each);
    const SlotUse *Use =
        Known.slotUse({Function->getCanonicalDecl(), Each->getFunctionScopeIndex()});
    llvm::SmallVector<Place, 4> Slots;
    if (Use && Use->TakenHere.any())
      All.Losses.appendSlotPlaces(Each->getType()->getPointeeType(), Place(Each).dereferenced(),
                                  Slots);
    Untouched[Each].resize(Slots.size());
    for (unsigned I = 0; I != Slots.size(); ++I)
      if (!llvm::is_contained(Now.Empty, Slots[I]))
        Untouched[Each].set(I);
  }
}

/// Whether this rests on numbers that the function was given, on whether Slot is null, and on
/// nothing else.
static bool isOfNumbers(const Stmt *Condition, const Place *Slot) {
  if (const auto *Name = dyn_cast<DeclRefExpr>(Condition))
    return (isa<ParmVarDecl>(Name->getDecl()) && Name->getType()->isArithmeticType()) ||
           isa<EnumConstantDecl>(Name->getDecl());
  if (const auto *Member = dyn_cast<MemberExpr>(Condition))
    return Slot && Place::of(Member) == *Slot;
  return !isa<CallExpr>(Condition) && llvm::all_of(Condition->children(), [Slot](const Stmt *Each) {
    return !Each || isOfNumbers(Each, Slot);
  });
}

/// Whether that is so of all conditions of a function.
static bool areOfNumbers(const Evaluated &Body, const Place *Slot) {
  return llvm::all_of(Body, [Slot](const Stmt *Node) {
    if (isa<ForStmt, WhileStmt, DoStmt, SwitchStmt, GotoStmt, IndirectGotoStmt>(Node))
      return false;
    if (const auto *Test = dyn_cast<IfStmt>(Node))
      return isOfNumbers(Test->getCond(), Slot);
    if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(Node))
      return isOfNumbers(Choice->getCond(), Slot);
    const auto *Operator = dyn_cast<BinaryOperator>(Node);
    return !Operator || !Operator->isLogicalOp() || isOfNumbers(Operator->getLHS(), Slot);
  });
}

void OutcomeTransfer::end() {
  if (!isNoted())
    return;
  llvm::DenseSet<const VarDecl *> Changed;
  for (const Stmt *Node : Body)
    if (const VarDecl *Variable = variableChanged(Node))
      Changed.insert(Variable);
  for (const ParmVarDecl *Each : Function->parameters()) {
    const Summaries::Parameter Which = {Function->getCanonicalDecl(),
                                        Each->getFunctionScopeIndex()};
    const QualType Pointee = Each->getType()->getPointeeType();
    if (!Pointee.isNull() && isOwning(Pointee) && !Left.contains(Each) && !Changed.contains(Each))
      Known.Outcomes.empties(Which.first, Which.second);
    const SlotUse *Use = Known.slotUse(Which);
    llvm::SmallVector<Place, 4> Slots;
    if (Use && Use->TakenHere.any() && !Changed.contains(Each))
      All.Losses.appendSlotPlaces(Each->getType()->getPointeeType(), Place(Each).dereferenced(),
                                  Slots);
    if (Slots.empty() || Slots.size() != Use->Takes.size())
      continue;
    SlotUse After = *Use;
    llvm::SmallBitVector Refilled = Use->TakenHere; // on every way on which they were taken
    Refilled.reset(Emptied[Each]);
    After.Takes.reset(Refilled);
    // Where one slot tells of another, it may be that both are empty.
    const int Only = Use->TakenHere.count() == 1 ? Use->TakenHere.find_first() : -1;
    if (areOfNumbers(Body, Only >= 0 && Only < int(Slots.size()) ? &Slots[Only] : nullptr)) {
      After.Leaves = Use->TakenHere;
      After.Leaves &= Untouched[Each];
    }
    Known.usesSlots(Which, After);
  }
}

const ReturnedObject *OutcomeTransfer::returnedBy(const Expr *From, QualType Type) const {
  const auto *Call = dyn_cast<CallExpr>(From->IgnoreParenCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  const bool IsOfType =
      Callee && Context.hasSameUnqualifiedType(Callee->getReturnType()->getPointeeType(), Type);
  return IsOfType ? Known.Outcomes.returnedBy(Callee->getCanonicalDecl()) : nullptr;
}

std::optional<ReturnedObject> OutcomeTransfer::objectIn(const Expr *Result, QualType Type) const {
  Result = Result->IgnoreParenCasts();
  const OwningSlots Slots = owningSlots(Context, Type);
  ReturnedObject Found;
  Found.MayHold.resize(Slots.count());
  Found.IsNull = Slots.Many;
  Found.IsNull.flip();
  if (All.Values.isNullConstant(Result) ||
      (isa<CallExpr>(Result) && libraryFunction(cast<CallExpr>(Result)) == "calloc"))
    return Found;
  if (const ReturnedObject *Made = returnedBy(Result, Type))
    return *Made;
  const VarDecl *Variable = localVariable(Result);
  const std::optional<unsigned> Owner = Variable ? Vars.ownerOf(Variable) : std::nullopt;
  if (!Owner || All.ObjectSlots.empty() || !All.Slots.isFollowedAlone(*Owner) ||
      All.slotsOf(*Owner).Paths != Slots.Paths)
    return std::nullopt;
  const SlotState &Is = Now.Slots[*Owner];
  for (unsigned I = 0; I != Slots.count(); ++I) {
    Found.MayHold[I] = Is.mayBeLive(I) || Is.mayBeForeign(I);
    Found.IsNull[I] = Is.isNull(I);
  }
  return Found;
}

bool OutcomeTransfer::mayReturn(const CallExpr *Call, unsigned Slot) const {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const ReturnedObject *Made =
      Callee ? Known.Outcomes.returnedBy(Callee->getCanonicalDecl()) : nullptr;
  return !Made || Slot >= Made->MayHold.size() || Made->MayHold.test(Slot);
}

std::optional<ReturnedObject> OutcomeTransfer::recordIn(const Expr *Result) const {
  const VarDecl *Variable = localVariable(Result->IgnoreParenImpCasts());
  const std::optional<unsigned> Root = Variable ? Vars.rootOfFrame(Variable) : std::nullopt;
  if (!Root || All.ObjectSlots.empty() || !Vars.isExclusive(*Root))
    return std::nullopt;
  const unsigned Object = *All.Slots.objectOfRoot(*Root);
  const OwningSlots &Slots = All.slotsOf(Object);
  ReturnedObject Found;
  Found.MayHold.resize(Slots.count());
  Found.IsNull.resize(Slots.count());
  for (unsigned I = 0; I != Slots.count(); ++I)
    if (Slots.Many.test(I) || Now.Slots[Object].mayBeLive(I) || Now.Slots[Object].mayBeForeign(I))
      Found.MayHold.set(I);
  return Found;
}

void OutcomeTransfer::noteReturned(const Expr *Result, QualType Type) {
  if (isNoted() && Type->isRecordType() && Facts.hasUniqueSlots(Type))
    return Known.Outcomes.returns(Function->getCanonicalDecl(), recordIn(Result));
  const QualType Pointee = Type->getPointeeType();
  if (isNoted() && disciplineOf(Type) == Discipline::Unique && !Pointee->isIncompleteType() &&
      Facts.hasUniqueSlots(Pointee))
    Known.Outcomes.returns(Function->getCanonicalDecl(), objectIn(Result, Pointee));
}

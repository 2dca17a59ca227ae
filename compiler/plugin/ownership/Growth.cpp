// SPDX-License-Identifier: MIT
//===- Growth.cpp - Objects that realloc may lose -------------------------===//

#include "plugin/ownership/Growth.h"
#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Choices.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

/// The argument of realloc, if Made is a call of it; or null.
static const Expr *grownBy(const Expr *Made) {
  const auto *Call = dyn_cast<CallExpr>(Made->IgnoreParenCasts());
  const std::optional<LibraryEffect> Effect = Call ? libraryEffect(Call) : std::nullopt;
  return Effect && Effect->IsFresh && Effect->Freed && *Effect->Freed < Call->getNumArgs()
             ? Call->getArg(*Effect->Freed)->IgnoreParenCasts()
             : nullptr;
}

const Expr *GrowthTransfer::slotTaken(const Expr *Made) {
  const Expr *Grown = grownBy(Made);
  if (const auto *Block = dyn_cast_or_null<StmtExpr>(Grown))
    return takenByHand(Block);
  if (Grown && Grown->isLValue() && isOwning(Grown->getType()) && !localVariable(Grown))
    return Grown;
  const auto *Swap = dyn_cast_or_null<CallExpr>(Grown);
  if (!Swap || !isSwap(Swap))
    return nullptr;
  const Expr *Slot = addressed(Swap->getArg(0));
  return Slot ? Slot : Swap->getArg(0)->IgnoreParenCasts();
}

const Expr *GrowthTransfer::slotGrown(const Expr *Made) const {
  const Expr *Slot = slotTaken(Made);
  return Slot && !All.TakenNull.lookup(grownBy(Made)) ? Slot : nullptr;
}

void GrowthTransfer::set(const Expr *Into, const Expr *From) {
  if (std::optional<Place> Slot = Place::of(Into);
      Slot && isOwning(Into->getType()) && !Into->HasSideEffects(Context) && slotGrown(From))
    Now.Grown.push_back({*Slot, cast<CallExpr>(From->IgnoreParenCasts())});
}

void GrowthTransfer::find(State &Into, const Expr *Slot, bool IsNull) const {
  const std::optional<Place> Found = Into.Grown.empty() ? std::nullopt : Place::of(Slot);
  auto IsIt = [&](const GrownPlace &Each) { return !Each.HasFailed && Each.Slot == *Found; };
  if (!Found)
    return;
  if (!IsNull)
    return llvm::erase_if(Into.Grown, IsIt);
  for (GrownPlace &Each : Into.Grown)
    Each.HasFailed |= IsIt(Each);
}

void GrowthTransfer::findReturned(const Expr *Result) {
  if (Now.Grown.empty())
    return;
  State IfZero = Now;
  All.Tests.refine(IfZero, Result, false);
  State IfNot = Now;
  All.Tests.refine(IfNot, Result, true);
  Now.Grown = IfZero.Grown;
  for (const GrownPlace &Each : IfNot.Grown)
    if (!llvm::is_contained(Now.Grown, Each))
      Now.Grown.push_back(Each);
}

void GrowthTransfer::end(const Stmt *At) {
  checkAll(At);
  for (const GrownPlace &Each : Now.Grown)
    if (Each.HasFailed)
      Says.reportGrown(textOf(Context, slotTaken(Each.By)), Each.By);
}

void GrowthTransfer::noteResult(const VarDecl *Variable, const Expr *Into, const Expr *Made) {
  // Without a call the slot is as it was, and the result is null as where realloc fails.
  const CallExpr *Call = Made ? resultOrNull(Context, Made) : nullptr;
  const Expr *Slot = Call ? grownBy(Call) : nullptr;
  if (!Slot || slotTaken(Call) != Slot || !Place::of(Slot) || Slot->HasSideEffects(Context) ||
      disciplineOf(Slot->getType()) != Discipline::Unique)
    return;
  if (Variable ? Vars.ownerOf(Variable) && !Vars.isAddressTaken(Variable)
               : areWrittenAlike(Context, Into, Slot))
    Results[Call] = Variable;
}

void GrowthTransfer::findResults() {
  for (const Stmt *Node : Body)
    if (const auto *Statement = dyn_cast<DeclStmt>(Node)) {
      for (const Decl *Each : Statement->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(Each))
          noteResult(Variable, nullptr, Variable->getInit());
    } else if (const auto *Set = dyn_cast<BinaryOperator>(Node);
               Set && Set->getOpcode() == BO_Assign) {
      noteResult(localVariable(Set->getLHS()), Set->getLHS(), Set->getRHS());
    }
  if (!Results.empty())
    findSettling();
}

/// The address of a slot that Swap is given, or null.
static const UnaryOperator *addressIn(const CallExpr *Swap) {
  const auto *Address = dyn_cast<UnaryOperator>(Swap->getArg(0)->IgnoreParenCasts());
  return Address && Address->getOpcode() == UO_AddrOf ? Address : nullptr;
}

void GrowthTransfer::findSettling() {
  const llvm::DenseSet<const Stmt *> Discarded = discardedIn(Body);
  for (const Stmt *Node : Body)
    if (const auto *Swap = dyn_cast<CallExpr>(Node); Swap && isSwap(Swap) && addressIn(Swap))
      if (const VarDecl *Put = localVariable(Swap->getArg(1)->IgnoreParenCasts());
          Put && Discarded.contains(Swap))
        Settling[addressIn(Swap)] = Put;
}

const Expr *GrowthTransfer::slotSettledBy(const CallExpr *Swap) const {
  const UnaryOperator *Address = Settling.empty() ? nullptr : addressIn(Swap);
  return Address && Settling.contains(Address) ? Address->getSubExpr() : nullptr;
}

const Expr *GrowthTransfer::slotRegrown(const CallExpr *Call) const {
  return Results.contains(Call) ? grownBy(Call) : nullptr;
}

void GrowthTransfer::regrow(const CallExpr *Call, bool WasNull) {
  const VarDecl *Variable = Results.lookup(Call);
  checkMoved(Variable, Call);
  if (Variable)
    Now.Regrown.push_back({*Place::of(grownBy(Call)), Variable, Call, WasNull});
}

bool GrowthTransfer::isRegrown(const CallExpr *Call) const {
  return llvm::any_of(Now.Regrown, [Call](const RegrownPlace &Each) { return Each.By == Call; });
}

void GrowthTransfer::restore(State &Into, const VarDecl *Variable) const {
  for (const RegrownPlace &Each : Into.Regrown) {
    if (Each.In != Variable || Each.WasNull)
      continue;
    Into.forgetNull([&](const Place &It) { return It == Each.Slot; });
    llvm::erase(Into.Emptied, Each.Slot);
    if (std::optional<SlotRange> Range = All.Slots.slotsAt(grownBy(Each.By))) {
      Into.Slots[Range->Object].setNull(Range->First, false);
      Into.Slots[Range->Object].setLive(Range->First, Range->Count, true);
    }
  }
  llvm::erase_if(Into.Regrown, [&](const RegrownPlace &Each) { return Each.In == Variable; });
}

std::optional<const CallExpr *> GrowthTransfer::settle(const Expr *Slot, const Expr *From) {
  const std::optional<Place> Set = Now.Regrown.empty() ? std::nullopt : Place::of(Slot);
  if (!Set)
    return std::nullopt;
  const VarDecl *Variable = localVariable(From->IgnoreParenCasts());
  const std::optional<unsigned> Owner = Variable ? Vars.ownerOf(Variable) : std::nullopt;
  const CallExpr *Untested = nullptr;
  for (const RegrownPlace &Each : Now.Regrown)
    if (Each.Slot == *Set && Each.In == Variable && !Each.WasNull &&
        Now.Owners[*Owner].mayBe(OwnerState::Null))
      Untested = Each.By;
  const size_t Before = Now.Regrown.size();
  llvm::erase_if(Now.Regrown, [&](const RegrownPlace &Each) { return Each.Slot == *Set; });
  return Now.Regrown.size() != Before ? std::optional(Untested) : std::nullopt;
}

void GrowthTransfer::keepUntested(const Expr *Slot, const CallExpr *Call) {
  Now.Grown.push_back({*Place::of(Slot), Call});
}

bool GrowthTransfer::mayMeet(const Stmt *Node, const RegrownPlace &Which) const {
  if (const VarDecl *Changed = variableChanged(Node);
      Changed && Which.Slot.names([&](const VarDecl *Each) { return Each == Changed; }))
    return true;
  if (const auto *Set = dyn_cast<BinaryOperator>(Node); Set && Set->isAssignmentOp())
    return Which.Slot.isBehindPlain() && isSlotType(Set->getLHS()->getType()) &&
           !isOwning(Set->getLHS()->getType()) && !localVariable(Set->getLHS());
  if (const VarDecl *Put = Settling.lookup(Node);
      Put && Put == Which.In && Place::of(cast<UnaryOperator>(Node)->getSubExpr()) == Which.Slot)
    return false;
  const Expr *Named = nullptr;
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Node);
      Cast && Cast->getCastKind() == CK_LValueToRValue)
    Named = Cast->getSubExpr();
  else if (const auto *Address = dyn_cast<UnaryOperator>(Node);
           Address && Address->getOpcode() == UO_AddrOf)
    Named = Address->getSubExpr();
  Named = Named ? Named->IgnoreParens() : nullptr;
  if (!Named || localVariable(Named) || !Facts.hasUniqueSlots(Named->getType()))
    return false;
  // What leads to the slot may be taken with it.
  if (isa<UnaryOperator>(Node) && isOwning(Named->getType()) &&
      Facts.hasUniqueSlots(Named->getType()->getPointeeType()))
    return true;
  const auto *One = dyn_cast<MemberExpr>(Named), *Other = dyn_cast<MemberExpr>(grownBy(Which.By));
  const auto *Field = One ? dyn_cast<FieldDecl>(One->getMemberDecl()) : nullptr;
  return !Field || !Other || !isOwning(Named->getType()) || Field->getParent()->isUnion() ||
         Field == Other->getMemberDecl();
}

void GrowthTransfer::report(const RegrownPlace &Which, const Stmt *At) {
  if (!Says.isOn() || !Told.insert(Which.By).second)
    return;
  Says.reportCopiedSlot(grownBy(Which.By));
  Says.note(At->getBeginLoc(),
            "the slot may be used here before it is set to what realloc returned");
}

void GrowthTransfer::check(const Stmt *Node) {
  llvm::erase_if(Now.Regrown, [&](const RegrownPlace &Each) {
    const bool IsMet = mayMeet(Node, Each);
    if (IsMet)
      report(Each, Node);
    return IsMet;
  });
}

void GrowthTransfer::checkMoved(const VarDecl *Owner, const Stmt *At) {
  const std::optional<unsigned> Index = Owner ? Vars.ownerOf(Owner) : std::nullopt;
  llvm::erase_if(Now.Regrown, [&](const RegrownPlace &Each) {
    const bool IsMoved =
        Index && (Each.In == Owner ||
                  All.Places.rootsBehind(Each.Slot.base()).test(Vars.rootOfOwner(*Index)));
    if (IsMoved)
      report(Each, At);
    return IsMoved;
  });
}

void GrowthTransfer::checkCall(const CallExpr *Call, llvm::SmallBitVector Lent) {
  Lent |= OpenRoots;
  llvm::erase_if(Now.Regrown, [&](const RegrownPlace &Each) {
    const bool IsLent = All.Places.rootsBehind(Each.Slot.base()).anyCommon(Lent);
    if (IsLent)
      report(Each, Call);
    return IsLent;
  });
}

void GrowthTransfer::checkAll(const Stmt *At) {
  for (const RegrownPlace &Each : Now.Regrown)
    report(Each, At);
  Now.Regrown.clear();
}

// SPDX-License-Identifier: MIT
//===- Cells.cpp - Pointers to owners, and to the slots below them --------===//
//
//   struct node *unique head = NULL, *unique *tail = &head;
//   ... *tail = n; tail = &(*tail)->next; ...
//
// A local pointer to an owner, its cell, is a loan that is reached through the
// owner: it ends when that is consumed, or when what hangs below it is changed
// otherwise.  What is stored through it may be the owner's new value.
//
//===----------------------------------------------------------------------===//

#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

static void appendAddresses(const Expr *Value, llvm::DenseSet<const UnaryOperator *> &Into) {
  Value = Value->IgnoreParenCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(Value);
      Address && Address->getOpcode() == UO_AddrOf)
    Into.insert(Address);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(Value)) {
    appendAddresses(Choice->getTrueExpr(), Into);
    appendAddresses(Choice->getFalseExpr(), Into);
  }
}

void SlotTransfer::keepCells(const Expr *From, const Value &What, Loans &Kept) {
  if (What.OwnerAddresses.empty())
    return;
  appendAddresses(From, All.Cells);
  for (const VarDecl *Each : What.OwnerAddresses) {
    unsigned Owner = *Vars.ownerOf(Each);
    OwnerState &State = Now.Owners[Owner];
    if (State.mayBe(OwnerState::Consumed) || State.mayBe(OwnerState::Uninitialized)) {
      Says.reportConsumed(Each, State, From);
      State.Conditions = 0;
    }
    Kept.Deep.set(Vars.rootOfOwner(Owner));
    Kept.Cells.set(Vars.rootOfOwner(Owner));
    Kept.MayBeOther = true;
    Kept.Via = OwnSlot();
  }
  Kept.IsCell = What.OwnerAddresses.size() == 1 && !What.MayBeNull && !What.IsUnknown &&
                !What.IsFresh && What.Slots.empty() && What.Owners.empty() && !What.Lent.any();
}

void SlotTransfer::changeCells(const Loans &Address, llvm::ArrayRef<unsigned> Except,
                               const Stmt *At, unsigned char Conditions) {
  for (unsigned Root : Address.Cells.set_bits()) {
    unsigned Owner = *Vars.ownerOfRoot(Root);
    OwnerState &State = Now.Owners[Owner];
    if (State.Conditions)
      State.Conditions = Address.IsCell ? Conditions : State.Conditions | Conditions;
    State.RestoredBy = nullptr;
    State.FilledBy = nullptr;
    All.Tests.forgetTests(Vars.owner(Owner));
    if (!All.ObjectSlots.empty())
      Now.changeSlots(Owner) = SlotState::set(All.slotsOf(Owner));
    All.Aliases.changeAliased(Root, At);
    for (unsigned I = 0; I != Now.Borrowers.size(); ++I) {
      BorrowerState &Each = Now.Borrowers[I];
      if (!Each.From.contains(Root) || llvm::is_contained(Except, I))
        continue;
      Now.changeBorrower(I).lose(Root, At);
      All.Borrowing.noteEnded(I, At);
    }
    All.Arenas.loseKeys(Root, At);
  }
}

bool SlotTransfer::pointsToEmpty(const Expr *From) const {
  if (const auto *Choice = dyn_cast<ConditionalOperator>(From->IgnoreParenCasts())) {
    auto IsNull = [&](const Expr *Each) { return All.Values.isNullConstant(Each); };
    const Expr *One = Choice->getTrueExpr(), *Other = Choice->getFalseExpr();
    return (IsNull(One) || pointsToEmpty(One)) && (IsNull(Other) || pointsToEmpty(Other));
  }
  const Expr *Slot = addressed(From);
  if (!Slot)
    return false;
  Slot = Slot->IgnoreParens();
  const VarDecl *Variable = localVariable(Slot);
  if (std::optional<unsigned> Owner = Variable ? Vars.ownerOf(Variable) : std::nullopt)
    return Now.Owners[*Owner].isSurely(OwnerState::Null);
  if (!isOwning(Slot->getType()))
    return false;
  if (All.Places.isEmpty(Slot) || isNull(Now, Slot))
    return true;
  // A member of a union holds what the function has put there, or nothing that it knows of.
  const std::optional<SlotRange> Range = slotsAt(Slot);
  if (!Range || Range->Count != 1)
    return false;
  const OwningSlots &Slots = All.slotsOf(Range->Object);
  const SlotState &State = Now.Slots[Range->Object];
  return Slots.Unions[Range->First] && !Slots.Elements.test(Range->First) &&
         !State.mayBeLive(Range->First) && !State.mayBeUnset(Slots, Range->First);
}

bool SlotTransfer::isEmptyIn(unsigned Owner, const FieldDecl *Field) const {
  const unsigned Number = firstSlotOf(Context, Field);
  const bool IsGiven = isa<ParmVarDecl>(Vars.owner(Owner)) && Now.Slots[Owner].mayBeForeign(Number);
  return !IsGiven && !All.Losses.mayLose({Owner, Number, 1});
}

void SlotTransfer::appendEmptied(const Expr *Slot, const Expr *From, const Value &What,
                                 llvm::SmallVectorImpl<Place> &Into) const {
  std::optional<Place> Whole = Place::of(Slot);
  const RecordDecl *Record = All.Losses.slotsThrough(Slot->getType());
  Record = Record ? Record->getDefinition() : nullptr;
  const VarDecl *Variable = localVariable(From->IgnoreParenCasts());
  std::optional<unsigned> Owner = Variable ? Vars.ownerOf(Variable) : std::nullopt;
  if (!Whole || !Record || (!Owner && (!What.IsFresh || What.IsUnknown)))
    return;
  const auto *Call = dyn_cast<CallExpr>(From->IgnoreParenCasts());
  if (!Owner && (!Call || isSwap(Call))) // that has been filled
    return;
  for (const FieldDecl *Field : Record->fields()) {
    if (!isOwning(Field->getType()))
      continue;
    if (Owner && !isEmptyIn(*Owner, Field))
      continue;
    Into.push_back(Whole->dereferenced().then({Field, nullptr}));
  }
}

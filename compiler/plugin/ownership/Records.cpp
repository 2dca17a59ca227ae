// SPDX-License-Identifier: MIT
//===- Records.cpp - Structures with owners, as wholes --------------------===//
#include "plugin/ownership/Records.h"
#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

bool RecordTransfer::clear(const CallExpr *Call, const Expr *Argument) {
  const Expr *Pointer = Argument->IgnoreParenCasts();
  const auto *Address = dyn_cast<UnaryOperator>(Pointer);
  const bool IsAddress = Address && Address->getOpcode() == UO_AddrOf;
  std::optional<SlotRange> Range =
      IsAddress ? All.Slots.slotsAt(Address->getSubExpr()) : All.Slots.slotsBehind(Argument);
  QualType Type = pointedBy(Argument);
  Expr::EvalResult Size;
  if (sizeArgument(Call) >= Call->getNumArgs() || Type->isIncompleteType() ||
      !Call->getArg(sizeArgument(Call))->EvaluateAsInt(Size, Context) ||
      Size.Val.getInt() < uint64_t(Context.getTypeSizeInChars(Type).getQuantity()))
    return false;
  std::optional<Place> Whole = Place::lentBy(Argument);
  if (!Range && Whole && Context.hasSameUnqualifiedType(Whole->type(), Type)) // no array
    setWhole(*Whole, Type, true, Call);
  if (!Range)
    return false;
  SlotState &State = Now.changeSlots(Range->Object, Range->First, Range->Count);
  for (unsigned I = Range->First; I != Range->First + Range->Count; ++I)
    if (State.mayBeLive(I)) {
      Says.reportLoss(Loss::SlotOverwritten, Call, NoName, 1u,
                      All.Losses.nameOfSlot(Range->Object, I));
      break;
    }
  const OwningSlots &Slots = All.slotsOf(Range->Object);
  State.set(Slots, Range->First, Range->Count);
  State.setLive(Range->First, Range->Count, false);
  for (unsigned I = Range->First; I != Range->First + Range->Count; ++I)
    State.setNull(I, !Facts.of(Call).Effect->CopiesMemory && !Slots.Many.test(I) &&
                         All.Slots.isFollowedAlone(Range->Object));
  return true;
}

void RecordTransfer::beginFrame(const VarDecl *Variable) {
  std::optional<unsigned> Root = Vars.rootOfFrame(Variable);
  if (!Root || All.ObjectSlots.empty())
    return;
  unsigned Object = *All.Slots.objectOfRoot(*Root);
  const OwningSlots &Slots = All.slotsOf(Object);
  const Expr *Init = Variable->getInit();
  SlotState &State = Now.changeSlots(Object);
  State = Init ? SlotState::set(Slots) : SlotState::unset(Slots);
  if (Says.isOn() && !Init && Slots.Many.any())
    All.Unproven.insert(Variable);
  if (!Init || !Slots.count())
    return;
  if (const auto *Maker = dyn_cast<CallExpr>(Init->IgnoreParenCasts())) {
    State = filled(Slots);
    for (unsigned I = 0; I != Slots.count(); ++I)
      if (!All.Outcomes.mayReturn(Maker, I))
        State.setLive(I, 1, false);
  }
  const auto *List = dyn_cast<InitListExpr>(Init->IgnoreParenCasts());
  if (List && isOwning(Context.getBaseElementType(Variable->getType())) &&
      !All.Losses.isLoose(Variable))
    for (unsigned I = 0; I != List->getNumInits(); ++I)
      if (Value What = All.Values.evaluate(List->getInit(I)); What.IsFresh || !What.Owners.empty())
        State.setElement(0, I, true);
  const RecordDecl *Record = Variable->getType()->getAsRecordDecl();
  if (List)
    All.Slots.overlayList(List, {Object, 0, Slots.count()});
  if (!List || !Record || Record->isUnion())
    return;
  if (const InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  putList(List, Object, 0);
}

bool RecordTransfer::wasSurelyNull(const Expr *Put) const {
  return All.Put.lookup(Put) == OwnerState::Null;
}

/// Calls Visit with each field of a structure and what List puts there.
static void eachField(const InitListExpr *List,
                      llvm::function_ref<void(const FieldDecl *Field, const Expr *Put)> Visit) {
  const RecordDecl *Record = List->getType()->getAsRecordDecl();
  if (!Record || Record->isUnion())
    return;
  unsigned Number = 0;
  for (const FieldDecl *Field : Record->fields())
    if (!Field->isUnnamedBitField() && Number != List->getNumInits())
      Visit(Field, List->getInit(Number++));
}

void RecordTransfer::putList(const InitListExpr *List, unsigned Object, unsigned First) {
  eachField(List, [&](const FieldDecl *Field, const Expr *Put) {
    const unsigned Slot = First + firstSlotOf(Context, Field);
    if (const auto *Nested = dyn_cast<InitListExpr>(Put))
      putList(Nested, Object, Slot);
    const OwningSlots &Slots = All.slotsOf(Object);
    SlotState &State = Now.changeSlots(Object, Slot, Slots.count() - Slot);
    for (unsigned I = 0, Count = owningSlots(Context, Field->getType()).count();
         isa<ImplicitValueInitExpr>(Put) && I != Count; ++I)
      State.setNull(Slot + I, !Slots.Many.test(Slot + I) && All.Slots.isFollowedAlone(Object));
    if (!isOwning(Field->getType()) || isa<ImplicitValueInitExpr>(Put))
      return;
    Value What = All.Values.evaluate(Put);
    const bool IsNull = All.Values.isNullConstant(Put) || wasSurelyNull(Put);
    State.setLive(Slot, 1, (What.IsFresh || !What.Owners.empty()) && !IsNull);
    State.setNull(Slot, IsNull && !Slots.Many.test(Slot) && All.Slots.isFollowedAlone(Object));
  });
}

SlotState RecordTransfer::filled(const OwningSlots &Slots) {
  SlotState State = SlotState::set(Slots);
  for (unsigned I = 0; I != Slots.count(); ++I)
    State.setLive(I, 1, !Slots.Many.test(I));
  return State;
}

void RecordTransfer::giveFrame(const VarDecl *Variable, const Stmt *At) {
  std::optional<unsigned> Root = Vars.rootOfFrame(Variable);
  if (!Root || All.ObjectSlots.empty())
    return;
  const unsigned Object = *All.Slots.objectOfRoot(*Root);
  All.Slots.useObject(Object, At);
  Now.changeSlots(Object) = SlotState::set(All.slotsOf(Object));
}

void RecordTransfer::checkFrameEnd(const VarDecl *Variable, const Stmt *At) {
  std::optional<unsigned> Root = Vars.rootOfFrame(Variable);
  if (!Root || All.ObjectSlots.empty() || !Says.isOn() || !Vars.isExclusive(*Root))
    return;
  unsigned Object = *All.Slots.objectOfRoot(*Root);
  for (unsigned I = 0; I != All.slotsOf(Object).count(); ++I)
    if (Now.Slots[Object].mayBeLive(I))
      Says.reportLostWith(Variable, At, All.Losses.nameOfSlot(Object, I));
}

void RecordTransfer::beginLiteral(const CompoundLiteralExpr *Literal) {
  std::optional<unsigned> Root = Vars.rootOfUnnamed(Literal);
  const auto *List = dyn_cast<InitListExpr>(Literal->getInitializer());
  if (!Root || !List || All.ObjectSlots.empty() || !Literal->getType()->isRecordType())
    return;
  const unsigned Object = *All.Slots.objectOfRoot(*Root);
  checkLiteralEnd(Object); // of the round before
  Now.changeSlots(Object) = SlotState::set(All.slotsOf(Object));
  if (const InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  putList(List, Object, 0);
}

void RecordTransfer::checkLiteralEnd(unsigned Object) {
  const CompoundLiteralExpr *Literal = All.Slots.literal(Object);
  for (unsigned I = 0; Literal && I != All.slotsOf(Object).count(); ++I)
    if (Now.Slots[Object].mayBeLive(I))
      Says.reportLostWith(nullptr, Literal, All.Losses.nameOfSlot(Object, I));
}

void RecordTransfer::checkLiterals() {
  for (unsigned I = Vars.ownerCount(); I < All.ObjectSlots.size(); ++I)
    checkLiteralEnd(I);
}

/// The call that makes this structure, or null.
static const CallExpr *recordMaker(const Expr *Record) {
  return Record && Record->getType()->isRecordType()
             ? dyn_cast<CallExpr>(Record->IgnoreParenCasts())
             : nullptr;
}

bool RecordTransfer::makesOwners(const CallExpr *Call) const {
  return Call->getType()->isRecordType() && Facts.hasUniqueSlots(Call->getType());
}

void RecordTransfer::takeRecord(const Expr *From) {
  if (const CallExpr *Call = recordMaker(From))
    All.Taken.insert(Call);
}

void RecordTransfer::appendNull(const InitListExpr *List, const Place &Whole,
                                llvm::SmallVectorImpl<Place> &Into) const {
  if (const InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  eachField(List, [&](const FieldDecl *Field, const Expr *Put) {
    const Place Member = Whole.then({Field, nullptr});
    if (const auto *Nested = dyn_cast<InitListExpr>(Put))
      appendNull(Nested, Member, Into);
    else if (isa<ImplicitValueInitExpr>(Put))
      All.Losses.appendSlotPlaces(Field->getType(), Member, Into);
    else if (isOwning(Field->getType()) && (All.Values.isNullConstant(Put) || wasSurelyNull(Put)))
      Into.push_back(Member);
  });
}

/// The list that is written in the place of this structure, or null.
static const InitListExpr *listOf(const Expr *Structure) {
  const auto *Literal = dyn_cast<CompoundLiteralExpr>(Structure->IgnoreParenImpCasts());
  return Literal ? dyn_cast<InitListExpr>(Literal->getInitializer()) : nullptr;
}

void RecordTransfer::assignRecord(const BinaryOperator *Assignment) {
  const Expr *Into = Assignment->getLHS(), *From = Assignment->getRHS();
  std::optional<SlotRange> Range = Into->getType()->isRecordType() && !All.ObjectSlots.empty()
                                       ? All.Slots.slotsAt(Into)
                                       : std::nullopt;
  takeRecord(From);
  std::optional<Place> Whole = Place::of(Into);
  if (Whole && !Range && Into->getType()->isRecordType())
    setWhole(*Whole, Into->getType(), false, Assignment);
  if (const InitListExpr *List = listOf(From); List && Whole && !Range)
    appendNull(List, *Whole, Now.Empty);
  if (Range && !isElement(Into) && All.Losses.mayLose(*Range))
    Says.reportLoss(Loss::SlotOverwritten, Assignment, NoName, 1u, textOf(Context, Into));
  All.Slots.setSlotsAt(Into, !All.Values.isNullConstant(From) && !wasSurelyNull(From));
  if (Into->getType()->isRecordType() && Facts.hasUniqueSlots(Into->getType())) {
    const Value At = All.Values.addressOf(Into);
    All.Borrowing.changeSlots(All.Values.holdersOf(At.Lent).roots(),
                              All.Values.borrowersAbove(Into, At), Assignment, nullptr,
                              All.Borrowing.firstSlot(Into, At.Lent));
  }
  if (!Range || isElement(Into))
    return;
  if (const InitListExpr *List = listOf(From))
    return putList(List, Range->Object, Range->First);
  for (unsigned I = 0; recordMaker(From) && I != Range->Count; ++I)
    Now.changeSlots(Range->Object, Range->First + I, 1)
        .setLive(Range->First + I, 1,
                 !All.slotsOf(Range->Object).Many.test(Range->First + I) &&
                     All.Outcomes.mayReturn(recordMaker(From), I));
}

void RecordTransfer::setWhole(const Place &Whole, QualType Type, bool IsZero, const Stmt *At) {
  llvm::SmallVector<Place, 4> Slots;
  All.Losses.appendSlotPlaces(Type, Whole, Slots);
  for (const Place &Each : Slots)
    if (mayHold(Each, Whole.isMember())) {
      Says.reportLoss(Loss::SlotOverwritten, At, NoName, 1u, Each.text());
      break;
    }
  Now.forgetPlaces([&](const Place &Each) { return llvm::is_contained(Slots, Each); });
  if (IsZero)
    Now.Empty.append(Slots);
}

bool RecordTransfer::mayHold(const Place &Slot, bool IsPart) const {
  return All.Places.isFilled(Slot) ||
         ((IsPart || Slot.isInGlobal()) && !llvm::is_contained(Now.Empty, Slot) &&
          !All.Places.isTouched(All.Places.rootsBehind(Slot.base()), Slot));
}

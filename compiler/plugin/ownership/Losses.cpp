// SPDX-License-Identifier: MIT
//===- Losses.cpp - What slots own, and where that is lost ----------------===//
//
// The state knows for each owning slot of a followed object whether it may hold
// something: what the function has put there, or what was there when the object
// came.  For other slots it knows whether they are null.  So a slot that is
// overwritten, an object that is freed alone and a structure that ends are
// reported by the name of the slot.
//
//===----------------------------------------------------------------------===//

#include "plugin/Annotations.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace acre::ast;

static std::string textOf(ASTContext &Context, const Expr *Lvalue) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  Lvalue->printPretty(Out, nullptr, Context.getPrintingPolicy());
  return Text;
}

/// The record that a pointer of this type leads to, if it has owning slots.
const RecordDecl *LossTransfer::slotsThrough(QualType Pointer) const {
  QualType Pointee = Pointer->getPointeeType();
  const RecordDecl *Record = Pointee.isNull() ? nullptr : Pointee->getAsRecordDecl();
  return Record && Facts.hasUniqueSlots(Pointee) ? cast<RecordDecl>(Record->getCanonicalDecl())
                                                 : nullptr;
}

void LossTransfer::findArrays() {
  for (const Stmt *Node : Body) {
    const Expr *Pointer = nullptr;
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Node))
      Pointer = Element->getBase();
    else if (const auto *Operator = dyn_cast<BinaryOperator>(Node))
      Pointer = Operator->isAdditiveOp() || Operator->isCompoundAssignmentOp() ? Operator->getLHS()
                                                                               : nullptr;
    else if (const auto *Operator = dyn_cast<UnaryOperator>(Node))
      Pointer = Operator->isIncrementDecrementOp() ? Operator->getSubExpr() : nullptr;
    if (const RecordDecl *Record = Pointer ? slotsThrough(Pointer->getType()) : nullptr)
      Arrays.insert(Record);
  }
}

void LossTransfer::noteForeign(unsigned Owner, SlotState &State) const {
  if (const RecordDecl *Record = slotsThrough(Vars.owner(Owner)->getType());
      Record && !Arrays.contains(Record))
    State.setForeign(All.slotsOf(Owner));
}

bool LossTransfer::comesFilled(const Value &What) const {
  if (What.IsAdopted && What.IsUnknown)
    return true;
  return llvm::any_of(What.Results, [this](const Expr *Each) {
    const auto *Call = dyn_cast<CallExpr>(Each);
    return !Call || !Facts.of(Call).Effect;
  });
}

void LossTransfer::noteEmptyParameters(State &In) const {
  for (const ParmVarDecl *Each : Function->parameters()) {
    QualType Pointee = Each->getType()->getPointeeType();
    if (saysOut(Each->getType()) && !Pointee.isNull())
      appendSlotPlaces(Pointee, Place(Each).dereferenced(), In.Empty);
  }
}

void LossTransfer::appendSlotPlaces(QualType Type, const Place &Whole,
                                    llvm::SmallVectorImpl<Place> &Into) const {
  if (isOwning(Type))
    return Into.push_back(Whole);
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Record || !Facts.hasUniqueSlots(Type))
    return;
  for (const FieldDecl *Field : Record->fields())
    appendSlotPlaces(Field->getType(), Whole.then({Field, nullptr}), Into);
}

bool LossTransfer::mayLose(const SlotRange &Range) const {
  const SlotState &State = Now.Slots[Range.Object];
  for (unsigned I = Range.First; I != Range.First + Range.Count; ++I)
    if (State.mayBeLive(I))
      return true;
  return false;
}

/// Whether this slot is an element of an array that a pointer leads to, or is in one.
static bool isElement(const Expr *Slot) {
  Slot = Slot->IgnoreParens();
  const auto *Member = dyn_cast<MemberExpr>(Slot);
  return isa<ArraySubscriptExpr>(Slot) ||
         (Member && !Member->isArrow() && isElement(Member->getBase()));
}

void LossTransfer::checkOverwritten(const Expr *Slot, const Stmt *At) {
  if (All.Tests.isEmpty(Slot))
    return;
  if (std::optional<SlotRange> Range = All.Slots.slotsAt(Slot)) {
    // Another element may be the one that was set.
    const bool IsOfMany =
        isElement(Slot) || (Range->Object < Vars.ownerCount() &&
                            Arrays.contains(slotsThrough(Vars.owner(Range->Object)->getType())));
    if (!IsOfMany && mayLose(*Range))
      Says.reportLoss(Loss::SlotOverwritten, At, NoName, 1u, textOf(Context, Slot));
    return;
  }
  // Fields of an object of our own are taken to be as its owner left them: most such stores
  // initialize it.  That does not hold of what hangs below it.
  const Loans Address = All.Values.addressOf(Slot).Lent;
  llvm::SmallBitVector Roots = Address.roots();
  Roots.reset(Variables::SharedRoot); // also what others reach through references of their own
  bool IsOwn =
      Roots.any() && Address.Deep.none() && llvm::all_of(Roots.set_bits(), [&](unsigned Root) {
        return All.Slots.objectOfRoot(Root).has_value();
      });
  if (!IsOwn)
    Says.reportLoss(Loss::SlotOverwritten, At, NoName, 1u, textOf(Context, Slot));
}

void LossTransfer::reportOverwritten(unsigned Owner, const Stmt *At) {
  const OwnerState &State = Now.Owners[Owner];
  if (!State.mayBe(OwnerState::Live))
    return;
  Says.reportLoss(Loss::Overwritten, At, Vars.owner(Owner),
                  unsigned(!State.isSurely(OwnerState::Live)));
  Says.noteSites(State.ConsumedAt, "consumed here on another path");
}

void LossTransfer::checkFilled(const Expr *Argument, const Stmt *At) {
  const auto *Address = dyn_cast<UnaryOperator>(Argument->IgnoreParenCasts());
  if (!Address || Address->getOpcode() != UO_AddrOf) {
    const Expr *Pointer = Argument->IgnoreParenCasts();
    std::optional<Place> Filled = All.Tests.slotPlace(Pointer);
    if (!Filled || isOwning(Pointer->getType()))
      return;
    if (!llvm::is_contained(Now.Empty, *Filled))
      Says.reportLoss(Loss::SlotOverwritten, At, NoName, 1u, "*" + textOf(Context, Pointer));
    return All.Tests.forgetEmpty(Pointer);
  }
  const Expr *Slot = Address->getSubExpr()->IgnoreParens();
  if (isOwning(Slot->getType()) && !localVariable(Slot)) {
    checkOverwritten(Slot, At);
    All.Tests.forgetEmpty(Slot);
  } else if (std::optional<SlotRange> Range = All.Slots.slotsAt(Slot); Range && mayLose(*Range)) {
    Says.reportLoss(Loss::SlotOverwritten, At, NoName, 1u, textOf(Context, Slot));
  }
}

std::string LossTransfer::nameOfSlot(unsigned Object, unsigned Slot) const {
  bool IsOwner = Object < Vars.ownerCount();
  const VarDecl *Variable =
      IsOwner ? Vars.owner(Object)
              : Vars.variableOfRoot(Vars.rootOfFrameNumber(Object - Vars.ownerCount()));
  const std::string &Path = All.slotsOf(Object).Paths[Slot];
  return Variable->getNameAsString() + (IsOwner && Path[0] == '.' ? "->" + Path.substr(1) : Path);
}

void LossTransfer::checkEmptied(unsigned Object, const Stmt *At) {
  for (unsigned I = 0; !All.ObjectSlots.empty() && I != All.slotsOf(Object).count(); ++I)
    if ((Now.Slots[Object].mayBeLive(I) || Now.Slots[Object].mayBeForeign(I)) &&
        Now.Owners[Object].mayBe(OwnerState::Live)) {
      Says.reportLoss(Loss::FreedWithSlot, At, Vars.owner(Object), 0u, nameOfSlot(Object, I));
      return;
    }
}

void LossTransfer::beginFrame(const VarDecl *Variable) {
  std::optional<unsigned> Root = Vars.rootOfFrame(Variable);
  if (!Root || All.ObjectSlots.empty())
    return;
  unsigned Object = *All.Slots.objectOfRoot(*Root);
  const OwningSlots &Slots = All.slotsOf(Object);
  const Expr *Init = Variable->getInit();
  SlotState &State = Now.Slots[Object];
  State = Init ? SlotState::set(Slots) : SlotState::unset(Slots);
  if (Says.isOn() && !Init && Slots.Many.any())
    All.Unproven.insert(Variable);
  if (!Init || !Slots.count())
    return;
  if (isa<CallExpr>(Init->IgnoreParenCasts()))
    return fillFrame(Object);
  const auto *List = dyn_cast<InitListExpr>(Init->IgnoreParenCasts());
  const RecordDecl *Record = Variable->getType()->getAsRecordDecl();
  if (!List || !Record || Record->isUnion())
    return;
  if (const InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  unsigned Number = 0;
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isUnnamedBitField() || Number == List->getNumInits())
      continue;
    const Expr *Put = List->getInit(Number++);
    if (!isOwning(Field->getType()))
      continue;
    Value What = All.Values.evaluate(Put);
    State.setLive(firstSlotOf(Context, Field), 1, What.IsFresh || !What.Owners.empty());
  }
}

void LossTransfer::fillFrame(unsigned Object) {
  for (unsigned I = 0; I != All.slotsOf(Object).count(); ++I)
    Now.Slots[Object].setLive(I, 1, !All.slotsOf(Object).Many.test(I));
}

void LossTransfer::checkFrameEnd(const VarDecl *Variable, const Stmt *At) {
  std::optional<unsigned> Root = Vars.rootOfFrame(Variable);
  if (!Root || All.ObjectSlots.empty() || !Says.isOn() || !Vars.isExclusive(*Root))
    return;
  unsigned Object = *All.Slots.objectOfRoot(*Root);
  for (unsigned I = 0; I != All.slotsOf(Object).count(); ++I)
    if (Now.Slots[Object].mayBeLive(I))
      Says.reportLostWith(Variable, At, nameOfSlot(Object, I));
}

/// The call that makes this structure, or null.
static const CallExpr *recordMaker(const Expr *Record) {
  return Record && Record->getType()->isRecordType()
             ? dyn_cast<CallExpr>(Record->IgnoreParenCasts())
             : nullptr;
}

bool LossTransfer::makesOwners(const CallExpr *Call) const {
  return Call->getType()->isRecordType() && Facts.hasUniqueSlots(Call->getType());
}

void LossTransfer::takeRecord(const Expr *From) {
  if (const CallExpr *Call = recordMaker(From))
    All.Taken.insert(Call);
}

void LossTransfer::assignRecord(const BinaryOperator *Assignment) {
  const Expr *Into = Assignment->getLHS();
  const CallExpr *Call = recordMaker(Assignment->getRHS());
  std::optional<SlotRange> Range =
      Call && !All.ObjectSlots.empty() ? All.Slots.slotsAt(Into) : std::nullopt;
  takeRecord(Assignment->getRHS());
  if (Range && mayLose(*Range))
    Says.reportLoss(Loss::SlotOverwritten, Assignment, NoName, 1u, textOf(Context, Into));
  All.Slots.setSlotsAt(Into, !All.Values.isNullConstant(Assignment->getRHS()));
  for (unsigned I = 0; Range && I != Range->Count; ++I)
    Now.Slots[Range->Object].setLive(Range->First + I, 1,
                                     !All.slotsOf(Range->Object).Many.test(Range->First + I));
}

void LossTransfer::checkGrown(unsigned Owner) {
  if (const Stmt *At = std::exchange(Now.Owners[Owner].GrownAt, nullptr))
    Says.reportGrown(Vars.owner(Owner), At);
}

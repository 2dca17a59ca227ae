// SPDX-License-Identifier: MIT
//===- Unions.cpp - Bytes that owners share with other members -------------===//

#include "plugin/ownership/Unions.h"
#include "plugin/Annotations.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "plugin/ownership/Value.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;
using namespace acre::ast;

/// In bytes, from the begin of the structure or union.
static uint64_t offsetOf(const ASTContext &Context, const FieldDecl *Field) {
  return Context
      .toCharUnitsFromBits(
          Context.getASTRecordLayout(Field->getParent()).getFieldOffset(Field->getFieldIndex()))
      .getQuantity();
}

std::optional<uint64_t> acre::ast::ownedWithin(ASTContext &Context, QualType Type, uint64_t At,
                                               Bytes Which) {
  if (Type->isIncompleteType() || !hasUniqueSlots(Context, Type))
    return std::nullopt;
  const uint64_t Size = Context.getTypeSizeInChars(Type).getQuantity();
  if (!Type->isIncompleteArrayType() && (At + Size <= Which.Begin || Which.End <= At))
    return std::nullopt;
  if (isOwning(Type))
    return At;
  if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type)) {
    const uint64_t Step = Context.getTypeSizeInChars(Array->getElementType()).getQuantity();
    uint64_t First = Which.Begin > At && Step ? (Which.Begin - At) / Step : 0;
    for (uint64_t I = First; I < std::min<uint64_t>(Array->getZExtSize(), First + 2); ++I)
      if (auto Found = ownedWithin(Context, Array->getElementType(), At + I * Step, Which))
        return Found;
    return std::nullopt;
  }
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Record)
    return At;
  for (const FieldDecl *Field : Record->fields())
    if (!Field->isBitField())
      if (auto Found = ownedWithin(Context, Field->getType(), At + offsetOf(Context, Field), Which))
        return Found;
  return std::nullopt;
}

/// What Lvalue is a part of, without a pointer in between, and the bytes that it has there; null:
/// it is all of a variable, or behind a pointer.
static const Expr *wholeOf(const ASTContext &Context, const Expr *Lvalue, Bytes &Within) {
  Lvalue = Lvalue->IgnoreParens();
  if (const auto *Member = dyn_cast<MemberExpr>(Lvalue)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Field->isBitField() || Field->getParent()->isInvalidDecl())
      return nullptr;
    const uint64_t Offset = offsetOf(Context, Field);
    Within = {Within.Begin + Offset, Within.End + Offset};
    return Member->isArrow() ? nullptr : Member->getBase();
  }
  const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue);
  const auto *Decay = Element ? dyn_cast<CastExpr>(Element->getBase()->IgnoreParens()) : nullptr;
  if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
    return nullptr;
  const Expr *Array = Decay->getSubExpr();
  if (Array->getType()->isIncompleteType())
    return nullptr;
  Within = {0, uint64_t(Context.getTypeSizeInChars(Array->getType()).getQuantity())};
  return Array;
}

const MemberExpr *acre::ast::sharingMember(ASTContext &Context, const Expr *Lvalue) {
  Lvalue = Lvalue->IgnoreParens();
  if (!isa<MemberExpr, ArraySubscriptExpr>(Lvalue) || Lvalue->getType()->isIncompleteType() ||
      hasUniqueSlots(Context, Lvalue->getType()))
    return nullptr;
  Bytes Within = {0, uint64_t(Context.getTypeSizeInChars(Lvalue->getType()).getQuantity())};
  for (const Expr *At = Lvalue; At;) {
    const auto *Member = dyn_cast<MemberExpr>(At->IgnoreParens());
    const Expr *Whole = wholeOf(Context, At, Within);
    const auto *Field = Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
    if (Field && Field->getParent()->isUnion())
      for (const FieldDecl *Other : Field->getParent()->fields())
        if (Other->getCanonicalDecl() != Field->getCanonicalDecl() && !Other->isBitField() &&
            ownedWithin(Context, Other->getType(), 0, Within))
          return Member;
    At = Whole;
  }
  return nullptr;
}

/// The slots that this union member shares bytes with: of the whole union.
std::optional<SlotRange> SlotTransfer::slotsBeside(const MemberExpr *Member) const {
  if (All.ObjectSlots.empty())
    return std::nullopt;
  return Member->isArrow() ? slotsBehind(Member->getBase()) : slotsAt(Member->getBase());
}

static bool isZero(const ASTContext &Context, const Expr *Value) {
  Expr::EvalResult Known;
  return Value && (isNullPointer(Context, Value) ||
                   (!Value->isValueDependent() && Value->EvaluateAsInt(Known, Context) &&
                    Known.Val.getInt() == 0));
}

void SlotTransfer::overlay(const Expr *Lvalue, const Expr *Put, const Stmt *At) {
  const MemberExpr *Member = sharingMember(Context, Lvalue);
  if (!Member)
    return;
  const bool IsNull = isZero(Context, Put);
  const std::optional<SlotRange> Range = slotsBeside(Member);
  if (Range) {
    SlotState &State = Now.changeSlots(Range->Object);
    const OwningSlots &Slots = All.slotsOf(Range->Object);
    for (unsigned I = Range->First; I != Range->First + Range->Count; ++I) {
      if (State.mayBeLive(I))
        Says.reportLoss(Loss::SlotOverwritten, At, NoName, 1u,
                        All.Losses.nameOfSlot(Range->Object, I));
      if (Slots.Elements.test(I))
        continue;
      State.set(Slots, I, 1, IsNull);
      State.setLive(I, 1, false);
    }
  }
  std::optional<Place> Union =
      Member->isArrow() ? Place::behind(Member->getBase()) : Place::of(Member->getBase());
  if (!Union || Lvalue->HasSideEffects(Context))
    return;
  llvm::SmallVector<Place, 2> Places;
  QualType Type = Member->getBase()->getType();
  if (Member->isArrow())
    Type = Type->getPointeeType();
  All.Losses.appendSlotPlaces(Type, *Union, Places);
  for (const Place &Each : Places) {
    if (!Range && All.Places.isFilled(Each))
      Says.reportLoss(Loss::SlotOverwritten, At, NoName, 1u, textOf(Context, Lvalue));
    Now.forgetPlaces([&](const Place &It) { return It == Each; });
    (IsNull ? Now.Empty : Now.Overlaid).push_back(Each);
  }
}

void SlotTransfer::overlayList(const InitListExpr *List, const SlotRange &Range) {
  if (const InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  const RecordDecl *Record = List->getType()->getAsRecordDecl();
  if (!Record)
    return;
  if (Record->isUnion()) {
    const FieldDecl *Field = List->getInitializedFieldInUnion();
    if (Field && List->getNumInits() && !Facts.hasUniqueSlots(Field->getType()) &&
        !isa<ImplicitValueInitExpr>(List->getInit(0)) && !isZero(Context, List->getInit(0)))
      Now.changeSlots(Range.Object).set(All.slotsOf(Range.Object), Range.First, Range.Count, false);
    return;
  }
  unsigned Number = 0;
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isUnnamedBitField() || Number == List->getNumInits())
      continue;
    const auto *Inner = dyn_cast<InitListExpr>(List->getInit(Number++));
    const unsigned Count = owningSlots(Context, Field->getType()).count();
    if (Inner && Count)
      overlayList(Inner, {Range.Object, Range.First + firstSlotOf(Context, Field), Count});
  }
}

// SPDX-License-Identifier: MIT
//===- FreedArrays.cpp - Arrays that are freed with what they own ---------===//

#include "plugin/ownership/FreedArrays.h"
#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Choices.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Library.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

/// Whether this is the address of a variable or a member, and so of no element.
static bool isOfOne(const Expr *Pointer) {
  const Expr *Slot = addressed(Pointer);
  Slot = Slot ? Slot->IgnoreParens() : nullptr;
  const auto *Member = dyn_cast_or_null<MemberExpr>(Slot);
  return Slot && (isa<DeclRefExpr>(Slot) || (Member && !isElement(Member)));
}

/// Whether Call may take an owner out of an array with these elements.
static bool mayEmpty(ASTContext &Context, const CallExpr *Call, QualType Elements) {
  if (!isSwap(Call) && libraryEffect(Call))
    return false;
  return llvm::any_of(Call->arguments(), [&](const Expr *Each) {
    const QualType Pointee = pointedBy(Each);
    return !Pointee.isNull() && Context.hasSameUnqualifiedType(Pointee, Elements) && !isOfOne(Each);
  });
}

bool FreedArrayTransfer::isLeft(QualType Pointer) const {
  const QualType Elements = Pointer.isNull() ? QualType() : Pointer->getPointeeType();
  return !Elements.isNull() && isOwning(Elements) && llvm::none_of(Body, [&](const Stmt *Node) {
    const auto *Call = dyn_cast<CallExpr>(Node);
    return Call && mayEmpty(Context, Call, Elements);
  });
}

bool FreedArrayTransfer::checkOwner(const VarDecl *Owner, const Stmt *At) {
  auto WasElsewhere = [](const Expr *Value) {
    const auto *Call = dyn_cast<CallExpr>(Value->IgnoreParenCasts());
    return Call && isSwap(Call);
  };
  const bool IsGiven = isa<ParmVarDecl>(Owner) && Function->isExternallyVisible();
  if (!isLeft(Owner->getType()) || (!IsGiven && !mayHave(Body, Owner, WasElsewhere)))
    return false;
  Says.reportLoss(Loss::FreedWithSlot, At, Owner, 1u, Owner->getNameAsString() + "[...]");
  return true;
}

/// Whether the function has set this member, of whichever object: nothing may be in it yet.
static bool isSetIn(const Evaluated &Body, const ValueDecl *Member) {
  return llvm::any_of(Body, [Member](const Stmt *Node) {
    const auto *Set = dyn_cast<BinaryOperator>(Node);
    const auto *To = Set && Set->getOpcode() == BO_Assign
                         ? dyn_cast<MemberExpr>(Set->getLHS()->IgnoreParens())
                         : nullptr;
    return To && To->getMemberDecl() == Member;
  });
}

bool FreedArrayTransfer::checkTaken(const CallExpr *Taken, const Stmt *At) {
  const Expr *Slot = addressed(Taken->getArg(0));
  const auto *Member = Slot ? dyn_cast<MemberExpr>(Slot->IgnoreParens()) : nullptr;
  const std::optional<Place> Where = Place::lentBy(Taken->getArg(0));
  // A function knows what is in a structure of its own.
  if (!Member || !Member->isArrow() || !Where || !isLeft(Slot->getType()) ||
      isSetIn(Body, Member->getMemberDecl()) || !All.Values.isNullConstant(Taken->getArg(1)) ||
      All.TakenNull.lookup(Taken) ||
      All.Places.isTouched(All.Places.rootsBehind(Where->base()), Where->dereferenced()))
    return false;
  Says.reportLoss(Loss::FreedWithSlot, At, Member->getMemberDecl(), 1u,
                  textOf(Context, Slot) + "[...]");
  return true;
}

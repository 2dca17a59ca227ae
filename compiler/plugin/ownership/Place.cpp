// SPDX-License-Identifier: MIT
//===- Place.cpp - Slots named by the way to them -------------------------===//

#include "plugin/ownership/Place.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace acre::ast;

bool acre::ast::doesName(const Stmt *Node, llvm::function_ref<bool(const VarDecl *)> IsIt) {
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Node)) {
    const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
    return Variable && IsIt(Variable);
  }
  return llvm::any_of(Node->children(),
                      [&](const Stmt *Each) { return Each && doesName(Each, IsIt); });
}

Place Place::then(Step Next) const {
  Place Longer = *this;
  Longer.Steps.push_back(Next);
  return Longer;
}

std::optional<Place> Place::behind(const Expr *Pointer) {
  Pointer = Pointer->IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(Pointer)) {
    if (Cast->getCastKind() == CK_ArrayToPointerDecay)
      return of(Cast->getSubExpr());
    std::optional<Place> Held =
        Cast->getCastKind() == CK_LValueToRValue ? of(Cast->getSubExpr()) : std::nullopt;
    if (Held)
      return Held->dereferenced();
    return Cast->getCastKind() == CK_NoOp ? behind(Cast->getSubExpr()) : std::nullopt;
  }
  const auto *Address = dyn_cast<UnaryOperator>(Pointer);
  return Address && Address->getOpcode() == UO_AddrOf ? of(Address->getSubExpr()) : std::nullopt;
}

/// Index as an expression and a number that is added to it.
static Place::Step elementAt(const Expr *Index) {
  const auto *Sum = dyn_cast<BinaryOperator>(Index->IgnoreParenImpCasts());
  if (!Sum || !Sum->isAdditiveOp())
    return {nullptr, Index, 0};
  const auto *Number = dyn_cast<IntegerLiteral>(Sum->getRHS()->IgnoreParenImpCasts());
  if (!Number || Number->getValue().getActiveBits() > 16)
    return {nullptr, Index, 0};
  long Offset = Number->getValue().getZExtValue();
  return {nullptr, Sum->getLHS(), Sum->getOpcode() == BO_Add ? Offset : -Offset};
}

std::optional<Place> Place::of(const Expr *Lvalue) {
  Lvalue = Lvalue->IgnoreParens();
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Lvalue)) {
    const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
    return Variable ? std::optional(Place(Variable)) : std::nullopt;
  }
  std::optional<Place> Found;
  Step Last;
  if (const auto *Member = dyn_cast<MemberExpr>(Lvalue)) {
    Last.Member = dyn_cast<FieldDecl>(Member->getMemberDecl());
    Found = !Last.Member        ? std::nullopt
            : Member->isArrow() ? behind(Member->getBase())
                                : of(Member->getBase());
  } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue)) {
    Last = elementAt(Element->getIdx());
    Found = behind(Element->getBase());
  } else if (const auto *Deref = dyn_cast<UnaryOperator>(Lvalue);
             Deref && Deref->getOpcode() == UO_Deref) {
    return behind(Deref->getSubExpr());
  }
  return Found ? std::optional(Found->then(Last)) : std::nullopt;
}

static bool areWrittenAlike(const ASTContext &Context, const Expr *One, const Expr *Other) {
  One = One->IgnoreParenImpCasts();
  Other = Other->IgnoreParenImpCasts();
  llvm::FoldingSetNodeID Written, OtherWritten;
  One->Profile(Written, Context, true);
  Other->Profile(OtherWritten, Context, true);
  return Written == OtherWritten;
}

bool Place::operator==(const Place &Other) const {
  if (Base != Other.Base || Steps.size() != Other.Steps.size())
    return false;
  for (unsigned I = 0; I != Steps.size(); ++I) {
    const Expr *One = Steps[I].Element, *Two = Other.Steps[I].Element;
    if (Steps[I].Member != Other.Steps[I].Member || !One != !Two ||
        Steps[I].Offset != Other.Steps[I].Offset ||
        (One && One != Two && !areWrittenAlike(Base->getASTContext(), One, Two)))
      return false;
  }
  return true;
}

QualType Place::type() const {
  QualType Type = Base->getType();
  for (const Step &Each : Steps) {
    const ArrayType *Array = Base->getASTContext().getAsArrayType(Type);
    if (Each.Member)
      Type = Each.Member->getType();
    else if (Array)
      Type = Array->getElementType();
    else if (!Each.Element) // the element of a pointer comes after what it points to
      Type = Type->getPointeeType();
    if (Type.isNull())
      break;
  }
  return Type;
}

bool Place::names(llvm::function_ref<bool(const VarDecl *)> IsIt) const {
  return IsIt(Base) || llvm::any_of(Steps, [&](const Step &Each) {
           return Each.Element && doesName(Each.Element, IsIt);
         });
}

bool Place::count(const VarDecl *Counter, long Change) {
  if (Base == Counter)
    return false;
  for (Step &Each : Steps) {
    if (!Each.Element)
      continue;
    const auto *Named = dyn_cast<DeclRefExpr>(Each.Element->IgnoreParenImpCasts());
    if (Named && Named->getDecl() == Counter)
      Each.Offset -= Change;
    else if (doesName(Each.Element, [&](const VarDecl *It) { return It == Counter; }))
      return false;
  }
  return true;
}

/// Whether both ways part within one structure, at two of its members, and do not leave it then.
bool Place::isApartFrom(const Place &Other) const {
  auto Same = [](const Step &One, const Step &Two) { return One.Member == Two.Member; };
  auto IsWithin = [](const Step &Each) { return Each.Member || Each.Element; };
  const auto [Mine, Theirs] =
      std::mismatch(Steps.begin(), Steps.end(), Other.Steps.begin(), Other.Steps.end(), Same);
  return Base == Other.Base && Mine != Steps.end() && Theirs != Other.Steps.end() && Mine->Member &&
         Theirs->Member && Mine->Member->getParent() == Theirs->Member->getParent() &&
         !Mine->Member->getParent()->isUnion() && std::all_of(Mine, Steps.end(), IsWithin) &&
         std::all_of(Theirs, Other.Steps.end(), IsWithin);
}

bool Place::isInGlobal() const {
  QualType Type = Base->getType();
  for (const Step &Each : Steps) {
    const bool IsOfArray = Each.Element && Type->isArrayType();
    if (!Each.Member && !IsOfArray)
      return false;
    Type =
        Each.Member ? Each.Member->getType() : QualType(Type->getArrayElementTypeNoTypeQual(), 0);
  }
  return Base->hasGlobalStorage() && !Base->hasAttr<AliasAttr>();
}

bool Place::mayChangeWith(const Place &Written) const {
  if (isInGlobal() && Written.isInGlobal() &&
      Base->getCanonicalDecl() != Written.Base->getCanonicalDecl())
    return false;
  // Another member is another slot, of whichever structure.
  const FieldDecl *Changed = Written.Steps.empty() ? nullptr : Written.Steps.back().Member;
  if (isApartFrom(Written))
    return false;
  if (!Changed || Changed->getParent()->isUnion())
    return true;
  if (Steps.empty()) // a variable is no member
    return false;
  for (unsigned I = 0; I != Steps.size(); ++I) {
    const Step &Each = Steps[I];
    bool IsPointer = !Each.Member && !Each.Element;
    if (Each.Element ||
        (Each.Member && (Each.Member == Changed || Each.Member->getParent()->isUnion())))
      return true;
    // A pointer that is no member itself may be the one that was written, but for the variable.
    if (IsPointer && I != 0 && !Steps[I - 1].Member)
      return true;
  }
  // What no member names could be any slot.
  return !Steps.back().Member;
}

// SPDX-License-Identifier: MIT
//===- Place.cpp - Slots named by the way to them -------------------------===//

#include "plugin/ownership/Place.h"
#include "plugin/Annotations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace acre::ast;

/// Numbers that are told apart.
static constexpr uint64_t MostNumber = 0xffff;

bool acre::ast::doesName(const Stmt *Node, llvm::function_ref<bool(const VarDecl *)> IsIt) {
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Node)) {
    const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
    return Variable && IsIt(Variable);
  }
  return llvm::any_of(Node->children(),
                      [&](const Stmt *Each) { return Each && doesName(Each, IsIt); });
}

bool OwnSlot::isApartFrom(const OwnSlot &Other) const {
  if (Object != Other.Object)
    return isa_and_nonnull<clang::VarDecl>(Object) && isa_and_nonnull<clang::VarDecl>(Other.Object);
  return Object && (Offset + Size <= Other.Offset || Other.Offset + Other.Size <= Offset);
}

bool OwnSlot::contains(const OwnSlot &Other) const {
  return !Object || (Object == Other.Object && Offset <= Other.Offset &&
                     Other.Offset + Other.Size <= Offset + Size);
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

std::optional<Place> Place::lentBy(const Expr *Argument) {
  Argument = Argument->IgnoreParens();
  const auto *Cast = dyn_cast<CastExpr>(Argument);
  const bool IsConverted =
      Cast && (Cast->getCastKind() == CK_BitCast || Cast->getCastKind() == CK_NoOp);
  return IsConverted ? lentBy(Cast->getSubExpr()) : behind(Argument);
}

Place::Step Place::element(const Expr *Index) {
  const auto *Sum = dyn_cast<BinaryOperator>(Index->IgnoreParenImpCasts());
  if (!Sum || !Sum->isAdditiveOp())
    return {nullptr, Index, 0};
  const auto *Number = dyn_cast<IntegerLiteral>(Sum->getRHS()->IgnoreParenImpCasts());
  if (!Number || Number->getValue().ugt(MostNumber))
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
    Last = element(Element->getIdx());
    Found = behind(Element->getBase());
  } else if (const auto *Deref = dyn_cast<UnaryOperator>(Lvalue);
             Deref && Deref->getOpcode() == UO_Deref) {
    return behind(Deref->getSubExpr());
  }
  return Found ? std::optional(Found->then(Last)) : std::nullopt;
}

bool acre::ast::areWrittenAlike(const ASTContext &Context, const Expr *One, const Expr *Other) {
  One = One->IgnoreParenImpCasts();
  Other = Other->IgnoreParenImpCasts();
  llvm::FoldingSetNodeID Written, OtherWritten;
  One->Profile(Written, Context, true);
  Other->Profile(OtherWritten, Context, true);
  return Written == OtherWritten;
}

/// How much greater One is than Two, both being numbers of elements; none: that is not known.
static std::optional<long> distance(const ASTContext &Context, const Place::Step &One,
                                    const Place::Step &Two) {
  const auto *First = dyn_cast<IntegerLiteral>(One.Element->IgnoreParenImpCasts());
  const auto *Second = dyn_cast<IntegerLiteral>(Two.Element->IgnoreParenImpCasts());
  if (First && Second)
    return long(First->getValue().getLimitedValue(MostNumber)) + One.Offset -
           long(Second->getValue().getLimitedValue(MostNumber)) - Two.Offset;
  return One.Element == Two.Element || areWrittenAlike(Context, One.Element, Two.Element)
             ? std::optional(One.Offset - Two.Offset)
             : std::nullopt;
}

bool acre::ast::areInOtherElements(const Place &One, const Place &Other) {
  if (One.numbers().size() != 1 || Other.numbers().size() != 1 || One.array() != Other.array())
    return false;
  const std::optional<long> Apart =
      distance(One.base()->getASTContext(), One.element(), Other.element());
  return Apart && *Apart != 0;
}

/// Whether both are the same step.  IfUnknown: where nobody knows whether two numbers are equal.
static bool areAlike(const ASTContext &Context, const Place::Step &One, const Place::Step &Other,
                     bool IfUnknown) {
  if (One.Member != Other.Member || !One.Element != !Other.Element)
    return false;
  if (One.Element == Other.Element)
    return One.Offset == Other.Offset;
  const std::optional<long> Apart = distance(Context, One, Other);
  return Apart ? *Apart == 0 : IfUnknown;
}

bool Place::operator==(const Place &Other) const {
  // Most places differ in a member, and to compare how elements are written costs much more.
  auto HaveOneMember = [](const Step &One, const Step &Two) { return One.Member == Two.Member; };
  return Base == Other.Base && llvm::equal(Steps, Other.Steps, HaveOneMember) &&
         llvm::equal(Steps, Other.Steps, [this](const Step &One, const Step &Two) {
           return areAlike(Base->getASTContext(), One, Two, false);
         });
}

std::optional<Place> Place::renamed(const Step &Number, const Step &Other) const {
  Place Result = *this;
  bool IsNamed = false;
  for (Step &Each : Result.Steps)
    if (std::optional<long> Above =
            Each.Element ? distance(Base->getASTContext(), Each, Number) : std::nullopt) {
      Each = {nullptr, Other.Element, Other.Offset + *Above};
      IsNamed = true;
    }
  return IsNamed ? std::optional(Result) : std::nullopt;
}

std::optional<Place> Place::rebased(const Place &From, const Place &To) const {
  const unsigned Length = From.Steps.size();
  const ASTContext &Context = Base->getASTContext();
  if (Base != From.Base || Steps.size() < Length ||
      !llvm::equal(
          From.Steps, llvm::ArrayRef(Steps).take_front(Length),
          [&](const Step &One, const Step &Two) { return areAlike(Context, One, Two, false); }))
    return std::nullopt;
  Place Result = To;
  Result.Steps.append(Steps.begin() + Length, Steps.end());
  return Result;
}

llvm::SmallVector<const Expr *, 2> Place::numbers() const {
  llvm::SmallVector<const Expr *, 2> Result;
  for (const Step &Each : Steps)
    if (Each.Element)
      Result.push_back(Each.Element);
  return Result;
}

bool Place::mayBeIn(const Place &Array) const {
  const unsigned Length = Array.Steps.size();
  return Base == Array.Base && Steps.size() > Length && Steps[Length].Element &&
         llvm::equal(Array.Steps, llvm::ArrayRef(Steps).take_front(Length),
                     [this](const Step &One, const Step &Two) {
                       return areAlike(Base->getASTContext(), One, Two, true);
                     });
}

Place::Step Place::element() const {
  return *llvm::find_if(Steps, [](const Step &Each) { return Each.Element != nullptr; });
}

std::optional<Place> Place::array() const {
  const auto *Found =
      llvm::find_if(Steps, [](const Step &Each) { return Each.Element != nullptr; });
  if (Found == Steps.end())
    return std::nullopt;
  Place Result(Base);
  Result.Steps.assign(Steps.begin(), Found);
  return Result;
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

bool Place::mayHangOn(const Place &Other) const {
  if (Base != Other.Base)
    return true;
  auto AreAlike = [](const Step &One, const Step &Two) {
    return One.Member == Two.Member && !One.Element == !Two.Element;
  };
  const auto [Mine, Theirs] =
      std::mismatch(Steps.begin(), Steps.end(), Other.Steps.begin(), Other.Steps.end(), AreAlike);
  if (Mine == Steps.end() || Theirs == Other.Steps.end())
    return Theirs == Other.Steps.end();
  return !Mine->Member || !Theirs->Member ||
         Mine->Member->getParent() != Theirs->Member->getParent() ||
         Mine->Member->getParent()->isUnion();
}

bool Place::isInPointee() const {
  auto IsPointer = [](const Step &Each) { return !Each.Member && !Each.Element; };
  return !Steps.empty() && IsPointer(Steps.front()) && llvm::count_if(Steps, IsPointer) == 1;
}

bool Place::isBehindPlain() const {
  for (unsigned I = 1; I < Steps.size(); ++I)
    if (const FieldDecl *Member = Steps[I - 1].Member; Member && !Steps[I].Member &&
                                                       Member->getType()->isPointerType() &&
                                                       !isOwning(Member->getType()))
      return true;
  return false;
}

bool Place::isInVariable() const {
  return llvm::all_of(Steps, [](const Step &Each) { return Each.Member != nullptr; });
}

bool Place::isElementWithin() const { return isInPointee() && array().has_value(); }

bool Place::isInUnion() const {
  return llvm::any_of(
      Steps, [](const Step &Each) { return Each.Member && Each.Member->getParent()->isUnion(); });
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

std::string Place::text() const {
  std::string Text = Base->getNameAsString();
  for (const Step *Each = Steps.begin(); Each != Steps.end(); ++Each) {
    const Step *Next = Each + 1;
    if (Each->Member)
      Text += "." + Each->Member->getNameAsString();
    else if (Each->Element)
      Text += "[...]";
    else if (Next != Steps.end() && Next->Member)
      Text += "->" + (Each = Next)->Member->getNameAsString();
    else if (Next == Steps.end() || !Next->Element)
      Text = "*" + Text;
  }
  return Text;
}

OwnSlot Place::part() const {
  const ASTContext &Context = Base->getASTContext();
  const auto *Next = Steps.begin();
  QualType Type = Base->getType();
  const Decl *Object = Base->getCanonicalDecl();
  const bool IsGlobalPointer = Steps.empty() && Base->hasGlobalStorage();
  if (Type->isPointerType() && !IsGlobalPointer) {
    if (Next == Steps.end() || Next->Member || Next->Element)
      return {};
    ++Next;
    Type = Type->getPointeeType();
  }
  if (!Base->hasGlobalStorage() || Next != Steps.begin()) {
    const RecordDecl *Record = Type->getAsRecordDecl();
    Object = Record ? Record->getCanonicalDecl() : nullptr;
  }
  int64_t Offset = 0;
  for (; Next != Steps.end(); ++Next) {
    if (Next->Member && Next->Member->getParent()->isUnion())
      return {};
    if (!Next->Member && !Next->Element)
      break;
    if (Next->Member) {
      Offset += int64_t(Context.getFieldOffset(Next->Member));
      Type = Next->Member->getType();
    } else if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type)) {
      std::optional<llvm::APSInt> Number = Next->Element->getIntegerConstantExpr(Context);
      const int64_t Index =
          Number ? int64_t(Number->getLimitedValue(MostNumber)) + Next->Offset : -1;
      if (Index < 0 || Array->getSize().ule(uint64_t(Index)))
        break; // any of them
      Type = Array->getElementType();
      Offset += Index * int64_t(Context.getTypeSize(Type));
    } else if (Type->isArrayType()) {
      return {};
    } // else the pointer before leads to several
  }
  return !Object || Base->hasAttr<AliasAttr>() || Type->isIncompleteType() ||
                 Type->isFunctionType() || Type->isVariableArrayType()
             ? OwnSlot()
             : OwnSlot{Object, Offset, int64_t(Context.getTypeSize(Type))};
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

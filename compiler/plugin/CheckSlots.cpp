// SPDX-License-Identifier: MIT
//===- CheckSlots.cpp - Bytes and other types over owning slots -----------===//
//
// A slot that owns something gets its value from an assignment or a swap, which
// the flow follows.  C has two other ways: functions that put bytes anywhere,
// and the slot's address under another type.  Both would copy an owner, lose
// one, or make one up.
//
//===----------------------------------------------------------------------===//

#include "plugin/Annotations.h"
#include "plugin/Checks.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Unions.h"
#include "plugin/ownership/Value.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

namespace {
/// Where bytes are put: Object is the pointer that was written, without casts and what was added to
/// it.
struct BytePlace {
  const Expr *Object;
  std::optional<uint64_t> Offset; ///< none: the running program knows
};
} // namespace

static std::optional<uint64_t> numberOf(const ASTContext &Context, const Expr *Value) {
  Expr::EvalResult Known;
  if (Value->isValueDependent() || !Value->EvaluateAsInt(Known, Context) ||
      Known.Val.getInt().isNegative())
    return std::nullopt;
  return Known.Val.getInt().getZExtValue();
}

/// Takes casts and additions of bytes away.
static BytePlace bytePlace(const ASTContext &Context, const Expr *Pointer) {
  BytePlace Result = {Pointer->IgnoreParenCasts(), 0};
  while (true) {
    const Expr *Base = nullptr, *Number = nullptr;
    if (const auto *Sum = dyn_cast<BinaryOperator>(Result.Object);
        Sum && Sum->getOpcode() == BO_Add) {
      const bool IsFirst = Sum->getLHS()->getType()->isPointerType();
      Base = IsFirst ? Sum->getLHS() : Sum->getRHS();
      Number = IsFirst ? Sum->getRHS() : Sum->getLHS();
    } else if (const auto *Address = dyn_cast<UnaryOperator>(Result.Object);
               Address && Address->getOpcode() == UO_AddrOf) {
      const auto *Element = dyn_cast<ArraySubscriptExpr>(Address->getSubExpr()->IgnoreParens());
      Base = Element ? Element->getBase() : nullptr;
      Number = Element ? Element->getIdx() : nullptr;
    }
    if (const auto *Move = dyn_cast<UnaryOperator>(Result.Object);
        Move && Move->isIncrementDecrementOp() && Move->getType()->isPointerType()) {
      Result = {Move->getSubExpr()->IgnoreParenCasts(), std::nullopt};
      continue;
    }
    QualType Step = Base ? Base->getType()->getPointeeType() : QualType();
    if (Step.isNull() || !Step->isCharType())
      return Result;
    std::optional<uint64_t> Added = numberOf(Context, Number);
    Result.Offset = Result.Offset && Added ? std::optional(*Result.Offset + *Added) : std::nullopt;
    Result.Object = Base->IgnoreParenCasts();
  }
}

/// How many bytes the call puts where argument At points, if it says so by constants: the product
/// of the sizes behind that.
static std::optional<uint64_t> byteCount(const ASTContext &Context, const CallExpr *Call,
                                         unsigned At) {
  std::optional<uint64_t> Count;
  for (unsigned I = At + 1; I < Call->getNumArgs(); ++I) {
    QualType To = parameterType(Call, I);
    if (To.isNull() || !Context.hasSameUnqualifiedType(To, Context.getSizeType()))
      continue;
    std::optional<uint64_t> Number = numberOf(Context, Call->getArg(I));
    if (!Number)
      return std::nullopt;
    Count = Count.value_or(1) * *Number;
  }
  return Count;
}

/// Whether the call fills memory with one byte, which is zero: that makes null pointers.
static bool fillsWithZero(const ASTContext &Context, const CallExpr *Call) {
  return libraryFunction(Call).contains("memset") && Call->getNumArgs() > 1 &&
         numberOf(Context, Call->getArg(1)) == 0u;
}

void Checks::checkBytes(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return;
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    const Expr *Argument = Call->getArg(I);
    QualType To = parameterType(Call, I);
    QualType Into = To.isNull() ? QualType() : To->getPointeeType();
    if (Into.isNull() || Into.isConstQualified() || !(Into->isVoidType() || Into->isCharType()))
      continue;
    const std::optional<LibraryEffect> Effect = libraryEffect(Call);
    const bool Puts = Effect && Effect->putsBytes(I) && !fillsWithZero(Context, Call);
    if (Effect && !Puts)
      continue;
    const BytePlace Place = bytePlace(Context, Argument);
    QualType Type = pointedBy(Place.Object);
    const VarDecl *Variable = localVariable(Place.Object);
    if (auto Found = Variable ? CopyOf.find(Variable) : CopyOf.end(); Found != CopyOf.end())
      Variable = Found->second;
    if (const auto *Parameter = dyn_cast_or_null<ParmVarDecl>(Variable); Parameter && Function) {
      ByteParameter Here = {Function->getCanonicalDecl(), Parameter->getFunctionScopeIndex()};
      if (Puts)
        PutsBytes.insert(Here);
      else
        PassesBytes[{Callee->getCanonicalDecl(), I}].push_back(Here);
    }
    if (Type.isNull() || !hasUniqueSlots(Context, Type))
      continue;
    const std::optional<uint64_t> Count = byteCount(Context, Call, I);
    const uint64_t Begin = Place.Offset.value_or(0);
    const uint64_t End = Place.Offset && Count ? Begin + *Count : ~uint64_t(0);
    std::optional<uint64_t> Owned =
        Type->isIncompleteType() || End <= uint64_t(Context.getTypeSizeInChars(Type).getQuantity())
            ? ownedWithin(Context, Type, 0, {Begin, End})
            : std::optional<uint64_t>(0);
    if (!Owned)
      continue;
    if (Puts)
      reportBytes(Call, Argument, Type, nullptr);
    else
      ByteQuestions.push_back({{Callee->getCanonicalDecl(), I}, Call, Argument, Type});
  }
}

/// The first owning field in an object of this type.
static const FieldDecl *owningField(ASTContext &Context, QualType Type) {
  const RecordDecl *Record = Context.getBaseElementType(Type)->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (Record)
    for (const FieldDecl *Field : Record->fields())
      if (hasUniqueSlots(Context, Field->getType())) {
        const FieldDecl *Inner = owningField(Context, Field->getType());
        return Inner ? Inner : Field;
      }
  return nullptr;
}

void acre::ast::noteOwningField(ASTContext &Context, Diagnostics &Reports, QualType Type) {
  if (const FieldDecl *Field = owningField(Context, Type); Field && Field->getLocation().isValid())
    Reports.note(Field->getLocation(), "the owner %0 is declared here") << Field;
}

void Checks::reportBytes(const CallExpr *Call, const Expr *Argument, QualType Type,
                         const FunctionDecl *Through) {
  Reports.report(Diag::BytesOverOwners, Call->getExprLoc())
      << print(Type) << Argument->getSourceRange();
  noteOwningField(Context, Reports, Type);
  if (Through && Through->getLocation().isValid())
    Reports.note(Through->getLocation(), "%0 puts bytes where this parameter points") << Through;
}

void Checks::finishBytes() {
  llvm::SmallVector<ByteParameter, 8> Work(PutsBytes.begin(), PutsBytes.end());
  while (!Work.empty()) {
    auto Found = PassesBytes.find(Work.pop_back_val());
    if (Found != PassesBytes.end())
      for (ByteParameter Each : Found->second)
        if (PutsBytes.insert(Each).second)
          Work.push_back(Each);
  }
  for (const ByteQuestion &Each : ByteQuestions)
    if (PutsBytes.contains(Each.Which))
      reportBytes(Each.Call, Each.Argument, Each.Type, Each.Which.first);
}

/// If Pointer is the address of an owning slot under another type, made so by casts: the expression
/// that has the slot's own type.
static const Expr *recastSlot(const Expr *Pointer) {
  const Expr *Inner = Pointer->IgnoreParenCasts();
  QualType Slot = pointedBy(Inner), As = Pointer->getType()->getPointeeType();
  while (!Slot.isNull() && Slot->isArrayType())
    Slot = Slot->castAsArrayTypeUnsafe()->getElementType();
  if (Inner == Pointer->IgnoreParenImpCasts() || Slot.isNull() || As.isNull() || !isOwning(Slot) ||
      As->isVoidType() || As->isFunctionType() || (isSlotType(As) && areOwnedAlike(Slot, As)))
    return nullptr;
  return Inner;
}

void Checks::exemptCasts(const Expr *Pointer) {
  const Expr *Inner = Pointer->IgnoreParenCasts();
  for (const Expr *Each = Pointer; Each != Inner;) {
    if (const auto *Cast = dyn_cast<CastExpr>(Each)) {
      Exempt.insert(Cast);
      Each = Cast->getSubExpr();
    } else {
      Each = Each->IgnoreParens();
    }
  }
}

void Checks::exemptSlot(const CallExpr *Call, unsigned Index, QualType To) {
  const Expr *Argument = Call->getArg(Index)->IgnoreParenImpCasts();
  if (!isa<ExplicitCastExpr>(Argument) || !recastSlot(Argument))
    return;
  const std::optional<LibraryEffect> Effect = libraryEffect(Call);
  const bool IsOnlyRead = !To.isNull() && To->getPointeeType().isConstQualified();
  if (Effect && (Effect->Filled == Index || (IsOnlyRead && !Effect->keeps(Index))))
    exemptCasts(Argument);
}

void Checks::checkRecast(SlotUnder How, const Expr *Pointer) {
  const Expr *Slot = Pointer ? recastSlot(Pointer->IgnoreParenImpCasts()) : nullptr;
  if (!Slot)
    return;
  QualType As = Pointer->IgnoreParenImpCasts()->getType();
  exemptCasts(Pointer);
  // Bytes may be looked at: to hash or print them.
  if (How != SlotUnder::Set && !isSlotType(As->getPointeeType()) &&
      (How == SlotUnder::Read || As->getPointeeType().isConstQualified()))
    return;
  Reports.report(Diag::SlotUnderOtherType, Pointer->getExprLoc())
      << unsigned(How) << print(As) << Pointer->getSourceRange();
  if (const ValueDecl *Named = namedBy(Slot); Named && Named->getLocation().isValid())
    Reports.note(Named->getLocation(), "the owner %0 is declared here") << Named;
}

void Checks::checkSlotRead(const Expr *Lvalue) {
  if (const Expr *Pointer = HasAnnotations ? pointerOf(Lvalue) : nullptr)
    checkRecast(SlotUnder::Read, Pointer);
}

void Checks::checkSlotSet(const Expr *Lvalue) {
  if (const Expr *Pointer = HasAnnotations ? pointerOf(Lvalue) : nullptr)
    checkRecast(SlotUnder::Set, Pointer);
}

void Checks::checkSharedAddress(const UnaryOperator *Address) {
  const Expr *Lvalue = Address->getSubExpr();
  const MemberExpr *Member =
      HasAnnotations && isSlotType(Lvalue->getType()) ? sharingMember(Context, Lvalue) : nullptr;
  if (!Member)
    return;
  Reports.report(Diag::SlotUnderOtherType, Address->getExprLoc())
      << unsigned(SlotUnder::Kept) << print(Address->getType()) << Address->getSourceRange();
  QualType Union = Member->getBase()->getType();
  noteOwningField(Context, Reports, Member->isArrow() ? Union->getPointeeType() : Union);
}

// SPDX-License-Identifier: MIT
//===- CheckConversions.cpp - What conversions do to annotations ---------===//
//
// Two types that differ only in annotations are the same type for Clang, and
// a conversion between them is no node in the tree.  So wherever a value gets
// a new type, the type it was written with is compared with the new one.
//
//===----------------------------------------------------------------------===//

#include "plugin/Annotations.h"
#include "plugin/Checks.h"
#include "versions/StringSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace acre;
using namespace acre::ast;

static void merge(Difference &Into, const Difference &Other) {
  Into.IsDeletesLost |= Other.IsDeletesLost;
  Into.IsSlotChanged |= Other.IsSlotChanged;
  Into.IsSlotHidden |= Other.IsSlotHidden;
}

static Difference comparePointers(const ASTContext &Context, QualType From, QualType To,
                                  bool IsOutermost);

/// Whether a parameter differs only in that its function keeps nothing of what it is given: those
/// who do not know that may call it too.
static bool onlyBorrows(const ASTContext &Context, QualType From, QualType To) {
  return isSlotType(From) && isSlotType(To) && disciplineOf(From) == Discipline::Borrowed &&
         disciplineOf(To) == Discipline::None && slotRule(From) == slotRule(To) &&
         !comparePointers(Context, From, To, true).IsSlotChanged &&
         !comparePointers(Context, To, From, true).IsSlotChanged;
}

/// Whether the parameters or results of two function types are annotated differently.  IsCalled: as
/// for a function that is called as a To, not one that is stored where another may stand.
static bool areSignaturesDifferent(const ASTContext &Context, const FunctionType *From,
                                   const FunctionType *To, bool IsCalled = false) {
  if (areAnnotatedDifferently(Context, From->getReturnType(), To->getReturnType()))
    return true;
  const auto *FromPrototype = dyn_cast<FunctionProtoType>(From);
  const auto *ToPrototype = dyn_cast<FunctionProtoType>(To);
  if (!FromPrototype || !ToPrototype ||
      FromPrototype->getNumParams() != ToPrototype->getNumParams())
    return false;
  for (unsigned I = 0; I != FromPrototype->getNumParams(); ++I)
    if (QualType Given = FromPrototype->getParamType(I), Wanted = ToPrototype->getParamType(I);
        areAnnotatedDifferently(Context, Given, Wanted) &&
        !(IsCalled && onlyBorrows(Context, Given, Wanted)))
      return true;
  return false;
}

static Difference compareFunctions(const ASTContext &Context, QualType From, QualType To,
                                   bool IsOutermost) {
  Difference Result;
  bool WasDeletes = isDeletesType(From), IsDeletes = isDeletesType(To);
  // Through a pointer to a function pointer the target could be given either kind of function.
  Result.IsDeletesLost = IsOutermost ? WasDeletes && !IsDeletes : WasDeletes != IsDeletes;
  Result.IsSlotChanged = areSignaturesDifferent(Context, From->getAs<FunctionType>(),
                                                To->getAs<FunctionType>(), IsOutermost);
  return Result;
}

/// Compares what two pointers point to.
static Difference comparePointers(const ASTContext &Context, QualType From, QualType To,
                                  bool IsOutermost) {
  Difference Result;
  QualType Pointee = From->getPointeeType(), NewPointee = To->getPointeeType();
  if (Pointee.isNull() || NewPointee.isNull())
    return Result;
  if (Pointee->isFunctionType() && NewPointee->isFunctionType())
    return compareFunctions(Context, Pointee, NewPointee, IsOutermost);
  QualType Slot = Context.getBaseElementType(Pointee),
           NewSlot = Context.getBaseElementType(NewPointee);
  if (!isSlotType(Slot))
    return Result;
  Rule SlotRule = slotRule(Slot);
  // An array of owners that is given away as a whole goes to a wrapper of free, or the like.
  const bool IsGiven = IsOutermost && disciplineOf(To) == Discipline::Unique;
  const bool IsOwning = disciplineOf(Slot) != Discipline::None && !IsGiven;
  Result.IsSlotHidden = NewPointee->isVoidType() && !NewPointee.isConstQualified() &&
                        (SlotRule != Rule::Plain || IsOwning);
  if (!isSlotType(NewSlot))
    return Result;
  // A pointer that can only read the slot may forget its rule.
  bool IsOnlyRead = NewSlot.isConstQualified() && slotRule(NewSlot) == Rule::Plain;
  Result.IsSlotChanged =
      (SlotRule != slotRule(NewSlot) && !IsOnlyRead) || !areOwnedAlike(Slot, NewSlot);
  merge(Result, comparePointers(Context, Slot, NewSlot, false));
  return Result;
}

static QualType withoutAtomic(QualType Type) {
  const auto *Atomic = Type->getAs<AtomicType>();
  return Atomic ? Atomic->getValueType() : Type;
}

Difference acre::ast::compareAnnotations(const ASTContext &Context, QualType From, QualType To) {
  if (From.isNull() || To.isNull() || !isSlotType(From) || !isSlotType(To))
    return {};
  return comparePointers(Context, withoutAtomic(From), withoutAtomic(To), true);
}

bool acre::ast::areAnnotatedDifferently(const ASTContext &Context, QualType From, QualType To) {
  if (From->isFunctionType() && To->isFunctionType())
    return areSignaturesDifferent(Context, From->getAs<FunctionType>(), To->getAs<FunctionType>());
  QualType Slot = Context.getBaseElementType(From), NewSlot = Context.getBaseElementType(To);
  if (!isSlotType(Slot) || !isSlotType(NewSlot))
    return false;
  if (slotRule(Slot) != slotRule(NewSlot) || !areOwnedAlike(Slot, NewSlot))
    return true;
  Difference There = comparePointers(Context, Slot, NewSlot, true);
  Difference Back = comparePointers(Context, NewSlot, Slot, true);
  return There.IsDeletesLost || Back.IsDeletesLost || There.IsSlotChanged || Back.IsSlotChanged;
}

const ValueDecl *acre::ast::namedBy(const Expr *Value) {
  Value = withoutConversions(Value);
  if (const auto *Operator = dyn_cast<UnaryOperator>(Value))
    return namedBy(Operator->getSubExpr());
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Value))
    return namedBy(Element->getBase());
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Value))
    return Reference->getDecl();
  if (const auto *Member = dyn_cast<MemberExpr>(Value))
    return Member->getMemberDecl();
  if (const auto *Call = dyn_cast<CallExpr>(Value))
    return Call->getDirectCallee();
  return nullptr;
}

void Checks::noteOrigins(const Expr *Value, const ValueDecl *Target) {
  const ValueDecl *Source = namedBy(Value);
  for (const ValueDecl *Each : {Source, Target == Source ? nullptr : Target})
    if (Each && Each->getLocation().isValid()) {
      if (Each->getDeclName())
        Reports.note(Each->getLocation(), "%0 is declared here") << Each;
      else
        Reports.note(Each->getLocation(), "the parameter is declared here");
    }
}

bool acre::ast::isStartOrExitHandler(const ValueDecl *Parameter) {
  const auto *Argument = dyn_cast_or_null<ParmVarDecl>(Parameter);
  const auto *Callee = Argument ? dyn_cast<FunctionDecl>(Argument->getDeclContext()) : nullptr;
  if (!Callee || !Callee->getIdentifier() || !Callee->isExternallyVisible())
    return false;
  return acre::StringSwitch<bool>(Callee->getName())
      .Cases({"pthread_create", "thrd_create", "atexit", "at_quick_exit", "on_exit",
              "pthread_key_create", "tss_create", "makecontext"},
             true)
      .Default(false);
}

/// Whether Target, of the C library, holds a function that signals run.
static bool isSignalHandler(const ValueDecl *Target) {
  const auto *Argument = dyn_cast<ParmVarDecl>(Target);
  const auto *Callee = Argument ? dyn_cast<FunctionDecl>(Argument->getDeclContext()) : nullptr;
  const NamedDecl *Named = Callee ? Callee : static_cast<const NamedDecl *>(Target);
  return Named->getIdentifier() &&
         acre::StringSwitch<bool>(Named->getName())
             .Cases({"sa_handler", "sa_sigaction", "signal", "sigset", "bsd_signal"}, true)
             .Cases({"sysv_signal", "__sysv_signal", "sv_handler"}, true)
             .Default(false);
}

void Checks::noteSystemPointer(SourceLocation At, const ValueDecl *Target) {
  if (!Target || !Context.getSourceManager().isInSystemHeader(Target->getLocation()))
    return;
  Reports.note(At, isSignalHandler(Target)
                       ? "a signal interrupts code that may use the region: let the handler set a "
                         "'volatile sig_atomic_t' variable, and delete where the program reads it"
                       : "nothing can say 'deletes' in a header of the system: let the function "
                         "note what is to be deleted, and delete after the call");
}

/// Whether annotations behind a pointer of this type could differ from those of what becomes one.
static bool canHideAnnotations(QualType To) {
  const clang::Type *Pointer = To->getCanonicalTypeInternal().getTypePtr();
  QualType Pointee = Pointer->getPointeeType();
  const clang::Type *Behind =
      Pointee.isNull() ? nullptr : Pointee->getCanonicalTypeInternal().getTypePtr();
  return !isa_and_nonnull<RecordType>(Behind) &&
         !(isa_and_nonnull<BuiltinType>(Behind) && !Behind->isVoidType());
}

Proposals::Hints Checks::proposeDeletes(const Expr *Value, QualType To, const ValueDecl *Target,
                                        TypeLoc Written) {
  // Behind several pointers it may be the value's type that lacks the word.
  const ValueDecl *Source = namedBy(Value);
  if (isDeletesBehind(To))
    return Source ? Words.deletesBehind(Source) : Proposals::Hints();
  return Target ? Words.deletesBehind(Target) : Words.deletesBehind(Written);
}

void Checks::checkConversion(Conversion How, Expr *Value, QualType To, const ValueDecl *Target,
                             TypeLoc Written) {
  // What Sema did not convert has the same type already.
  const auto *Implicit = Value ? dyn_cast<ImplicitCastExpr>(Value->IgnoreParens()) : nullptr;
  bool IsConverted = How == Conversion::Cast || (Implicit && Implicit->getCastKind() == CK_BitCast);
  if (HasAnnotations && IsConverted && Value && isSlotType(To) && !Value->containsErrors())
    checkLayout(Value, To);
  if (HasAnnotations && Value && isSlotType(To) && How != Conversion::Cast &&
      How != Conversion::Pass && How != Conversion::Convert)
    checkRecast(SlotUnder::Kept, Value);
  if (!HasAnnotations || !Value || !isSlotType(To) || !canHideAnnotations(To) ||
      Value->containsErrors() || isNullPointer(Context, Value))
    return;
  QualType From = ast::writtenType(Context, Value);
  Difference Found = compareAnnotations(Context, From, To);
  SourceLocation Location = Value->getExprLoc();
  if (Found.IsDeletesLost && isStartOrExitHandler(Target))
    return;
  if (Found.IsDeletesLost) {
    Reports.report(Diag::DeletesLost, Location)
        << unsigned(How) << print(To) << Value->getSourceRange()
        << llvm::ArrayRef(proposeDeletes(Value, To, Target, Written));
    noteSystemPointer(Location, Target);
  } else if (Found.IsSlotChanged && How != Conversion::Cast) {
    Reports.report(Diag::SlotAnnotationChanged, Location)
        << unsigned(How) << print(From) << print(To) << Value->getSourceRange();
  } else if ((Found.IsSlotChanged || Found.IsSlotHidden) &&
             Reports.isEnabled(Diag::QualifierLost, Location)) {
    Reports.report(Diag::QualifierLost, Location)
        << unsigned(How) << print(From) << print(To) << unsigned(Found.IsSlotChanged)
        << Value->getSourceRange();
  } else {
    return;
  }
  noteOrigins(Value, Target);
}

void Checks::checkInitializer(Expr *Value, QualType To, const ValueDecl *Target) {
  if (!Value)
    return;
  if (auto *List = dyn_cast<InitListExpr>(Value))
    return checkList(List, Target);
  checkConversion(Conversion::Initialize, Value, To, Target);
  checkIntegers(Conversion::Initialize, Value);
  if (IsStatic && isSlotType(To) && isOwning(To))
    checkStaticOwner(Value);
}

void Checks::checkStaticOwner(const Expr *Value) {
  const auto *Cast = dyn_cast<ExplicitCastExpr>(Value->IgnoreParenImpCasts());
  const bool IsAdopted = Cast && isOwning(Cast->getTypeAsWritten());
  if (!IsAdopted && !isa<ImplicitValueInitExpr>(Value) && !isNullPointer(Context, Value))
    Reports.report(Diag::PlainBecomesUnique, Value->getExprLoc()) << Value->getSourceRange();
}

void Checks::checkList(InitListExpr *List, const ValueDecl *Holder) {
  if (InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  if (const ArrayType *Array = Context.getAsArrayType(List->getType())) {
    QualType Element = Array->getElementType();
    if (Element->isArithmeticType())
      return;
    for (Expr *Each : List->inits())
      checkInitializer(Each, Element, Holder);
    return;
  }
  const RecordDecl *Record = List->getType()->getAsRecordDecl();
  if (!Record) {
    for (Expr *Each : List->inits()) // a scalar in braces
      checkInitializer(Each, List->getType(), Holder);
    return;
  }
  if (Record->isUnion()) {
    if (const FieldDecl *Field = List->getInitializedFieldInUnion();
        Field && List->getNumInits() != 0)
      checkInitializer(List->getInit(0), Field->getType(), Field);
    return;
  }
  unsigned Index = 0;
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isUnnamedBitField())
      continue;
    if (Index == List->getNumInits())
      return;
    checkInitializer(List->getInit(Index++), Field->getType(), Field);
  }
}

void Checks::checkIntegers(Conversion How, Expr *Value) {
  if (How == Conversion::Cast || !Value)
    return;
  const Expr *Inner = Value->IgnoreParens();
  while (const auto *Cast = dyn_cast<CastExpr>(Inner)) {
    if (Cast->getCastKind() == CK_PointerToIntegral) {
      if (Reports.isEnabled(Diag::PointerToInt, Cast->getExprLoc()))
        Reports.report(Diag::PointerToInt, Cast->getExprLoc())
            << print(Cast->getSubExpr()->getType()) << Cast->getSourceRange();
      return;
    }
    if (Cast->getCastKind() != CK_IntegralCast && Cast->getCastKind() != CK_NoOp)
      return;
    Inner = Cast->getSubExpr()->IgnoreParens();
  }
}

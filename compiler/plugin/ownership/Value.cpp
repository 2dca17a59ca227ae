// SPDX-License-Identifier: MIT
//===- Value.cpp - What a pointer expression's value may be ---------------===//

#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Cursors.h"
#include "plugin/ownership/Elements.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Plain.h"
#include "plugin/ownership/Unions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace acre::ast;

void Value::add(const Value &Other) {
  MayBeNull |= Other.MayBeNull;
  IsFresh |= Other.IsFresh;
  IsUnknown |= Other.IsUnknown;
  IsAdopted |= Other.IsAdopted;
  IsStandard |= Other.IsStandard;
  Lent.add(Other.Lent);
  Owners.append(Other.Owners.begin(), Other.Owners.end());
  Slots.append(Other.Slots.begin(), Other.Slots.end());
  OwnerAddresses.append(Other.OwnerAddresses.begin(), Other.OwnerAddresses.end());
  Borrowers.append(Other.Borrowers.begin(), Other.Borrowers.end());
  Results.append(Other.Results.begin(), Other.Results.end());
}

bool acre::ast::hasUniqueSlots(ASTContext &Context, QualType Type) {
  // Records cannot contain themselves, so this ends.
  Type = Context.getBaseElementType(Type);
  if (isOwning(Type))
    return true;
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  return Record && llvm::any_of(Record->fields(), [&](const FieldDecl *Field) {
           return hasUniqueSlots(Context, Field->getType());
         });
}

Discipline acre::ast::resultDiscipline(ASTContext &Context, const Expr *Owned) {
  const auto *Call = dyn_cast<CallExpr>(Owned);
  if (!Call)
    return disciplineOf(takenByHand(cast<StmtExpr>(Owned))->getType());
  if (isSwap(Call)) // of the slot's
    return disciplineOf(Call->getArg(0)->IgnoreParenCasts()->getType()->getPointeeType());
  QualType Type = Call->getCallReturnType(Context);
  if (isOwning(Type))
    return disciplineOf(Type);
  std::optional<LibraryEffect> Effect = libraryEffect(Call);
  return Effect && Effect->IsFresh ? Effect->Of : Discipline::None;
}

bool acre::ast::mayHangOn(const FunctionDecl *Function, unsigned Index) {
  return !Function || Index >= Function->getNumParams() ||
         mayReturnByAttribute(Function, Index).value_or(true);
}

bool acre::ast::lendsGlobals(const FunctionDecl *Function, QualType Type) {
  if (!Type->getPointeeType().isNull())
    Type = Type->getPointeeType();
  const auto *Prototype = Type->getAs<FunctionProtoType>();
  QualType Lent = Prototype ? Prototype->getReturnType()->getPointeeType() : QualType();
  if (Lent.isNull() || Lent->isFunctionType() || Prototype->isVariadic())
    return false;
  for (unsigned I = 0; I != Prototype->getNumParams(); ++I) {
    const QualType Each = Prototype->getParamType(I);
    const bool CannotLead = Lent->isRecordType() && Each->getPointeeType()->isArithmeticType();
    if (isSlotType(Each) && !isOwning(Each) && !CannotLead && mayHangOn(Function, I))
      return false;
  }
  return true;
}

QualType acre::ast::parameterType(const CallExpr *Call, unsigned Index) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (Callee && Index < Callee->getNumParams())
    return Callee->getParamDecl(Index)->getType();
  QualType Type = Call->getCallee()->getType();
  if (!Type->getPointeeType().isNull())
    Type = Type->getPointeeType();
  const auto *Prototype = Type->getAs<FunctionProtoType>();
  return Prototype && Index < Prototype->getNumParams() ? Prototype->getParamType(Index)
                                                        : QualType();
}

/// What an owner of this type lends may be.
static void addOwned(Loans &Into, QualType Type) {
  bool IsCounted = disciplineOf(Type) == Discipline::Refcounted;
  Into.IsOpen |= IsCounted;
  Into.MayBeCounted |= IsCounted;
  Into.MayBeOther |= !IsCounted;
}

Loans ValueReader::loansOf(const Value &Of) const {
  Loans Whole = Of.Lent;
  for (const DeclRefExpr *Owner : Of.Owners) {
    Whole.Direct.set(Vars.rootOfOwner(*Vars.ownerOf(cast<VarDecl>(Owner->getDecl()))));
    Whole.At = OwnSlot();
    addOwned(Whole, Owner->getType());
  }
  for (const Expr *Slot : Of.Slots) {
    Loans Below(Vars.rootCount()), Holder = loansOf(holderOf(Slot));
    Below.Deep = Holder.roots();
    Below.Via = All.Borrowing.firstSlot(Slot, Holder);
    Whole.add(Below);
    addOwned(Whole, Slot->getType());
  }
  return Whole;
}

const Expr *acre::ast::pointerOf(const Expr *Lvalue) {
  Lvalue = Lvalue->IgnoreParens();
  if (const auto *Deref = dyn_cast<UnaryOperator>(Lvalue); Deref && Deref->getOpcode() == UO_Deref)
    return Deref->getSubExpr();
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue))
    return Element->getBase();
  if (const auto *Member = dyn_cast<MemberExpr>(Lvalue))
    return Member->isArrow() ? Member->getBase() : pointerOf(Member->getBase());
  return nullptr;
}

std::optional<unsigned> ValueReader::borrowerAbove(const Expr *Pointer) const {
  while (Pointer) {
    Pointer = Pointer->IgnoreParenCasts();
    if (const VarDecl *Variable = localVariable(Pointer))
      return Vars.borrowerOf(Variable);
    const auto *Address = dyn_cast<UnaryOperator>(Pointer);
    const bool IsAddress = Address && Address->getOpcode() == UO_AddrOf;
    if (!IsAddress && !Pointer->getType()->isArrayType() &&
        disciplineOf(Pointer->getType()) != Discipline::Unique)
      break;
    Pointer = pointerOf(IsAddress ? Address->getSubExpr() : Pointer);
  }
  return std::nullopt;
}

llvm::SmallVector<unsigned, 2> ValueReader::borrowersAbove(const Expr *Pointer,
                                                           const Value &At) const {
  llvm::SmallVector<unsigned, 2> Result = At.Borrowers;
  if (std::optional<unsigned> First = borrowerAbove(Pointer))
    Result.push_back(*First);
  for (unsigned I = 0, Count = Result.size(); I != Count; ++I)
    for (unsigned Each : Now.Borrowers[Result[I]].Above.set_bits())
      Result.push_back(Each);
  // What hangs on an element of an array ends without the array.
  std::optional<Place> Slot = Pointer->isLValue() ? Place::of(Pointer) : Place::lentBy(Pointer);
  if (Slot)
    Slot = byElement(Now, *Slot);
  if (!Slot || Slot->isBehindPlain() || !Slot->array())
    return Result;
  // What hangs on another element stays, unless the element itself, and so the array, is lent.
  if (Pointer->isLValue() || *Slot != Slot->array()->then(Slot->element()))
    for (unsigned I = 0; I != Now.Borrowers.size(); ++I)
      if (const std::optional<Place> &Through = Now.Borrowers[I].Through;
          Through && areInOtherElements(*Through, *Slot))
        Result.push_back(I);
  for (const KeptTest &Each : Now.Tests)
    if (const std::optional<Place> Element = elementBehind(Now, Each.In))
      if (const std::optional<unsigned> Borrower = Vars.borrowerOf(Each.In);
          Borrower && Element->array() == Slot->array())
        Result.push_back(*Borrower);
  return Result;
}

llvm::SmallBitVector ValueReader::allAbove(const Expr *Pointer) const {
  const std::optional<unsigned> First = borrowerAbove(Pointer);
  llvm::SmallBitVector Result;
  if (!First)
    return Result;
  Result = Now.Borrowers[*First].Above;
  Result.resize(std::max<size_t>(Result.size(), *First + 1));
  Result.set(*First);
  return Result;
}

/// Whether nothing that an object of this type leads to has the type that Borrower points to.
static bool isNeverBelow(const Following &All, const VarDecl *Borrower, QualType Type) {
  return All.Typed.contains(Borrower) && Borrower->getType()->isPointerType() &&
         !mayLead(All.Context, Type, Borrower->getType()->getPointeeType());
}

void ValueReader::appendOtherTypes(const Expr *Argument, QualType To,
                                   llvm::SmallVectorImpl<unsigned> &Into) const {
  const auto *Address = dyn_cast<UnaryOperator>(Argument->IgnoreParenImpCasts());
  if (!Address || Address->getOpcode() != UO_AddrOf || To.isNull())
    return;
  const QualType Type = Address->getSubExpr()->getType();
  if (!isa<MemberExpr>(Address->getSubExpr()->IgnoreParens()) || !Type->isRecordType() ||
      !Context.hasSameUnqualifiedType(Type, To->getPointeeType()))
    return;
  for (unsigned I = 0; I != Vars.borrowerCount(); ++I) {
    if (isNeverBelow(All, Vars.borrower(I), Type))
      Into.push_back(I);
  }
}

/// Whether the way names a variable that others can set.
static bool namesOpen(const Variables &Vars, const Place &Way) {
  return Way.names(
      [&](const VarDecl *Each) { return Vars.isAddressTaken(Each) || !Each->hasLocalStorage(); });
}

/// The place that Lvalue is, if only unique pointers lead there from a variable that others cannot
/// set.
static std::optional<Place> placeInTree(const Variables &Vars, const Expr *Lvalue) {
  std::optional<Place> Slot = Place::of(Lvalue);
  return Slot && !Slot->isBehindPlain() && !Slot->isInUnion() && !namesOpen(Vars, *Slot)
             ? Slot
             : std::nullopt;
}

std::optional<Place> ValueReader::slotRead(const Expr *Pointer) const {
  Pointer = Pointer->IgnoreParens();
  if (const auto *Sum = dyn_cast<BinaryOperator>(Pointer); Sum && Sum->isAdditiveOp())
    return slotRead(isSlotType(Sum->getLHS()->getType()) ? Sum->getLHS() : Sum->getRHS());
  const auto *Read = dyn_cast<CastExpr>(Pointer);
  if (Read && (Read->getCastKind() == CK_NoOp || Read->getCastKind() == CK_BitCast))
    return slotRead(Read->getSubExpr());
  const auto *Address = dyn_cast<UnaryOperator>(Pointer);
  const bool IsAddress = Address && Address->getOpcode() == UO_AddrOf;
  if (IsAddress || (Read && Read->getCastKind() == CK_ArrayToPointerDecay)) {
    const Expr *To = pointerOf(IsAddress ? Address->getSubExpr() : Read->getSubExpr());
    return To ? slotRead(To) : std::nullopt;
  }
  if (!Read || Read->getCastKind() != CK_LValueToRValue || localVariable(Read->getSubExpr()) ||
      disciplineOf(Read->getSubExpr()->getType()) != Discipline::Unique)
    return std::nullopt;
  return placeInTree(Vars, Read->getSubExpr());
}

void ValueReader::appendElsewhere(const Expr *Slot, llvm::SmallVectorImpl<unsigned> &Into) const {
  const std::optional<Place> Changed = placeInTree(Vars, Slot);
  for (unsigned I = 0; I != Now.Borrowers.size(); ++I) {
    const bool IsOfOtherType =
        I < Vars.borrowerCount() && isNeverBelow(All, Vars.borrower(I), Slot->getType());
    const std::optional<Place> &Read = Now.Borrowers[I].Slot;
    if (IsOfOtherType || (Changed && Read && !Read->mayHangOn(*Changed)))
      Into.push_back(I);
  }
}

/// Whether Way leads from one object to another by a number.
static bool isNumbered(const Stmt *Way) {
  return isa<ArraySubscriptExpr, BinaryOperator, CallExpr>(Way) ||
         llvm::any_of(Way->children(), [](const Stmt *Each) { return Each && isNumbered(Each); });
}

std::optional<Place> ValueReader::elementOnWay(const Expr *Pointer) const {
  const Expr *Way = Pointer->IgnoreParenCasts();
  const std::optional<Place> Whole =
      Way->isLValue() ? Place::of(Way) : Place::behind(Pointer->IgnoreParens());
  if (Whole && Whole->numbers().size() == 1 && !Whole->isBehindPlain() && !Whole->isInUnion()) {
    const Expr *Number = Whole->numbers().front()->IgnoreParenImpCasts();
    const Place Element = Whole->array()->then(Whole->element());
    const bool IsKept = localVariable(Number) || isa<IntegerLiteral>(Number);
    return IsKept && !namesOpen(Vars, Element) ? std::optional(Element) : std::nullopt;
  }
  const std::optional<unsigned> First = isNumbered(Way) ? std::nullopt : borrowerAbove(Pointer);
  return First ? Now.Borrowers[*First].Through : std::nullopt;
}

/// A pointer into what Base points to.
Value ValueReader::derived(Value Base) const {
  Value Result = none();
  Result.Lent = loansOf(Base);
  Result.Lent.MayBeOther = true;
  Result.Lent.IsCell = false;
  Result.Lent.At = OwnSlot();
  Result.IsUnknown = true;
  Result.Borrowers = Base.Borrowers;
  return Result;
}

Loans ValueReader::holdersOf(Loans Address) const {
  if (Address.IsOpen || !Address.any())
    Address.Direct.set(Variables::SharedRoot);
  return Address;
}

Value ValueReader::holderOf(const Expr *Lvalue) const {
  Value Holder = addressOf(Lvalue);
  Holder.Lent = holdersOf(Holder.Lent);
  return Holder;
}

/// acre_root.
static bool isArenaRoot(const Expr *Lvalue) {
  const auto *Deref = dyn_cast<UnaryOperator>(Lvalue);
  const auto *Call = Deref && Deref->getOpcode() == UO_Deref
                         ? dyn_cast<CallExpr>(Deref->getSubExpr()->IgnoreParenCasts())
                         : nullptr;
  return Call && libraryFunction(Call) == "acre_region_root";
}

Value ValueReader::load(const Expr *Lvalue) const {
  Lvalue = Lvalue->IgnoreParens();
  if (const auto *Literal = dyn_cast<CompoundLiteralExpr>(Lvalue))
    return evaluate(Literal->getInitializer());
  Value Result = none();
  const VarDecl *Variable = localVariable(Lvalue);
  if (Variable && Vars.ownerOf(Variable)) {
    const Expr *Named = Lvalue;
    while (!isa<DeclRefExpr>(Named)) // *&v
      Named = cast<UnaryOperator>(Named)->getSubExpr()->IgnoreParenImpCasts();
    if (const auto *Stores = All.Moved.storesBefore(cast<DeclRefExpr>(Named))) {
      for (const BinaryOperator *Each : *Stores) {
        const Expr *Pointer = pointerOf(Each->getLHS());
        const VarDecl *Base = Pointer ? localVariable(Pointer->IgnoreParenCasts()) : nullptr;
        const std::optional<unsigned> Last = Base ? Vars.borrowerOf(Base) : std::nullopt;
        if (!Last || !Now.Borrowers[*Last].From.isNothing()) // else that is not the one: it is null
          Result.add(load(Each->getLHS()));
      }
      return Result;
    }
    Result.Owners.push_back(cast<DeclRefExpr>(Named));
  } else if (std::optional<unsigned> Borrower =
                 Variable ? Vars.borrowerOf(Variable) : std::nullopt) {
    Result.Lent = Now.Borrowers[*Borrower].From;
    Result.Borrowers.push_back(*Borrower);
    Result.IsUnknown = true;
  } else if (isOwning(Lvalue->getType())) {
    Result.Slots.push_back(Lvalue);
  } else {
    Result.IsStandard = isStandardStream(Lvalue);
    Result.IsUnknown = !Result.IsStandard;
    Result.Lent.MayBeOther = true;
    All.Lenders.addInside(Result.Lent, Lvalue);
    All.Aliases.addHeld(Result.Lent, Lvalue);
    if (Vars.arenaCount() && !Variable) { // what is in an arena points into it, or out of it
      Loans Held = std::move(Result.Lent);
      Result.Lent = addressOf(Lvalue).Lent;
      Result.Lent.MayBeCounted = false;
      // The rest of an arena hangs on its root, which is nowhere else.
      if (isArenaRoot(Lvalue))
        return Result;
      All.Arenas.weaken(Result.Lent);
      Result.Lent.Direct.reset();
      Result.Lent.Deep.reset();
      Result.Lent.Frames.reset();
      Result.Lent.add(Held);
    }
    Result.Lent.IsOpen = true;
    // What is read may be the owner that another member of a union has there.
    if (sharingMember(Context, Lvalue))
      Result.Lent.Deep |= loansOf(holderOf(Lvalue)).roots();
  }
  return Result;
}

Value ValueReader::addressOf(const Expr *Lvalue) const {
  Lvalue = Lvalue->IgnoreParens();
  Value Result = none();
  const VarDecl *Variable = localVariable(Lvalue);
  if (Variable && Vars.ownerOf(Variable)) {
    Result.OwnerAddresses.push_back(Variable);
    return Result;
  }
  Result.IsUnknown = true;
  Result.Lent.MayBeOther = true;
  std::optional<unsigned> Frame = Variable ? Vars.rootOfFrame(Variable) : std::nullopt;
  if (Frame) {
    Result.Lent.Frames.set(*Frame);
    Result.Lent.Direct[*Frame] = Vars.isExclusive(*Frame);
    Result.Lent.IsOpen = !Vars.isExclusive(*Frame);
  } else if (std::optional<unsigned> Literal = Vars.rootOfUnnamed(Lvalue)) {
    Result.Lent.Frames.set(*Literal);
    Result.Lent.IsOpen = true;
  } else if (const auto *Member = dyn_cast<MemberExpr>(Lvalue)) {
    Value Base =
        Member->isArrow() ? derived(evaluate(Member->getBase())) : addressOf(Member->getBase());
    Result.add(Base);
  } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue)) {
    Result.add(derived(evaluate(Element->getBase())));
  } else if (const auto *Deref = dyn_cast<UnaryOperator>(Lvalue);
             Deref && Deref->getOpcode() == UO_Deref) {
    Value Pointer = evaluate(Deref->getSubExpr());
    Result.add(derived(Pointer));
    Result.Lent.IsCell = Pointer.Lent.IsCell && Pointer.Slots.empty();
    Result.Lent.At = loansOf(Pointer).At;
  } else if (const auto *Cast = dyn_cast<CastExpr>(Lvalue)) {
    return addressOf(Cast->getSubExpr());
  } else {
    Result.Lent.IsOpen = true;
  }
  return Result;
}

Value ValueReader::taken(const StmtExpr *Block) const {
  Value Result = none();
  Result.IsFresh = true;
  Result.Results.push_back(Block);
  return Result;
}

bool ValueReader::mayReturnPlain(const FunctionDecl *Callee, unsigned Index) const {
  Callee = Callee->getCanonicalDecl();
  if (Index >= Callee->getNumParams())
    return false;
  return disciplineOf(Callee->getParamDecl(Index)->getType()) == Discipline::None
             ? Known.mayReturn({Callee, Index})
             : Known.Lenders.isOfParameter(Callee, Index);
}

bool ValueReader::isKnownElsewhere(const FunctionDecl *Callee, unsigned Index) const {
  return Callee && Index < Callee->getNumParams() &&
         disciplineOf(Callee->getParamDecl(Index)->getType()) == Discipline::None &&
         !Known.mayReturn({Callee->getCanonicalDecl(), Index});
}

Value ValueReader::resultOf(const CallExpr *Call) const {
  Value Result = none();
  std::optional<LibraryEffect> Effect = Facts.of(Call).Effect;
  if (isSwap(Call) || isOwning(Call->getCallReturnType(Context)) || (Effect && Effect->IsFresh)) {
    Result.IsFresh = true;
    Result.Results.push_back(Call);
    return Result;
  }
  if (isAliasCall(Call))
    return derived(evaluate(Call->getArg(0)));
  Result.IsUnknown = true;
  Result.Lent.MayBeOther = true;
  if (!isSlotType(Call->getType()))
    return Result;
  if (std::optional<unsigned> Made = Vars.rootOfUnnamed(Call)) {
    Result.Lent.Frames.set(*Made);
    Result.Lent.IsOpen = true;
    return Result;
  }
  bool IsBorrowed = disciplineOf(Call->getCallReturnType(Context)) == Discipline::Borrowed;
  const FunctionDecl *Callee = Call->getDirectCallee();
  std::optional<unsigned> Always =
      Callee && !Effect ? Known.alwaysReturned(Callee->getCanonicalDecl()) : std::nullopt;
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    if (!isSlotType(Call->getArg(I)->getType()))
      continue;
    QualType To = parameterType(Call, I);
    bool MayBeIt = Effect       ? Effect->pointsInto(I)
                   : IsBorrowed ? (To.isNull() || !isOwning(To)) && mayHangOn(Callee, I) &&
                                      !isKnownElsewhere(Callee, I)
                                : Callee && !To.isNull() && mayReturnPlain(Callee, I);
    if (MayBeIt) {
      Value From = derived(evaluate(Call->getArg(I)));
      // The callee may have followed unique pointers.
      if (!Effect && !To.isNull() && !To->getPointeeType().isNull() &&
          Facts.hasUniqueSlots(To->getPointeeType()))
        From.Lent.Deep |= holdersOf(From.Lent).roots();
      Result.add(From);
    }
    if (isPlace(Call->getArg(I)))
      All.Cursors.addMoved(Result, Call, I);
  }
  if ((IsBorrowed && lendsGlobals(Callee, Call->getCallee()->getType())) ||
      (Callee && Known.Lenders.isOfGlobal(Callee->getCanonicalDecl())))
    Result.Lent.Deep.set(Variables::SharedRoot);
  if (!Effect && !IsBorrowed)
    All.Arenas.weaken(Result.Lent);
  if (!Effect) // which of its arguments, if any, is not known
    Result.Lent.Frames.reset();
  if (Always && *Always < Call->getNumArgs())
    Result.Lent.Frames |= evaluate(Call->getArg(*Always)).Lent.Frames;
  All.Arenas.addArenas(Result, Call, Effect.has_value());
  Result.Lent.IsOpen |= !Result.Lent.any();
  All.Lenders.addResult(Result.Lent, Call);
  if (isLentReference(Call->getCallReturnType(Context))) {
    Result.Lent.IsOpen = Result.Lent.MayBeCounted = true;
    Result.Lent.MayBeOther = false;
  }
  return Result;
}

void ValueReader::believe(QualType Type, Value &What) const {
  if (!What.IsUnknown)
    return;
  // A cast to unique says that this is the only pointer.
  What.IsAdopted |= isOwning(Type);
  // One to a reference says that what it points to has a count; of what is exclusive it is known
  // that it has none.
  bool IsReference = disciplineOf(Type) == Discipline::Refcounted || isLentReference(Type);
  llvm::SmallVector<unsigned, 4> Roots = What.Lent.numbers();
  if (IsReference && What.Lent.Frames.none() &&
      llvm::none_of(Roots, [&](unsigned Root) { return Vars.isExclusive(Root); })) {
    What.Lent.MayBeOther = false;
    What.Lent.MayBeCounted = What.Lent.IsOpen = true;
  }
}

Value ValueReader::valueOf(const BinaryOperator *Operator) const {
  if (Operator->getOpcode() == BO_Comma)
    return evaluate(Operator->getRHS());
  if (Operator->getOpcode() == BO_Assign) {
    Value Put = evaluate(Operator->getRHS());
    bool IsNull =
        Put.MayBeNull && !Put.IsUnknown && !Put.IsFresh && Put.Owners.empty() && Put.Slots.empty();
    return IsNull ? Put : load(Operator->getLHS());
  }
  if (Operator->isCompoundAssignmentOp())
    return derived(load(Operator->getLHS()));
  Value Result = none();
  for (const Expr *Each : {Operator->getLHS(), Operator->getRHS()})
    if (isSlotType(Each->getType()))
      Result.add(derived(evaluate(Each)));
  Result.IsUnknown = Result.Lent.MayBeOther = true;
  Result.Lent.IsOpen |= !Result.Lent.any();
  return Result;
}

/// Whether this is a pointer to something else than what the C library lends.
static bool isUnlent(const Value &What) {
  return What.Lent.Library.none() && (What.IsFresh || !What.Owners.empty() || !What.Slots.empty() ||
                                      !What.OwnerAddresses.empty() || !What.Lent.isNothing());
}

Value ValueReader::evaluate(const Expr *Expression) const {
  Expression = Expression->IgnoreParens();
  Value Result = none();
  if (const auto *Block = dyn_cast<StmtExpr>(Expression); Block && takenByHand(Block))
    return taken(Block);
  // MAP_FAILED owns nothing either.
  if (isNullConstant(Expression) ||
      (isSlotType(Expression->getType()) && isMinusOne(Context, Expression))) {
    Result.MayBeNull = true;
    return Result;
  }
  if (const auto *Cast = dyn_cast<CastExpr>(Expression)) {
    if (Cast->getCastKind() == CK_LValueToRValue || Cast->getCastKind() == CK_LValueToRValueBitCast)
      return load(Cast->getSubExpr());
    if (Cast->getCastKind() == CK_ArrayToPointerDecay)
      return addressOf(Cast->getSubExpr());
    if (!isSlotType(Cast->getSubExpr()->getType())) {
      Result.IsUnknown = Result.Lent.IsOpen = Result.Lent.MayBeOther = true;
    } else {
      Result = evaluate(Cast->getSubExpr());
      if (Cast->getCastKind() != CK_NoOp) // it may be what the part lies in
        Result.Lent.At = OwnSlot();
    }
    if (const auto *Written = dyn_cast<ExplicitCastExpr>(Cast))
      believe(Written->getTypeAsWritten(), Result);
    return Result;
  }
  if (const auto *Operator = dyn_cast<UnaryOperator>(Expression)) {
    if (Operator->getOpcode() == UO_AddrOf) {
      Result = addressOf(Operator->getSubExpr());
      const OwnSlot Part = All.Borrowing.partAt(Operator->getSubExpr(), Result.Lent);
      if (Part.Object)
        Result.Lent.At = Part;
      return Result;
    }
    if (Operator->isIncrementDecrementOp())
      return derived(load(Operator->getSubExpr()));
  } else if (const auto *Operator = dyn_cast<BinaryOperator>(Expression)) {
    return valueOf(Operator);
  } else if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(Expression)) {
    Result = evaluate(Choice->getTrueExpr());
    const Value Other = evaluate(Choice->getFalseExpr());
    const bool MayBeUnlent = isUnlent(Result) || isUnlent(Other);
    Result.add(Other);
    Result.Lent.MayBeUnlent |= MayBeUnlent && Result.Lent.Library.any();
    return Result;
  } else if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Expression)) {
    return Opaque->getSourceExpr() ? evaluate(Opaque->getSourceExpr()) : Result;
  } else if (const auto *Call = dyn_cast<CallExpr>(Expression); Call && isAddressOf(Call)) {
    return addressOf(Call->getArg(0));
  } else if (Call) {
    return resultOf(Call);
  } else if (const auto *Block = dyn_cast<StmtExpr>(Expression)) {
    const CompoundStmt *Body = Block->getSubStmt();
    const auto *Last = Body->body_empty() ? nullptr : dyn_cast<Expr>(Body->body_back());
    if (Last)
      return evaluate(Last);
  } else if (isa<ImplicitValueInitExpr>(Expression)) {
    Result.MayBeNull = true;
    return Result;
  } else if (const auto *List = dyn_cast<InitListExpr>(Expression);
             List && List->getNumInits() == 1) {
    return evaluate(List->getInit(0));
  }
  Result.IsUnknown = Result.Lent.MayBeOther = true;
  Result.Lent.IsOpen |= !Result.Lent.any();
  return Result;
}

bool ValueReader::isNullConstant(const Expr *Value) const { return isNullPointer(Context, Value); }

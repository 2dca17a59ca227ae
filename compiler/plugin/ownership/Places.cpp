// SPDX-License-Identifier: MIT
//===- Places.cpp - What is known of slots by the way to them -------------===//
#include "plugin/ownership/Places.h"
#include "plugin/Annotations.h"
#include "plugin/ownership/Elements.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

void PlaceTransfer::keepEqual(State &Into, const Place::Step &One, const Place::Step &Other) const {
  const llvm::SmallVector<Place, 2> Before(Into.Empty.begin(), Into.Empty.end());
  for (const Place &Each : Before)
    for (auto [From, To] : {std::pair(One, Other), std::pair(Other, One)})
      if (std::optional<Place> Renamed = Each.renamed(From, To);
          Renamed && !llvm::is_contained(Into.Empty, *Renamed))
        Into.Empty.push_back(*Renamed);
}

/// The member that this is the value of, before it grows if it does.
static const MemberExpr *countRead(const Expr *Value) {
  Value = Value->IgnoreParenImpCasts();
  if (const auto *Counted = dyn_cast<UnaryOperator>(Value);
      Counted && Counted->getOpcode() == UO_PostInc)
    Value = Counted->getSubExpr()->IgnoreParenImpCasts();
  return dyn_cast<MemberExpr>(Value);
}

void PlaceTransfer::setNumber(const VarDecl *Variable, const Expr *Value) {
  const Expr *Named = Counters.lookup(Variable);
  llvm::SmallVector<Place, 2> Renamed;
  const bool IsNumber = Named && Value && Value->getType()->isIntegralOrEnumerationType();
  if (IsNumber && !Value->HasSideEffects(Context)) {
    const Place::Step From = Place::element(Value), To = Place::element(Named);
    for (const Place &Each : Now.Empty)
      if (std::optional<Place> Place =
              Each.numbers().size() == 1 ? Each.renamed(From, To) : std::nullopt)
        Renamed.push_back(*Place);
  }
  const VarDecl *Copied = Value ? localVariable(Value->IgnoreParenImpCasts()) : nullptr;
  All.Tests.keepTest(Variable, Value);
  All.Gaps.begin(Now, Variable);
  if (Copied && Copied != Variable)
    All.Gaps.keepEqual(Now, Variable, Copied);
  Now.Empty.append(Renamed);
  // What a structure counts is followed by an element that is empty.
  const Place::Step Last = IsNumber ? Place::element(Value) : Place::Step();
  if (const MemberExpr *Count = IsNumber ? countRead(Last.Element) : nullptr)
    for (const ArraySubscriptExpr *Each : Elements[Variable])
      if (const auto *Array = dyn_cast<MemberExpr>(Each->getBase()->IgnoreParenImpCasts());
          Array && areWrittenAlike(Context, Array->getBase(), Count->getBase()))
        if (std::optional<Place> Element = Place::of(Each)) {
          const Place::Step At = Place::element(Each->getIdx());
          Element = Element->renamed(At, {nullptr, At.Element, At.Offset - Last.Offset});
          All.Losses.appendSlotPlaces(Each->getType(), *Element, Now.Empty);
        }
}

void PlaceTransfer::changeNumber(const BinaryOperator *Change) {
  const VarDecl *Variable = localVariable(Change->getLHS());
  const BinaryOperatorKind How = BinaryOperator::getOpForCompoundAssignment(Change->getOpcode());
  llvm::SmallVector<Place, 2> Renamed;
  for (const Place &Each : Now.Empty)
    for (const Expr *Number : Each.numbers()) {
      const auto *Sum = dyn_cast<BinaryOperator>(Number->IgnoreParenImpCasts());
      if (Sum && Sum->getOpcode() == How && Each.numbers().size() == 1 &&
          localVariable(Sum->getLHS()->IgnoreParenImpCasts()) == Variable &&
          areWrittenAlike(Context, Sum->getRHS(), Change->getRHS()))
        Renamed.push_back(
            *Each.renamed(Place::Step{nullptr, Number}, Place::element(Change->getLHS())));
    }
  All.Tests.forgetTests(Variable);
  Now.Empty.append(Renamed);
}

void PlaceTransfer::noteLast(const VarDecl *Pointer, const Expr *Value) {
  const QualType Pointee = Pointer->getType()->getPointeeType();
  if (!All.Moved.isLast(Pointer) || Pointee.isNull() || Pointee->isIncompleteType())
    return;
  if (All.Values.isNullConstant(Value)) { // there is no slot
    All.Losses.appendSlotPlaces(Pointee, Place(Pointer).dereferenced(), Now.Empty);
    return All.Tests.keepNull(Now, Pointer, true);
  }
  const DeclRefExpr *Name = MovedOwners::nameIn(Value);
  const MovedOwners::Stores *Stores = Name ? All.Moved.storesBefore(Name) : nullptr;
  const MovedOwners::Stores *Read = Stores ? Stores : All.Moved.storesInto(Value);
  const VarDecl *Named = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  const std::optional<unsigned> Known = Named ? Vars.ownerOf(Named) : std::nullopt;
  if (!Read && Known && Now.Owners[*Known].isSurely(OwnerState::Live))
    All.Tests.keepNull(Now, Pointer, false);
  if (!Read)
    return;
  auto PutsOwner = [this](const BinaryOperator *Each) {
    auto Found = All.Put.find(Each->getRHS());
    return Found == All.Put.end() || Found->second == OwnerState::Live;
  };
  if (llvm::all_of(*Read, PutsOwner))
    All.Tests.keepNull(Now, Pointer, false);
  if (!Stores)
    return;
  const auto *Owner = cast<VarDecl>(Name->getDecl());
  const RecordDecl *Record = All.Losses.slotsThrough(Owner->getType());
  if (!Record || Record->isUnion())
    return;
  // Its slots are as they were when it went.
  const auto *Address = dyn_cast<UnaryOperator>(Value->IgnoreParenCasts());
  const auto *Member =
      Address ? dyn_cast<MemberExpr>(Address->getSubExpr()->IgnoreParens()) : nullptr;
  for (const FieldDecl *Field : Record->getDefinition()->fields())
    if (!isOwning(Field->getType()) || !All.Slots.isEmptyIn(*Vars.ownerOf(Owner), Field))
      continue;
    else if (!Address &&
             Context.hasSameUnqualifiedType(Pointee, Owner->getType()->getPointeeType()))
      Now.Empty.push_back(Place(Pointer).dereferenced().then({Field, nullptr}));
    else if (Member && Member->isArrow() && Member->getMemberDecl() == Field)
      Now.Empty.push_back(Place(Pointer).dereferenced());
}

void PlaceTransfer::appendNames(const VarDecl *Pointer, const Expr *Value,
                                llvm::SmallVectorImpl<Place> &Into) const {
  const Expr *Read = Value->IgnoreParenCasts();
  const QualType Pointee = Pointer->getType()->getPointeeType();
  if (!Read->isLValue() || !Read->getType()->isPointerType() || Pointee.isNull() ||
      !Context.hasSameUnqualifiedType(Read->getType()->getPointeeType(), Pointee))
    return;
  const std::optional<Place> From = Place::of(Read);
  const Place To = Place(Pointer).dereferenced();
  if (!From)
    return;
  for (const Place &Each : Now.Empty)
    if (std::optional<Place> Renamed = Each.rebased(From->dereferenced(), To))
      Into.push_back(*Renamed);
  const VarDecl *Variable = localVariable(Read);
  const std::optional<unsigned> Owner = Variable ? Vars.ownerOf(Variable) : std::nullopt;
  const RecordDecl *Record = Owner ? All.Losses.slotsThrough(Variable->getType()) : nullptr;
  if (!Record || Record->isUnion() || !All.Moved.isLast(Pointer))
    return;
  for (const FieldDecl *Field : Record->getDefinition()->fields())
    if (isOwning(Field->getType()) && All.Slots.isEmptyIn(*Owner, Field))
      Into.push_back(To.then({Field, nullptr}));
}

void PlaceTransfer::findElements() {
  for (const Stmt *Node : Body)
    if (const auto *Named = dyn_cast<DeclRefExpr>(Node)) {
      if (const VarDecl *Number = localVariable(Named);
          Number && Number->getType()->isIntegralOrEnumerationType())
        Counters[Number] = Named;
    } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Node)) {
      if (const VarDecl *Number = localVariable(Element->getIdx()->IgnoreParenImpCasts()))
        Elements[Number].push_back(Element);
    }
}

void PlaceTransfer::keepLimit(State &Into, const BinaryOperator *Test, bool IsTrue) const {
  if (Into.Empty.empty() || !Test->getLHS()->getType()->isIntegralOrEnumerationType() ||
      Test->HasSideEffects(Context))
    return;
  const BinaryOperatorKind Relation =
      IsTrue ? Test->getOpcode() : BinaryOperator::negateComparisonOp(Test->getOpcode());
  Place::Step Limit = Place::element(Test->getRHS());
  if (Relation == BO_NE)
    return;
  Limit.Offset += Relation == BO_GT ? 1 : Relation == BO_LT ? -1 : 0;
  keepEqual(Into, Place::element(Test->getLHS()), Limit);
}

void PlaceTransfer::keepEmpty(State &In, const Expr *Lvalue) const {
  Lvalue = Lvalue->IgnoreParens();
  if ((isOwning(Lvalue->getType()) && localVariable(Lvalue)) || Lvalue->HasSideEffects(Context))
    return;
  if (std::optional<SlotRange> Range =
          isOwning(Lvalue->getType()) ? All.Slots.slotsAt(Lvalue) : std::nullopt;
      Range && Range->Count == 1) {
    const OwningSlots &Slots = All.slotsOf(Range->Object);
    if (Slots.Unions[Range->First] && !Slots.Elements.test(Range->First))
      In.Slots[Range->Object].setMember(Slots, Range->First, false);
    else if (!Slots.Many.test(Range->First)) {
      In.Slots[Range->Object].setLive(Range->First, 1, false);
      In.Slots[Range->Object].setNull(Range->First, All.Slots.isFollowedAlone(Range->Object));
    }
  }
  All.Gaps.widen(In, Lvalue);
  std::optional<Place> Slot = slotPlace(Lvalue);
  if (!Slot)
    return;
  llvm::erase(In.Refilled, *Slot);
  for (const Place &Each : {*Slot, byElement(In, *Slot)})
    if (!llvm::is_contained(In.Empty, Each))
      In.Empty.push_back(Each);
  for (const SamePointers &Each : In.Same) // by its other name
    for (const auto &[One, Other] : {std::pair(Each.One, Each.Other), {Each.Other, Each.One}})
      if (std::optional<Place> Named =
              Slot->rebased(Place(One).dereferenced(), Place(Other).dereferenced());
          Named && !llvm::is_contained(In.Empty, *Named))
        In.Empty.push_back(*Named);
}

void PlaceTransfer::keepTaken(const Expr *Lvalue, const Expr *By) {
  std::optional<Place> Slot = Place::of(Lvalue);
  if (Slot)
    Slot = byElement(Now, *Slot);
  std::optional<Place> Of = Slot && !Slot->isInUnion() ? Slot->array() : Slot;
  if (Of && !llvm::is_contained(Now.Holes, TakenPlace{*Of, By}))
    Now.Holes.push_back({*Of, By});
}

bool PlaceTransfer::isTaken(const Place &Slot) const {
  return llvm::any_of(Now.Holes, [&](const TakenPlace &Each) { return Each.Of == Slot; });
}

bool PlaceTransfer::isEmpty(const Expr *Lvalue) const {
  std::optional<Place> Slot = Place::of(Lvalue);
  return Slot && (llvm::is_contained(Now.Empty, *Slot) ||
                  llvm::is_contained(Now.Empty, byElement(Now, *Slot)));
}

bool PlaceTransfer::isOverlaid(const Expr *Lvalue) const {
  std::optional<Place> Slot = Now.Overlaid.empty() ? std::nullopt : Place::of(Lvalue);
  return Slot && llvm::is_contained(Now.Overlaid, *Slot);
}

std::optional<Place> PlaceTransfer::slotPlace(const Expr *Lvalue) const {
  std::optional<Place> Found = Place::of(Lvalue);
  if (isOwning(Lvalue->getType()))
    return Found;
  QualType Pointee = Lvalue->getType()->getPointeeType();
  return Found && !Pointee.isNull() && isOwning(Pointee) ? std::optional(Found->dereferenced())
                                                         : std::nullopt;
}

llvm::SmallBitVector PlaceTransfer::rootsBehind(const VarDecl *Base) const {
  Loans Ways(Vars.rootCount());
  if (std::optional<unsigned> Owner = Vars.ownerOf(Base)) {
    Ways.Direct.set(Vars.rootOfOwner(*Owner));
    Ways.IsOpen = disciplineOf(Base->getType()) == Discipline::Refcounted;
  } else if (std::optional<unsigned> Borrower = Vars.borrowerOf(Base)) {
    Ways = Now.Borrowers[*Borrower].From;
  } else if (std::optional<unsigned> Frame = Vars.rootOfFrame(Base)) {
    Ways.Direct.set(*Frame);
  }
  return All.Values.holdersOf(Ways).roots();
}

bool PlaceTransfer::mayMeet(const llvm::SmallBitVector &One,
                            const llvm::SmallBitVector &Other) const {
  return One.anyCommon(Other) || (One.anyCommon(OpenRoots) && Other.anyCommon(OpenRoots));
}

void PlaceTransfer::forgetEmpty(const Expr *Written, bool IsTaken) {
  std::optional<Place> Slot = slotPlace(Written);
  if (Slot)
    Slot = byElement(Now, *Slot);
  // Callers give different places to parameters that each point to one.
  auto IsPlace = [](const VarDecl *Each) {
    const QualType Pointee = Each->getType()->getPointeeType();
    return isa<ParmVarDecl>(Each) &&
           (saysOut(Each->getType()) || (!Pointee.isNull() && isOwning(Pointee)));
  };
  auto AreApart = [&](const VarDecl *One, const VarDecl *Other) {
    return One != Other && IsPlace(One) && IsPlace(Other);
  };
  // A slot of one type of pointer is none of another; void * is what casts to all of them.
  auto AreOtherTypes = [&](QualType One, QualType Other) {
    return !One.isNull() && One->isPointerType() && isOwning(Other) && !One->isVoidPointerType() &&
           !Other->isVoidPointerType() &&
           !Context.hasSameUnqualifiedType(One->getPointeeType(), Other->getPointeeType());
  };
  // Unique pointers make a tree: what hangs on a slot is not that, nor what hangs on another one.
  auto IsElsewhere = [&](const Place &Each) {
    if (!Slot || Slot->isBehindPlain())
      return false;
    if (Slot->rebased(Each.dereferenced(), Each))
      return true;
    const llvm::SmallBitVector Roots = rootsBehind(Each.base());
    return !Each.isBehindPlain() && Roots.count() == 1 && Vars.isExclusive(Roots.find_first()) &&
           Roots == rootsBehind(Slot->base()) && partAt(Each).isApartFrom(partAt(*Slot));
  };
  auto MayChange = [&](const Place &Each) {
    if (AreOtherTypes(Each.type(), Written->getType()) || IsElsewhere(Each))
      return false;
    return !Slot || (Each.mayChangeWith(*Slot) && !AreApart(Each.base(), Slot->base()) &&
                     mayMeet(rootsBehind(Each.base()), rootsBehind(Slot->base())));
  };
  if (Slot)
    llvm::erase(Now.Emptied, *Slot);
  if (!IsTaken)
    All.Gaps.narrow(Written);
  Now.forgetPlaces(MayChange, IsTaken);
  forgetBehindPlain();
  if (IsTaken)
    llvm::erase_if(Now.Refilled, MayChange);
}

/// Whether Call makes memory with nothing in it: as malloc does, or a function of the program that
/// takes no owner and whose result has no type that could own anything.
bool PlaceTransfer::makesMemory(const CallExpr *Call) const {
  const PlainFacts::Callee Of = Facts.of(Call);
  if (Of.Effect)
    return Of.Effect->IsFresh && !Of.Effect->Freed;
  const FunctionDecl *Function = Call->getDirectCallee();
  return Function && Function->getReturnType()->isVoidPointerType() &&
         disciplineOf(Function->getReturnType()) == Discipline::Unique &&
         llvm::none_of(Function->parameters(),
                       [](const ParmVarDecl *Each) { return isOwning(Each->getType()); });
}

void PlaceTransfer::keepFilled(const Expr *Lvalue, const Expr *From) {
  const auto *Call = From ? dyn_cast<CallExpr>(From->IgnoreParenCasts()) : nullptr;
  const bool IsNew = Call && makesMemory(Call);
  std::optional<Place> Slot = Place::of(Lvalue);
  // That some element was set is known of an array that the function has.
  if (Slot && Vars.ownerOf(Slot->base()) &&
      Slot->array() == std::optional(Place(Slot->base()).dereferenced()) &&
      !isFilled(*Slot->array()))
    Now.Filled.push_back({*Slot->array()});
  if (!Slot || Lvalue->HasSideEffects(Context))
    return;
  Now.Filled.push_back({*Slot, nullptr, IsNew});
  // Which element a number names that changes is known on no path but this one.
  const bool IsOne = llvm::all_of(Slot->numbers(), [this](const Expr *Number) {
    return Number->isIntegerConstantExpr(Context);
  });
  if (IsOne && isTouched(rootsBehind(Slot->base()), Slot))
    Now.Refilled.push_back(*Slot);
}

bool PlaceTransfer::isOfNew(const Place &Slot) const {
  return llvm::any_of(Now.Filled, [&](const FilledPlace &Each) {
    return Each.IsNew && Slot.mayBeIn(Each.Slot.dereferenced());
  });
}

void PlaceTransfer::keepFilledBy(const CallExpr *Call, const Expr *Argument) {
  std::optional<Place> Whole = Place::lentBy(Argument);
  QualType Type = pointedBy(Argument);
  if (!Whole || Type.isNull() || Argument->HasSideEffects(Context))
    return;
  llvm::SmallVector<Place, 2> Slots;
  All.Losses.appendSlotPlaces(Type, *Whole, Slots);
  for (const Place &Each : Slots) {
    Now.Filled.push_back({Each, Call});
    if (Each.numbers().empty() && isTouched(rootsBehind(Each.base()), Each))
      Now.Refilled.push_back(Each);
  }
}

bool PlaceTransfer::isFilled(const Place &Slot) const {
  return llvm::any_of(Now.Filled, [&](const FilledPlace &Each) { return Each.Slot == Slot; });
}

void PlaceTransfer::forgetBehindPlain() {
  llvm::erase_if(Now.Filled, [](const FilledPlace &Each) { return Each.Slot.isBehindPlain(); });
}

OwnSlot PlaceTransfer::partAt(const Place &Slot) const {
  const std::optional<unsigned> Borrower = Vars.borrowerOf(Slot.base());
  if (!Borrower)
    return Slot.part();
  const Loans &From = Now.Borrowers[*Borrower].From;
  return From.firstSlot(From.Deep.none() ? Slot.part() : OwnSlot());
}

llvm::SmallVector<OwnSlot, 4> PlaceTransfer::emptiedParts(const Place &Whole, QualType Type,
                                                          const SlotUse &Use) const {
  llvm::SmallVector<Place, 4> Slots;
  All.Losses.appendSlotPlaces(Type, Whole, Slots);
  llvm::SmallVector<OwnSlot, 4> Result;
  if (Use.Takes.size() != Slots.size()) // arrays are numbered and have no place
    return {partAt(Whole)};
  for (unsigned I = 0; I != Slots.size(); ++I) {
    QualType Slot = Slots[I].type(), Below = Slot.isNull() ? Slot : Slot->getPointeeType();
    if (Use.Takes.test(I) || Below.isNull() || Below->isIncompleteType() ||
        Facts.hasUniqueSlots(Below))
      Result.push_back(partAt(Slots[I]));
  }
  return Result;
}

void PlaceTransfer::touchBelow(const Loans &From, const Expr *Argument, const SlotUse *Use,
                               bool MayEmpty) {
  llvm::SmallBitVector Roots = All.Values.holdersOf(From).roots();
  std::optional<Place> Whole = Place::lentBy(Argument);
  QualType Type = pointedBy(Argument);
  const OwnSlot Part = Whole ? All.Borrowing.partWithoutWayBack(partAt(*Whole), Type)
                             : All.Borrowing.partLent(Argument, From);
  // Where an out parameter leads is the caller's, so that no variable of this function lies there.
  const bool IsNowhereOut =
      Whole && (Whole->isInGlobal() || (Whole->isInVariable() && Whole->base()->isLocalVarDecl()));
  auto MayChange = [&](const Place &Each) {
    auto IsOut = [](const VarDecl *Base) {
      return isa<ParmVarDecl>(Base) && saysOut(Base->getType());
    };
    const bool IsOther = Whole && Whole->base() != Each.base() && IsOut(Whole->base());
    return !((IsNowhereOut || IsOther) && IsOut(Each.base())) &&
           mayMeet(rootsBehind(Each.base()), Roots) && !partAt(Each).isApartFrom(Part);
  };
  Now.forgetPlaces(MayChange);
  llvm::SmallVector<OwnSlot, 4> Parts = {Part};
  if (Use && Whole && !Use->IsKept && Part.Object) // no way leads back to other slots
    Parts = emptiedParts(*Whole, Type, *Use);
  for (const OwnSlot &Each : Parts)
    for (unsigned Root : Roots.set_bits())
      if (MayEmpty)
        touch({Root, Each});
}

void PlaceTransfer::touchUnless(const Loans &From, const Expr *Argument, const SlotUse &Use,
                                const CallExpr *By) {
  llvm::erase_if(Now.Touched, [By](const TouchedPart &Each) { return Each.By == By; });
  const std::optional<Place> Whole = Place::lentBy(Argument);
  if (!Whole || Use.IsKept ||
      !All.Borrowing.partWithoutWayBack(partAt(*Whole), pointedBy(Argument)).Object)
    return;
  const llvm::SmallBitVector Roots = All.Values.holdersOf(From).roots();
  for (const OwnSlot &Each : emptiedParts(*Whole, pointedBy(Argument), Use))
    for (unsigned Root : Roots.set_bits())
      touch({Root, Each, By});
}

void PlaceTransfer::touch(const TouchedPart &Which) {
  llvm::erase_if(Now.Refilled, [&](const Place &Each) {
    return rootsBehind(Each.base()).test(Which.Root) && !partAt(Each).isApartFrom(Which.Part);
  });
  if (!Which.By) // what a result might have told
    llvm::erase_if(Now.Touched,
                   [&](const TouchedPart &Each) { return Each.By && Which.covers(Each); });
  if (llvm::none_of(Now.Touched, [&](const TouchedPart &Each) { return Each.covers(Which); }))
    Now.Touched.push_back(Which);
}

bool PlaceTransfer::isTouched(const llvm::SmallBitVector &Roots,
                              const std::optional<Place> &Slot) const {
  if (Slot && llvm::is_contained(Now.Refilled, *Slot))
    return false;
  const OwnSlot Part = Slot ? partAt(*Slot) : OwnSlot();
  return llvm::all_of(Roots.set_bits(), [&](unsigned Root) {
    return llvm::any_of(Now.Touched, [&](const TouchedPart &Each) {
      return Each.Root == Root && !Each.isUntold() && !Each.Part.isApartFrom(Part);
    });
  });
}

llvm::SmallVector<unsigned, 2> PlaceTransfer::emptyBehind(const Expr *Address,
                                                          QualType Type) const {
  llvm::SmallVector<unsigned, 2> Result;
  std::optional<Place> Slot = Place::lentBy(Address);
  const RecordDecl *Record = Type.isNull() ? nullptr : Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Slot || !Record || Record->isUnion())
    return Result;
  for (const FieldDecl *Field : Record->fields())
    if (isOwning(Field->getType()) &&
        llvm::is_contained(Now.Empty, Slot->dereferenced().then({Field, nullptr})))
      Result.push_back(firstSlotOf(Context, Field));
  return Result;
}

void PlaceTransfer::touchGlobals(const OwnSlot &Part) {
  touch({Variables::SharedRoot, Part});
  auto IsTouched = [&](const Place &Each) {
    return rootsBehind(Each.base()).test(Variables::SharedRoot) && !partAt(Each).isApartFrom(Part);
  };
  Now.forgetPlaces(IsTouched, true);
}

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
#include "plugin/Checks.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Choices.h"
#include "plugin/ownership/Elements.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Plain.h"
#include "plugin/ownership/Steady.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace acre::ast;

std::string acre::ast::textOf(ASTContext &Context, const Expr *Lvalue) {
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
  findLooseArrays();
}

bool LossTransfer::isArray(QualType Pointer) const {
  const RecordDecl *Record = slotsThrough(Pointer);
  return Record && Arrays.contains(Record);
}

/// The variable or member that this is, an array; null if it is anything else.
static const Decl *arrayOf(const Expr *Lvalue) {
  Lvalue = Lvalue->IgnoreParenImpCasts();
  if (!Lvalue->getType()->isArrayType())
    return nullptr;
  if (const auto *Member = dyn_cast<MemberExpr>(Lvalue))
    return Member->getMemberDecl();
  const auto *Reference = dyn_cast<DeclRefExpr>(Lvalue);
  return Reference ? Reference->getDecl() : nullptr;
}

void LossTransfer::findLooseArrays() {
  llvm::DenseSet<const Expr *> Bases;
  for (const Stmt *Node : Body)
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Node))
      Bases.insert(Element->getBase()->IgnoreParenImpCasts());
  for (const Stmt *Node : Body) {
    if (const auto *Address = dyn_cast<UnaryOperator>(Node);
        Address && Address->getOpcode() == UO_AddrOf) {
      const auto *Element = dyn_cast<ArraySubscriptExpr>(Address->getSubExpr()->IgnoreParens());
      const Decl *Array = Element ? arrayOf(Element->getBase()) : nullptr;
      if (Array && !Element->getIdx()->isIntegerConstantExpr(Context))
        Loose.insert(Array);
    } else if (const auto *Named = dyn_cast<Expr>(Node);
               Named && isa<DeclRefExpr, MemberExpr>(Node) && arrayOf(Named)) {
      Subscripted.insert(arrayOf(Named));
      if (!Bases.contains(Named)) // it is given away, or its elements are met otherwise
        Loose.insert(arrayOf(Named));
    }
  }
}

/// Lvalue as an element of an array whose elements are followed one by one; null if it is none.
static const ArraySubscriptExpr *followedElement(const llvm::DenseSet<const Decl *> &Loose,
                                                 const Expr *Lvalue) {
  const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue->IgnoreParens());
  const Decl *Array = Element ? arrayOf(Element->getBase()) : nullptr;
  return Array && !Loose.contains(Array) ? Element : nullptr;
}

std::optional<uint64_t> LossTransfer::elementAt(const SlotRange &Range, const Expr *Lvalue) const {
  const ArraySubscriptExpr *Element = Range.Count == 1 ? followedElement(Loose, Lvalue) : nullptr;
  std::optional<llvm::APSInt> Index =
      Element ? Element->getIdx()->getIntegerConstantExpr(Context) : std::nullopt;
  return Index ? std::optional(Index->getZExtValue()) : std::nullopt;
}

void LossTransfer::setElement(const SlotRange &Range, const Expr *Lvalue, bool MayBeLive) {
  const std::optional<uint64_t> Index = elementAt(Range, Lvalue);
  if (Index || (MayBeLive && followedElement(Loose, Lvalue)))
    Now.changeSlots(Range.Object, Range.First, 1).setElement(Range.First, Index, MayBeLive);
}

/// The members that a ring counts its elements by: ring->slots[ring->head++ % SIZE], or
/// ring->slots[(ring->head + ring->count) & MASK].
static llvm::SmallVector<const MemberExpr *, 2> ringCounts(const Expr *Index) {
  const auto *Rest = dyn_cast<BinaryOperator>(Index);
  llvm::SmallVector<const MemberExpr *, 2> Result;
  if (!Rest || (Rest->getOpcode() != BO_Rem && Rest->getOpcode() != BO_And))
    return Result;
  llvm::SmallVector<const Expr *, 2> Terms = {Rest->getLHS()->IgnoreParenImpCasts()};
  if (const auto *Sum = dyn_cast<BinaryOperator>(Terms.front()); Sum && Sum->getOpcode() == BO_Add)
    Terms = {Sum->getLHS()->IgnoreParenImpCasts(), Sum->getRHS()->IgnoreParenImpCasts()};
  for (const Expr *Each : Terms) {
    if (const auto *Grown = dyn_cast<UnaryOperator>(Each); Grown && Grown->isIncrementOp())
      Each = Grown->getSubExpr()->IgnoreParenImpCasts();
    if (const auto *Count = dyn_cast<MemberExpr>(Each))
      Result.push_back(Count);
  }
  return Result;
}

/// Whether the function asks how large this member is, and so how full a ring.
static bool isCompared(const Evaluated &Body, const MemberExpr *Count) {
  auto Names = [Count](auto &Self, const Stmt *Node) -> bool {
    const auto *Member = dyn_cast_or_null<MemberExpr>(Node);
    return (Member && Member->getMemberDecl() == Count->getMemberDecl()) ||
           (Node &&
            llvm::any_of(Node->children(), [&](const Stmt *Each) { return Self(Self, Each); }));
  };
  return llvm::any_of(Body, [&](const Stmt *Node) {
    const auto *Test = dyn_cast<BinaryOperator>(Node);
    return Test && Test->isComparisonOp() && Names(Names, Test);
  });
}

/// Whether the place of this element is counted by a member: list->items[list->count++].
static bool isCounted(const Evaluated &Body, const Expr *Lvalue) {
  Lvalue = Lvalue->IgnoreParens();
  if (const auto *Member = dyn_cast<MemberExpr>(Lvalue))
    return !Member->isArrow() && isCounted(Body, Member->getBase());
  const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue);
  if (!Element)
    return false;
  const Expr *Index = Element->getIdx()->IgnoreParenImpCasts();
  auto IsCompared = [&](const MemberExpr *Count) { return isCompared(Body, Count); };
  if (const VarDecl *Held = localVariable(Index))
    return mayHave(Body, Held, [&](const Expr *Each) {
      return llvm::any_of(ringCounts(Each->IgnoreParenImpCasts()), IsCompared);
    });
  if (const auto Counts = ringCounts(Index); !Counts.empty())
    return llvm::any_of(Counts, IsCompared);
  if (const auto *Counted = dyn_cast<UnaryOperator>(Index);
      Counted && (Counted->isIncrementOp() || Counted->getOpcode() == UO_Deref))
    return Counted->getOpcode() == UO_Deref ||
           isa<MemberExpr, UnaryOperator>(Counted->getSubExpr()->IgnoreParenImpCasts());
  return isa<MemberExpr>(Index);
}

void LossTransfer::noteNewElement(const VarDecl *Pointer, const Expr *From) {
  const auto *Address = dyn_cast<UnaryOperator>(From->IgnoreParenImpCasts());
  if (Address && Address->getOpcode() == UO_AddrOf && isCounted(Body, Address->getSubExpr()))
    appendSlotPlaces(Address->getSubExpr()->getType(), Place(Pointer).dereferenced(), Now.Empty);
}

/// Whether realloc is given this array, and a number that no loop counts from its beginning names
/// the element: the elements that it gains are set to null so.
static bool isOfGrown(const ASTContext &Context, const Evaluated &Body, const Expr *Slot) {
  const auto *Element = dyn_cast<ArraySubscriptExpr>(Slot->IgnoreParens());
  const VarDecl *Number =
      Element ? localVariable(Element->getIdx()->IgnoreParenImpCasts()) : nullptr;
  const std::optional<Place> Array = Number ? Place::behind(Element->getBase()) : std::nullopt;
  auto IsFromConstant = [&](const Stmt *Node) {
    const auto *Set = dyn_cast<BinaryOperator>(Node);
    return Set && Set->getOpcode() == BO_Assign && localVariable(Set->getLHS()) == Number &&
           Set->getRHS()->isIntegerConstantExpr(Context);
  };
  auto Grows = [&](const Stmt *Node) {
    const auto *Call = dyn_cast<CallExpr>(Node);
    const std::optional<LibraryEffect> Effect = Call ? libraryEffect(Call) : std::nullopt;
    return Effect && Effect->IsFresh && Effect->Freed &&
           Place::lentBy(Call->getArg(*Effect->Freed)) == Array;
  };
  return Array && !(Number->getInit() && Number->getInit()->isIntegerConstantExpr(Context)) &&
         llvm::none_of(Body, IsFromConstant) && llvm::any_of(Body, Grows);
}

/// Whether the way to this slot leads through a plain pointer in memory.
static bool isBehindPlain(const Expr *Lvalue) {
  Lvalue = Lvalue->IgnoreParens();
  const auto *Member = dyn_cast<MemberExpr>(Lvalue);
  if (!Member)
    return false;
  if (!Member->isArrow())
    return isBehindPlain(Member->getBase());
  const Expr *Base = Member->getBase()->IgnoreParenImpCasts();
  return isa<MemberExpr>(Base) && disciplineOf(Base->getType()) == Discipline::None;
}

bool LossTransfer::isMetWhole(const OwningSlots &Slots, unsigned Slot) const {
  return Slots.Elements.test(Slot) && Slots.Holders[Slot] && !Slots.Unions[Slot] &&
         !Subscripted.contains(Slots.Holders[Slot]);
}

void LossTransfer::noteForeign(unsigned Owner, SlotState &State) const {
  if (const RecordDecl *Record = slotsThrough(Vars.owner(Owner)->getType());
      Record && !Arrays.contains(Record)) {
    const OwningSlots &Slots = All.slotsOf(Owner);
    State.setForeign(Slots);
    for (unsigned I : Slots.Elements.set_bits())
      if (isMetWhole(Slots, I))
        State.setForeign(I);
  }
}

bool LossTransfer::comesFilled(const Value &What) const {
  if (What.IsAdopted && What.IsUnknown)
    return true;
  return llvm::any_of(What.Results, [this](const Expr *Each) {
    const auto *Call = dyn_cast<CallExpr>(Each);
    return !Call || !Facts.of(Call).Effect;
  });
}

bool LossTransfer::isBegun(const ParmVarDecl *Parameter) const {
  const SlotUse *Use =
      Known.slotUse({Function->getCanonicalDecl(), Parameter->getFunctionScopeIndex()});
  return saysOut(Parameter->getType()) || (Use && Use->Begins);
}

void LossTransfer::noteEmptyParameters(State &In) const {
  for (const ParmVarDecl *Each : Function->parameters()) {
    QualType Pointee = Each->getType()->getPointeeType();
    if (isBegun(Each) && !Pointee.isNull())
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

bool acre::ast::isElement(const Expr *Slot) {
  Slot = Slot->IgnoreParens();
  const auto *Member = dyn_cast<MemberExpr>(Slot);
  return isa<ArraySubscriptExpr>(Slot) ||
         (Member && !Member->isArrow() && isElement(Member->getBase()));
}

/// The slot that Node, if it is acre_swap, takes from; none: it takes from none that has a place.
static std::optional<Place> placeTaken(const Stmt *Node) {
  const auto *Call = dyn_cast<CallExpr>(Node);
  return Call && isSwap(Call) ? Place::lentBy(Call->getArg(0)) : std::nullopt;
}

bool LossTransfer::fillsHole(const Expr *From, const Place &Array) const {
  const Expr *Taken = From->IgnoreParenCasts();
  std::optional<Place> Of = placeTaken(Taken);
  if (Of)
    Of = byElement(Now, *Of);
  // Each member of structures has holes of its own.
  auto IsAlike = [&](const Expr *By) {
    const std::optional<Place> Slot = placeTaken(By);
    return !Slot || Slot->member() == Of->member();
  };
  return Of && Of->array() == Array && llvm::any_of(Now.Holes, [&](const TakenPlace &Each) {
           return Each.Of == Array && Each.By != Taken && IsAlike(Each.By);
         });
}

/// Whether a loop that counts only one way shifts elements to where it goes, so that each ends what
/// the next one is to be: v[i + 1] = acre_take(&v[i]), with i++.
static bool movesAhead(const Evaluated &Body, const Place &Into, const Place &From) {
  if (Into.numbers().size() != 1 || From.numbers().size() != 1)
    return false;
  const Place::Step To = Into.element(), Of = From.element();
  const VarDecl *Number = localVariable(To.Element->IgnoreParenImpCasts());
  if (!Number || localVariable(Of.Element->IgnoreParenImpCasts()) != Number)
    return false;
  bool Grows = false, Shrinks = false;
  for (const Stmt *Node : Body)
    if (const auto *Count = dyn_cast<UnaryOperator>(Node);
        Count && Count->isIncrementDecrementOp() && localVariable(Count->getSubExpr()) == Number)
      (Count->isIncrementOp() ? Grows : Shrinks) = true;
    else if (const auto *Change = dyn_cast<BinaryOperator>(Node);
             Change && Change->isCompoundAssignmentOp() &&
             localVariable(Change->getLHS()) == Number)
      Grows = Shrinks = true;
  return Grows != Shrinks && (Grows ? To.Offset > Of.Offset : To.Offset < Of.Offset);
}

bool LossTransfer::isShifted(const Expr *Slot, const Stmt *At) const {
  const auto *Assignment = dyn_cast<BinaryOperator>(At);
  const std::optional<Place> Into = Assignment ? Place::of(Slot) : std::nullopt;
  const std::optional<Place> Array = Into ? byElement(Now, *Into).array() : std::nullopt;
  if (!Array || Now.Holes.empty())
    return false;
  const VarDecl *Held = localVariable(Assignment->getRHS()->IgnoreParenCasts());
  if (!Held) {
    const std::optional<Place> From = placeTaken(Assignment->getRHS()->IgnoreParenCasts());
    return fillsHole(Assignment->getRHS(), *Array) &&
           !(From && movesAhead(Body, byElement(Now, *Into), byElement(Now, *From)));
  }
  // What was swapped out of the array is held in a variable meanwhile.
  return mayHave(Body, Held, [&](const Expr *Each) { return fillsHole(Each, *Array); });
}

void LossTransfer::checkOverwritten(const Expr *Slot, const Stmt *At) {
  if (All.Places.isEmpty(Slot) || All.Places.isOverlaid(Slot) || All.Gaps.isFirst(Slot))
    return;
  if (std::optional<SlotRange> Range = All.Slots.slotsAt(Slot)) {
    // Another element may be the one that was set.
    const bool IsOfMany = isElement(Slot) || (Range->Object < Vars.ownerCount() &&
                                              isArray(Vars.owner(Range->Object)->getType()));
    std::optional<uint64_t> Element = elementAt(*Range, Slot);
    if (Element ? Now.Slots[Range->Object].mayBeLive(Range->First, *Element)
                : !IsOfMany && mayLose(*Range))
      Says.reportLoss(Loss::SlotOverwritten, At, NoName, 1u, textOf(Context, Slot));
    return;
  }
  const std::optional<Place> Named = Place::of(Slot);
  const auto *Base = Named ? dyn_cast<ParmVarDecl>(Named->base()) : nullptr;
  const bool IsFilled = Named && All.Places.isFilled(*Named);
  const auto *Set = dyn_cast<BinaryOperator>(At);
  if (Set && All.Values.isNullConstant(Set->getRHS()) && isOfGrown(Context, Body, Slot))
    return;
  if (isCounted(Body, Slot) || (isBehindPlain(Slot) && !IsFilled) || isShifted(Slot, At) ||
      (Base && isBegun(Base) && Named->isElementWithin() && !IsFilled) ||
      (Named && All.Places.isOfNew(*Named) && !IsFilled) ||
      (Named && Named->isInUnion() && All.Places.isTaken(*Named) && !IsFilled))
    return;
  // Fields of an object of our own are taken to be as its owner left them: most such stores
  // initialize it.  That does not hold of what hangs below it.
  const Loans Address = All.Values.addressOf(Slot).Lent;
  llvm::SmallBitVector Roots = All.Values.holdersOf(Address).roots();
  if (All.Places.isTouched(Roots, Named) && !IsFilled)
    return; // a callee may have emptied it
  Roots = Address.roots();
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

bool LossTransfer::hasFilled(const Expr *Structure) const {
  std::optional<Place> Whole = Place::of(Structure);
  llvm::SmallVector<Place, 4> Slots;
  if (Whole && !Whole->isInGlobal())
    appendSlotPlaces(Structure->getType(), *Whole, Slots);
  return llvm::any_of(Slots, [this](const Place &Each) { return All.Places.isFilled(Each); });
}

void LossTransfer::checkFilled(const Expr *Argument, const Stmt *At) {
  const auto *Address = dyn_cast<UnaryOperator>(Argument->IgnoreParenCasts());
  if (!Address || Address->getOpcode() != UO_AddrOf) {
    const Expr *Pointer = Argument->IgnoreParenCasts();
    std::optional<Place> Filled = All.Places.slotPlace(Pointer);
    if (!Filled || isOwning(Pointer->getType()))
      return;
    if (!llvm::is_contained(Now.Empty, *Filled))
      Says.reportLoss(Loss::SlotOverwritten, At, NoName, 1u, "*" + textOf(Context, Pointer));
    return All.Places.forgetEmpty(Pointer);
  }
  const Expr *Slot = Address->getSubExpr()->IgnoreParens();
  if (isOwning(Slot->getType()) && !localVariable(Slot)) {
    checkOverwritten(Slot, At);
    All.Places.forgetEmpty(Slot);
  } else if (std::optional<SlotRange> Range = All.Slots.slotsAt(Slot);
             Range ? mayLose(*Range) : hasFilled(Slot)) {
    Says.reportLoss(Loss::SlotOverwritten, At, NoName, 1u, textOf(Context, Slot));
  }
}

std::string LossTransfer::nameOfSlot(unsigned Object, unsigned Slot) const {
  if (const CompoundLiteralExpr *Literal = All.Slots.literal(Object))
    return "(" + Literal->getType().getAsString() + "){...}" + All.slotsOf(Object).Paths[Slot];
  const VarDecl *Pointer =
      Object < Vars.ownerCount() ? Vars.owner(Object) : All.MadeFor.lookup(Object);
  const VarDecl *Variable =
      Pointer ? Pointer : Vars.variableOfRoot(Vars.rootOfFrameNumber(Object - Vars.ownerCount()));
  const std::string &Path = All.slotsOf(Object).Paths[Slot];
  return Variable->getNameAsString() + (Pointer && Path[0] == '.' ? "->" + Path.substr(1) : Path);
}

bool LossTransfer::isOfCallers(unsigned Object) const {
  return isa<ParmVarDecl>(Vars.owner(Object)) && !Function->isExternallyVisible() &&
         isOwnBody(Function);
}

/// Whether an element of this array is taken anywhere in the function.
static bool isTakenFrom(const Evaluated &Body, const Place &Array) {
  return llvm::any_of(Body, [&](const Stmt *Node) {
    const std::optional<Place> Slot = placeTaken(Node);
    return Slot && Slot->array() == Array;
  });
}

void LossTransfer::checkEmptied(unsigned Object, const Stmt *At) {
  const VarDecl *Owner = Vars.owner(Object);
  const Place Whole = Place(Owner).dereferenced();
  if (All.Places.isFilled(Whole) && !isTakenFrom(Body, Whole))
    return Says.reportLoss(Loss::SlotEndOfScope, At, NoName, 1u,
                           Owner->getNameAsString() + "[...]");
  if (Now.Owners[Object].mayBe(OwnerState::Live) && All.FreedArrays.checkOwner(Owner, At))
    return;
  for (unsigned I = 0; !All.ObjectSlots.empty() && I != All.slotsOf(Object).count(); ++I) {
    const SlotState &State = Now.Slots[Object];
    if (!Now.Owners[Object].mayBe(OwnerState::Live) ||
        !(State.mayBeLive(I) || State.mayBeForeign(I)))
      continue;
    if (State.mayBeLive(I) || !isOfCallers(Object)) {
      Says.reportLoss(Loss::FreedWithSlot, At, Owner, 0u, nameOfSlot(Object, I));
      return;
    }
    if (Says.isOn() && !Says.isQuiet())
      Known.Left.leaves(
          {{Function->getCanonicalDecl(), cast<ParmVarDecl>(Owner)->getFunctionScopeIndex()}, I},
          At,
          Says.later(Diag::Leak, At, unsigned(Loss::FreedWithSlot), Owner, 0u,
                     nameOfSlot(Object, I)));
  }
}

/// Whether the function empties this field of some object, by whichever name, lends what is in Slot
/// to a function of the program, or has several objects of the kind.
static bool mayEmpty(const Evaluated &Body, const Place &Slot, const FieldDecl *Field) {
  return llvm::any_of(Body, [&](const Stmt *Node) {
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Node)) {
      const RecordDecl *Record = Element->getType()->getAsRecordDecl();
      return Record && Record->getDefinition() == Field->getParent();
    }
    const auto *Call = dyn_cast<CallExpr>(Node);
    if (!Call)
      return false;
    if (const std::optional<Place> Taken = placeTaken(Call))
      return Taken->member() == Field;
    return !isSwap(Call) && !libraryEffect(Call) &&
           llvm::any_of(Call->arguments(), [&](const Expr *Each) {
             return Place::lentBy(Each) == Slot.dereferenced();
           });
  });
}

void LossTransfer::checkTakenEmptied(const CallExpr *Taken, const Stmt *At) {
  if (All.FreedArrays.checkTaken(Taken, At))
    return;
  const Expr *Lvalue = addressed(Taken->getArg(0));
  const auto *Member = Lvalue ? dyn_cast<MemberExpr>(Lvalue->IgnoreParens()) : nullptr;
  const std::optional<Place> Where = Place::lentBy(Taken->getArg(0));
  const bool IsGlobal = Where && Lvalue && Where->isInGlobal() && !localVariable(Lvalue);
  const auto *Element = Lvalue ? dyn_cast<ArraySubscriptExpr>(Lvalue->IgnoreParens()) : nullptr;
  const NamedDecl *Named = Member                           ? Member->getMemberDecl()
                           : Where && Element               ? namedBy(Element->getBase())
                           : Where && (!Lvalue || IsGlobal) ? Where->base()
                                                            : nullptr;
  const RecordDecl *Record = Named ? slotsThrough(pointedBy(Taken->getArg(0))) : nullptr;
  if (!Record || Record->isUnion() || Arrays.contains(Record) || All.TakenNull.lookup(Taken))
    return;
  // What is known to be empty is in what takes its place, then.
  const bool IsReplaced = !All.Values.isNullConstant(Taken->getArg(1));
  auto HasTaken = [&](const Stmt *Node) { // before: n->next = acre_take(head)
    const auto *Call = dyn_cast<CallExpr>(Node);
    return Call && Call != Taken && placeTaken(Call) == Where;
  };
  if (IsReplaced && llvm::any_of(Body, HasTaken))
    return;
  const llvm::SmallBitVector Roots = All.Places.rootsBehind(Where->base());
  for (const FieldDecl *Field : Record->getDefinition()->fields()) {
    const Place Below = Where->dereferenced().then({Field, nullptr});
    if (!isOwning(Field->getType()) || (!IsReplaced && llvm::is_contained(Now.Empty, Below)) ||
        All.Places.isTouched(Roots, Below) || mayEmpty(Body, *Where, Field))
      continue;
    return Says.reportLoss(Loss::FreedWithSlot, At, Named, 0u, Below.text());
  }
}

void LossTransfer::noteGiven(const CallExpr *Call, unsigned Index, const Value &What) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || Callee->isExternallyVisible() || Index >= Callee->getNumParams() || !Says.isOn() ||
      Says.isQuiet() || What.IsAdopted)
    return;
  const ParmVarDecl *Parameter = Callee->getParamDecl(Index);
  const OwningSlots Slots = owningSlots(Context, Parameter->getType()->getPointeeType());
  const std::optional<unsigned> Object =
      What.Owners.size() == 1 ? Vars.ownerOf(cast<VarDecl>(What.Owners.front()->getDecl()))
                              : std::nullopt;
  const SlotState *State =
      Object && !All.ObjectSlots.empty() && All.slotsOf(*Object).Paths == Slots.Paths
          ? &Now.Slots[*Object]
          : nullptr;
  const VarDecl *Holder = State ? Vars.owner(*Object) : Parameter;
  for (unsigned I = 0; I != Slots.count(); ++I) {
    const LeftSlots::Slot Which = {{Callee->getCanonicalDecl(), Index}, I};
    if (State && State->isNull(I))
      Known.Left.isEmptied(Which);
    else if (State ? State->mayBeLive(I) || State->mayBeForeign(I) : What.IsFresh)
      Known.Left.isNotEmptied(Which, Call,
                              Says.later(Diag::Leak, Call, unsigned(Loss::FreedWithSlot), Holder,
                                         0u,
                                         Holder->getNameAsString() + "->" +
                                             llvm::StringRef(Slots.Paths[I]).ltrim('.').str()));
  }
}

/// What this field owns does not die with its object: said once for each field.
static void reportOnce(Reporter &Says, PlainFacts &Facts, const FieldDecl *Field, unsigned Why) {
  if (Says.isOn() && !Says.isQuiet() && Facts.isNew(Field))
    Says.reportNotDropped(Field, Why);
}

void LossTransfer::checkDropped(QualType Type, const Value &What) {
  const std::optional<unsigned> Object =
      What.Owners.size() == 1 ? Vars.ownerOf(cast<VarDecl>(What.Owners.front()->getDecl()))
                              : std::nullopt;
  const bool IsKnown = Object && !Type.isNull() && !All.ObjectSlots.empty() &&
                       All.Slots.isFollowedAlone(*Object) &&
                       All.slotsOf(*Object).Paths == owningSlots(Context, Type).Paths;
  llvm::DenseSet<const RecordDecl *> Seen;
  const RecordDecl *Record = IsKnown ? Type->getAsRecordDecl() : nullptr;
  if (!Record || Record->isUnion())
    return checkDroppedType(Type, Seen);
  for (const FieldDecl *Field : Record->getDefinition()->fields())
    if (!isOwning(Field->getType()) || !Now.Slots[*Object].isNull(firstSlotOf(Context, Field))) {
      checkDroppedField(Field, Seen);
      if (All.FreedArrays.isLeft(Field->getType()))
        reportOnce(Says, Facts, Field, 3);
    }
}

void LossTransfer::checkDroppedField(const FieldDecl *Field,
                                     llvm::DenseSet<const RecordDecl *> &Seen) {
  const QualType Type = Context.getBaseElementType(Field->getType());
  const bool IsFlexible = Field->getType()->isIncompleteArrayType();
  const bool IsClosed = isOwning(Type) && !closersOf(Type->getPointeeType()).empty();
  if (!isOwning(Type) || !(IsFlexible || IsClosed || Field->getParent()->isUnion()))
    checkDroppedType(disciplineOf(Type) == Discipline::Unique ? Type->getPointeeType() : Type,
                     Seen);
  else
    reportOnce(Says, Facts, Field, IsClosed ? 2 : unsigned(IsFlexible));
}

void LossTransfer::checkDroppedType(QualType Type, llvm::DenseSet<const RecordDecl *> &Seen) {
  Type = Type.isNull() ? Type : Context.getBaseElementType(Type);
  const RecordDecl *Record = Type.isNull() ? nullptr : Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Record || !Seen.insert(Record).second || !Says.isOn() || Says.isQuiet())
    return;
  for (const FieldDecl *Field : Record->fields())
    checkDroppedField(Field, Seen);
}

void LossTransfer::checkGrown(unsigned Owner) {
  const Stmt *At = std::exchange(Now.Owners[Owner].GrownAt, nullptr);
  const Expr *Taken = At ? GrowthTransfer::slotTaken(cast<Expr>(At)) : nullptr;
  if (At)
    Says.reportGrown(Taken ? textOf(Context, Taken) : Vars.owner(Owner)->getNameAsString(), At);
}

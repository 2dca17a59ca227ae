// SPDX-License-Identifier: MIT
//===- Calls.cpp - What calls do to owners and borrowers ------------------===//
//
// During a call its borrowed arguments may be used in any way but consumed,
// also what hangs below them on unique pointers in memory: that may be swapped
// out and freed.  So no two may overlap, and what the caller borrowed from
// below one of them is lost.
//
//===----------------------------------------------------------------------===//

#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Cursors.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/Statistic.h"

using namespace clang;
using namespace acre::ast;

#define DEBUG_TYPE "acre-ownership"
ALWAYS_ENABLED_STATISTIC(LentToBorrowed, "Loans to parameters that are declared borrowed");
ALWAYS_ENABLED_STATISTIC(LentToPlain, "Loans to parameters without a word");
ALWAYS_ENABLED_STATISTIC(LentToLibrary, "Loans to functions of the C library");

const FunctionDecl *CallTransfer::takenForSteady(const CallExpr *Call) const {
  const FunctionDecl *Callee = Given.Steady && !isSwap(Call) ? functionRunBy(Call) : nullptr;
  Callee = Callee ? Callee->getCanonicalDecl() : nullptr;
  return Callee && Given.Steady->mayBe(Callee) ? Callee : nullptr;
}

bool acre::ast::isReadOnly(const CallExpr *Call, unsigned Index) {
  const QualType To = parameterType(Call, Index);
  const QualType Pointee = To.isNull() ? To : To->getPointeeType();
  return !Pointee.isNull() && Pointee.isConstQualified();
}

bool CallTransfer::isSeenSteady(const CallExpr *Call) const {
  const FunctionDecl *Callee = Call->getDirectCallee();
  Callee = Callee ? Callee->getCanonicalDecl() : nullptr;
  return Callee && Given.Seen && Given.Seen->isSeen(Callee);
}

void CallTransfer::call(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (Callee && Callee->hasAttr<ReturnsTwiceAttr>()) {
    if (Call != All.TestedJump)
      All.Aliases.joinJumps();
    Now.MayJumpBack = true;
  }
  if (isSwap(Call))
    return swap(Call);
  if (isAliasCall(Call))
    return; // its variable's declaration decides
  std::optional<LibraryEffect> Effect = Facts.of(Call).Effect;
  if (isOwning(Call->getCallReturnType(Context)) ||
      (Effect && Effect->IsFresh && Effect->Of == Discipline::Refcounted) ||
      All.Records.makesOwners(Call))
    All.Fresh.insert(Call);
  if (isAtomicBuiltin(Call) && copyAtomically(Call))
    return;
  llvm::SmallVector<Lending, 4> Lent;
  llvm::SmallVector<const Expr *, 1> Filled;
  All.Lenders.checkArguments(Call);
  for (unsigned I = 0; I != Call->getNumArgs(); ++I)
    if (isSlotType(argumentOf(Call, I)->getType()))
      argument(Call, I, Effect, Lent, Filled);
    else
      passRecord(Call, Call->getArg(I));
  if (Effect && Effect->CopiesMemory)
    All.Arenas.copyMemory(Call);
  const bool RunsProgram = !Effect || Effect->CallsBack || Effect->Waits;
  if (RunsProgram || Effect->CopiesMemory)
    All.Places.forgetBehindPlain();
  if (RunsProgram)
    Now.Left.clear(); // it may set any variable
  if (!Effect)
    noteLentTwice(Call, Lent);
  if (RunsProgram && !Now.Regrown.empty()) {
    llvm::SmallBitVector Roots(Vars.rootCount());
    for (const Lending &Each : Lent)
      Roots |= Each.From.roots();
    All.Growth.checkCall(Call, Roots);
  }
  if (RunsProgram && All.MayOwn) {
    checkOverlap(Call, Lent);
    All.Operands.checkOwners(Call, Lent);
    const FunctionDecl *Spared = takenForSteady(Call);
    if (!Effect && !isSeenSteady(Call))
      touchArguments(Call);
    for (const Lending &Each : Lent)
      if (Each.MayChangeSlots)
        All.Borrowing.changeSlots(Each.From.roots(), Each.Borrowers, Call, Spared, Each.Reached);
    // What waits for a lock is lent what the lock is in, so that stays.
    llvm::SmallVector<unsigned, 2> Kept;
    for (const Lending &Each : Lent)
      if (Effect && Effect->Waits)
        Kept.append(Each.Borrowers);
    if (Callee && Given.Seen)
      for (const OwnSlot &Each : Given.Seen->changedBy(Callee->getCanonicalDecl()))
        All.Places.touchGlobals(Each);
    if (!Callee || !Callee->hasBody())
      All.Operands.append(Kept);
    All.Borrowing.changeSlots(OpenRoots, Kept, Call, Spared);
  }
  for (unsigned I = 0; I != Call->getNumArgs(); ++I)
    if (isPlace(Call->getArg(I)))
      All.Cursors.moveCursor(Call, I);
  if (Effect && Effect->Filled && *Effect->Filled < Call->getNumArgs()) {
    const Expr *Filled = Call->getArg(*Effect->Filled);
    Value Place = All.Values.evaluate(Filled);
    if (Place.OwnerAddresses.empty() && isOwning(pointedBy(Filled)))
      All.Borrowing.changeSlots(All.Values.holdersOf(All.Values.loansOf(Place)).roots(),
                                Place.Borrowers, Call, nullptr,
                                All.Borrowing.partLent(Filled, Place.Lent));
  }
  for (const Expr *Each : Filled)
    All.Places.keepFilledBy(Call, Each);
  if (All.MayOwn || (Effect && Effect->endsAny()))
    consumeArguments(Call, Effect, Lent);
  All.Opened.finish(Call, Effect);
  if (Effect && !Effect->Renews.empty())
    All.Lenders.renew(Call);
  if (Now.MayJumpBack && RunsProgram)
    All.Jumps.join(Now);
}

/// Whether a constant argument may tell which path of the callee is taken.
static bool isToldByCall(const ASTContext &Context, const CallExpr *Call) {
  return llvm::any_of(Call->arguments(), [&](const Expr *Each) {
    return Each->getType()->isArithmeticType() && Each->isEvaluatable(Context);
  });
}

void CallTransfer::touchArguments(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  auto MayEmpty = [&] { return Callee && !(Given.Seen && !Given.Seen->mayEmpty(Callee)); };
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    const Expr *Argument = argumentOf(Call, I);
    QualType To = parameterType(Call, I), Pointed = pointedBy(Argument);
    if (!isSlotType(Argument->getType()) || Pointed.isNull() || isReadOnly(Call, I) ||
        (!To.isNull() && isOwning(To)) || !(Pointed->isVoidType() || Facts.hasUniqueSlots(Pointed)))
      continue;
    const Value What = All.Values.evaluate(Argument);
    const Loans From = All.Values.loansOf(What);
    if (!What.OwnerAddresses.empty() || !(What.IsUnknown || From.any()))
      continue;
    const SlotUse *Use = slotUse(Call, I);
    std::optional<SlotUse> Certain;
    if (Use && Use->Leaves.any() && !isToldByCall(Context, Call)) {
      Certain = *Use;
      Certain->Takes.reset(Use->Leaves);
    }
    All.Places.touchBelow(From, Argument, Certain ? &*Certain : Use, MayEmpty());
    if (Certain && !Call->getType()->isVoidType()) // the result may tell
      All.Places.touchUnless(From, Argument, *Use, Call);
  }
}

void CallTransfer::passRecord(const CallExpr *Call, const Expr *Argument) {
  All.Records.takeRecord(Argument);
  All.Arenas.copyInArenas({Sink::Argument, QualType(), nullptr, nullptr, Call}, Argument);
}

void CallTransfer::argument(const CallExpr *Call, unsigned Index,
                            const std::optional<LibraryEffect> &Effect,
                            llvm::SmallVectorImpl<Lending> &Lent,
                            llvm::SmallVectorImpl<const Expr *> &Filled) {
  const Expr *Argument = argumentOf(Call, Index);
  QualType To = parameterType(Call, Index);
  All.Opened.pass(Call, Index, Effect);
  if ((!To.isNull() && isOwning(To)) || (Effect && Effect->ends(Index)))
    return; // consumed when all others are lent
  const bool IsKnown = Effect && !Effect->keeps(Index);
  Value What = All.Values.evaluate(Argument);
  if (!To.isNull() && isLentReference(To))
    All.Sinks.checkCounted(Argument, What);
  // Nobody has a new object that is only lent.
  const bool IsBorrowed = !To.isNull() && disciplineOf(To) == Discipline::Borrowed &&
                          disciplineOf(Call->getCallReturnType(Context)) != Discipline::Borrowed;
  if (All.MayOwn && (Effect ? IsKnown && !Effect->pointsInto(Index) : IsBorrowed))
    All.Fresh.insert(What.Results.begin(), What.Results.end());
  if (Effect && Effect->FilledWhenClosed == Index && What.OwnerAddresses.size() == 1)
    return openInto(Call, What.OwnerAddresses.front(), Argument);
  const SlotUse *Use = slotUse(Call, Index);
  const bool IsFilled =
      saysOut(To) || (Use && Use->Begins) || (Effect && Effect->Filled == Index && !Effect->Grows);
  for (const VarDecl *Each : What.OwnerAddresses) {
    if (Says.isOn() && !IsKnown)
      lendAddress(Call, Index, Each);
    OwnerState &Owner = Now.Owners[*Vars.ownerOf(Each)];
    // A call that fails leaves it as it is.
    const bool HasNone =
        Owner.mayBe(OwnerState::Consumed) || Owner.mayBe(OwnerState::Uninitialized);
    const bool IsUnset =
        IsFilled && HasNone && !Owner.mayBe(OwnerState::Live) && !Owner.WrittenSince;
    if (HasNone && !IsUnset)
      Says.reportConsumed(Each, Owner, Argument);
    if (IsFilled)
      All.Losses.reportOverwritten(*Vars.ownerOf(Each), Argument);
    Owner = OwnerState();
    Owner.Conditions = OwnerState::Null;
    if (!isEmptied(Call, Index, Each))
      Owner.Conditions |= OwnerState::Live;
    if (IsUnset)
      Owner.Conditions |= OwnerState::Uninitialized;
    Owner.FilledBy = IsFilled ? Call : nullptr;
    if (IsFilled && !All.Sinks.endersOf(Call).empty())
      Owner.MadeBy.add(Call);
    All.Slots.replaceObject(*Vars.ownerOf(Each));
    All.Tests.forgetTests(Each);
    All.Borrowing.loseRoot(Vars.rootOfOwner(*Vars.ownerOf(Each)), Call);
  }
  All.Slots.changeCells(What.Lent, What.Borrowers, Call);
  if (What.OwnerAddresses.empty() && IsFilled) {
    All.Losses.checkFilled(Argument, Argument);
    // Else it is known of each slot, but where a parameter of this function leads.
    const std::optional<Place> Whole = Place::lentBy(Argument);
    const bool IsGiven = Whole && isa<ParmVarDecl>(Whole->base());
    if (!Use || isOwning(pointedBy(Argument)) || (IsGiven && Use->Fills.all()))
      Filled.push_back(Argument);
  }
  fillSlots(Call, Index, What, IsFilled);
  All.Aliases.lendHeld(Call, Index, What, IsKnown);
  lend(Call, Index, What, IsKnown, Lent);
  if (isPlace(Argument))
    All.Cursors.lendCursor(Call, Index, Lent);
}

void CallTransfer::openInto(const CallExpr *Call, const VarDecl *Variable, const Expr *At) {
  const unsigned Index = *Vars.ownerOf(Variable);
  const unsigned char Before = Now.Owners[Index].Conditions;
  All.Sinks.assignOwner(Index, OwnerState::Uninitialized, At);
  Now.Owners[Index].WrittenSince = Call;
  Now.Owners[Index].UnlessWritten = Before;
  All.Slots.replaceObject(Index);
  All.Tests.forgetTests(Variable);
  All.Borrowing.loseRoot(Vars.rootOfOwner(Index), Call);
}

void CallTransfer::closeStream(const Value &From) {
  if (From.Owners.size() != 1)
    return;
  const std::optional<unsigned> Stream =
      Vars.ownerOf(cast<VarDecl>(From.Owners.front()->getDecl()));
  for (OwnerState &Each : Now.Owners)
    if (Each.WrittenBy == Stream) {
      Each = OwnerState();
      Each.Conditions = OwnerState::Null | OwnerState::Live;
    }
}

void CallTransfer::lendAddress(const CallExpr *Call, unsigned Index, const VarDecl *Owner) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const Expr *Argument = argumentOf(Call, Index);
  QualType To = parameterType(Call, Index);
  if (!To.isNull() && disciplineOf(To) == Discipline::Borrowed)
    return;
  // What is given as void * is the data of a callback more often than a result's place.
  bool IsData = To.isNull() || To->isVoidPointerType();
  if (Callee && Index < Callee->getNumParams() && IsData)
    Known.ask({Callee->getCanonicalDecl(), Index}, Owner, Argument->getSourceRange());
  else if (Callee && Index < Callee->getNumParams())
    Known.askIfSeen({Callee->getCanonicalDecl(), Index}, Owner, Argument->getSourceRange());
  else if (IsData)
    Says.reportAddress(Argument, Owner);
}

bool CallTransfer::isEmptied(const CallExpr *Call, unsigned Index, const VarDecl *Owner) const {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || !Known.Outcomes.isEmptying(Callee->getCanonicalDecl(), Index))
    return false;
  // The function takes its parameters for different places.
  for (unsigned I = 0; I != Call->getNumArgs(); ++I)
    if (I != Index && isSlotType(argumentOf(Call, I)->getType()) &&
        llvm::is_contained(All.Values.evaluate(argumentOf(Call, I)).OwnerAddresses, Owner))
      return false;
  return true;
}

/// What the callee is known to do to the slots of what this argument points to, or null.
const SlotUse *CallTransfer::slotUse(const CallExpr *Call, unsigned Index) const {
  const FunctionDecl *Callee = Call->getDirectCallee();
  return Callee ? Known.slotUse({Callee->getCanonicalDecl(), Index}) : nullptr;
}

void CallTransfer::fillSlots(const CallExpr *Call, unsigned Index, const Value &What,
                             bool IsFilled) {
  const Expr *Argument = argumentOf(Call, Index);
  QualType Pointed = pointedBy(Argument);
  if (Pointed.isNull() || !(Pointed->isVoidType() || Facts.hasUniqueSlots(Pointed)))
    return;
  const bool IsCleared = Facts.of(Call).Effect && overwrittenArgument(Call) == Index &&
                         !Pointed->isVoidType() && All.Records.clear(Call, Argument);
  if (IsCleared || All.ObjectSlots.empty())
    return;
  QualType To = parameterType(Call, Index);
  bool IsRead = !To.isNull() && To->getPointeeType().isConstQualified() &&
                Facts.hasUniqueSlots(To->getPointeeType());
  const auto *Address = dyn_cast<UnaryOperator>(Argument->IgnoreParenCasts());
  if (Address && Address->getOpcode() != UO_AddrOf)
    Address = nullptr;
  if (Address && isOwning(Address->getSubExpr()->getType())) {
    const SlotUse *Use = slotUse(Call, Index);
    const bool MayFill = Use && Use->Fills.size() == 1 && Use->Fills.test(0) && !Use->Takes.test(0);
    return All.Slots.lendSlot(Address->getSubExpr(), IsFilled ? Call : nullptr, MayFill);
  }
  std::optional<SlotRange> Range =
      Address ? All.Slots.slotsAt(Address->getSubExpr()) : All.Slots.slotsBehind(Argument);
  if (Range && IsRead)
    return All.Slots.useSlots(*Range, Argument);
  if (!Range || Pointed->isVoidType())
    return All.Slots.setSlotsBelow(All.Values.loansOf(What));
  if (const SlotUse *Use = slotUse(Call, Index); Use && Use->Reads.size() == Range->Count)
    for (unsigned I : Use->Reads.set_bits())
      All.Slots.useSlots({Range->Object, Range->First + I, 1}, Argument);
  const SlotState Before = Now.Slots[Range->Object];
  All.Slots.setSlotsBelow(All.Values.loansOf(What));
  leaveSlots(*Range, Before, Call, Index);
}

void CallTransfer::leaveSlots(const SlotRange &Lent, const SlotState &Before, const CallExpr *Call,
                              unsigned Index) {
  const OwningSlots &Slots = All.slotsOf(Lent.Object);
  SlotState &State = Now.changeSlots(Lent.Object, Lent.First, Lent.Count);
  const SlotUse *Use = slotUse(Call, Index);
  if (Use && Use->Fills.size() != Lent.Count)
    Use = nullptr;
  for (unsigned I = 0; I != Slots.count(); ++I) {
    const bool IsLent = I >= Lent.First && I < Lent.First + Lent.Count;
    const bool MayFill =
        IsLent && (Use ? Use->Fills.test(I - Lent.First) : saysOut(parameterType(Call, Index)));
    if (!IsLent)
      State.restore(Before, I);
    else if (Use && !Use->Takes.test(I - Lent.First) && !Use->Begins) {
      State.restoreLive(Before, I);
      State.setNull(I, Before.isNull(I) && !Use->Fills.test(I - Lent.First));
    }
    // What acre_out has filled is taken again where the call fails.
    const bool IsOut = saysOut(parameterType(Call, Index));
    const bool MayTake = Use && Use->Takes.test(I - Lent.First) && !IsOut;
    if (!MayFill || MayTake)
      continue;
    if (IsOut && All.Losses.isMetWhole(Slots, I)) { // some of them
      State.setElement(I, SlotState::AnyElement, true);
      State.setFilledBy(I, Call, SlotState::AnyElement);
    }
    if (Slots.Many.test(I))
      continue;
    State.setLive(I, 1, true);
    // A call that fails may leave what was there.
    if (IsOut || !Before.mayBeLive(I))
      State.setFilledBy(I, Call);
  }
}

/// Whether these pointers may, by their types, point to one object.
static bool areOfOneType(const Expr *One, const Expr *Other) {
  QualType First = One->IgnoreParenCasts()->getType()->getPointeeType();
  QualType Second = Other->IgnoreParenCasts()->getType()->getPointeeType();
  return First->isVoidType() || Second->isVoidType() ||
         First->getCanonicalTypeUnqualified() == Second->getCanonicalTypeUnqualified();
}

void CallTransfer::noteOthers(const CallExpr *Call, unsigned Index, const Value &What,
                              const Loans &From) {
  std::optional<Summaries::Parameter> Which = Facts.privateParameter(Call, Index);
  bool IsNull = What.MayBeNull && !What.IsUnknown && !What.IsFresh && !From.any();
  if (!Which || IsNull)
    return;
  bool IsOpen = From.IsOpen || !From.any();
  for (unsigned Root : From.numbers()) {
    const ParmVarDecl *Plain = Vars.parameterOfRoot(Root);
    if (Plain && Facts.leadsToSlots(Plain)) // for others nobody notes what they are given
      Known.isAsOpenAs(*Which, {Function->getCanonicalDecl(), Plain->getFunctionScopeIndex()});
    else
      IsOpen |= !Vars.isExclusive(Root) || Vars.isAlias(Root);
  }
  if (IsOpen)
    Known.isLentOpenly(*Which);
}

/// Whether the callee may change by one of these what it sees by the other.
static bool mayDisturb(const Lending &One, const Lending &Other) {
  return One.SeesSlots && Other.SeesSlots && (One.MayChangeSlots || Other.MayChangeSlots);
}

void CallTransfer::noteLentTwice(const CallExpr *Call, ArrayRef<Lending> Lent) {
  for (const Lending &One : Lent)
    for (const Lending &Other : Lent)
      if (&One != &Other && mayDisturb(One, Other) &&
          One.From.roots().anyCommon(Other.From.roots()))
        if (std::optional<Summaries::Parameter> Which = Facts.privateParameter(Call, One.Index);
            Which && Says.isOn())
          Known.isLentOpenly(*Which);
}

void CallTransfer::reportSlotLent(const Expr *Argument, const Loans &From) {
  Says.report(Diag::SlotLent, Argument, 0u);
  for (unsigned Root : From.Deep.set_bits())
    if (std::optional<Summaries::Parameter> Plain = All.Borrowing.plainParameter(Root);
        Plain && Says.isOn()) {
      Known.noteWord(*Plain);
      if (Given.Held &&
          Function
              ->isExternallyVisible()) // of others it is noted at the end which parameters are open
        Given.Held->push_back([Known = &Known, Plain] { Known->noteWord(*Plain); });
    }
}

const VarDecl *CallTransfer::globalLent(const CallExpr *Call, const Loans &From) const {
  const auto *Global = dyn_cast_or_null<VarDecl>(From.Via.Object);
  if (!Global || !isOwning(Global->getType()) || From.Direct.any() || From.numbers().size() != 1 ||
      !From.Deep.test(Variables::SharedRoot))
    return nullptr;
  // Another argument may hang below what this one lets the callee change.
  unsigned Open = 0;
  for (const Expr *Each : Call->arguments())
    if (isSlotType(Each->getType())) {
      const Loans Lent = All.Values.loansOf(All.Values.evaluate(Each));
      Open += Lent.Deep.anyCommon(OpenRoots) || Lent.Direct.test(Variables::SharedRoot);
    }
  return Open == 1 ? Global : nullptr;
}

/// Whether the callee, which is lent the address of an element, may go on to others: it is seen to
/// do more than name that one (Use is null), or is told where to end.
static bool mayWalk(const ASTContext &Context, const CallExpr *Call, unsigned Index,
                    const SlotUse *Use) {
  if (Use)
    return Use->MayWalk;
  const FunctionDecl *Callee = Call->getDirectCallee();
  const QualType Lent = Call->getArg(Index)->getType();
  auto IsLimit = [&](const Expr *Each) {
    return Each != Call->getArg(Index) && (Each->getType()->isIntegralOrEnumerationType() ||
                                           Context.hasSameUnqualifiedType(Each->getType(), Lent));
  };
  return (Callee && Callee->hasBody()) || llvm::any_of(Call->arguments(), IsLimit);
}

/// Whether an argument leads to unique pointers, as what it is or as what it is cast to.
static bool seesSlots(PlainFacts &Facts, const Expr *Argument) {
  QualType Pointee = Argument->IgnoreParenCasts()->getType()->getPointeeType();
  if (Pointee.isNull()) // an array
    Pointee = Argument->getType()->getPointeeType();
  if (Pointee->isVoidType() || Facts.hasUniqueSlots(Pointee))
    return true;
  for (Argument = Argument->IgnoreParens(); const auto *Cast = dyn_cast<CastExpr>(Argument);
       Argument = Cast->getSubExpr()->IgnoreParens())
    if (const QualType Into = Cast->getType()->getPointeeType();
        !Into.isNull() && !Into->isVoidType() && Facts.hasUniqueSlots(Into))
      return true;
  return false;
}

/// Whether a parameter of this type leads to slots that it says are not set, and to none below.
static bool onlyReads(ASTContext &Context, PlainFacts &Facts, QualType To) {
  const QualType Pointee = To.isNull() ? QualType() : To->getPointeeType();
  const RecordDecl *Record =
      !Pointee.isNull() && Pointee.isConstQualified() ? Pointee->getAsRecordDecl() : nullptr;
  Record = Record ? Record->getDefinition() : nullptr;
  return Record && llvm::all_of(Record->fields(), [&](const FieldDecl *Field) {
           const QualType Type = Context.getBaseElementType(Field->getType());
           if (!isSlotType(Type))
             return !Type->isRecordType() || !Facts.hasUniqueSlots(Type);
           const QualType Below = Type->getPointeeType();
           return !Below->isVoidType() && !Below->isIncompleteType() && !Below->isRecordType() &&
                  !isSlotType(Below);
         });
}

void CallTransfer::lend(const CallExpr *Call, unsigned Index, const Value &What, bool IsKnown,
                        llvm::SmallVectorImpl<Lending> &Lent) {
  Loans From = All.Values.loansOf(What);
  const bool IsContent = Index & Summaries::Content;
  const unsigned At = Index & ~Summaries::Content;
  if (Says.isOn() && !IsKnown && !IsContent)
    noteOthers(Call, Index, What, From);
  const Expr *Argument = argumentOf(Call, At);
  QualType To = parameterType(Call, At);
  bool SaysBorrowed =
      !IsKnown && !IsContent && !To.isNull() && disciplineOf(To) == Discipline::Borrowed;
  bool IsAlone = SaysBorrowed && !isLentReference(To);
  if (!From.any() && From.Maybe.none() && !(IsAlone && From.MayBeCounted))
    return;
  const bool SeesSlots = !IsContent && seesSlots(Facts, Argument);
  const bool MaySwap = SeesSlots && !onlyReads(Context, Facts, To);
  if (IsAlone && SeesSlots && From.MayBeCounted) {
    Says.report(Diag::CountedLent, Argument);
    if (Call->getDirectCallee() && At < Call->getDirectCallee()->getNumParams())
      Says.noteReferenceWord(Call->getDirectCallee()->getParamDecl(At));
  }
  // An object that others can reach may lose what hangs below it while the callee runs.
  const FunctionDecl *Callee = Call->getDirectCallee();
  bool HasParameter = Callee && At < Callee->getNumParams();
  const bool CallsBack = IsKnown && Facts.of(Call).Effect->CallsBack;
  const bool IsPrinted = isFormatted(Callee, At) && !Callee->hasBody();
  if ((!IsKnown || CallsBack) && !IsPrinted && From.Deep.anyCommon(OpenRoots)) {
    const FunctionDecl *Steady = HasParameter ? takenForSteady(Call) : nullptr;
    const VarDecl *Global =
        HasParameter && !CallsBack && Given.Steady ? globalLent(Call, From) : nullptr;
    if (Global && Given.Rests) {
      Given.Rests->Globals.push_back({Callee->getCanonicalDecl(), Index, Global});
    } else if (Steady && Given.Rests) {
      Given.Rests->Steady.insert(Steady);
      if (!CallsBack)
        Given.Rests->Borrowing.insert({Steady, Index});
    }
    if (!Steady && !Global)
      return reportSlotLent(Argument, From);
  }
  const bool MayWalk = !IsKnown && mayWalk(Context, Call, At, slotUse(Call, At));
  const OwnSlot Part = IsContent ? OwnSlot() : All.Borrowing.partLent(Argument, From);
  const OwnSlot Reached =
      IsContent || !MayWalk ? Part : All.Borrowing.partLent(Argument, From, MayWalk);
  Lent.push_back({From, All.Values.borrowersAbove(Argument, What), SeesSlots, MaySwap, IsAlone,
                  Argument, At, Part, Reached});
  if (!IsKnown && !IsContent && MaySwap)
    All.Values.appendOtherTypes(Argument, To, Lent.back().Borrowers);
  if (Says.isOn() && !Says.isQuiet() &&
      llvm::any_of(From.numbers(), [&](unsigned Root) { return Vars.isExclusive(Root); }))
    ++(IsKnown ? LentToLibrary : SaysBorrowed ? LentToBorrowed : LentToPlain);
  if (CallsBack && Says.isOn())
    lendToCallback(Call, Argument, From);
  if (IsKnown || SaysBorrowed)
    return;
  All.Arenas.lendInArenas(Call, Index, From);
  if (!Says.isOn() || isFormatted(Callee, At))
    return;
  for (unsigned Root : From.numbers()) {
    std::optional<Summaries::Parameter> Plain = All.Borrowing.plainParameter(Root);
    if (Plain && HasParameter)
      Known.isLentTo(*Plain, {Callee->getCanonicalDecl(), Index});
    else if (Plain)
      Known.escapes(*Plain);
    else if (const VarDecl *Variable = Vars.variableOfRoot(Root); Variable && HasParameter)
      Known.ask({Callee->getCanonicalDecl(), Index}, Variable, Argument->getSourceRange());
    else if (Variable)
      reportPassed(Argument, Variable);
  }
}

void CallTransfer::reportPassed(const Expr *Argument, const VarDecl *Lent) {
  Says.report(Diag::BorrowedEscapes, Argument, unsigned(Sink::Argument), 1u, Lent);
  Says.noteDeclared(Lent, "%0, which lends it, is declared here");
}

void CallTransfer::lendToCallback(const CallExpr *Call, const Expr *Argument, const Loans &From) {
  for (Summaries::Parameter Each : parametersRunBy(Call))
    for (unsigned Root : From.numbers())
      if (std::optional<Summaries::Parameter> Plain = All.Borrowing.plainParameter(Root))
        Known.isLentTo(*Plain, Each);
      else if (const VarDecl *Variable = Vars.variableOfRoot(Root))
        Known.askIfSeen(Each, Variable, Argument->getSourceRange());
}

void CallTransfer::reportLentTwice(const Expr *Argument, const VarDecl *Lent, unsigned How,
                                   const Expr *Other) {
  Says.report(Diag::LentTwice, Argument, Lent, How, Other->getSourceRange());
  Says.note(Other->getExprLoc(), "the other argument is here");
}

void CallTransfer::checkOverlap(const CallExpr *Call, ArrayRef<Lending> Lent) {
  const FunctionDecl *Steady = takenForSteady(Call);
  auto ReportTwice = [&](const Expr *Argument, const VarDecl *Twice, unsigned How,
                         const Expr *Other) {
    if (!Steady)
      return reportLentTwice(Argument, Twice, How, Other);
    if (Given.Rests) // it takes nothing out that the other argument may hang on
      (How == 0 ? Given.Rests->SteadyAlone : Given.Rests->Steady).insert(Steady);
  };
  // Two elements from which the callee gets to no other ones are as two objects.
  auto AreApart = [&](const Lending &One, const Lending &Other) {
    for (const Lending *Each : {&One, &Other})
      if (const SlotUse *Use = slotUse(Call, Each->Index); !Use || Use->MayWalk)
        return false;
    const std::optional<Place> First = Place::lentBy(One.Argument),
                               Second = Place::lentBy(Other.Argument);
    return First && Second && areInOtherElements(*First, *Second);
  };
  for (unsigned I = 0; I != Lent.size(); ++I)
    for (unsigned J = I + 1; J != Lent.size(); ++J) {
      if (AreApart(Lent[I], Lent[J]))
        continue;
      // Two parts of one object, from which no way leads to the other, are as two objects.
      bool MayDisturb = mayDisturb(Lent[I], Lent[J]) && !Lent[I].Part.isApartFrom(Lent[J].Part);
      bool MayRely = Lent[I].IsAlone || Lent[J].IsAlone; // else an alias may be copied
      // What hangs on a slot is gone when the other argument's callee takes it out.
      auto MayLose = [](const Lending &Changed, const Lending &Other, unsigned Root) {
        return Changed.MayChangeSlots && Other.From.Deep.test(Root) &&
               !Changed.Part.isApartFrom(Other.From.Via);
      };
      if (MayDisturb && MayRely && Lent[I].From.IsOpen && Lent[J].From.IsOpen &&
          areOfOneType(Lent[I].Argument, Lent[J].Argument))
        ReportTwice(Lent[J].Argument, nullptr, 2u, Lent[I].Argument);
      for (unsigned Root : Lent[I].From.numbers())
        if (Vars.isExclusive(Root) && Lent[J].From.contains(Root) &&
            ((MayDisturb && (MayRely || !Vars.isAlias(Root))) || MayLose(Lent[I], Lent[J], Root) ||
             MayLose(Lent[J], Lent[I], Root)))
          ReportTwice(Lent[J].Argument, Vars.variableOfRoot(Root), 0u, Lent[I].Argument);
    }
}

Discipline CallTransfer::disciplineOfValue(const Value &What) const {
  for (const DeclRefExpr *Each : What.Owners)
    return disciplineOf(Each->getType());
  for (const Expr *Each : What.Results)
    return resultDiscipline(Context, Each);
  return Discipline::Unique;
}

/// Whether the callee frees this argument alone, whatever it owns.
static bool isFreedAlone(const Summaries &Known, const CallExpr *Call, unsigned Index) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  return Callee && Known.Left.isFreedAlone(Callee->getCanonicalDecl(), Index);
}

/// The result of a function of the program is freed at once: nobody has emptied it.
static void checkResultEmptied(Reporter &Says, const CallExpr *Made, const Expr *At) {
  const FunctionDecl *Callee = Made->getDirectCallee();
  const QualType Pointee = Made->getType()->getPointeeType();
  const RecordDecl *Record = Callee && !Pointee.isNull() ? Pointee->getAsRecordDecl() : nullptr;
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Record || Record->isUnion())
    return;
  for (const FieldDecl *Field : Record->fields())
    if (isOwning(Field->getType()))
      return Says.reportLoss(Loss::FreedWithSlot, At, Callee, 0u,
                             Callee->getNameAsString() + "(...)->" + Field->getNameAsString());
}

void CallTransfer::consumeArguments(const CallExpr *Call,
                                    const std::optional<LibraryEffect> &Effect,
                                    ArrayRef<Lending> Lent) {
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    const Expr *Argument = Call->getArg(I);
    QualType To = parameterType(Call, I);
    const bool IsTaken = Effect && Effect->ends(I), IsFreed = IsTaken && Effect->Freed == I;
    if (!isSlotType(Argument->getType()) || To.isNull() || (!isOwning(To) && !IsTaken))
      continue;
    if (const Expr *Slot = IsFreed ? All.Growth.slotRegrown(Call) : nullptr) {
      exchange(All.Values.addressOf(Slot), OwnerState::Null, Slot, nullptr, Slot);
      All.Growth.regrow(Call, All.TakenNull.lookup(Slot));
      continue;
    }
    Value What = All.Values.evaluate(Argument);
    What.IsAdopted |= IsTaken; // what is not followed may be freed as ever in C
    if (!IsTaken)
      All.Losses.noteGiven(Call, I, What);
    else if (IsFreed)
      closeStream(What);
    if (IsFreed && (!What.Owners.empty() || !What.Results.empty()))
      checkCloser(Call, Argument, What);
    if (IsFreed && All.Lenders.any() && !isReleaseCall(Call))
      All.Lenders.checkFreed(Call, Argument, What);
    if (IsFreed && (libraryFunction(Call).starts_with("acre_own_drop") ||
                    libraryFunction(Call) == "acre_ref_drop"))
      All.Losses.checkDropped(pointedBy(Argument), What);
    if (IsFreed && libraryFunction(Call).starts_with("acre_own_drop"))
      for (const Expr *Each : What.Results)
        All.Slots.useTaken(Each, Argument);
    for (const DeclRefExpr *Each : What.Owners)
      if (unsigned Object = *Vars.ownerOf(cast<VarDecl>(Each->getDecl()));
          libraryFunction(Call).starts_with("acre_own_drop"))
        All.Slots.useObject(Object, Argument);
      else if (libraryFunction(Call) == "free" || isFreedAlone(Known, Call, I))
        All.Losses.checkEmptied(Object, Argument);
    for (const Expr *Each : What.Results)
      if (const auto *Made = dyn_cast<CallExpr>(Each);
          Made && isSwap(Made) && libraryFunction(Call) == "free")
        All.Losses.checkTakenEmptied(Made, Argument);
      else if (Made && libraryFunction(Call) == "free" && !Facts.of(Made).Effect)
        checkResultEmptied(Says, Made, Argument);
    for (const DeclRefExpr *Each : What.Owners) {
      unsigned Root = Vars.rootOfOwner(*Vars.ownerOf(cast<VarDecl>(Each->getDecl())));
      for (const Lending &Other : Lent)
        if (Other.From.contains(Root))
          reportLentTwice(Other.Argument, cast<VarDecl>(Each->getDecl()), 0u, Argument);
    }
    All.Sinks.own(!IsTaken              ? disciplineOf(To)
                  : isReleaseCall(Call) ? disciplineOfValue(What)
                                        : Effect->Of,
                  Argument, What);
    All.Borrowing.giveAway(Argument, Call);
  }
}

void CallTransfer::checkCloser(const CallExpr *Call, const Expr *Freed, const Value &What) {
  if (isReleaseCall(Call))
    return;
  // The name that should stand there, if this one is none of these.
  auto Another = [Name = libraryFunction(Call)](llvm::StringRef Closers) {
    llvm::SmallVector<llvm::StringRef, 2> Each;
    Closers.split(Each, ' ');
    return Closers.empty() || llvm::is_contained(Each, Name) ? "" : Each.front();
  };
  if (llvm::StringRef Ends = Another(closersOf(pointedBy(Freed))); !Ends.empty())
    return Says.report(Diag::HandleFreed, Freed,
                       printType(pointedBy(Freed), Context.getPrintingPolicy()), Ends);
  const Sites Makers = All.Sinks.makersOf(What);
  for (const Stmt *Each : Makers.all())
    if (llvm::StringRef Ends = Another(All.Sinks.endersOf(cast<CallExpr>(Each))); !Ends.empty()) {
      Says.report(Diag::HandleFreed, Freed,
                  "what " + libraryFunction(cast<CallExpr>(Each)).str() + " made", Ends);
      return Says.note(Each->getBeginLoc(), "it is made here");
    }
}

void CallTransfer::checkSwappedTypes(QualType SlotType, const Expr *NewValue) {
  QualType Slot = SlotType->getPointeeType(), Put = NewValue->IgnoreParenImpCasts()->getType();
  if (isNullPointer(Context, NewValue) || !isSlotType(Put))
    return;
  Put = Put->getPointeeType();
  bool AreCharacters = Slot->isAnyCharacterType() && Put->isAnyCharacterType();
  if (!Slot->isVoidType() && !Put->isVoidType() && !AreCharacters &&
      !Context.typesAreCompatible(Slot.getUnqualifiedType(), Put.getUnqualifiedType()))
    Says.report(Diag::SwappedTypes, NewValue,
                printType(NewValue->IgnoreParenImpCasts()->getType(), Context.getPrintingPolicy()),
                printType(SlotType, Context.getPrintingPolicy()));
}

bool CallTransfer::copyAtomically(const Stmt *Operation) {
  for (const Stmt *Each : Operation->children()) {
    const auto *Operand = dyn_cast_or_null<Expr>(Each);
    QualType Pointed = Operand && isSlotType(Operand->getType()) ? pointedBy(Operand) : QualType();
    const auto *Address = Operand ? dyn_cast<UnaryOperator>(Operand->IgnoreParenCasts()) : nullptr;
    const VarDecl *Variable =
        Address && isa<AtomicExpr>(Operation) ? localVariable(Address->getSubExpr()) : nullptr;
    bool IsReported = Variable && Vars.ownerOf(Variable); // whose address is made
    if (!Pointed.isNull() && Facts.hasUniqueSlots(Pointed) && !IsReported)
      return Says.report(Diag::SlotAtomic, Operand), true;
  }
  return false;
}

void CallTransfer::swap(const CallExpr *Call) {
  All.Fresh.insert(Call);
  const Expr *Slot = Call->getArg(0)->IgnoreParenCasts();
  const Expr *NewValue = Call->getArg(1);
  QualType SlotType = Slot->getType()->getPointeeType();
  if (SlotType.isNull() || !isOwning(SlotType)) {
    Says.report(Diag::SwapOfPlain, Slot);
    return;
  }
  checkSwappedTypes(SlotType, NewValue);
  All.Arenas.takeKey(Slot, Call);
  Value Place = All.Values.evaluate(Call->getArg(0));
  Value Put = All.Values.evaluate(NewValue);
  All.Sinks.checkNotBelow(Place, Slot, Put, NewValue);
  const Expr *Waiting = All.Growth.slotSettledBy(Call);
  const auto Regrown = Waiting ? All.Growth.settle(Waiting, NewValue) : std::nullopt;
  if (Regrown)
    All.Taken.insert(Call); // what was there is nothing, since realloc has had it
  unsigned char Conditions = All.Sinks.own(disciplineOf(SlotType), NewValue, Put);
  exchange(Place, Conditions, Slot, NewValue, Call);
  if (Regrown && *Regrown)
    All.Growth.keepUntested(Waiting, *Regrown);
}

void CallTransfer::takeByHand(const StmtExpr *Block) {
  const Expr *Slot = takenByHand(Block);
  All.Fresh.insert(Block);
  All.Slots.useSlotsAt(Slot);
  exchange(All.Values.addressOf(Slot), OwnerState::Null, Slot, nullptr, Block);
}

void CallTransfer::exchange(const Value &Place, unsigned char Conditions, const Expr *Slot,
                            const Expr *Put, const Stmt *At) {
  if (!Place.OwnerAddresses.empty()) {
    const VarDecl *Variable = Place.OwnerAddresses.front();
    unsigned Owner = *Vars.ownerOf(Variable);
    OwnerState &Old = Now.Owners[Owner];
    if (Old.mayBe(OwnerState::Consumed) || Old.mayBe(OwnerState::Uninitialized))
      Says.reportConsumed(Variable, Old, Slot);
    All.TakenNull[cast<Expr>(At)] = Old.isSurely(OwnerState::Null);
    Now.Owners[Owner] = OwnerState();
    Now.Owners[Owner].Conditions = Conditions;
    if (!All.ObjectSlots.empty())
      All.TakenSlots[cast<Expr>(At)] = {Owner, Now.Slots[Owner]};
    All.Tests.forgetTests(Variable);
    return All.Borrowing.loseRoot(Vars.rootOfOwner(Owner), At);
  }
  const Expr *Lvalue = Slot;
  if (const auto *Address = dyn_cast<UnaryOperator>(Slot);
      Address && Address->getOpcode() == UO_AddrOf)
    Lvalue = Address->getSubExpr();
  All.TakenNull[cast<Expr>(At)] = All.Slots.isNull(Now, Lvalue);
  All.Places.forgetEmpty(Lvalue, Conditions == OwnerState::Null);
  const bool IsTaken = Conditions == OwnerState::Null;
  All.Slots.setSlotsAt(Lvalue, !IsTaken, IsTaken);
  Loans Holder = All.Values.holdersOf(All.Values.loansOf(Place));
  All.Slots.changeCells(Place.Lent, Place.Borrowers, At, Conditions);
  llvm::SmallVector<unsigned, 2> Stay = All.Values.borrowersAbove(Slot, Place);
  if (Lvalue != Slot) // no more than this one slot is changed
    Stay.append(All.Values.borrowersAbove(Lvalue, Place));
  All.Values.appendElsewhere(Lvalue, Stay);
  All.Borrowing.changeSlots(Holder.roots(), Stay, At, nullptr,
                            All.Borrowing.firstSlot(Lvalue, Holder));
  if (Conditions & OwnerState::Live)
    All.Places.keepFilled(Lvalue, Put);
  if (!IsTaken)
    return;
  All.Places.keepEmpty(Now, Lvalue);
  All.Places.keepTaken(Lvalue, cast<Expr>(At));
  All.Outcomes.noteEmptied(Lvalue);
}

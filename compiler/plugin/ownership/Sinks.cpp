// SPDX-License-Identifier: MIT
//===- Sinks.cpp - What gets a pointer, and what that does ----------------===//

#include "plugin/Annotations.h"
#include "plugin/Checks.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Choices.h"
#include "plugin/ownership/Elements.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/Statistic.h"

using namespace clang;
using namespace acre::ast;

#define DEBUG_TYPE "acre-ownership"
ALWAYS_ENABLED_STATISTIC(KeptInBorrowed, "Loans to local variables that are declared borrowed");
ALWAYS_ENABLED_STATISTIC(KeptInPlain, "Loans to local variables without a word");

void SinkTransfer::sink(const Sink &Into, const Expr *From) {
  if (!From || !isSlotType(Into.Type))
    return;
  All.Arenas.copyHandle(Into, From);
  Value What = All.Values.evaluate(From);
  if (Into.What == Sink::Result && isLentReference(Into.Type))
    checkCounted(From, What);
  const bool PointsToEmpty = Into.What == Sink::Variable && All.Slots.pointsToEmpty(From);
  llvm::SmallVector<Place, 2> Names;
  const bool IsBorrower = Into.What == Sink::Variable && Vars.borrowerOf(Into.Local);
  const VarDecl *Copied = IsBorrower ? localVariable(From->IgnoreParenCasts()) : nullptr;
  if (IsBorrower)
    All.Places.appendNames(Into.Local, From, Names);
  if (Into.What == Sink::Variable) {
    All.Arenas.forgetPaths(Into.Local);
    All.Tests.forgetTests(Into.Local);
  }
  if (!isOwning(Into.Type)) {
    if (Into.What == Sink::Slot)
      All.Places.forgetBehindPlain();
    release(Into, From, What);
    keep(Into, From, What);
    if (Into.What == Sink::Variable)
      All.Tests.keepResult(Into.Local, From);
    if (Into.What == Sink::Variable && Vars.borrowerOf(Into.Local))
      noteRestored(Into.Local, From);
    if (PointsToEmpty && Vars.borrowerOf(Into.Local))
      Now.Empty.push_back(Place(Into.Local).dereferenced());
    Now.Empty.append(Names);
    if (IsBorrower && elementAt(From) && !Vars.isAddressTaken(Into.Local) &&
        Facts.hasUniqueSlots(elementAt(From)->getType()) && isKeptElement(Context, From))
      Now.Tests.push_back({Into.Local, From});
    if (Copied && Copied != Into.Local && isOwning(Copied->getType()->getPointeeType()) &&
        !Vars.isAddressTaken(Into.Local) && !Vars.isAddressTaken(Copied))
      Now.Same.push_back({Into.Local, Copied});
    if (Copied && Copied != Into.Local && All.Moved.isLast(Copied) &&
        All.Moved.isLast(Into.Local) && !Vars.isAddressTaken(Into.Local))
      Now.copyFacts(Into.Local, Copied);
    if (IsBorrower) {
      All.Losses.noteNewElement(Into.Local, From);
      All.Places.noteLast(Into.Local, From);
    }
    return;
  }
  if (Into.What == Sink::Slot && Into.Place)
    checkNotBelow(All.Values.addressOf(Into.Place), Into.Place, What, From);
  llvm::SmallVector<Place, 2> Emptied;
  if (Into.What == Sink::Slot && Into.Place)
    All.Slots.appendEmptied(Into.Place, From, What, Emptied);
  const Sites MadeBy = makersOf(What);
  const std::optional<unsigned> Follower = followerOf(Into, What);
  std::optional<const CallExpr *> Regrown;
  if (Into.What == Sink::Slot && Into.Place && (Regrown = All.Growth.settle(Into.Place, From)))
    All.Places.keepEmpty(Now, Into.Place); // realloc has had what was there, or the rest is told
  unsigned char Conditions = own(disciplineOf(Into.Type), From, What);
  All.Put[From] = Conditions;
  if (Into.What == Sink::Variable) {
    if (const CallExpr *Call = resultOrNull(Context, From); !Call || !All.Growth.isRegrown(Call))
      All.Growth.checkMoved(Into.Local, Into.At);
    assignOwner(*Vars.ownerOf(Into.Local), Conditions, Into.At);
    Now.Owners[*Vars.ownerOf(Into.Local)].MadeBy = MadeBy;
    noteRestored(Into.Local, From);
    noteStream(*Vars.ownerOf(Into.Local), From);
    All.Tests.keepResult(Into.Local, From);
    All.Slots.beginObject(*Vars.ownerOf(Into.Local), From, What);
    tieAdopted(Into.Local, From, What);
  } else if (Into.What == Sink::Slot && Into.Place) {
    const bool WasEmpty = All.Places.isEmpty(Into.Place);
    overwriteSlot(Into.Place, Into.At, Conditions);
    if (Regrown && *Regrown)
      All.Growth.keepUntested(Into.Place, *Regrown);
    Now.Empty.append(Emptied);
    if (Conditions & OwnerState::Live)
      All.Places.keepFilled(Into.Place, From);
    // What is taken from an empty slot leaves that empty, if it is the same one.
    if (const auto *Taken = dyn_cast<CallExpr>(From->IgnoreParenCasts());
        WasEmpty && Taken && isSwap(Taken) && All.Values.isNullConstant(Taken->getArg(1)))
      if (const Expr *Slot = addressed(Taken->getArg(0)))
        All.Places.keepEmpty(Now, Slot);
  }
  if (Follower)
    follow(*Follower, Into);
}

void SinkTransfer::tieAdopted(const VarDecl *Owner, const Expr *From, const Value &What) {
  const VarDecl *Plain = What.IsAdopted ? localVariable(From->IgnoreParenCasts()) : nullptr;
  const std::optional<unsigned> Borrower = Plain ? Vars.borrowerOf(Plain) : std::nullopt;
  if (!Borrower)
    return;
  Loans Lent(Vars.rootCount());
  Lent.Direct.set(Vars.rootOfOwner(*Vars.ownerOf(Owner)));
  Now.changeBorrower(*Borrower) = BorrowerState{Lent};
}

std::optional<unsigned> SinkTransfer::followerOf(const Sink &Into, const Value &What) const {
  const VarDecl *Pointer = All.Moved.followerOf(Into.At).Pointer;
  const std::optional<unsigned> Borrower = Pointer ? Vars.borrowerOf(Pointer) : std::nullopt;
  if (!Borrower || What.Owners.size() != 1 || Now.Borrowers[*Borrower].IsDangling)
    return std::nullopt;
  const unsigned Root =
      Vars.rootOfOwner(*Vars.ownerOf(cast<VarDecl>(What.Owners.front()->getDecl())));
  const Loans &From = Now.Borrowers[*Borrower].From;
  const bool IsOfOwner = From.Direct.test(Root) && From.numbers().size() == 1 &&
                         From.Maybe.none() && From.Frames.none() && !From.IsOpen;
  return IsOfOwner ? Borrower : std::nullopt;
}

void SinkTransfer::follow(unsigned Borrower, const Sink &Into) {
  const auto *Store = cast<BinaryOperator>(Into.At);
  const Expr *Set = All.Moved.followerOf(Store).Value->IgnoreParenCasts();
  const Value There = All.Values.valueAt(Store->getLHS());
  const bool IsAddress = isa<UnaryOperator>(Set);
  Now.changeBorrower(Borrower) =
      BorrowerState{All.Values.loansOf(IsAddress ? All.Values.derived(There) : There)};
}

Sites SinkTransfer::makersOf(const Value &What) const {
  Sites Result;
  llvm::SmallSet<llvm::StringRef, 2> Enders;
  for (const Expr *Each : What.Results)
    if (const auto *Call = dyn_cast<CallExpr>(Each))
      Enders.insert(endersOf(Call));
  if (Enders.size() > 1) // a choice, which is made again where the object ends
    return Result;
  for (const DeclRefExpr *Each : What.Owners)
    Result.add(Now.Owners[*Vars.ownerOf(cast<VarDecl>(Each->getDecl()))].MadeBy);
  for (const Expr *Each : What.Results)
    if (const auto *Call = dyn_cast<CallExpr>(Each); Call && !endersOf(Call).empty())
      Result.add(Each);
  return Result;
}

llvm::StringRef SinkTransfer::endersOf(const CallExpr *Maker) const {
  const std::optional<LibraryEffect> Effect = Facts.of(Maker).Effect;
  return Effect ? Effect->EndedBy : "";
}

void SinkTransfer::release(const Sink &Into, const Expr *From, Value &What) {
  const auto *Written = dyn_cast<ExplicitCastExpr>(From->IgnoreParenImpCasts());
  bool IsKept = Into.What == Sink::Slot || Into.What == Sink::Result;
  if (!Written || !IsKept || disciplineOf(Into.Type) != Discipline::None ||
      disciplineOf(Written->getTypeAsWritten()) != Discipline::None)
    return;
  for (const DeclRefExpr *Each : What.Owners)
    consume(Each, From);
  What.Owners.clear();
  for (const Expr *Each : What.Results)
    All.Taken.insert(Each);
}

void SinkTransfer::checkDiscipline(Discipline As, const Expr *From, const Value &What) {
  llvm::SmallVector<Discipline, 4> Words;
  for (const Expr *Each : What.Results)
    Words.push_back(resultDiscipline(Context, Each));
  for (const DeclRefExpr *Each : What.Owners)
    Words.push_back(disciplineOf(Each->getType()));
  for (Discipline Is : Words)
    if (Is != As && Is != Discipline::None) // a swap of plain pointers has been reported
      return Says.report(Diag::DisciplineChanged, From, wordOfDiscipline(Is), wordOfDiscipline(As));
}

void SinkTransfer::checkCounted(const Expr *From, const Value &What) {
  auto IsOther = [&](const Expr *Each) {
    return resultDiscipline(Context, Each) != Discipline::Refcounted;
  };
  if (All.Values.loansOf(What).MayBeOther || !What.OwnerAddresses.empty() ||
      llvm::any_of(What.Results, IsOther))
    Says.report(Diag::NotCounted, From);
  else
    return;
  llvm::SmallVector<unsigned, 4> Roots = All.Values.loansOf(What).numbers();
  for (unsigned Root : Roots)
    if (const ParmVarDecl *Parameter = Vars.parameterOfRoot(Root);
        Parameter && !isLentReference(Parameter->getType()))
      Says.noteReferenceWord(Parameter);
}

unsigned char SinkTransfer::own(Discipline As, const Expr *From, const Value &What) {
  unsigned char Conditions = 0;
  checkDiscipline(As, From, What);
  if (What.MayBeNull)
    Conditions |= OwnerState::Null;
  if (What.IsStandard)
    Conditions |= OwnerState::Standard;
  const bool IsTakenNull =
      !What.Results.empty() &&
      llvm::all_of(What.Results, [this](const Expr *Each) { return All.TakenNull.lookup(Each); });
  if (What.IsFresh || What.IsAdopted)
    Conditions |=
        IsTakenNull && !What.IsAdopted ? OwnerState::Null : OwnerState::Null | OwnerState::Live;
  for (const Expr *Each : What.Results)
    All.Taken.insert(Each);
  std::optional<State> Before; // what one tells of another
  if (What.Owners.size() > 1 || isa<AbstractConditionalOperator>(From->IgnoreParenCasts()))
    Before = Now;
  for (const DeclRefExpr *Each : What.Owners) {
    OwnerState &Owner = Now.Owners[*Vars.ownerOf(cast<VarDecl>(Each->getDecl()))];
    if (Before && !choose(*Before, From, Each, Owner))
      continue;
    Conditions |= Owner.Conditions & (OwnerState::Null | OwnerState::Live | OwnerState::Standard);
    consume(Each, From);
    if (Before)
      keepUnchosen(*Before, From, *Vars.ownerOf(cast<VarDecl>(Each->getDecl())));
  }
  if (!What.Slots.empty()) {
    Says.reportCopiedSlot(What.Slots.front());
  } else if (What.Lent.any() && !All.Borrowing.escapePlain(What)) {
    const VarDecl *Lent = All.Borrowing.nameOf(What);
    Says.report(Diag::BorrowedEscapes, From, unsigned(Sink::Owner), unsigned(Lent != nullptr),
                Lent);
    Says.noteDeclared(Lent ? Lent : namedBy(From), "%0, which lends it, is declared here");
  } else if (What.IsUnknown && !What.IsAdopted) {
    Says.report(Diag::PlainBecomesUnique, From);
  } else {
    return Conditions;
  }
  return 0;
}

void SinkTransfer::keep(const Sink &Into, const Expr *From, const Value &What) {
  Loans Kept = All.Values.loansOf(What);
  if (Into.What == Sink::Variable) {
    if (std::optional<unsigned> Borrower = Vars.borrowerOf(Into.Local)) {
      All.Slots.keepCells(From, What, Kept);
      Kept.MayBeUnlent |= What.IsFresh || !What.Owners.empty() || !What.Slots.empty();
      llvm::SmallBitVector Above = All.Values.allAbove(From);
      if (*Borrower < Above.size())
        Above.reset(*Borrower);
      std::optional<Place> Through = All.Values.elementOnWay(From);
      std::optional<Place> Slot = All.Values.slotRead(From);
      for (std::optional<Place> *Way : {&Through, &Slot}) // from its old value
        if (*Way && (*Way)->names([&](const VarDecl *Each) { return Each == Into.Local; }))
          Way->reset();
      BorrowerState &State = Now.changeBorrower(*Borrower);
      State = BorrowerState{Kept};
      State.Above = std::move(Above);
      State.Through = std::move(Through);
      State.Slot = std::move(Slot);
      All.Aliases.loseEnded(State, Into.At);
      if (Says.isOn() && !Says.isQuiet() &&
          llvm::any_of(Kept.numbers(), [&](unsigned Root) { return Vars.isExclusive(Root); }))
        ++(disciplineOf(Into.Type) == Discipline::Borrowed ? KeptInBorrowed : KeptInPlain);
      return;
    }
  }
  All.Frames.keepFrames(Into, From, Kept);
  All.Aliases.keepAliased(Into, From, Kept);
  All.Arenas.keepInArenas(Into, From, Kept);
  if (!Kept.any())
    return;
  bool IsBorrowedResult =
      Into.What == Sink::Result && disciplineOf(Into.Type) == Discipline::Borrowed;
  for (unsigned Root : Kept.numbers()) {
    const ParmVarDecl *Parameter = Vars.parameterOfRoot(Root);
    if (std::optional<Summaries::Parameter> Plain = All.Borrowing.plainParameter(Root)) {
      if (Into.What == Sink::Result)
        Known.isReturned(*Plain);
      else
        Known.escapes(*Plain);
    } else if (Into.What == Sink::Result && Root == Variables::SharedRoot && Given.MayBeGetter) {
      Known.Lenders.lendsGlobal(Function->getCanonicalDecl());
      if (!IsBorrowedResult || !lendsGlobals(Function, Function->getType()))
        reportGetter(From, nullptr);
    } else if (Into.What == Sink::Result && !IsBorrowedResult && Parameter && Given.MayBeGetter &&
               disciplineOf(Parameter->getType()) == Discipline::Borrowed &&
               mayHangOn(Function, Parameter->getFunctionScopeIndex())) {
      Known.Lenders.lendsParameter(Function->getCanonicalDecl(),
                                   Parameter->getFunctionScopeIndex());
      reportGetter(From, Parameter);
    } else if (!IsBorrowedResult ||
               !((Parameter && mayHangOn(Function, Parameter->getFunctionScopeIndex())) ||
                 (Root == Variables::SharedRoot && lendsGlobals(Function, Function->getType())))) {
      const VarDecl *Lent = Vars.variableOfRoot(Root);
      Says.report(Diag::BorrowedEscapes, From, unsigned(Into.What), unsigned(Lent != nullptr),
                  Lent);
      noteLender(Into, Root);
    }
  }
}

void SinkTransfer::reportGetter(const Expr *From, const VarDecl *Lent) {
  if (Says.isOn() && !Says.isQuiet())
    Known.Lenders.add(Function->getCanonicalDecl(),
                      Says.later(Diag::BorrowedEscapes, From, unsigned(Sink::Result),
                                 unsigned(Lent != nullptr), Lent));
}

void SinkTransfer::noteLender(const Sink &Into, unsigned Root) const {
  if (const VarDecl *Lent = Vars.variableOfRoot(Root); Lent && Lent->getLocation().isValid())
    Says.note(Lent->getLocation(),
              Vars.ownerOfRoot(Root)       ? "the owner is declared here, and ends with its block"
              : Vars.parameterOfRoot(Root) ? "the parameter is declared here: its object is lent, "
                                             "and its owner may free it after the call"
                                           : "what is lent is declared here");
  const bool IsShared = Root == Variables::SharedRoot;
  if (Into.What != Sink::Result || (!IsShared && !Vars.parameterOfRoot(Root)))
    return;
  if (disciplineOf(Into.Type) == Discipline::Borrowed)
    Says.note(Function->getLocation(),
              "the result is 'borrowed', so callers take it for lent by what the parameters of "
              "this function point to; a unique pointer elsewhere in memory owns it");
  else
    Says.noteBorrowedResult(Function, IsShared && !lendsGlobals(Function, Function->getType()));
}

/// Whether From is a choice, so that the value may not be this owner's.
static bool isChoice(const Expr *From, const VarDecl *Owner) {
  From = From->IgnoreParenCasts();
  if (const auto *Operator = dyn_cast<BinaryOperator>(From);
      Operator && Operator->getOpcode() == BO_Comma)
    return isChoice(Operator->getRHS(), Owner);
  // One that is null owns nothing.
  if (const auto *Or = dyn_cast<BinaryConditionalOperator>(From))
    return localVariable(Or->getCommon()->IgnoreParenCasts()) != Owner;
  const auto *Choice = dyn_cast<ConditionalOperator>(From);
  return Choice && (localVariable(Choice->getCond()->IgnoreParenCasts()) != Owner ||
                    localVariable(Choice->getTrueExpr()->IgnoreParenCasts()) != Owner);
}

/// Whether Part is somewhere in Whole.
static bool isWithin(const Expr *Part, const Stmt *Whole) {
  if (const auto *Opaque = dyn_cast_or_null<OpaqueValueExpr>(Whole))
    Whole = Opaque->getSourceExpr();
  return Whole && (Whole == Part || llvm::any_of(Whole->children(), [&](const Stmt *Each) {
                     return isWithin(Part, Each);
                   }));
}

bool SinkTransfer::choose(const State &Before, const Expr *From, const DeclRefExpr *Owner,
                          OwnerState &Is) const {
  State Chosen = Before;
  while (const auto *Choice = dyn_cast<AbstractConditionalOperator>(From->IgnoreParenCasts())) {
    const auto *Or = dyn_cast<BinaryConditionalOperator>(Choice);
    const bool IsIfTrue = isWithin(Owner, Choice->getTrueExpr());
    All.Tests.refine(Chosen, Or ? Or->getCommon() : Choice->getCond(), IsIfTrue);
    From = IsIfTrue ? Or ? Or->getCommon() : Choice->getTrueExpr() : Choice->getFalseExpr();
  }
  if (!Chosen.IsReached)
    return false;
  const OwnerState &There = Chosen.Owners[*Vars.ownerOf(cast<VarDecl>(Owner->getDecl()))];
  Is.Conditions = There.Conditions;
  Is.ConsumedAt = There.ConsumedAt;
  return true;
}

void SinkTransfer::keepUnchosen(const State &Before, const Expr *Choice, unsigned Owner) {
  const auto *Operator = dyn_cast<AbstractConditionalOperator>(Choice->IgnoreParenCasts());
  auto Is = [&](const Expr *Each) {
    const VarDecl *Variable = localVariable(Each->IgnoreParenCasts());
    return Variable && Vars.ownerOf(Variable) == Owner;
  };
  const auto *Or = dyn_cast_or_null<BinaryConditionalOperator>(Operator);
  const bool IsIfTrue = Operator && Is(Or ? Or->getCommon() : Operator->getTrueExpr());
  if (!Now.Owners[Owner].mayBe(OwnerState::Consumed))
    return;
  if (!Operator || IsIfTrue == Is(Operator->getFalseExpr())) {
    if (!IsIfTrue) // one of more than two
      Now.Owners[Owner].Conditions |= Before.Owners[Owner].Conditions;
    return;
  }
  State Otherwise = Before;
  All.Tests.refine(Otherwise, Or ? Or->getCommon() : Operator->getCond(), !IsIfTrue);
  Now.Owners[Owner].Conditions = OwnerState::Consumed;
  if (Otherwise.IsReached)
    Now.Owners[Owner].Conditions |= Otherwise.Owners[Owner].Conditions;
}

void SinkTransfer::checkNotBelow(const Value &Place, const Expr *Slot, const Value &What,
                                 const Expr *From) {
  for (const DeclRefExpr *Each : What.Owners)
    if (const auto *Owner = cast<VarDecl>(Each->getDecl());
        Place.Lent.contains(Vars.rootOfOwner(*Vars.ownerOf(Owner)))) {
      Says.report(Diag::LentTwice, Slot, Owner, 1u, From->getSourceRange());
      Says.note(From->getExprLoc(), "this is what is put there");
    }
}

void SinkTransfer::consume(const DeclRefExpr *Owner, const Expr *From) {
  const auto *Variable = cast<VarDecl>(Owner->getDecl());
  OwnerState &State = Now.Owners[*Vars.ownerOf(Variable)];
  if (State.mayBe(OwnerState::Consumed)) {
    Says.reportConsumed(Variable, State, Owner);
    State.Conditions = 0;
    return;
  }
  All.Growth.checkMoved(Variable, Owner);
  All.TakenNull[Owner] = State.isSurely(OwnerState::Null);
  if (!isChoice(From, Variable))
    State.Conditions = 0;
  State.Conditions |= OwnerState::Consumed;
  State.RestoredBy = nullptr;
  if (State.GrownAt && GrowthTransfer::slotTaken(cast<Expr>(State.GrownAt)))
    State.GrownAt = nullptr; // it goes untested, as where a slot is set to the result at once
  All.Losses.checkGrown(*Vars.ownerOf(Variable));
  State.ConsumedAt = Sites();
  State.ConsumedAt.add(Owner);
  All.Borrowing.loseRoot(Vars.rootOfOwner(*Vars.ownerOf(Variable)), Owner);
}

void SinkTransfer::assignOwner(unsigned Owner, unsigned char Conditions, const Stmt *At) {
  OwnerState &State = Now.Owners[Owner];
  if (State.WrittenSince)
    Says.reportAddress(At, Vars.owner(Owner));
  All.Aliases.changeAliased(Vars.rootOfOwner(Owner), At);
  All.Losses.reportOverwritten(Owner, At);
  State = OwnerState();
  State.Conditions = Conditions;
  if (llvm::any_of(Now.Borrowers, [&](const BorrowerState &Each) {
        return Each.From.Cells.test(Vars.rootOfOwner(Owner));
      }))
    Now.forgetNull([](const Place &) { return true; }); // what points to it named slots below
  for (OwnerState &Each : Now.Owners)
    if (Each.WrittenBy == Owner)
      Each.WrittenBy.reset();
}

void SinkTransfer::noteRestored(const VarDecl *Variable, const Expr *From) {
  const CallExpr *Call = resultOrNull(Context, From);
  std::optional<LibraryEffect> Effect = Call ? libraryEffect(Call) : std::nullopt;
  if (!Effect || !Effect->IsFresh || !Effect->Freed || asksForNothing(Context, Call))
    return;
  const bool IsCertain = Call == From->IgnoreParenCasts();
  const std::optional<unsigned> Owner = Vars.ownerOf(Variable);
  Value Freed = All.Values.evaluate(Call->getArg(*Effect->Freed));
  for (const DeclRefExpr *Each : Freed.Owners) {
    const unsigned Index = *Vars.ownerOf(cast<VarDecl>(Each->getDecl()));
    OwnerState &Old = Now.Owners[Index];
    const llvm::ArrayRef<const Stmt *> Places = Old.ConsumedAt.all();
    if (Index == Owner && IsCertain)
      Old.GrownAt = All.TakenNull.lookup(Each) ? nullptr : Call;
    else if (Old.mayBe(OwnerState::Consumed) && Places.size() == 1 && Places.front() == Each)
      Old.RestoredBy = Variable;
  }
  if (Owner && IsCertain && !All.Growth.isRegrown(Call) && All.Growth.slotGrown(From))
    Now.Owners[*Owner].GrownAt = Call;
}

void SinkTransfer::noteStream(unsigned Owner, const Expr *From) {
  const CallExpr *Call = resultOrNull(Context, From); // without a stream nothing is written
  for (OwnerState &Each : Now.Owners)
    if (Call && Each.WrittenSince == Call)
      Each.WrittenBy = Owner;
}

void SinkTransfer::overwriteSlot(const Expr *Slot, const Stmt *At, unsigned char Conditions) {
  Value Place = All.Values.addressOf(Slot);
  All.Losses.checkOverwritten(Slot, At);
  All.Places.forgetEmpty(Slot);
  // What is stored through a cell loses what was there, which is not known of a null one.
  All.Slots.changeCells(Place.Lent, Place.Borrowers, At,
                        Conditions ? Conditions : OwnerState::Null | OwnerState::Live);
  All.Borrowing.changeSlots(All.Values.holdersOf(Place.Lent).roots(),
                            All.Values.borrowersAbove(Slot, Place), At, nullptr,
                            All.Borrowing.firstSlot(Slot, Place.Lent));
}

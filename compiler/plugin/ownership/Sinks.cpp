// SPDX-License-Identifier: MIT
//===- Sinks.cpp - What gets a pointer, and what that does ----------------===//

#include "plugin/Annotations.h"
#include "plugin/ownership/Flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/Statistic.h"

using namespace clang;
using namespace acre::ast;

#define DEBUG_TYPE "acre-ownership"
ALWAYS_ENABLED_STATISTIC(KeptInBorrowed, "Loans to local variables that are declared borrowed");
ALWAYS_ENABLED_STATISTIC(KeptInPlain, "Loans to local variables without a word");

void Flow::sink(const Sink &Into, const Expr *From) {
  if (!From || !isSlotType(Into.Type))
    return;
  copyHandle(Into, From);
  Value What = evaluate(From);
  if (Into.What == Sink::Result && isLentReference(Into.Type))
    checkCounted(From, What);
  const bool PointsToEmpty = Into.What == Sink::Variable && pointsToEmpty(From);
  if (Into.What == Sink::Variable) {
    forgetPaths(Into.Local);
    forgetTests(Into.Local);
  }
  if (!isOwning(Into.Type)) {
    release(Into, From, What);
    keep(Into, From, What);
    if (Into.What == Sink::Variable)
      keepResult(Into.Local, From);
    if (PointsToEmpty && Vars.borrowerOf(Into.Local))
      Now.Empty.push_back(Place(Into.Local).dereferenced());
    return;
  }
  if (Into.What == Sink::Slot && Into.Place)
    checkNotBelow(addressOf(Into.Place), Into.Place, What, From);
  llvm::SmallVector<Place, 2> Emptied;
  if (Into.What == Sink::Slot && Into.Place)
    appendEmptied(Into.Place, From, What, Emptied);
  unsigned char Conditions = own(disciplineOf(Into.Type), From, What);
  if (Into.What == Sink::Variable) {
    assignOwner(*Vars.ownerOf(Into.Local), Conditions, Into.At);
    noteRestored(*Vars.ownerOf(Into.Local), From);
    beginObject(*Vars.ownerOf(Into.Local), From, What);
  } else if (Into.What == Sink::Slot && Into.Place) {
    overwriteSlot(Into.Place, Into.At);
    Now.Empty.append(Emptied);
  }
}

void Flow::release(const Sink &Into, const Expr *From, Value &What) {
  const auto *Written = dyn_cast<ExplicitCastExpr>(From->IgnoreParenImpCasts());
  bool IsKept = Into.What == Sink::Slot || Into.What == Sink::Result;
  if (!Written || !IsKept || disciplineOf(Into.Type) != Discipline::None ||
      disciplineOf(Written->getTypeAsWritten()) != Discipline::None)
    return;
  for (const DeclRefExpr *Each : What.Owners)
    consume(Each, From);
  What.Owners.clear();
  for (const Expr *Each : What.Results)
    Taken.insert(Each);
}

void Flow::reportCopiedSlot(const Expr *Slot) {
  if (!IsReporting)
    return;
  auto Report = Reports.report(Diag::SlotCopied, Slot->getExprLoc()) << Slot->getSourceRange();
  SourceRange Range = Slot->getSourceRange();
  if (Range.getBegin().isFileID() && Range.getEnd().isFileID())
    Report << Reports.insertion(Range.getBegin(), "acre_take(&")
           << Reports.insertion(Lexer::getLocForEndOfToken(Range.getEnd(), 0,
                                                           Context.getSourceManager(),
                                                           Context.getLangOpts()),
                                ")");
}

void Flow::checkDiscipline(Discipline As, const Expr *From, const Value &What) {
  llvm::SmallVector<Discipline, 4> All;
  for (const Expr *Each : What.Results)
    All.push_back(resultDiscipline(Context, Each));
  for (const DeclRefExpr *Each : What.Owners)
    All.push_back(disciplineOf(Each->getType()));
  for (Discipline Is : All)
    if (Is != As && Is != Discipline::None) // a swap of plain pointers has been reported
      return report(Diag::DisciplineChanged, From, wordOfDiscipline(Is), wordOfDiscipline(As));
}

void Flow::checkCounted(const Expr *From, const Value &What) {
  auto IsOther = [&](const Expr *Each) {
    return resultDiscipline(Context, Each) != Discipline::Refcounted;
  };
  if (loansOf(What).MayBeOther || !What.OwnerAddresses.empty() ||
      llvm::any_of(What.Results, IsOther))
    report(Diag::NotCounted, From);
  else
    return;
  llvm::SmallVector<unsigned, 4> Roots = loansOf(What).numbers();
  for (unsigned Root : Roots)
    if (const ParmVarDecl *Parameter = Vars.parameterOfRoot(Root);
        Parameter && !isLentReference(Parameter->getType()))
      noteReferenceWord(Parameter);
}

void Flow::noteReferenceWord(const ParmVarDecl *Parameter) {
  if (!IsReporting || Parameter->getLocation().isInvalid())
    return;
  auto Note = Reports.note(
      Parameter->getLocation(),
      "the parameter is declared here; 'refcounted borrowed' says that callers give it "
      "a reference");
  if (disciplineOf(Parameter->getType()) == Discipline::Borrowed &&
      Parameter->getLocation().isFileID() && Parameter->getDeclName())
    Note << FixItHint::CreateInsertion(Parameter->getLocation(), "refcounted ");
}

unsigned char Flow::own(Discipline As, const Expr *From, const Value &What) {
  unsigned char Conditions = 0;
  checkDiscipline(As, From, What);
  if (What.MayBeNull)
    Conditions |= OwnerState::Null;
  if (What.IsFresh || What.IsAdopted)
    Conditions |= OwnerState::Null | OwnerState::Live;
  for (const Expr *Each : What.Results)
    Taken.insert(Each);
  for (const DeclRefExpr *Each : What.Owners) {
    const OwnerState &Owner = Now.Owners[*Vars.ownerOf(cast<VarDecl>(Each->getDecl()))];
    Conditions |= Owner.Conditions & (OwnerState::Null | OwnerState::Live);
    consume(Each, From);
  }
  if (!What.Slots.empty()) {
    reportCopiedSlot(What.Slots.front());
  } else if (What.Lent.any() && !escapePlain(What)) {
    const VarDecl *Lent = nameOf(What);
    report(Diag::BorrowedEscapes, From, 4u, unsigned(Lent != nullptr), Lent);
  } else if (What.IsUnknown && !What.IsAdopted) {
    report(Diag::PlainBecomesUnique, From);
  } else {
    return Conditions;
  }
  return 0;
}

std::optional<Summaries::Parameter> Flow::plainParameter(unsigned Root) const {
  const ParmVarDecl *Parameter = Vars.parameterOfRoot(Root);
  if (!Parameter || disciplineOf(Parameter->getType()) != Discipline::None ||
      Vars.isAlone(Parameter))
    return std::nullopt;
  return Summaries::Parameter(Function->getCanonicalDecl(), Parameter->getFunctionScopeIndex());
}

bool Flow::escapePlain(const Value &What) {
  if (What.Lent.Deep.any()) // a unique pointer in memory owns it
    return false;
  llvm::SmallBitVector Roots = What.Lent.roots();
  for (unsigned Root : Roots.set_bits())
    if (const ParmVarDecl *Parameter = Vars.parameterOfRoot(Root);
        Vars.isExclusive(Root) || (Parameter && isLentReference(Parameter->getType())))
      return false;
  for (unsigned Root : Roots.set_bits())
    if (std::optional<Summaries::Parameter> Plain = plainParameter(Root))
      Known.escapes(*Plain);
  return true;
}

void Flow::keep(const Sink &Into, const Expr *From, const Value &What) {
  Loans Kept = loansOf(What);
  if (Into.What == Sink::Variable) {
    if (std::optional<unsigned> Borrower = Vars.borrowerOf(Into.Local)) {
      keepCells(From, What, Kept);
      BorrowerState &State = Now.Borrowers[*Borrower];
      State = BorrowerState{Kept, false, false, 0, {}, {}};
      loseEnded(State, Into.At);
      if (IsReporting && !Reports.isQuiet() &&
          llvm::any_of(Kept.numbers(), [&](unsigned Root) { return Vars.isExclusive(Root); }))
        ++(disciplineOf(Into.Type) == Discipline::Borrowed ? KeptInBorrowed : KeptInPlain);
      return;
    }
  }
  keepFrames(Into, From, Kept);
  keepAliased(Into, From, Kept);
  keepInArenas(Into, From, Kept);
  if (!Kept.any())
    return;
  bool IsBorrowedResult =
      Into.What == Sink::Result && disciplineOf(Into.Type) == Discipline::Borrowed;
  for (unsigned Root : Kept.numbers()) {
    if (std::optional<Summaries::Parameter> Plain = plainParameter(Root)) {
      if (Into.What == Sink::Result)
        Known.isReturned(*Plain);
      else
        Known.escapes(*Plain);
    } else if (!IsBorrowedResult ||
               !(Vars.parameterOfRoot(Root) ||
                 (Root == Variables::SharedRoot && lendsGlobals(Function->getType())))) {
      const VarDecl *Lent = Vars.variableOfRoot(Root);
      report(Diag::BorrowedEscapes, From, unsigned(Into.What), unsigned(Lent != nullptr), Lent);
    }
  }
}

/// Whether From is a choice, so that the value may not be this owner's.
static bool isChoice(const Expr *From) {
  From = From->IgnoreParenCasts();
  if (const auto *Operator = dyn_cast<BinaryOperator>(From);
      Operator && Operator->getOpcode() == BO_Comma)
    return isChoice(Operator->getRHS());
  return isa<AbstractConditionalOperator>(From);
}

void Flow::checkNotBelow(const Value &Place, const Expr *Slot, const Value &What,
                         const Expr *From) {
  for (const DeclRefExpr *Each : What.Owners)
    if (const auto *Owner = cast<VarDecl>(Each->getDecl());
        Place.Lent.contains(Vars.rootOfOwner(*Vars.ownerOf(Owner))))
      report(Diag::LentTwice, Slot, Owner, 1u, From->getSourceRange());
}

void Flow::consume(const DeclRefExpr *Owner, const Expr *From) {
  const auto *Variable = cast<VarDecl>(Owner->getDecl());
  OwnerState &State = Now.Owners[*Vars.ownerOf(Variable)];
  if (State.mayBe(OwnerState::Consumed)) {
    reportConsumed(Variable, State, Owner);
    State.Conditions = 0;
    return;
  }
  if (!isChoice(From))
    State.Conditions = 0;
  State.Conditions |= OwnerState::Consumed;
  State.RestoredBy.reset();
  checkGrown(*Vars.ownerOf(Variable));
  State.ConsumedAt = Sites();
  State.ConsumedAt.add(Owner);
  loseRoot(Vars.rootOfOwner(*Vars.ownerOf(Variable)), Owner);
}

void Flow::assignOwner(unsigned Owner, unsigned char Conditions, const Stmt *At) {
  OwnerState &State = Now.Owners[Owner];
  changeAliased(Vars.rootOfOwner(Owner), At);
  reportOverwritten(Owner, At);
  State = OwnerState();
  State.Conditions = Conditions;
  if (llvm::any_of(Now.Borrowers, [&](const BorrowerState &Each) {
        return Each.From.Cells.test(Vars.rootOfOwner(Owner));
      }))
    Now.Empty.clear(); // what points to it named slots below
  for (OwnerState &Each : Now.Owners)
    if (Each.RestoredBy == Owner)
      Each.RestoredBy.reset();
}

void Flow::noteRestored(unsigned Owner, const Expr *From) {
  const auto *Call = dyn_cast<CallExpr>(From->IgnoreParenCasts());
  std::optional<LibraryEffect> Effect = Call ? libraryEffect(Call) : std::nullopt;
  if (!Effect || !Effect->IsFresh || !Effect->Freed)
    return;
  Value Freed = evaluate(Call->getArg(*Effect->Freed));
  for (const DeclRefExpr *Each : Freed.Owners)
    if (unsigned Index = *Vars.ownerOf(cast<VarDecl>(Each->getDecl())); Index == Owner)
      Now.Owners[Index].GrownAt = Call;
    else if (Now.Owners[Index].isSurely(OwnerState::Consumed))
      Now.Owners[Index].RestoredBy = Owner;
}

void Flow::overwriteSlot(const Expr *Slot, const Stmt *At) {
  Value Place = addressOf(Slot);
  checkOverwritten(Slot, At);
  forgetEmpty(Slot);
  changeCells(Place.Lent, Place.Borrowers, At);
  changeSlots(holdersOf(Place.Lent).roots(), Place.Borrowers, At, nullptr, fieldOfOwned(Slot));
}

const FieldDecl *Flow::fieldOfOwned(const Expr *Slot) const {
  const auto *Member = dyn_cast<MemberExpr>(Slot->IgnoreParens());
  const auto *Field =
      Member && Member->isArrow() ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
  if (!Field || Field->getParent()->isUnion())
    return nullptr;
  Loans Base = loansOf(evaluate(Member->getBase()));
  bool IsWithin = Base.Direct.count() == 1 && Base.Deep.none() && !Base.IsOpen &&
                  Vars.isExclusive(Base.Direct.find_first());
  return IsWithin ? Field : nullptr;
}

void Flow::changeSlots(const llvm::SmallBitVector &Roots, ArrayRef<unsigned> Except, const Stmt *At,
                       const FunctionDecl *Spared, const FieldDecl *Field) {
  changeBelowAliased(Roots, At);
  llvm::SmallBitVector Changed = Roots;
  addAliased(Changed);
  // What is open to all may be the same memory.
  if (Changed.anyCommon(openRoots()))
    Changed |= openRoots();
  for (KeyState &Each : Now.Keys)
    if (Each.From.Deep.anyCommon(Changed))
      Each.Slot = nullptr;
  for (unsigned I = 0; I != Now.Borrowers.size(); ++I) {
    BorrowerState &Each = Now.Borrowers[I];
    // Another structure may have another field at the same place.
    bool IsElsewhere = Field && Each.From.Via && Each.From.Via != Field &&
                       Each.From.Via->getParent() == Field->getParent();
    if (!Each.From.Deep.anyCommon(Changed) || llvm::is_contained(Except, I) || IsElsewhere)
      continue;
    if (Spared) {
      if (!llvm::is_contained(Each.SparedBy, Spared))
        Each.SparedBy.push_back(Spared);
      noteEnded(I, At);
      continue;
    }
    llvm::SmallBitVector Lost = Each.From.Deep;
    Lost &= Changed;
    Each.IsDangling = true;
    Each.LostRoot = Lost.find_first();
    Each.LostAt.add(At);
    noteEnded(I, At);
  }
}

void Flow::noteEnded(unsigned Borrower, const Stmt *At) {
  if (IsReporting)
    Ended[At].push_back(Vars.borrower(Borrower));
}

void Flow::loseRoot(unsigned Root, const Stmt *At) {
  for (unsigned I = 0; I != Now.Borrowers.size(); ++I) {
    BorrowerState &Each = Now.Borrowers[I];
    bool IsLost = Each.From.contains(Root);
    if (!IsLost && !Each.From.Maybe.test(Root))
      continue;
    if (IsLost || !Each.IsDangling)
      Each.LostRoot = Root;
    (IsLost ? Each.IsDangling : Each.IsDoubtful) = true;
    Each.LostAt.add(At);
    if (IsLost)
      noteEnded(I, At);
  }
  loseKeys(Root, At);
  changeAliased(Root, At);
}

const VarDecl *Flow::nameOf(const Value &What) const {
  if (!What.Owners.empty())
    return cast<VarDecl>(What.Owners.front()->getDecl());
  for (unsigned Root : loansOf(What).numbers())
    if (const VarDecl *Variable = Vars.variableOfRoot(Root))
      return Variable;
  return nullptr;
}

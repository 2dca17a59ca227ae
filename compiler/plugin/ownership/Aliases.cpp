// SPDX-License-Identifier: MIT
//===- Aliases.cpp - What is lent for a block -----------------------------===//
//
// acre_alias lends an object for the rest of a block: a root of its own, that is
// gone when the block ends, so that no pointer to it is of use then.  Until then
// its copies may also lie in variables that are declared in the block.  What such
// a variable may hold is known by its name; so its address may only be where it
// is followed, and with functions of the C library that copy nothing out of it.
//
// The owner that lent the object is watched while the block lasts: it must not be
// consumed, assigned or changed below, since the copies in memory would not end.
//
//===----------------------------------------------------------------------===//

#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/Statistic.h"

using namespace clang;
using namespace acre::ast;

#define DEBUG_TYPE "acre-ownership"
ALWAYS_ENABLED_STATISTIC(AliasesWritten, "Loans written out for a block");

static constexpr llvm::StringLiteral AliasText = "%0 is lent here, until its block ends";

void AliasTransfer::openAlias(const VarDecl *Alias) {
  std::optional<unsigned> Root = Vars.aliasCount() ? Vars.rootOfAlias(Alias) : std::nullopt;
  if (!Root)
    return;
  const Expr *Lent = aliasedBy(Alias);
  Loans From = All.Values.loansOf(All.Values.evaluate(Lent));
  const llvm::SmallBitVector &Open = OpenRoots;
  if (From.Deep.anyCommon(Open))
    Says.report(Diag::SlotLent, Lent, 1u);
  From.Deep.reset(Open);
  if (Says.isOn() && !Says.isQuiet() &&
      llvm::any_of(From.numbers(), [&](unsigned Each) { return Vars.isExclusive(Each); }))
    ++AliasesWritten;
  Loans Copy = none().Lent;
  Copy.Direct.set(*Root);
  Copy.Maybe = From.Maybe;
  Copy.Frames = From.Frames;
  Copy.MayBeCounted = From.MayBeCounted;
  Copy.MayBeOther = From.MayBeOther;
  Copy.IsOpen = From.IsOpen || !From.any() || From.Direct.anyCommon(Open);
  if (std::optional<unsigned> Borrower = Vars.borrowerOf(Alias))
    Now.changeBorrower(*Borrower) = BorrowerState{Copy};
  else // its address is taken: it is in memory
    Now.Held[Vars.frameOfRoot(*Vars.rootOfFrame(Alias))] = Copy;
  Now.Aliases[Vars.aliasOfRoot(*Root)] = {true, From};
}

void AliasTransfer::closeAlias(const VarDecl *Alias, const Stmt *At) {
  std::optional<unsigned> Root = Vars.aliasCount() ? Vars.rootOfAlias(Alias) : std::nullopt;
  if (!Root)
    return;
  Now.Aliases[Vars.aliasOfRoot(*Root)] = {false, none().Lent};
  for (Loans &Each : Now.Held)
    Each.Direct.reset(*Root);
  All.Borrowing.loseRoot(*Root, At);
}

void AliasTransfer::loseEnded(BorrowerState &State, const Stmt *At) const {
  for (unsigned Root : State.From.numbers())
    if (isEndedAlias(Root)) // the value of a statement expression outlives what is declared there
      State.lose(Root, At);
}

llvm::SmallBitVector AliasTransfer::aliasesBehind(const Loans &Of) const {
  llvm::SmallBitVector Aliases(Vars.rootCount()), Seen = Of.Frames;
  auto Add = [&](const Loans &Each) {
    for (unsigned Root : Each.numbers())
      if (Vars.isAlias(Root))
        Aliases.set(Root);
  };
  Add(Of);
  llvm::SmallVector<unsigned, 4> Work = llvm::to_vector<4>(Seen.set_bits());
  while (!Work.empty()) {
    const Loans &Held = Now.Held[Vars.frameOfRoot(Work.pop_back_val())];
    Add(Held);
    for (unsigned Frame : Held.Frames.set_bits())
      if (!Seen.test(Frame)) {
        Seen.set(Frame);
        Work.push_back(Frame);
      }
  }
  return Aliases;
}

void AliasTransfer::addHeld(Loans &Into, const Expr *Lvalue) const {
  if (!Vars.aliasCount())
    return;
  llvm::SmallBitVector Frames = All.Values.addressOf(Lvalue).Lent.Frames;
  for (unsigned Frame : Frames.set_bits())
    Into.add(Now.Held[Vars.frameOfRoot(Frame)]);
}

void AliasTransfer::keepAliased(const Sink &Into, const Expr *From, Loans &Kept) {
  if (!Vars.aliasCount())
    return;
  const VarDecl *Holder = Into.Local   ? Into.Local
                          : Into.Place ? variableAround(Into.Place)
                                       : nullptr;
  unsigned Place = Holder ? Vars.rootOfFrame(Holder).value_or(0) : 0;
  bool IsFollowed = Place && !Now.Exposed.test(Place);
  llvm::SmallBitVector Aliases = aliasesBehind(Kept);
  for (unsigned Root : Aliases.set_bits()) {
    const VarDecl *Alias = Vars.variableOfRoot(Root);
    // What hangs below may change, and then memory would not be told.
    bool MayHold = IsFollowed && All.Arenas.isDeclaredAfter(Holder, Alias) && !Kept.Deep.test(Root);
    if (!MayHold) {
      Says.report(Diag::BorrowedEscapes, From, unsigned(Into.What), 1u, Alias);
      Says.noteDeclared(Alias, AliasText);
    }
    Kept.Direct.reset(Root);
    Kept.Deep.reset(Root);
    if (!MayHold)
      continue;
    Loans &Held = Now.Held[Vars.frameOfRoot(Place)];
    Held.Direct.set(Root);
    Held.MayBeCounted |= Kept.MayBeCounted;
  }
  if (IsFollowed)
    Now.Held[Vars.frameOfRoot(Place)].Frames |= Kept.Frames;
  else
    expose(Kept.Frames);
}

void AliasTransfer::expose(const llvm::SmallBitVector &Frames) {
  llvm::SmallVector<unsigned, 4> Work = llvm::to_vector<4>(Frames.set_bits());
  while (!Work.empty()) {
    unsigned Frame = Work.pop_back_val();
    if (Now.Exposed.test(Frame))
      continue;
    Now.Exposed.set(Frame);
    for (unsigned Other : Now.Held[Vars.frameOfRoot(Frame)].Frames.set_bits())
      Work.push_back(Other);
  }
}

void AliasTransfer::lendHeld(const CallExpr *Call, unsigned Index, const Value &What,
                             bool IsKnown) {
  if (!Vars.aliasCount())
    return;
  Loans Of = none().Lent;
  Of.Frames = All.Values.loansOf(What).Frames;
  if (Of.Frames.none())
    return;
  if (!IsKnown || copiesFrom(Call, Index)) {
    llvm::SmallBitVector Aliases = aliasesBehind(Of);
    for (unsigned Root : Aliases.set_bits()) {
      Says.report(Diag::BorrowedEscapes, Call->getArg(Index), unsigned(Sink::Argument), 1u,
                  Vars.variableOfRoot(Root));
      Says.noteDeclared(Vars.variableOfRoot(Root), AliasText);
    }
  }
  QualType To = parameterType(Call, Index);
  bool IsOnlyLent = IsKnown || (!To.isNull() && disciplineOf(To) == Discipline::Borrowed &&
                                !isSlotType(Call->getType()) && !Call->getType()->isRecordType());
  if (!IsOnlyLent)
    expose(Of.Frames);
}

void AliasTransfer::copyRecord(const Expr *Record) {
  if (Facts.hasUniqueSlots(Record->getType())) {
    Says.report(Diag::RecordCopied, Record, Record->getType());
    Says.noteOwner(Record->getType());
  }
  if (!Vars.aliasCount())
    return;
  Loans Of = none().Lent;
  Of.Frames = All.Values.addressOf(Record).Lent.Frames;
  llvm::SmallBitVector Aliases = aliasesBehind(Of);
  for (unsigned Root : Aliases.set_bits()) {
    Says.report(Diag::BorrowedEscapes, Record, unsigned(Sink::Slot), 1u, Vars.variableOfRoot(Root));
    Says.noteDeclared(Vars.variableOfRoot(Root), AliasText);
  }
  for (unsigned Frame : Of.Frames.set_bits())
    expose(Now.Held[Vars.frameOfRoot(Frame)].Frames);
}

void AliasTransfer::changeAliased(unsigned Root, const Stmt *At) {
  for (unsigned I = 0; I != Now.Aliases.size(); ++I) {
    if (!Now.Aliases[I].From.contains(Root))
      continue;
    const VarDecl *Alias = Vars.variableOfRoot(Vars.rootOfAlias(I)),
                  *Owner = Vars.variableOfRoot(Root);
    Says.report(Diag::AliasedChanged, At, unsigned(Owner != nullptr), Owner, Alias);
    if (Says.isOn())
      Says.note(Alias->getLocation(), "lent here, until the block ends");
    Now.Aliases[I].From = none().Lent;
  }
}

void AliasTransfer::changeBelowAliased(const llvm::SmallBitVector &Roots, const Stmt *At) {
  for (unsigned I = 0; I != Now.Aliases.size(); ++I) {
    llvm::SmallBitVector Of = Now.Aliases[I].From.Deep, Direct = Now.Aliases[I].From.Direct;
    for (unsigned Root : Direct.set_bits())
      if (Vars.isExclusive(Root)) // who else reaches it is told otherwise of what hangs below
        Of.set(Root);
    Of &= Roots;
    if (Of.any())
      changeAliased(Of.find_first(), At);
  }
}

void AliasTransfer::addAliased(llvm::SmallBitVector &Roots) const {
  for (unsigned I = Now.Aliases.size(); I-- != 0;) // one may be lent from an earlier one
    if (Roots.test(Vars.rootOfAlias(I)))
      Roots |= Now.Aliases[I].From.roots();
}

void AliasTransfer::noteInitializers() {
  if (!Vars.aliasCount())
    return;
  auto Note = [this](const Expr *From, const VarDecl *Variable) {
    From = From->IgnoreParenImpCasts();
    if (const auto *Literal = dyn_cast<CompoundLiteralExpr>(From))
      From = Literal->getInitializer();
    llvm::SmallVector<const Expr *, 8> Work = {From};
    while (!Work.empty()) {
      const auto *List = dyn_cast_or_null<InitListExpr>(Work.pop_back_val());
      if (!List)
        continue;
      if (const InitListExpr *Semantic = List->getSemanticForm())
        List = Semantic;
      All.Initialized[List] = Variable;
      Work.append(List->inits().begin(), List->inits().end());
    }
  };
  for (const Stmt *Node : Body)
    if (const auto *Statement = dyn_cast<DeclStmt>(Node)) {
      for (const Decl *Each : Statement->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(Each); Variable && Variable->getInit())
          Note(Variable->getInit(), Variable);
    } else if (const auto *Assignment = dyn_cast<BinaryOperator>(Node);
               Assignment && Assignment->getOpcode() == BO_Assign &&
               Assignment->getType()->isRecordType()) {
      if (const VarDecl *Variable = variableAround(Assignment->getLHS()))
        Note(Assignment->getRHS(), Variable);
    }
}

void AliasTransfer::joinJumps() {
  if (!All.Jumps.IsReached)
    return;
  State First = std::move(Now);
  Now = All.Jumps;
  for (unsigned I = 0; I != Now.Aliases.size(); ++I) // of blocks that the jump has left
    if (Now.Aliases[I].IsOpen && !First.Aliases[I].IsOpen)
      closeAlias(Vars.variableOfRoot(Vars.rootOfAlias(I)),
                 All.TestedJump ? All.TestedJump : Function->getBody());
  First.join(Now);
  Now = std::move(First);
}

// SPDX-License-Identifier: MIT
//===- Lenders.cpp - What the C library lends to the program --------------===//

#include "plugin/ownership/Lenders.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Notes.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

/// Whether objects of this type are what the C library has made, with all that they lead to.
static bool isMadeByLibrary(QualType Type) {
  const RecordDecl *Record = Type.isNull() ? nullptr : Type->getAsRecordDecl();
  return Record && Record->getDefinition() && notedClosers(Record).empty() &&
         !closersOf(Type).empty();
}

void LenderTransfer::find() {
  for (const Stmt *Node : Body)
    if (const auto *Call = dyn_cast<CallExpr>(Node)) {
      const std::optional<LibraryEffect> Effect = Facts.of(Call).Effect;
      if (Effect && !Effect->Lends.empty() && Numbers.try_emplace(Call, Lenders.size()).second)
        Lenders.push_back({Call, nullptr});
    }
  for (unsigned I = 0; I != Vars.openedCount(); ++I)
    if (Vars.opened(I).IsLibrarys)
      Lenders.push_back({nullptr, Vars.opened(I).variable()});
  for (unsigned I = 0; I != Vars.ownerCount(); ++I)
    if (isMadeByLibrary(Vars.owner(I)->getType()->getPointeeType()))
      Lenders.push_back({nullptr, Vars.owner(I)});
  if (!Lenders.empty())
    for (const Stmt *Node : Body)
      noteCompared(Node);
}

void LenderTransfer::noteCompared(const Stmt *Node) {
  auto Note = [this](const Expr *Each) {
    if (Each)
      Compared.insert(Each->IgnoreParenCasts());
  };
  if (const auto *Test = dyn_cast<IfStmt>(Node))
    Note(Test->getCond());
  else if (const auto *Loop = dyn_cast<WhileStmt>(Node))
    Note(Loop->getCond());
  else if (const auto *Loop = dyn_cast<DoStmt>(Node))
    Note(Loop->getCond());
  else if (const auto *Loop = dyn_cast<ForStmt>(Node))
    Note(Loop->getCond());
  else if (const auto *Choice = dyn_cast<ConditionalOperator>(Node))
    Note(Choice->getCond());
  else if (const auto *Not = dyn_cast<UnaryOperator>(Node); Not && Not->getOpcode() == UO_LNot)
    Note(Not->getSubExpr());
  else if (const auto *Operator = dyn_cast<BinaryOperator>(Node);
           Operator && (Operator->isLogicalOp() || Operator->isEqualityOp()))
    for (const Expr *Each : {Operator->getLHS(), Operator->getRHS()})
      Note(Each);
}

std::optional<unsigned> LenderTransfer::numberOf(const VarDecl *Holder) const {
  const auto *Found =
      llvm::find_if(Lenders, [&](const Lender &Each) { return Each.Holder == Holder; });
  return Holder && Found != Lenders.end() ? std::optional<unsigned>(Found - Lenders.begin())
                                          : std::nullopt;
}

static void addNumber(Loans &Into, unsigned Number) {
  if (Into.Library.size() <= Number)
    Into.Library.resize(Number + 1);
  Into.Library.set(Number);
}

void LenderTransfer::addResult(Loans &Into, const CallExpr *Call) const {
  if (auto Found = Numbers.find(Call); Found != Numbers.end())
    addNumber(Into, Found->second);
}

void LenderTransfer::addInside(Loans &Into, const Expr *Lvalue) const {
  if (Lenders.empty())
    return;
  if (const std::optional<unsigned> Number = numberOf(variableAround(Lvalue)))
    return addNumber(Into, *Number);
  const Loans From = All.Values.addressOf(Lvalue).Lent;
  Into.addLibrary(From);
  for (unsigned Root : From.Direct.set_bits())
    if (const std::optional<unsigned> Owner = Vars.ownerOfRoot(Root))
      if (const std::optional<unsigned> Number = numberOf(Vars.owner(*Owner)))
        addNumber(Into, *Number);
}

/// Whether both are the same local variable, which is named.
static bool areOneVariable(const Expr *One, const Expr *Other) {
  const VarDecl *Variable = localVariable(One->IgnoreParenCasts());
  return Variable && Variable == localVariable(Other->IgnoreParenCasts());
}

/// Whether both are the same text.
static bool areOneName(const Expr *One, const Expr *Other) {
  const auto *First = dyn_cast<StringLiteral>(One->IgnoreParenCasts()),
             *Second = dyn_cast<StringLiteral>(Other->IgnoreParenCasts());
  return (First && Second && First->getBytes() == Second->getBytes()) || areOneVariable(One, Other);
}

/// Whether this is a call of setenv that leaves alone what is set.
static bool isKeptBy(const ASTContext &Context, const CallExpr *Call) {
  const std::optional<llvm::APSInt> Overwrites =
      Call->getNumArgs() == 3 ? Call->getArg(2)->getIntegerConstantExpr(Context) : std::nullopt;
  return Overwrites && Overwrites->isZero();
}

bool LenderTransfer::isRenewed(unsigned Number, const CallExpr *Renewal) const {
  const CallExpr *Lender = Lenders[Number].Call;
  const std::optional<LibraryEffect> By = Facts.of(Renewal).Effect;
  if (!Lender || !By || By->Renews.empty())
    return false;
  const LibraryEffect Of = *Facts.of(Lender).Effect;
  if (Of.Lends == "environment") // of one variable
    return By->Renews == Of.Lends && areOneName(Lender->getArg(0), Renewal->getArg(0)) &&
           !isKeptBy(Context, Renewal);
  if (By->RenewsUnless && *By->RenewsUnless < Renewal->getNumArgs() &&
      All.Values.isNullConstant(Renewal->getArg(*By->RenewsUnless)))
    return false;
  return (By->Renews == Of.Lends || By->RenewsToo == Of.Lends) &&
         (!Of.pointsInto(0) || areOneVariable(Lender->getArg(0), Renewal->getArg(0)));
}

void LenderTransfer::lose(unsigned Number, const Stmt *At, bool IsStale) {
  for (unsigned I = 0; I != Now.Borrowers.size(); ++I) {
    BorrowerState &Each = Now.Borrowers[I];
    if (!Each.From.isOfLibrary(Number) || (IsStale && Each.IsDangling))
      continue;
    Now.changeBorrower(I).lose(Vars.rootCount() + Number, At, IsStale);
  }
}

void LenderTransfer::renew(const CallExpr *Call) {
  for (unsigned I = 0; I != Lenders.size(); ++I)
    if (isRenewed(I, Call))
      lose(I, Call, true);
}

void LenderTransfer::end(const VarDecl *Holder, const Stmt *At) {
  if (const std::optional<unsigned> Number = numberOf(Holder))
    lose(*Number, At, false);
}

void LenderTransfer::noteLender(unsigned Number) {
  if (const CallExpr *Call = Lenders[Number].Call)
    Says.note(Call->getBeginLoc(), "it is lent here, by the C library");
  else
    Says.noteDeclared(Lenders[Number].Holder, "%0, which it is in, is declared here");
}

void LenderTransfer::checkFreed(const CallExpr *Call, const Expr *Freed, const Value &What) {
  const Loans From = All.Values.loansOf(What);
  const int Number = From.Library.find_first();
  if (Number < 0 || From.MayBeUnlent || What.IsFresh || !What.Owners.empty() ||
      !What.Slots.empty() || !What.OwnerAddresses.empty())
    return;
  const Lender &Of = Lenders[Number];
  if (Of.Holder && Facts.of(Call).Effect && Facts.of(Call).Effect->EndsOpened)
    return; // the structure itself
  Says.report(Diag::LentFreed, Freed,
              Of.Call ? "what " + libraryFunction(Of.Call).str() + " returned"
                      : "what is in '" + Of.Holder->getNameAsString() + "'");
  noteLender(Number);
}

/// The calls in this expression.
static void appendCalls(const Stmt *In, llvm::SmallVectorImpl<const CallExpr *> &Into) {
  if (const auto *Call = dyn_cast_or_null<CallExpr>(In))
    Into.push_back(Call);
  if (In)
    for (const Stmt *Each : In->children())
      appendCalls(Each, Into);
}

void LenderTransfer::checkArguments(const CallExpr *Call) {
  if (Numbers.size() < 2 || !Says.isOn())
    return;
  for (const Expr *Lent : Call->arguments()) {
    if (!isSlotType(Lent->getType()))
      continue;
    llvm::SmallVector<const CallExpr *, 4> Within;
    appendCalls(Lent, Within);
    const Loans From = All.Values.loansOf(All.Values.evaluate(Lent));
    for (const Expr *Other : Call->arguments()) {
      llvm::SmallVector<const CallExpr *, 4> Others;
      if (Other != Lent && !From.MayBeUnlent)
        appendCalls(Other, Others);
      for (unsigned Number : From.Library.set_bits())
        for (const CallExpr *Each : Others)
          if (llvm::is_contained(Within, Lenders[Number].Call) && isRenewed(Number, Each)) {
            Says.report(Diag::LentStale, Lent, 1u, NoName, libraryFunction(Each));
            return Says.note(Each->getBeginLoc(), "it may be overwritten here");
          }
    }
  }
}

bool LenderTransfer::reportLost(BorrowerState &Borrower, llvm::StringRef Name, const Expr *At) {
  if (!Borrower.IsDangling || Borrower.LostRoot < Vars.rootCount())
    return false;
  if (Compared.contains(At))
    return true;
  const unsigned Number = Borrower.LostRoot - Vars.rootCount();
  const Lender &Of = Lenders[Number];
  if (Of.Call) {
    const llvm::ArrayRef<const Stmt *> Lost = Borrower.LostAt.all();
    const auto *By = Lost.empty() ? nullptr : dyn_cast<CallExpr>(Lost.front());
    Says.report(Diag::LentStale, At, 0u, Name, By ? libraryFunction(By) : "");
    noteLender(Number);
  } else {
    Says.report(Diag::BorrowerDangling, At, Name, 1u, Of.Holder);
  }
  Says.noteSites(Borrower.LostAt, Of.Call ? "it may be overwritten here" : "lost here");
  Borrower.IsDangling = Borrower.IsStale = false; // said once
  Borrower.LostAt = Sites();
  return true;
}

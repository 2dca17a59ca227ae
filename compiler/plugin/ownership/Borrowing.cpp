// SPDX-License-Identifier: MIT
//===- Borrowing.cpp - Loans, and what ends them ---------------------------===//
#include "plugin/Annotations.h"
#include "plugin/ownership/Following.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

void BorrowTransfer::read(unsigned Borrower, const Expr *At) {
  BorrowerState &State = Now.Borrowers[Borrower];
  if (Given.Rests)
    Given.Rests->Steady.insert(State.SparedBy.begin(), State.SparedBy.end());
  if (State.IsDangling || State.IsDoubtful) {
    const VarDecl *Variable = Vars.borrower(Borrower);
    const VarDecl *From = Vars.variableOfRoot(State.LostRoot);
    if (!State.IsDangling)
      Says.report(Diag::ArenaDoubtful, At, unsigned(ArenaUse::Used), From);
    else if (Vars.isArena(State.LostRoot))
      Says.report(Diag::ArenaDangling, At, Variable, From);
    else if (Vars.isOpenFrame(State.LostRoot))
      Says.report(Diag::FrameDangling, At, Variable, From);
    else
      Says.report(Diag::BorrowerDangling, At, Variable,
                  All.Aliases.isEndedAlias(State.LostRoot) ? 2u : unsigned(From != nullptr), From);
    bool IsOfBlock = Vars.isArena(State.LostRoot) || Vars.isOpenFrame(State.LostRoot) ||
                     All.Aliases.isEndedAlias(State.LostRoot);
    Says.noteSites(State.LostAt, IsOfBlock ? "the block ends here" : "lost here");
    State = BorrowerState{Loans(Vars.rootCount()), false, false, 0, {}, {}};
  }
}

void BorrowTransfer::movePointer(const VarDecl *Variable) {
  if (std::optional<unsigned> Borrower = Vars.borrowerOf(Variable)) {
    Loans &From = Now.Borrowers[*Borrower].From;
    From.MayBeOther = true;
    From.IsCell = false;
  }
}

std::optional<Summaries::Parameter> BorrowTransfer::plainParameter(unsigned Root) const {
  const ParmVarDecl *Parameter = Vars.parameterOfRoot(Root);
  if (!Parameter || disciplineOf(Parameter->getType()) != Discipline::None ||
      Vars.isAlone(Parameter))
    return std::nullopt;
  return Summaries::Parameter(Function->getCanonicalDecl(), Parameter->getFunctionScopeIndex());
}

bool BorrowTransfer::escapePlain(const Value &What) {
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

const FieldDecl *BorrowTransfer::fieldOfOwned(const Expr *Slot) const {
  const auto *Member = dyn_cast<MemberExpr>(Slot->IgnoreParens());
  const auto *Field =
      Member && Member->isArrow() ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
  if (!Field || Field->getParent()->isUnion())
    return nullptr;
  Loans Base = All.Values.loansOf(All.Values.evaluate(Member->getBase()));
  bool IsWithin = Base.Direct.count() == 1 && Base.Deep.none() && !Base.IsOpen &&
                  Vars.isExclusive(Base.Direct.find_first());
  return IsWithin ? Field : nullptr;
}

void BorrowTransfer::changeSlots(const llvm::SmallBitVector &Roots, ArrayRef<unsigned> Except,
                                 const Stmt *At, const FunctionDecl *Spared,
                                 const FieldDecl *Field) {
  All.Aliases.changeBelowAliased(Roots, At);
  llvm::SmallBitVector Changed = Roots;
  All.Aliases.addAliased(Changed);
  // What is open to all may be the same memory.
  if (Changed.anyCommon(OpenRoots))
    Changed |= OpenRoots;
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

void BorrowTransfer::noteEnded(unsigned Borrower, const Stmt *At) {
  if (Says.isOn())
    All.Ended[At].push_back(Vars.borrower(Borrower));
}

void BorrowTransfer::loseRoot(unsigned Root, const Stmt *At) {
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
  All.Arenas.loseKeys(Root, At);
  All.Aliases.changeAliased(Root, At);
}

const VarDecl *BorrowTransfer::nameOf(const Value &What) const {
  if (!What.Owners.empty())
    return cast<VarDecl>(What.Owners.front()->getDecl());
  for (unsigned Root : All.Values.loansOf(What).numbers())
    if (const VarDecl *Variable = Vars.variableOfRoot(Root))
      return Variable;
  return nullptr;
}

// SPDX-License-Identifier: MIT
//===- Operands.cpp - Pointers that only an expression has ----------------===//
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

/// The operands of Whole in the order in which Clang evaluates them; none: that is said elsewhere.
static llvm::SmallVector<const Expr *, 8> operandsOf(const Stmt *Whole) {
  if (const auto *Call = dyn_cast<CallExpr>(Whole))
    return llvm::SmallVector<const Expr *, 8>(Call->arguments());
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Whole))
    return {Element->getLHS(), Element->getRHS()};
  if (const auto *List = dyn_cast<InitListExpr>(Whole))
    return llvm::SmallVector<const Expr *, 8>(List->inits());
  if (const auto *Operator = dyn_cast<BinaryOperator>(Whole);
      Operator && (Operator->isAdditiveOp() || Operator->isComparisonOp()))
    return {Operator->getLHS(), Operator->getRHS()};
  return {};
}

static bool mayCall(const Stmt *Node) {
  return isa<CallExpr, StmtExpr>(Node) ||
         llvm::any_of(Node->children(), [](const Stmt *Each) { return Each && mayCall(Each); });
}

void OperandTransfer::find() {
  constexpr unsigned Most = 64; // of generated code, states would become too large
  if (!All.MayOwn)
    return;
  for (const Stmt *Node : Body) {
    const llvm::SmallVector<const Expr *, 8> Operands = operandsOf(Node);
    for (unsigned I = 0; I + 1 < Operands.size() && Numbers.size() < Most; ++I) {
      const Expr *Operand = Operands[I]->IgnoreParens();
      const bool IsVariable = localVariable(Operand->IgnoreParenImpCasts()) != nullptr;
      if (!isSlotType(Operand->getType()) || IsVariable ||
          llvm::none_of(llvm::drop_begin(Operands, I + 1), mayCall))
        continue;
      if (Numbers.try_emplace(Operand, Vars.borrowerCount() + Numbers.size()).second)
        Wholes[Node].push_back(Operand);
    }
  }
}

void OperandTransfer::hold(const Expr *Operand) {
  auto Found = Numbers.find(Operand);
  if (Found == Numbers.end())
    return;
  BorrowerState &State = Now.changeBorrower(Found->second);
  State = BorrowerState{All.Values.loansOf(All.Values.evaluate(Operand))};
  State.Slot = All.Values.slotRead(Operand);
}

void OperandTransfer::use(const Stmt *Whole) {
  auto Found = Wholes.find(Whole);
  if (Found == Wholes.end())
    return;
  for (const Expr *Each : Found->second) {
    const unsigned Number = Numbers.lookup(Each);
    if (Now.Borrowers[Number].LostRoot < Vars.rootCount()) // else the library's, which say it
      All.Borrowing.read(Number, Each);
    Now.changeBorrower(Number) = BorrowerState{Loans(Vars.rootCount())};
  }
}

void OperandTransfer::append(llvm::SmallVectorImpl<unsigned> &Into) const {
  for (unsigned I = 0; I != count(); ++I)
    Into.push_back(Vars.borrowerCount() + I);
}

void OperandTransfer::checkOwners(const CallExpr *Call, llvm::ArrayRef<Lending> Lent) {
  if (Facts.of(Call).Effect)
    return;
  const FunctionDecl *Callee = Call->getDirectCallee(), *Steady = All.Calls.takenForSteady(Call);
  auto Report = [&](const Expr *Argument, const VarDecl *Owner, const Expr *Address) {
    if (!Steady)
      All.Calls.reportLentTwice(Argument, Owner, 0u, Address);
    else if (Given.Rests)
      Given.Rests->SteadyAlone.insert(Steady);
  };
  auto MayChange = [&](unsigned Index) {
    const SlotUse *Use = Callee ? Known.slotUse({Callee->getCanonicalDecl(), Index}) : nullptr;
    return !isReadOnly(Call, Index) &&
           !(Use && Use->Takes.none() && Use->TakenHere.none() && Use->Fills.none());
  };
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    const Expr *Address = argumentOf(Call, I);
    if (!isSlotType(Address->getType()) || !MayChange(I))
      continue;
    for (const VarDecl *Owner : All.Values.evaluate(Address).OwnerAddresses) {
      const unsigned Root = Vars.rootOfOwner(*Vars.ownerOf(Owner));
      for (const Lending &Other : Lent) // what is printed is read before anything is changed
        if (Other.From.contains(Root) && !(isFormatted(Callee, Other.Index) && !Callee->hasBody()))
          Report(Other.Argument, Owner, Address);
      for (unsigned J = 0; J != Call->getNumArgs(); ++J)
        if (const Expr *Other = argumentOf(Call, J);
            J != I && (J > I || !MayChange(J)) && isSlotType(Other->getType()) &&
            llvm::is_contained(All.Values.evaluate(Other).OwnerAddresses, Owner))
          Report(Other, Owner, Address);
    }
  }
}

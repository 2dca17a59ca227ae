// SPDX-License-Identifier: MIT
//===- Frames.cpp - Pointers to local variables ---------------------------===//
//
// Reported is only what is certain on a path: the result of a function, a pointer
// that is used after the block, and a global variable that is set to such an
// address and not set again, with no call between that might, before the variable
// ends.  What is stored elsewhere is not followed.
//
//===----------------------------------------------------------------------===//

#include "plugin/Annotations.h"
#include "plugin/ownership/Following.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

/// The parameter that Value certainly points into, if it is one, given which are never assigned to.
static const ParmVarDecl *givenBack(const Expr *Value, const Summaries &Known) {
  Value = Value->IgnoreParenCasts();
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Value))
    return dyn_cast<ParmVarDecl>(Reference->getDecl());
  if (const auto *Operator = dyn_cast<BinaryOperator>(Value);
      Operator && Operator->isAdditiveOp() && isSlotType(Operator->getType()))
    return givenBack(Operator->getLHS(), Known);
  if (const auto *Call = dyn_cast<CallExpr>(Value)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    std::optional<unsigned> Index =
        Callee ? Known.alwaysReturned(Callee->getCanonicalDecl()) : std::nullopt;
    return Index && *Index < Call->getNumArgs() ? givenBack(Call->getArg(*Index), Known) : nullptr;
  }
  const auto *Address = dyn_cast<UnaryOperator>(Value);
  bool IsAddress = Address && Address->getOpcode() == UO_AddrOf;
  if (!IsAddress && !Value->getType()->isArrayType())
    return nullptr;
  const Expr *Lvalue = IsAddress ? Address->getSubExpr()->IgnoreParens() : Value;
  while (const auto *Member = dyn_cast<MemberExpr>(Lvalue)) {
    if (Member->isArrow())
      return givenBack(Member->getBase(), Known);
    Lvalue = Member->getBase()->IgnoreParens();
  }
  return nullptr;
}

void acre::ast::noteGivenBack(const FunctionDecl *Definition, const Evaluated &Body,
                              Summaries &Known) {
  if (!isSlotType(Definition->getReturnType()) || !isOwnBody(Definition->getMostRecentDecl()))
    return;
  const ParmVarDecl *All = nullptr;
  for (const Stmt *Node : Body) {
    const auto *Return = dyn_cast<ReturnStmt>(Node);
    if (!Return)
      continue;
    const ParmVarDecl *Each =
        Return->getRetValue() ? givenBack(Return->getRetValue(), Known) : nullptr;
    if (!Each || (All && Each != All) || !isSlotType(Each->getType()))
      return;
    All = Each;
  }
  auto IsIt = [All](const Expr *Lvalue) { return localVariable(Lvalue) == All; };
  for (const Stmt *Node : Body) {
    const auto *Assignment = dyn_cast<BinaryOperator>(Node);
    const auto *Operator = dyn_cast<UnaryOperator>(Node);
    if ((Assignment && Assignment->isAssignmentOp() && IsIt(Assignment->getLHS())) ||
        isa<AsmStmt, BlockExpr>(Node) ||
        (Operator && (Operator->isIncrementDecrementOp() || Operator->getOpcode() == UO_AddrOf) &&
         IsIt(Operator->getSubExpr())))
      return;
  }
  if (All)
    Known.alwaysReturns(Definition->getCanonicalDecl(), All->getFunctionScopeIndex());
}

void FrameTransfer::reportLeft(const Stmt *At, unsigned How, const VarDecl *Local,
                               const VarDecl *In, unsigned Kind) {
  Says.report(Diag::FrameEscapes, At, How, Local, In, Kind);
  Says.noteDeclared(Local, "%0 is declared here, and ends with its block");
  Says.noteDeclared(In, "%0, which outlives that, is declared here");
}

void FrameTransfer::keepFrames(const Sink &Into, const Expr *From, const Loans &Kept) {
  if (Into.What == Sink::Result) {
    if (Kept.isOnlyOfFrames())
      reportLeft(From, 0u, Vars.variableOfRoot(Kept.Frames.find_first()), nullptr,
                 Vars.unnamedKind(Kept.Frames.find_first()));
    return;
  }
  if (!Into.Place)
    return;
  const auto *Reference = dyn_cast<DeclRefExpr>(Into.Place->IgnoreParens());
  const auto *Global = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  if (Global && Global->hasLocalStorage())
    return;
  // Behind a pointer may be any of them.
  llvm::erase_if(Now.Left, [&](const LeftAddress &Each) { return !Global || Each.In == Global; });
  if (Global && Kept.isOnlyOfFrames() && Kept.Frames.count() == 1)
    Now.Left.push_back({Global, unsigned(Kept.Frames.find_first()), From});
}

void FrameTransfer::endUnnamed() {
  if (isProgramStart(Function)) // the process ends with it
    return;
  for (const LeftAddress &Each : Now.Left)
    if (unsigned Kind = Vars.unnamedKind(Each.Frame))
      reportLeft(Each.At, 1u, nullptr, Each.In, Kind);
}

void FrameTransfer::endFrame(const VarDecl *Variable, const Stmt *At) {
  std::optional<unsigned> Root = Vars.rootOfFrame(Variable);
  if (!Root)
    return;
  if (Vars.aliasCount()) {
    Now.Held[Vars.frameOfRoot(*Root)] = none().Lent;
    Now.Exposed.reset(*Root);
    for (Loans &Each : Now.Held)
      Each.Frames.reset(*Root);
  }
  for (const LeftAddress &Each : Now.Left)
    if (Each.Frame == *Root)
      reportLeft(Each.At, 1u, Variable, Each.In, 0u);
  llvm::erase_if(Now.Left, [&](const LeftAddress &Each) { return Each.Frame == *Root; });
  for (unsigned I = 0; I != Now.Borrowers.size(); ++I) {
    BorrowerState &Each = Now.Borrowers[I];
    if (!Each.From.Frames.test(*Root))
      continue;
    if (Each.From.isOnlyOfFrames() && Each.From.Frames.count() == 1)
      Now.changeBorrower(I).lose(*Root, At);
    Each.From.Frames.reset(*Root);
  }
}

void FrameTransfer::refineFrames(State &Into, const BinaryOperator *Test) const {
  for (auto [Tested, Other] :
       {std::pair(Test->getLHS(), Test->getRHS()), std::pair(Test->getRHS(), Test->getLHS())}) {
    const Expr *Read = Tested->IgnoreParenCasts();
    const VarDecl *Variable = localVariable(Read);
    std::optional<unsigned> Borrower = Variable ? Vars.borrowerOf(Variable) : std::nullopt;
    if (Borrower && isSlotType(Other->getType()))
      Into.Borrowers[*Borrower].From.Frames.reset(All.Values.evaluate(Other).Lent.Frames);
  }
}

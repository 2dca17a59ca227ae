// SPDX-License-Identifier: MIT
//===- Dropped.cpp - New objects whose pointer nobody keeps ---------------===//

#include "plugin/ownership/Dropped.h"
#include "plugin/Annotations.h"
#include "plugin/Diagnostics.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Reporter.h"
#include "versions/StringSwitch.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace acre::ast;

/// Whether Call makes an object that the C library means to be ended by who asked for it. What is
/// mapped or loaded is often meant to stay.
static bool makesObject(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || isOwning(Call->getType()) || !isInLibraryTable(Callee))
    return false; // of owners it is followed
  const std::optional<LibraryEffect> Effect = libraryEffect(Call);
  return Effect && Effect->IsFresh &&
         !(Effect->Freed && asksForNothing(Callee->getASTContext(), Call)) &&
         acre::StringSwitch<bool>(libraryFunction(Call))
             .Cases({"dlopen", "dlmopen", "sem_open"}, false)
             .Cases({"mmap", "mmap64", "mremap", "shmat"}, false)
             .Default(true);
}

/// Appends the operands of Node of which it asks at most whether they are null, or what they point
/// to.
static void appendPassing(const Stmt *Node, llvm::SmallVectorImpl<const Expr *> &Out) {
  if (const auto *Operator = dyn_cast<UnaryOperator>(Node)) {
    if (Operator->getOpcode() == UO_LNot || Operator->getOpcode() == UO_Deref)
      Out.push_back(Operator->getSubExpr());
  } else if (const auto *Operator = dyn_cast<BinaryOperator>(Node)) {
    if (Operator->isLogicalOp() || Operator->isComparisonOp())
      Out.append({Operator->getLHS(), Operator->getRHS()});
  } else if (const auto *Cast = dyn_cast<CastExpr>(Node)) {
    if (Cast->getCastKind() == CK_PointerToBoolean)
      Out.push_back(Cast->getSubExpr());
  } else if (const auto *Choice = dyn_cast<ConditionalOperator>(Node)) {
    Out.push_back(Choice->getCond());
  } else if (const auto *Test = dyn_cast<IfStmt>(Node)) {
    Out.push_back(Test->getCond());
  } else if (const auto *Loop = dyn_cast<WhileStmt>(Node)) {
    Out.push_back(Loop->getCond());
  } else if (const auto *Loop = dyn_cast<ForStmt>(Node)) {
    if (Loop->getCond())
      Out.push_back(Loop->getCond());
  } else if (const auto *Loop = dyn_cast<DoStmt>(Node)) {
    Out.push_back(Loop->getCond());
  } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Node)) {
    Out.push_back(Element->getBase());
  } else if (const auto *Member = dyn_cast<MemberExpr>(Node)) {
    if (Member->isArrow())
      Out.push_back(Member->getBase());
  }
}

void acre::ast::reportDropped(Diagnostics &Reports, const Evaluated &Body) {
  auto MakesObject = [](const Stmt *Node) {
    const auto *Call = dyn_cast<CallExpr>(Node);
    return Call && makesObject(Call);
  };
  if (llvm::none_of(Body, MakesObject))
    return;
  const llvm::DenseSet<const Stmt *> Discarded = discardedIn(Body);
  llvm::SmallPtrSet<const Stmt *, 4> Lost;
  for (const Stmt *Node : Body) {
    llvm::SmallVector<const Expr *, 2> Passing;
    if (const auto *Value = dyn_cast<Expr>(Node); Value && Discarded.contains(Node))
      Passing.push_back(Value);
    appendPassing(Node, Passing);
    for (const Expr *Each : Passing)
      if (const Expr *Value = Each->IgnoreParenCasts();
          MakesObject(Value) && Lost.insert(Value).second)
        Reports.report(Diag::Leak, Value->getBeginLoc())
            << unsigned(Loss::ResultDropped) << "" << 0u << "" << Value->getSourceRange();
  }
}

// SPDX-License-Identifier: MIT
//===- NullUses.cpp - Owners that are null and followed all the same ------===//

#include "plugin/ownership/Flow.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

/// The pointer behind which this lvalue lies, or null.
static const Expr *pointerFollowed(const Stmt *Node) {
  if (const auto *Member = dyn_cast<MemberExpr>(Node))
    return Member->isArrow() ? Member->getBase() : nullptr;
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Node))
    return Element->getBase();
  const auto *Operator = dyn_cast<UnaryOperator>(Node);
  return Operator && Operator->getOpcode() == UO_Deref ? Operator->getSubExpr() : nullptr;
}

void Flow::checkNull(const Stmt *Node) {
  const Expr *Pointer = pointerFollowed(Node);
  const VarDecl *Variable = Pointer ? localVariable(Pointer->IgnoreParenImpCasts()) : nullptr;
  std::optional<unsigned> Index = Variable ? Vars.ownerOf(Variable) : std::nullopt;
  if (!Index || !Now.Owners[*Index].isSurely(OwnerState::Null))
    return;
  Says.report(Diag::NullUsed, Pointer, Variable);
  Says.note(Variable->getLocation(), "the owner is declared here");
}

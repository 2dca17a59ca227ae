// SPDX-License-Identifier: MIT
//===- Choices.cpp - Values of which one is chosen ------------------------===//

#include "plugin/ownership/Choices.h"
#include "plugin/Annotations.h"
#include "plugin/ownership/Variables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;

const CallExpr *acre::ast::resultOrNull(ASTContext &Context, const Expr *From) {
  From = From->IgnoreParenCasts();
  const auto *Choice = dyn_cast<ConditionalOperator>(From);
  auto IsNull = [&](const Expr *Each) { return isNullPointer(Context, Each); };
  if (Choice && (IsNull(Choice->getTrueExpr()) || IsNull(Choice->getFalseExpr())))
    From = (IsNull(Choice->getTrueExpr()) ? Choice->getFalseExpr() : Choice->getTrueExpr())
               ->IgnoreParenCasts();
  return dyn_cast<CallExpr>(From);
}

bool acre::ast::mayHave(const Evaluated &Body, const VarDecl *Variable,
                        llvm::function_ref<bool(const Expr *)> IsSuch) {
  return (Variable->getInit() && IsSuch(Variable->getInit())) ||
         llvm::any_of(Body, [&](const Stmt *Node) {
           const auto *Set = dyn_cast<BinaryOperator>(Node);
           return Set && Set->getOpcode() == BO_Assign &&
                  localVariable(Set->getLHS()) == Variable && IsSuch(Set->getRHS());
         });
}

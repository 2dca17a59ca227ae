// SPDX-License-Identifier: MIT
//===- Choices.cpp - Values that a condition chooses ----------------------===//

#include "plugin/ownership/Choices.h"
#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "clang/AST/ASTContext.h"
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

/* SPDX-License-Identifier: MIT */
//===- Choices.h - Values that a condition chooses --------------*- C++ -*-===//
//
//   char *unique p = wanted ? strdup(text) : NULL;
//
// What is null where the call was not made is the result of the call otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_CHOICES_H
#define ACRE_PLUGIN_OWNERSHIP_CHOICES_H

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
} // namespace clang

namespace acre::ast {

/// The call of which From is the result, or null where a condition says so.  Null: From is anything
/// else.
const clang::CallExpr *resultOrNull(clang::ASTContext &Context, const clang::Expr *From);

} // namespace acre::ast

#endif

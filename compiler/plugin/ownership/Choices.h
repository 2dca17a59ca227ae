/* SPDX-License-Identifier: MIT */
//===- Choices.h - Values of which one is chosen ----------------*- C++ -*-===//
//
//   char *unique p = wanted ? strdup(text) : NULL;
//
// What is null where the call was not made is the result of the call otherwise;
// and a variable has one of those that it is set to.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_CHOICES_H
#define ACRE_PLUGIN_OWNERSHIP_CHOICES_H

#include "plugin/Statements.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace acre::ast {

/// The call of which From is the result, or null where a condition says so.  Null: From is anything
/// else.
const clang::CallExpr *resultOrNull(clang::ASTContext &Context, const clang::Expr *From);

/// Whether Variable begins with such a value, or is assigned one anywhere in Body.
bool mayHave(const Evaluated &Body, const clang::VarDecl *Variable,
             llvm::function_ref<bool(const clang::Expr *)> IsSuch);

} // namespace acre::ast

#endif

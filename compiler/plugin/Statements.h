/* SPDX-License-Identifier: MIT */
//===- Statements.h - The parts of a statement that run ---------*- C++ -*-===//
//
// Both the checks and the marking visit the expressions of a function that
// are evaluated when it runs, and no others: not the operands of sizeof, the
// associations of _Generic that are not chosen, initializers of statics, case
// labels or array bounds that are constant.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_STATEMENTS_H
#define ACRE_PLUGIN_STATEMENTS_H

#include "clang/AST/Type.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace acre::ast {

/// Every statement and expression that is evaluated when Root is, Root first, parents before
/// children, each node once; but not numbers. The body of a block expression is not part of it. The
/// checks, the ownership analysis and the marking go through the same list: finding it costs more
/// than what any of them does at most nodes.
using Evaluated = std::vector<clang::Stmt *>;
Evaluated evaluatedIn(clang::ASTContext &Context, clang::Stmt *Root);

/// What Body evaluates as a statement, so that nobody asks for its value.
llvm::DenseSet<const clang::Stmt *> discardedIn(const Evaluated &Body);

/// Appends the sizes that are evaluated where Type is declared or named.
void appendArraySizes(clang::QualType Type, llvm::SmallVectorImpl<clang::Stmt *> &Out);

/// The C library function that Call calls, without "__builtin_", "__" and
/// "_chk" around its name; empty for a function of the program.
llvm::StringRef libraryFunction(const clang::CallExpr *Call);
/// If Call overwrites a block of memory: which argument points to it.
std::optional<unsigned> overwrittenArgument(const clang::CallExpr *Call);
/// Which argument of such a call says how many bytes.
unsigned sizeArgument(const clang::CallExpr *Call);
/// Whether Call is one of the memory functions of the C library that may be
/// given annotated slots as void *.
bool isMemoryFunction(const clang::CallExpr *Call);
/// Whether Call is what acre_swap of own.h expands to.
bool isSwap(const clang::CallExpr *Call);
/// Whether this is what acre_alias initializes its variable with.
bool isAliasCall(const clang::CallExpr *Call);
/// Whether Call is what acre_release expands to.
bool isReleaseCall(const clang::CallExpr *Call);

/// The lvalue of which Pointer, whatever it is cast to, is the address.  Null: Pointer is anything
/// but the result of &.
const clang::Expr *addressed(const clang::Expr *Pointer);
/// Whether Lvalue names a variable with automatic storage.
bool isLocalVariable(const clang::Expr *Lvalue);

} // namespace acre::ast

#endif

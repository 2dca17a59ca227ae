/* SPDX-License-Identifier: MIT */
//===- Taken.h - Pointers that are taken without acre_take ------*- C++ -*-===//
//
// Programs have macros that read a pointer and leave null in its place: TAKE_PTR
// of systemd, take_ptr, steal.  They are statement expressions of one form:
//
//   ({ T *slot = &(pointer); T value = *slot; *slot = NULL; value; })
//
// That is what acre_take does, so it is understood as such.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_TAKEN_H
#define ACRE_PLUGIN_OWNERSHIP_TAKEN_H

#include "plugin/Statements.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class Expr;
class Stmt;
class StmtExpr;
} // namespace clang

namespace acre::ast {

/// The owning pointer that Block takes, as an lvalue; null if Block does anything else.
const clang::Expr *takenByHand(const clang::StmtExpr *Block);
/// The parts of all such blocks, but for those of the lvalues.
llvm::DenseSet<const clang::Stmt *> partsTakenByHand(const Evaluated &Body);

} // namespace acre::ast

#endif

/* SPDX-License-Identifier: MIT */
//===- Part.h - A part of the transfer function ------------------*- C++ -*-===//
//
// What a statement does to owners and borrowers is decided by parts, one for each
// subject, that change one state and call each other.  What they find wrong they
// tell the reporter, which says it once the states are known.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_PART_H
#define ACRE_PLUGIN_OWNERSHIP_PART_H

#include "plugin/Statements.h"
#include "plugin/ownership/Reporter.h"
#include "plugin/ownership/State.h"
#include "plugin/ownership/Variables.h"

namespace clang {
class ASTContext;
class BinaryOperator;
class CFGBlock;
class ArraySubscriptExpr;
class CallExpr;
class DeclRefExpr;
class Expr;
class FieldDecl;
class FunctionDecl;
class RecordDecl;
class Stmt;
class StmtExpr;
class SwitchStmt;
class VarDecl;
} // namespace clang

namespace acre::ast {

class PlainFacts;
class Summaries;
struct Following;
struct Supposed;
struct Value;

class Part {
public:
  /// Whole outlives this, and is complete when a member is called.
  explicit Part(Following &Whole);

protected:
  Value none() const;

  Following &All;
  clang::ASTContext &Context;
  Reporter &Says;
  PlainFacts &Facts;
  Summaries &Known;
  const clang::FunctionDecl *const &Function;
  const Evaluated &Body;
  const Variables &Vars;
  const llvm::SmallBitVector &OpenRoots;
  const Supposed &Given;
  State &Now;
};

} // namespace acre::ast

#endif

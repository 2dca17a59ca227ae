/* SPDX-License-Identifier: MIT */
//===- Tests.h - What conditions tell of owners -----------------*- C++ -*-===//
//
// What is known where a condition holds: which owners and slots are null, and
// which variables keep the result of a test or of a call.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_TESTS_H
#define ACRE_PLUGIN_OWNERSHIP_TESTS_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/Value.h"
#include "clang/AST/OperationKinds.h"

namespace acre::ast {

/// Whether this is the constant -1, as a pointer or handle too.
bool isMinusOne(const clang::ASTContext &Context, const clang::Expr *Value);

/// Narrows states to where a condition holds.
class TestTransfer : Part {
public:
  using Part::Part;
  void refine(State &Into, const clang::Expr *Condition, bool IsTrue) const;
  /// Variable, which is no pointer, is set to Value; null: to something else.
  void keepTest(const clang::VarDecl *Variable, const clang::Expr *Value);
  /// Variable has grown by Change.
  void count(const clang::VarDecl *Variable, long Change);
  /// Variable may have another value.
  void forgetTests(const clang::VarDecl *Variable);
  /// Restricts the state to where a switch by Condition goes to Label.
  void refineSwitch(const clang::CFGBlock &Switch, const clang::Stmt *Label,
                    const clang::Expr *Condition);
  void keepResult(const clang::VarDecl *Variable, const clang::Expr *Value);

private:
  void restrict(State &Into, const clang::VarDecl *Variable, bool IsNull) const;
  /// What realloc was to grow into Variable is consumed, or is not.
  static void restore(State &Into, const clang::VarDecl *Variable, bool IsNull);

public:
  /// This local pointer, which is no owner, is null or is not.
  void keepNull(State &Into, const clang::VarDecl *Pointer, bool IsNull) const;

private:
  /// The variable is, or is not, one of stdin, stdout and stderr.
  void refineStandard(State &Into, const clang::VarDecl *Variable, bool IsEqual) const;
  /// Tested was compared with -1, with which some functions fail.
  void refineMinusOne(State &Into, const clang::Expr *Tested, bool IsEqual) const;
  /// The slot that Lvalue names has a value there that nobody owns, and is not null.
  void keepUnowned(State &In, const clang::Expr *Lvalue) const;
  static void refineOpened(State &Into, std::optional<unsigned> Opened, bool IsEqual);
  /// Truth is the result of Test, or is not, as IsEqual says.
  void refineTold(State &Into, const clang::VarDecl *Truth, const clang::Expr *Test,
                  bool IsEqual) const;
  /// Variable, if it is a number that is followed, is Value or is not.
  void keepFact(State &Into, const clang::VarDecl *Variable, const clang::Expr *Value,
                bool IsEqual) const;
  void keepSwitchFacts(const clang::SwitchStmt *Switch, const clang::Stmt *Label,
                       const clang::Expr *Condition);
  /// A test found this lvalue null, or not null.
  void refineSlot(State &Into, const clang::Expr *Lvalue, bool IsNull) const;
  /// What a test has found in this slot of an object of its own is lost if it is overwritten.
  void noteFound(State &In, const clang::Expr *Slot) const;
  const clang::CallExpr *testedCall(const State &In, const clang::Expr *Operand) const;
  /// Where the result of a call is found to be a failure, what it would have filled is null.
  void refineFilled(State &Into, const clang::Expr *Condition, bool IsTrue) const;
  /// The result of a call, which Tested is or was, stands in this relation to Number.
  void refineResult(State &Into, const clang::Expr *Tested, clang::BinaryOperatorKind Relation,
                    const llvm::APSInt &Number) const;
  /// Where such a call would have filled slots in memory, these are empty.
  void refineSlotsFilled(State &Into, const clang::CallExpr *Call) const;
};

} // namespace acre::ast

#endif

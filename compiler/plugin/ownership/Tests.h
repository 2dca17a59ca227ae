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

namespace acre::ast {

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
  /// The slot that Lvalue names is null in this state.
  void keepEmpty(State &In, const clang::Expr *Lvalue) const;
  /// Whether another member of the union that this slot is in was set last.
  bool isOverlaid(const clang::Expr *Lvalue) const;
  bool isEmpty(const clang::Expr *Lvalue) const;
  /// The slot that this lvalue is, or that it points to.
  std::optional<Place> slotPlace(const clang::Expr *Lvalue) const;
  /// That slot has another value; IsTaken: null, so others stay as empty as they are.
  void forgetEmpty(const clang::Expr *Written, bool IsTaken = false);
  /// The slot that Lvalue names holds an owner.
  void keepFilled(const clang::Expr *Lvalue);
  bool isFilled(const clang::Expr *Lvalue) const;
  /// A callee may set what hangs below what it is lent; MayEmpty: and empty it.
  void touchBelow(const Loans &Lent, bool MayEmpty);
  /// It may empty what hangs on global variables.
  void touchGlobals();
  /// Restricts the state to where a switch by Condition goes to Label.
  void refineSwitch(const clang::CFGBlock &Switch, const clang::Stmt *Label,
                    const clang::Expr *Condition);
  void keepResult(const clang::VarDecl *Variable, const clang::Expr *Value);

private:
  void restrict(State &Into, const clang::VarDecl *Variable, bool IsNull) const;
  /// Variable, if it is a number that is followed, is Value or is not.
  void keepFact(State &Into, const clang::VarDecl *Variable, const clang::Expr *Value,
                bool IsEqual) const;
  void keepSwitchFacts(const clang::SwitchStmt *Switch, const clang::Stmt *Label,
                       const clang::Expr *Condition);
  /// The roots that what hangs on Base may belong to.
  llvm::SmallBitVector rootsBehind(const clang::VarDecl *Base) const;
  bool mayMeet(const llvm::SmallBitVector &One, const llvm::SmallBitVector &Other) const;
  const clang::CallExpr *testedCall(const State &In, const clang::Expr *Operand) const;
  /// Where the result of a call is found to be a failure, what it would have filled is null.
  void refineFilled(State &Into, const clang::Expr *Condition, bool IsTrue) const;
  /// Where such a call would have filled slots of a structure, these are empty.
  void refineSlotsFilled(State &Into, const clang::CallExpr *Call) const;
};

} // namespace acre::ast

#endif

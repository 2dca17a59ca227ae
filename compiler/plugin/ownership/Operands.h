/* SPDX-License-Identifier: MIT */
//===- Operands.h - Pointers that only an expression has --------*- C++ -*-===//
//
//   log("%s %d", box->text, reset(box));
//
// The first operand is borrowed from box, and no variable has it.  Clang evaluates
// operands from left to right, so another one may end what it points to before the
// call uses it.
//
// Invariant: in State such an operand is a borrower, behind those that are variables,
// from its own evaluation until that of the whole.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_OPERANDS_H
#define ACRE_PLUGIN_OWNERSHIP_OPERANDS_H

#include "plugin/ownership/Part.h"
#include "llvm/ADT/DenseMap.h"

namespace acre::ast {

struct Lending;

/// Follows operands behind which another one calls something.
class OperandTransfer : Part {
public:
  using Part::Part;
  /// Finds them.
  void find();
  unsigned count() const { return Numbers.size(); }
  /// The expression was evaluated: if it is such an operand, it is borrowed now.
  void hold(const clang::Expr *Operand);
  /// All operands of Whole were evaluated, and it uses them.
  void use(const clang::Stmt *Whole);
  /// Reports if Call is lent, beside Lent, the address of an owner that the callee may set, and the
  /// owner's object.
  void checkOwners(const clang::CallExpr *Call, llvm::ArrayRef<Lending> Lent);
  /// Adds the numbers of all that are held: a callee that nobody has seen is not said to change
  /// what they point to by a way of its own.
  void append(llvm::SmallVectorImpl<unsigned> &Into) const;

private:
  llvm::DenseMap<const clang::Expr *, unsigned> Numbers;
  llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<const clang::Expr *, 2>> Wholes;
};

} // namespace acre::ast

#endif

/* SPDX-License-Identifier: MIT */
//===- Borrowing.h - Loans, and what ends them ------------------*- C++ -*-===//
//
// A borrower has the loans of what it was computed from.  They end when an owner
// among their roots is consumed, or a slot on the way to the object changes.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_BORROWING_H
#define ACRE_PLUGIN_OWNERSHIP_BORROWING_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/Value.h"

namespace acre::ast {

/// Uses borrowers, and ends their loans.
class BorrowTransfer : Part {
public:
  using Part::Part;
  /// A pointer that this variable holds is moved, where it stands.
  void movePointer(const clang::VarDecl *Variable);
  /// The value of a borrower is used.
  void read(unsigned Borrower, const clang::Expr *At);
  /// What summaries call the parameter whose root this is, if it has no word; none for other roots.
  std::optional<Summaries::Parameter> plainParameter(unsigned Root) const;
  /// Notes that plain parameters are kept; returns false if What is borrowed from anything else.
  bool escapePlain(const Value &What);
  /// A unique slot below one of these roots gets another value: what was reached through one is
  /// lost, but for Except. Spared: done by a call of this function, if that is not steady. Changed:
  /// which slot it is, if that is certain: what hangs on another one stays.
  void changeSlots(const llvm::SmallBitVector &Roots, llvm::ArrayRef<unsigned> Except,
                   const clang::Stmt *At, const clang::FunctionDecl *Spared = nullptr,
                   const OwnSlot &Changed = {});
  /// A local pointer that this argument casts to unique is used no more: the cast says that it was
  /// the only one.
  void giveAway(const clang::Expr *Argument, const clang::CallExpr *Call);
  /// Which slot this is, if it is in an object that is owned here, or lent to this function alone:
  /// in its nested structures and arrays, too.
  OwnSlot ownSlot(const clang::Expr *Slot) const;
  /// The part of its root's own object that a pointer to Lvalue points into, wherever it is moved
  /// in an array; Address: the loans of that pointer.
  OwnSlot partAt(const clang::Expr *Lvalue, const Loans &Address) const;
  /// The slot of its root's own object that the way to Slot, in what Holder lends, leads through
  /// first: unique pointers make a tree, so what hangs on another one is elsewhere.
  OwnSlot firstSlot(const clang::Expr *Slot, const Loans &Holder) const;
  /// The part of its object that an argument lends, if the callee cannot get from there at the
  /// rest: what it is lent has no pointers back. MayWalk: from an element to others of its array.
  OwnSlot partLent(const clang::Expr *Argument, const Loans &From, bool MayWalk = false) const;
  /// Part, if no pointer leads back from what a callee is lent of this type to the whole.
  OwnSlot partWithoutWayBack(const OwnSlot &Part, clang::QualType Type) const;
  void loseRoot(unsigned Root, const clang::Stmt *At);
  /// The loan of this borrower ends.
  void noteEnded(unsigned Borrower, const clang::Stmt *At);
  const clang::VarDecl *nameOf(const Value &What) const;

private:
};

} // namespace acre::ast

#endif

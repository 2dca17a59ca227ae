/* SPDX-License-Identifier: MIT */
//===- Growth.h - Objects that realloc may lose -----------------*- C++ -*-===//
//
// Where realloc returns null, the object is as it was.  What was taken out of
// memory for the call is then in no variable: it is lost, unless the program ends
// there.
//
//   char *unique p = realloc(s->buf, size);
//   if (!p) return -1;      // s->buf is as it was
//   s->buf = p;
//
// Needs no acre_take: nobody looks at the slot meanwhile.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_GROWTH_H
#define ACRE_PLUGIN_OWNERSHIP_GROWTH_H

#include "plugin/ownership/Part.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace acre::ast {

/// Finds what failures of realloc lose.
class GrowthTransfer : Part {
public:
  using Part::Part;
  /// The slot that realloc, if Made is a call of it, gets its object from by taking it; or null.
  static const clang::Expr *slotTaken(const clang::Expr *Made);
  /// The same, unless nothing was there.
  const clang::Expr *slotGrown(const clang::Expr *Made) const;
  /// Into, no local owner, is set to From.
  void set(const clang::Expr *Into, const clang::Expr *From);
  /// A test has found this slot null, or not null.
  void find(State &Into, const clang::Expr *Slot, bool IsNull) const;
  /// The function returns this, which may tell whether a slot is null.
  void findReturned(const clang::Expr *Result);
  /// The function ends: what was found null was lost.
  void end(const clang::Stmt *At);

  /// Finds what the results of realloc are put into whose argument is a slot.
  void findResults();
  /// The slot that Call grows in place, if what becomes of the result is known; or null.
  const clang::Expr *slotRegrown(const clang::CallExpr *Call) const;
  /// Call has grown that slot, which was null or may not have been.
  void regrow(const clang::CallExpr *Call, bool WasNull);
  bool isRegrown(const clang::CallExpr *Call) const;
  /// Variable was found null: slots whose results it has are as they were.
  void restore(State &Into, const clang::VarDecl *Variable) const;
  /// The slot that this call of acre_swap puts a variable in, if nobody asks what was there; or
  /// null.
  const clang::Expr *slotSettledBy(const clang::CallExpr *Swap) const;
  /// Slot is about to be set to From.  None if it did not wait for that; else the call of realloc
  /// that may have failed, or null.
  std::optional<const clang::CallExpr *> settle(const clang::Expr *Slot, const clang::Expr *From);
  /// Slot has been set to the result of a call, which may be null.
  void keepUntested(const clang::Expr *Slot, const clang::CallExpr *Call);
  /// Reports if Node looks at a slot that was grown, or may, or changes the way there.
  void check(const clang::Stmt *Node);
  /// What this owner has is given away, or has another name.
  void checkMoved(const clang::VarDecl *Owner, const clang::Stmt *At);
  /// Call is lent what hangs on these roots, and what others reach.
  void checkCall(const clang::CallExpr *Call, llvm::SmallBitVector Lent);
  /// Others may look at any slot.
  void checkAll(const clang::Stmt *At);

private:
  void findSettling();
  void noteResult(const clang::VarDecl *Variable, const clang::Expr *Into, const clang::Expr *Made);
  /// Whether Node looks at this slot, or may.
  bool mayMeet(const clang::Stmt *Node, const RegrownPlace &Which) const;
  void report(const RegrownPlace &Which, const clang::Stmt *At);

  llvm::DenseMap<const clang::CallExpr *, const clang::VarDecl *>
      Results; ///< by call of realloc: the owner, or null for the slot itself
  llvm::DenseMap<const clang::Stmt *, const clang::VarDecl *>
      Settling; ///< by address that a swap is given of which nobody wants the result: what it puts
  llvm::DenseSet<const clang::CallExpr *> Told;
};

} // namespace acre::ast

#endif

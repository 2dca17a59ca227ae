/* SPDX-License-Identifier: MIT */
//===- Places.h - What is known of slots by the way to them ------*- C++ -*-===//
//
// Unique pointers in memory that are no slots of a followed object: which are
// null, which the function has set, and which callees may have emptied.  That
// decides only what is warned of.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_PLACES_H
#define ACRE_PLUGIN_OWNERSHIP_PLACES_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/Place.h"
#include "clang/AST/Expr.h"

namespace acre::ast {

struct SlotUse;

/// Keeps and forgets what is known of them.
class PlaceTransfer : Part {
public:
  using Part::Part;
  /// The slot that Lvalue names is null in this state.
  void keepEmpty(State &In, const clang::Expr *Lvalue) const;
  /// By takes what Lvalue names, if it is an element of an array or a member of a union.
  void keepTaken(const clang::Expr *Lvalue, const clang::Expr *By);
  /// Whether some path has taken what this member of a union held: which one that is, a tag tells.
  bool isTaken(const Place &Slot) const;
  /// Whether another member of the union that this slot is in was set last.
  bool isOverlaid(const clang::Expr *Lvalue) const;
  bool isEmpty(const clang::Expr *Lvalue) const;
  /// The slot that this lvalue is, or that it points to.
  std::optional<Place> slotPlace(const clang::Expr *Lvalue) const;
  /// That slot has another value; IsTaken: null, so others stay as empty as they are.
  void forgetEmpty(const clang::Expr *Written, bool IsTaken = false);
  /// The slot that Lvalue names holds an owner, which From is if that is known.
  void keepFilled(const clang::Expr *Lvalue, const clang::Expr *From = nullptr);
  /// Whether this is an element of an array that the function has just made.
  bool isOfNew(const Place &Slot) const;
  /// The slots of what Argument points to do, unless Call fails.
  void keepFilledBy(const clang::CallExpr *Call, const clang::Expr *Argument);
  bool isFilled(const Place &Slot) const;
  /// Something may have changed what plain pointers in memory lead to.
  void forgetBehindPlain();
  /// A callee may set what hangs below Argument, which lends From; MayEmpty: and empty it.  Use:
  /// what it does to the slots there; null: that is not known.
  void touchBelow(const Loans &From, const clang::Expr *Argument, const SlotUse *Use,
                  bool MayEmpty);
  /// Whether callees may have emptied this slot of what hangs on the roots, whichever it is of, and
  /// it was not set since.  None: which slot it is, is not known.
  bool isTouched(const llvm::SmallBitVector &Roots, const std::optional<Place> &Slot) const;
  /// The roots that what hangs on Base may belong to.
  llvm::SmallBitVector rootsBehind(const clang::VarDecl *Base) const;
  /// The part of its root's object that leads to the slot.
  OwnSlot partAt(const Place &Slot) const;
  /// The numbers of the members that are null in the object, of this type, of the slot that Address
  /// points to.
  llvm::SmallVector<unsigned, 2> emptyBehind(const clang::Expr *Address,
                                             clang::QualType Type) const;
  /// It may empty this part of what hangs on global variables.
  void touchGlobals(const OwnSlot &Part);
  /// Variable, which is no pointer, is set to Value: elements that Value numbers have two names.
  void setNumber(const clang::VarDecl *Variable, const clang::Expr *Value);
  /// A number grows or shrinks by another one: what was named by the sum is named by it.
  void changeNumber(const clang::BinaryOperator *Change);
  /// Pointer is set to Value: if that is null, or an owner that has gone to a slot, what hangs
  /// there is known.
  void noteLast(const clang::VarDecl *Pointer, const clang::Expr *Value);
  /// Pointer gets the value of a slot, or of another local pointer, Value: adds the names that what
  /// hangs there has by way of it, as long as Pointer is what it was.
  void appendNames(const clang::VarDecl *Pointer, const clang::Expr *Value,
                   llvm::SmallVectorImpl<Place> &Into) const;
  /// A callee empties these slots of what Argument points to, unless its result says otherwise.
  void touchUnless(const Loans &From, const clang::Expr *Argument, const SlotUse &Use,
                   const clang::CallExpr *By);
  /// Finds the elements that numbers name.
  void findElements();
  /// Where a loop ends that counts to a limit, the limit is taken to be reached, and not passed.
  void keepLimit(State &Into, const clang::BinaryOperator *Test, bool IsTrue) const;

private:
  bool makesMemory(const clang::CallExpr *Call) const;
  void touch(const TouchedPart &Which);
  /// The parts of Whole, an object of this type, that a callee which uses its slots so may empty.
  llvm::SmallVector<OwnSlot, 4> emptiedParts(const Place &Whole, clang::QualType Type,
                                             const SlotUse &Use) const;
  /// Slots that are null have another name where these numbers are equal.
  void keepEqual(State &Into, const Place::Step &One, const Place::Step &Other) const;
  bool mayMeet(const llvm::SmallBitVector &One, const llvm::SmallBitVector &Other) const;

  llvm::DenseMap<const clang::VarDecl *, llvm::SmallVector<const clang::ArraySubscriptExpr *, 2>>
      Elements; ///< by the number
  llvm::DenseMap<const clang::VarDecl *, const clang::Expr *>
      Counters; ///< numbers, by where they are named
};

} // namespace acre::ast

#endif

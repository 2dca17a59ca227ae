/* SPDX-License-Identifier: MIT */
//===- Records.h - Structures with owners, as wholes -------------*- C++ -*-===//
//
// A structure with owning slots begins, gets another value and ends at once: as a
// variable, without a name, as an argument or a result, or by memset.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_RECORDS_H
#define ACRE_PLUGIN_OWNERSHIP_RECORDS_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/Value.h"

namespace clang {
class CompoundLiteralExpr;
class InitListExpr;
} // namespace clang

namespace acre::ast {

/// Follows structures, and finds what they lose.
class RecordTransfer : Part {
public:
  using Part::Part;
  void beginFrame(const clang::VarDecl *Variable);
  void checkFrameEnd(const clang::VarDecl *Variable, const clang::Stmt *At);
  /// A structure without a name, which is lent, gets its values.
  void beginLiteral(const clang::CompoundLiteralExpr *Literal);
  /// The function ends, and they with it.
  void checkLiterals();
  /// Variable, a structure, is returned, with what it owns.
  void giveFrame(const clang::VarDecl *Variable, const clang::Stmt *At);
  bool makesOwners(const clang::CallExpr *Call) const;
  /// From, if it is such a call, has found a holder.
  void takeRecord(const clang::Expr *From);
  void assignRecord(const clang::BinaryOperator *Assignment);
  /// Call sets all of what this argument points to: warns of what was there. Returns whether it is
  /// followed as an object.
  bool clear(const clang::CallExpr *Call, const clang::Expr *Argument);
  /// Whether this value was an owner that was null when a slot was set to it.
  bool wasSurelyNull(const clang::Expr *Put) const;
  /// A structure with these slots is the result of a call, or an argument.
  static SlotState filled(const OwningSlots &Slots);

private:
  void checkLiteralEnd(unsigned Object);
  /// A whole structure that is not followed as an object gets a value. In an object that others own
  /// that is taken for its beginning, but for what the function has put there.
  void setWhole(const Place &Whole, clang::QualType Type, bool IsZero, const clang::Stmt *At);
  /// Whether such a slot may hold what the function has put there, or is in a global variable or in
  /// a part of an object.
  bool mayHold(const Place &Slot, bool IsPart) const;
  /// Adds the slots that this list sets to null in the structure Whole.
  void appendNull(const clang::InitListExpr *List, const Place &Whole,
                  llvm::SmallVectorImpl<Place> &Into) const;
  /// The slots of this object, from First on, get the values of a list.
  void putList(const clang::InitListExpr *List, unsigned Object, unsigned First);
};

} // namespace acre::ast

#endif

/* SPDX-License-Identifier: MIT */
//===- Outcomes.h - What functions leave to their callers -------*- C++ -*-===//
//
// Where a function returns, the flow knows what is in the slots of a new object
// that is the result, and which slots of what parameters point to it has emptied
// and not set again.  Warnings of callers that come later rest on that.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_OUTCOMES_H
#define ACRE_PLUGIN_OWNERSHIP_OUTCOMES_H

#include "plugin/ownership/Part.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace acre::ast {

struct ReturnedObject;

/// Records that of the function which is followed.
class OutcomeTransfer : Part {
public:
  using Part::Part;
  /// This slot is set to null.
  void noteEmptied(const clang::Expr *Lvalue);
  /// The function returns this, as a result of Type.
  void noteReturned(const clang::Expr *Result, clang::QualType Type);
  /// The function returns here, with this result.  Where that says that it has failed, callers take
  /// the places of its results for empty.
  void checkFailed(const clang::Expr *Result, const clang::Stmt *At);
  /// It ends in this state.
  void noteExit();
  /// All its ways were seen.
  void end();
  /// What the function that From calls leaves in the object which it returns, if that is of this
  /// type; null: that is not known.
  const ReturnedObject *returnedBy(const clang::Expr *From, clang::QualType Type) const;
  /// Whether this slot, by its number, of the structure that Call returns may hold something.
  bool mayReturn(const clang::CallExpr *Call, unsigned Slot) const;

private:
  /// The function returns Result: whether its places for others hold something.
  void noteLeft(const clang::Expr *Result);
  bool isNoted() const;
  /// The number of this slot of what its base points to; none: it has no number of its own.
  std::optional<unsigned> numberOf(const Place &Slot) const;
  /// What is in the slots of Result, a structure; none: that is not known.
  std::optional<ReturnedObject> recordIn(const clang::Expr *Result) const;
  /// What is in the slots of Result, an object of Type; none: that is not known.
  std::optional<ReturnedObject> objectIn(const clang::Expr *Result, clang::QualType Type) const;

  llvm::DenseMap<const clang::VarDecl *, llvm::SmallBitVector>
      Emptied; ///< by parameter: the slots, by number
  llvm::DenseMap<const clang::VarDecl *, llvm::SmallBitVector>
      Untouched; ///< by parameter: the slots that are not known to be empty on some path
  llvm::DenseSet<const clang::VarDecl *>
      Left; ///< parameters that point to one owner, which is not null where the function ends
};

} // namespace acre::ast

#endif

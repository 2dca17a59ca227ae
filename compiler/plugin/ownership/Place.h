/* SPDX-License-Identifier: MIT */
//===- Place.h - Slots named by the way to them -----------------*- C++ -*-===//
//
// p->part.name, *tail, table[3]: a variable, and the members, elements and
// pointers that lead from it to a slot.  Two places that are the same way are
// the same slot, as long as the variables that they name keep their values.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_PLACE_H
#define ACRE_PLUGIN_OWNERSHIP_PLACE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace clang {
class Expr;
class FieldDecl;
class QualType;
class Stmt;
class VarDecl;
} // namespace clang

namespace acre::ast {

class Place {
public:
  /// A member, an element, or if neither is set what a pointer points to.
  struct Step {
    const clang::FieldDecl *Member = nullptr;
    const clang::Expr *Element = nullptr;
    long Offset = 0; ///< to be added to the number of the element
  };

  explicit Place(const clang::VarDecl *Base) : Base(Base) {}
  /// The place that Lvalue is; none if its way leads through anything else.
  static std::optional<Place> of(const clang::Expr *Lvalue);
  /// The place that this pointer points to.
  static std::optional<Place> behind(const clang::Expr *Pointer);

  Place then(Step Next) const;
  Place dereferenced() const { return then({}); }
  const clang::VarDecl *base() const { return Base; }

  bool operator==(const Place &Other) const;
  /// Null if that is not known.
  clang::QualType type() const;
  /// Whether the way names a variable of which this holds.
  bool names(llvm::function_ref<bool(const clang::VarDecl *)> IsIt) const;
  /// Counter has grown by Change.  False: that cannot be said of the place as it is written.
  bool count(const clang::VarDecl *Counter, long Change);
  /// Whether this may be another slot, or be reached by another way, when Written has a new value.
  bool mayChangeWith(const Place &Written) const;

private:
  bool isApartFrom(const Place &Other) const;
  /// Whether it is a global variable, or a part of one that no pointer leads to.
  bool isInGlobal() const;

  const clang::VarDecl *Base;
  llvm::SmallVector<Step, 4> Steps;
};

/// Whether Node names a variable of which this holds.
bool doesName(const clang::Stmt *Node, llvm::function_ref<bool(const clang::VarDecl *)> IsIt);

} // namespace acre::ast

#endif

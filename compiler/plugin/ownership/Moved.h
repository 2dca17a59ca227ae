/* SPDX-License-Identifier: MIT */
//===- Moved.h - Owners that are named once more after they went -*- C++ -*-===//
//
//   *tail = n;               if (last) last->next = n; else first = n;
//   tail = &n->next;         last = n;
//
// Where the statement that gives an owner to a slot is followed by one that points
// a local variable there, by way of which one of the slots is reached, the owner's
// name stands for the slot's: nothing has run in between.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_MOVED_H
#define ACRE_PLUGIN_OWNERSHIP_MOVED_H

#include "plugin/Statements.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class BinaryOperator;
class DeclRefExpr;
class Expr;
class VarDecl;
} // namespace clang

namespace acre::ast {

/// The uses of owners in a function that are such names.
class MovedOwners {
public:
  /// One of these assignments has given the owner away.
  using Stores = llvm::SmallVector<const clang::BinaryOperator *, 2>;

  explicit MovedOwners(const Evaluated &Body);
  /// Null: the name is not one of these.
  const Stores *storesBefore(const clang::DeclRefExpr *Name) const {
    auto Found = Names.find(Name);
    return Found == Names.end() ? nullptr : &Found->second;
  }
  /// The name in this value of a local pointer that is set to it, or to a member's address.
  static const clang::DeclRefExpr *nameIn(const clang::Expr *Value);
  /// Whether this pointer is set to an owner that has gone to a slot.
  bool isLast(const clang::VarDecl *Pointer) const { return Lasts.contains(Pointer); }

private:
  void noteUse(const clang::Stmt *Use, const Stores &Before);

  llvm::DenseMap<const clang::DeclRefExpr *, Stores> Names;
  llvm::DenseSet<const clang::VarDecl *> Lasts;
};

} // namespace acre::ast

#endif

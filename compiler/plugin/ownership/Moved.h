/* SPDX-License-Identifier: MIT */
//===- Moved.h - Owners that are named once more after they went -*- C++ -*-===//
//
//   *tail = n;               if (last) last->next = n; else first = n;
//   tail = &n->next;         last = n;
//
// Where the statement that gives an owner to a slot is followed by one that points
// a local variable there, by way of which one of the slots is reached, the owner's
// name stands for the slot's: nothing has run in between.  So it is where the
// variable is set to the slot's value, last = last->next.
//
//   at = tail;
//   tail = &n->next;
//   *at = n;
//
// The other way round the variable points to the owner's object first, and goes with
// it to the slot; so it is with next = &n->next; *tail = n; tail = next.
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
  /// One of these has set the slot that this is the value of; null: none surely has.
  const Stores *storesInto(const clang::Expr *Value) const;
  /// The pointer that goes to the slot with the owner that is stored there, and its value.
  struct Follower {
    const clang::VarDecl *Pointer = nullptr;
    const clang::Expr *Value = nullptr;
  };
  Follower followerOf(const clang::Stmt *Store) const { return Followers.lookup(Store); }
  /// The name in this value of a local pointer that is set to it, or to a member's address.
  static const clang::DeclRefExpr *nameIn(const clang::Expr *Value);
  /// Whether this pointer is set to an owner that has gone to a slot.
  bool isLast(const clang::VarDecl *Pointer) const { return Lasts.contains(Pointer); }

private:
  struct PointerSet;
  void noteUse(const PointerSet &Use, const Stores &Before);
  /// The owner that Use has named last goes to a slot: by way of the pointer that Kept was set to.
  void noteFollower(const PointerSet &Kept, const PointerSet &Use, const Stores &Behind);

  llvm::DenseMap<const clang::DeclRefExpr *, Stores> Names;
  llvm::DenseMap<const clang::Expr *, Stores> Values;
  llvm::DenseMap<const clang::Stmt *, Follower> Followers; // by assignment
  llvm::DenseSet<const clang::VarDecl *> Lasts;
};

} // namespace acre::ast

#endif

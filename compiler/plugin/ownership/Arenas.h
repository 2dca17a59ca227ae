/* SPDX-License-Identifier: MIT */
//===- Arenas.h - Blocks that are regions, and their keys -------*- C++ -*-===//
//
// A pointer into an arena does not outlive its block, and the key of an open arena
// is not consumed.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_ARENAS_H
#define ACRE_PLUGIN_OWNERSHIP_ARENAS_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/Value.h"

namespace acre::ast {

/// Follows what points into arenas.
class ArenaTransfer : Part {
public:
  using Part::Part;
  bool isDeclaredAfter(const clang::VarDecl *Later, const clang::VarDecl *Earlier) const;
  /// Makes what points into arenas for certain what may do so.
  void weaken(Loans &Of) const;
  /// The arenas that the result of Call is in.  IsKnown: only if its signature says so.
  void addArenas(Value &Result, const clang::CallExpr *Call, bool IsKnown) const;
  /// Reports what outlives its arena.  Takes the arenas out of Kept; the next one, out of Lent.
  void keepInArenas(const Sink &Into, const clang::Expr *From, Loans &Kept);
  void lendInArenas(const clang::CallExpr *Call, unsigned Index, Loans &Lent);
  void openArena(const clang::VarDecl *Handle);
  void closeArena(const clang::VarDecl *Handle, const clang::Stmt *At);
  /// Reports the arenas that are open by the unique key in this slot, whose address it is, which is
  /// taken out.
  void takeKey(const clang::Expr *Slot, const clang::Stmt *At);
  /// Base gets another value.
  void forgetPaths(const clang::VarDecl *Base);
  /// Reports the arenas that are open by a key whose root is consumed.
  void loseKeys(unsigned Root, const clang::Stmt *At);
  /// A structure with pointers gets a new holder, as a whole: reports if what it points to in an
  /// arena may outlive that.
  void copyInArenas(const Sink &Into, const clang::Expr *From);
  /// As copyInArenas, for a handle.
  void copyHandle(const Sink &Into, const clang::Expr *From);
  /// As copyInArenas, for what a function of the C library copies, and for owners in it.
  void copyMemory(const clang::CallExpr *Call);

private:
  /// What becomes of a place before the block of an arena ends.
  enum class Fate { Ends, Outlives, Doubtful };
  Fate fateOf(const Sink &Into, unsigned Arena) const;
  llvm::SmallBitVector arenasOf(const clang::Expr *Argument, bool &IsCertain) const;
  llvm::SmallBitVector arenasThrough(const clang::Expr *Record) const;
  const clang::VarDecl *pathBase(const clang::Expr *Lvalue) const;
};

} // namespace acre::ast

#endif

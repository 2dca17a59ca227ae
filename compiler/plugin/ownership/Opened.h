/* SPDX-License-Identifier: MIT */
//===- Opened.h - What the C library opens in local variables ---*- C++ -*-===//
//
//   regex_t re;
//   if (regcomp(&re, pattern, 0)) return -1;   // filled, unless that fails
//   ...
//   regfree(&re);                              // on every path, and once
//
// Such a variable owns what the library has put there, and needs no word for it.
// So does a member of a local structure.
// Its conditions are those of an owner, in which State has it behind all owners.
//
// Invariant: a variable is followed only if every place that names it is one of
// those that openedVariables knows; else nothing is said of it.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_OPENED_H
#define ACRE_PLUGIN_OWNERSHIP_OPENED_H

#include "plugin/ownership/Library.h"
#include "plugin/ownership/Part.h"
#include "llvm/ADT/DenseSet.h"

namespace acre::ast {

/// The local variables, or members of such, in which the C library, or a function of notes, opens
/// something.
llvm::SmallVector<OpenedVariable, 2> openedVariables(const Evaluated &Body);

/// Opens, uses and ends them.
class OpenedTransfer : Part {
public:
  using Part::Part;
  /// Finds the calls of whose result nobody asks.
  void find();
  /// The variable is declared, or is set to Value.
  void begin(const clang::VarDecl *Variable);
  void set(const clang::Expr *Lvalue, const clang::Expr *Value, const clang::Stmt *At);
  void set(const clang::VarDecl *Variable, const clang::Stmt *At);
  /// Call is given this argument, which may be such a variable or its address.
  void pass(const clang::CallExpr *Call, unsigned Index,
            const std::optional<LibraryEffect> &Effect);
  /// All arguments of Call were read: what it opens or ends is so from now on.
  void finish(const clang::CallExpr *Call, const std::optional<LibraryEffect> &Effect);
  /// What is in the variable is read, or the variable is, which is a handle.
  void read(const clang::Expr *Lvalue);
  void endLife(const clang::VarDecl *Variable, const clang::Stmt *At);
  /// The number in State of this variable or member, if something is opened there.
  std::optional<unsigned> find(const clang::Expr *Lvalue) const;

private:
  /// The numbers of what is opened there, or in members of that.
  llvm::SmallVector<unsigned, 2> within(const Place &Whole) const;
  std::optional<unsigned> at(const clang::CallExpr *Call, unsigned Index) const;
  void open(unsigned Number, const clang::CallExpr *Call, const LibraryEffect &Effect);
  void end(unsigned Number, const clang::CallExpr *Call, const LibraryEffect &Effect);
  void use(unsigned Number, const clang::Expr *At);
  void set(unsigned Number, const clang::Expr *Value, const clang::Stmt *At);
  void change(unsigned Number, const clang::Stmt *At);
  const OpenedVariable &opened(unsigned Number) const;

  llvm::DenseSet<const clang::Stmt *> Discarded;
  llvm::DenseSet<const clang::Stmt *> Stored; ///< calls whose results go into memory
};

} // namespace acre::ast

#endif

/* SPDX-License-Identifier: MIT */
//===- Gaps.h - Empty elements between two numbers --------------*- C++ -*-===//
//
//   for (from = to = 0; from < count; from++)
//     if (items[from]) items[to++] = acre_take(&items[from]);
//
// What is moved towards the beginning of an array leaves elements behind it that
// are empty, all those from one number up to another.  The state has such gaps
// on every path; they decide only what is warned of.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_GAPS_H
#define ACRE_PLUGIN_OWNERSHIP_GAPS_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/Place.h"
#include "llvm/ADT/SmallVector.h"

namespace acre::ast {

struct Gap;

/// Moves, widens and narrows the gaps of arrays.
class GapTransfer : Part {
public:
  using Part::Part;
  /// Finds the arrays whose elements two local numbers name, which each only grow or are set.
  void find();
  /// This number has the value that a state knows of it: a gap between equal numbers is empty.
  void begin(State &Into, const clang::VarDecl *Number) const;
  /// Both numbers are equal in this state.
  void keepEqual(State &Into, const clang::VarDecl *One, const clang::VarDecl *Other) const;
  /// Number has grown by Change.
  static void count(State &Into, const clang::VarDecl *Number, long Change);
  /// The slot that Lvalue names is null.
  void widen(State &Into, const clang::Expr *Lvalue) const;
  /// It has another value.
  void narrow(const clang::Expr *Lvalue);
  /// Whether the slot is the first of a gap.
  bool isFirst(const clang::Expr *Lvalue) const;

private:
  /// Slots of elements whose number is a variable, and that.
  struct Numbered {
    Place Slot;
    const clang::VarDecl *By;
    const clang::Expr *Name; ///< where the variable is named
    long Offset = 0;         ///< of the element, from the variable's value as it is now
  };
  std::optional<Numbered> numbered(const clang::Expr *Lvalue) const;
  /// Whether that is the slot with which the gap begins.
  static bool begins(const Gap &Of, const Numbered &Slot);
  void add(State &Into, const Numbered &First, const Numbered &Last) const;

  llvm::SmallVector<std::pair<Numbered, Numbered>, 1> Pairs; ///< the first has the lesser number
};

} // namespace acre::ast

#endif

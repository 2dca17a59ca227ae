/* SPDX-License-Identifier: MIT */
//===- Growth.h - Objects that realloc may lose -----------------*- C++ -*-===//
//
// Where realloc returns null, the object is as it was.  What was taken out of
// memory for the call is then in no variable: it is lost, unless the program ends
// there.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_GROWTH_H
#define ACRE_PLUGIN_OWNERSHIP_GROWTH_H

#include "plugin/ownership/Part.h"

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
  void end();
};

} // namespace acre::ast

#endif

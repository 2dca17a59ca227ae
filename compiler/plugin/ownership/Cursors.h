/* SPDX-License-Identifier: MIT */
//===- Cursors.h - Pointers that functions move by their address -*- C++ -*-===//
//
// strsep(&p, ","), strtol(p, &p, 10), skip_blanks(&p): a local pointer is still
// followed if its address is taken only for such arguments.  A function of the
// C library does what the table says.  A function of the program has to be seen
// before the call, to name no owner, to keep the address nowhere, and to hand it
// on to such functions only (Plain.cpp).  What it finds there is a content: a
// pointer beside its parameters that is recorded as they are.  It may leave there
// what it found, moved on, or what nobody lent to it: all else that it stores
// there escapes.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_CURSORS_H
#define ACRE_PLUGIN_OWNERSHIP_CURSORS_H

#include "clang/AST/Type.h"
#include <optional>

namespace clang {
class CallExpr;
class Expr;
class UnaryOperator;
} // namespace clang

namespace acre::ast {

class Summaries;

/// What a function of the C library does with a pointer whose address it gets.
struct CursorEffect {
  std::optional<unsigned>
      Put; ///< it points where this argument does afterwards; else on in its object, or nowhere
  bool IsRead = true; ///< the call begins with what it holds; if Put is null, should there be one
  bool IsResult = false; ///< the result may point where it does afterwards
};
/// Whether the argument may be the address of a pointer: all else here is asked of few.
bool isPlace(const clang::Expr *Argument);
std::optional<CursorEffect> cursorEffect(const clang::CallExpr *Call, unsigned Index);

/// Whether pointers of this type are followed when their address is such an argument.
bool mayBeCursor(clang::QualType Type);

/// The operator that takes a local variable's address for this argument, if that is such a pointer
/// and such an argument.
const clang::UnaryOperator *cursorAddress(const clang::CallExpr *Call, unsigned Index,
                                          const Summaries &Known);

} // namespace acre::ast

#endif

/* SPDX-License-Identifier: MIT */
//===- Elements.h - Pointers to elements of arrays --------------*- C++ -*-===//
//
//   struct line *first = &text->lines[at], *second = &text->lines[at + 1];
//
// What is set by way of one of them is in the array, or hangs on it, so that
// the other one stays where it points.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_ELEMENTS_H
#define ACRE_PLUGIN_OWNERSHIP_ELEMENTS_H

#include "plugin/ownership/Place.h"

namespace clang {
class ASTContext;
class ArraySubscriptExpr;
class Expr;
class VarDecl;
} // namespace clang

namespace acre::ast {

struct State;

/// The element that this is the address of; null if it is anything else.
const clang::ArraySubscriptExpr *elementAt(const clang::Expr *Address);
/// Whether From is such an address that a pointer may be known by, while its variables keep their
/// values: nothing changes when it is read, but a number that was counted.
bool isKeptElement(const clang::ASTContext &Context, const clang::Expr *From);
/// The element that this local pointer points to, for all that In knows; none: it is not known.
std::optional<Place> elementBehind(const State &In, const clang::VarDecl *Pointer);
/// The same slot, by way of that element if its own way begins with such a pointer.
Place byElement(const State &In, const Place &Slot);

} // namespace acre::ast

#endif

/* SPDX-License-Identifier: MIT */
//===- FreedArrays.h - Arrays that are freed with what they own -*- C++ -*-===//
//
//   free(acre_take(&list->items));     // char *unique *unique items
//
// How many elements there are, and which of them own something, only the running
// program knows.  But a function that takes nothing out of any array of the kind,
// and gives none to a function that could, has not emptied this one.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_FREEDARRAYS_H
#define ACRE_PLUGIN_OWNERSHIP_FREEDARRAYS_H

#include "plugin/ownership/Part.h"

namespace acre::ast {

/// Warns of such arrays.
class FreedArrayTransfer : Part {
public:
  using Part::Part;
  /// Whether this is a pointer to owners, an array by its type, of which the function takes none
  /// out.
  bool isLeft(clang::QualType Pointer) const;
  /// Warns if such an array, which came from elsewhere, is freed by the name of its owner.
  bool checkOwner(const clang::VarDecl *Owner, const clang::Stmt *At);
  /// The same of one that Taken, which takes it out of a member, frees.
  bool checkTaken(const clang::CallExpr *Taken, const clang::Stmt *At);
};

} // namespace acre::ast

#endif

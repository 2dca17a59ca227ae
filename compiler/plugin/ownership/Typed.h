/* SPDX-License-Identifier: MIT */
//===- Typed.h - Pointers that are what their types say ---------*- C++ -*-===//
//
// What a call changes below an object of one type are objects of the types that
// lead on from there.  A pointer to another type stays, if no cast has made it of
// something else: then its way from an owner leads through none of them.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_TYPED_H
#define ACRE_PLUGIN_OWNERSHIP_TYPED_H

#include "plugin/Statements.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class ASTContext;
class Expr;
class QualType;
class VarDecl;
} // namespace clang

namespace acre::ast {

/// The local pointers of a function that are set to nothing but null and what unique pointers,
/// members and elements lead to from an owner or a parameter, without a cast.
class TypedPointers {
public:
  explicit TypedPointers(const Evaluated &Body);
  bool contains(const clang::VarDecl *Pointer) const;

private:
  bool isTyped(const clang::Expr *Value) const;
  bool isTypedPlace(const clang::Expr *Lvalue) const;

  llvm::DenseSet<const clang::VarDecl *> Other;
};

/// Whether a pointer of any kind, or several, may lead from an object of type From to one of type
/// To.
bool mayLead(clang::ASTContext &Context, clang::QualType From, clang::QualType To);

} // namespace acre::ast

#endif

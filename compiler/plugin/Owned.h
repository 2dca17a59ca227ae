/* SPDX-License-Identifier: MIT */
//===- Owned.h - What objects of a type own ---------------------*- C++ -*-===//
//
// The unique and counted pointers in a type, and in the types that they lead
// to: what the runtime follows when an object dies.  Members of unions and
// flexible array members are left out; where such an object is dropped,
// Losses.cpp warns of them.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNED_H
#define ACRE_PLUGIN_OWNED_H

#include "clang/AST/Type.h"
#include <string>

namespace clang {
class ASTContext;
} // namespace clang

namespace acre::ast {

/// The OWNED string of Type (markers.h); empty if its objects own nothing.
std::string describeOwned(const clang::ASTContext &Context, clang::QualType Type);

} // namespace acre::ast

#endif

/* SPDX-License-Identifier: MIT */
//===- MemberNames.h - Members that only reports ask for --------*- C++ -*-===//
//
// A layout says where the pointers of a type are.  A report also wants to name
// what is no pointer but holds something that looks like one, and to choose among
// the members of a union by the type of what the pointer points to.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_MEMBERNAMES_H
#define ACRE_PLUGIN_MEMBERNAMES_H

#include "clang/AST/Type.h"
#include <string>

namespace clang {
class ASTContext;
}

namespace acre::ast {

/// The name that reports show of Type: a tag or typedef as written, else the type without sugar.
std::string typeName(const clang::ASTContext &Context, clang::QualType Type);

/// The lines of acre_type::names (acre/type.h) for Type; empty if there are none.
std::string memberNames(const clang::ASTContext &Context, clang::QualType Type);

} // namespace acre::ast

#endif

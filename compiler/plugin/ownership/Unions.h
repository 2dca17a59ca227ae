/* SPDX-License-Identifier: MIT */
//===- Unions.h - Bytes that owners share with other members ----*- C++ -*-===//
//
// A member of a union that owns nothing may lie where another one owns
// something.  What is read there may be the owner, and what is stored there ends
// it.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_UNIONS_H
#define ACRE_PLUGIN_OWNERSHIP_UNIONS_H

#include "clang/AST/TypeBase.h"
#include <cstdint>
#include <optional>

namespace clang {
class ASTContext;
class Expr;
class MemberExpr;
} // namespace clang

namespace acre::ast {

/// Bytes of an object: from Begin, up to End.
struct Bytes {
  uint64_t Begin, End;
};
/// The first owning slot in an object of this type, which is at byte At, that has one of these
/// bytes: where it begins.
std::optional<uint64_t> ownedWithin(clang::ASTContext &Context, clang::QualType Type, uint64_t At,
                                    Bytes Which);

/// If Lvalue owns nothing, and is in a union of which another member owns something in the same
/// bytes: the member of that union through which it is reached.  Else null.
const clang::MemberExpr *sharingMember(clang::ASTContext &Context, const clang::Expr *Lvalue);

} // namespace acre::ast

#endif

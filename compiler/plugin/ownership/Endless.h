/* SPDX-License-Identifier: MIT */
//===- Endless.h - Functions that never return ------------------*- C++ -*-===//
//
//   static void die(const char *why) { fputs(why, stderr); exit(1); }
//
// Few such functions say _Noreturn.  Of those whose body is the one that runs it is
// found out, and what stands behind a call of one is on no path.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_ENDLESS_H
#define ACRE_PLUGIN_OWNERSHIP_ENDLESS_H

#include "plugin/Statements.h"

namespace clang {
class ASTContext;
class CallExpr;
class FunctionDecl;
} // namespace clang

namespace acre::ast {

class Summaries;

/// What comes after a call.
enum class After { Return, Nothing, Jump };

/// The last is known of longjmp, and of functions that were seen to call it and not to return.
After afterCall(const clang::CallExpr *Call, const Summaries &Known);
/// Notes whether calls of this function never return.
void noteEndless(clang::ASTContext &Context, Summaries &Known,
                 const clang::FunctionDecl *Definition, const Evaluated &Body);

} // namespace acre::ast

#endif

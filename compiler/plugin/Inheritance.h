/* SPDX-License-Identifier: MIT */
//===- Inheritance.h - Words that a declaration need not repeat -*- C++ -*-===//
//
// A declaration whose signature has no word of Acre's takes those of the nearest
// declaration before it that has one, if these only say who owns what: as attributes
// of C do, they stand in a header and hold in the definition too.  One that has a
// word of its own must agree in all of them (ACRE-R005), and so must one of a
// function whose words say how slots are counted, and one inside of a function.
//
// Clang merges no sugar into the types of parameters.  So what is inherited is put
// into the tree as if it had been written, before anything else reads the
// declaration: into its parameters, its type, and the types that the expressions of
// its body have because of those.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_INHERITANCE_H
#define ACRE_PLUGIN_INHERITANCE_H

#include "clang/AST/Type.h"

namespace clang {
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace acre::ast {

/// The declaration that Declared takes its words from: an earlier one, or itself.
const clang::FunctionDecl *wordsOf(const clang::FunctionDecl *Declared);
const clang::VarDecl *wordsOf(const clang::VarDecl *Declared);

/// Puts the words that Declared inherits into the tree.  To be called once for each declaration,
/// in the order of the source.
void inheritWords(clang::FunctionDecl *Declared);
void inheritWords(clang::VarDecl *Declared);

/// The type of the result with the words that are written for it or inherited.
clang::QualType resultType(const clang::FunctionDecl *Declared);

} // namespace acre::ast

#endif

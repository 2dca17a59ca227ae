/* SPDX-License-Identifier: MIT */
//===- Notes.h - Functions of headers that one cannot change ----*- C++ -*-===//
//
// A file FOO.acre says of the functions that FOO.h declares what
// shared/library_owners.def says of the C library's, in the same words.  It is
// found beside the header, or among the installation's, or is named by an
// option; then it speaks of functions of any header.
//
// One statement a line: a word, a number if the word takes one, and names.  What
// begins with a blank goes on with the line before; # begins a comment.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_NOTES_H
#define ACRE_PLUGIN_OWNERSHIP_NOTES_H

#include "plugin/ownership/Library.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
class RecordDecl;
} // namespace clang

namespace acre::ast {

/// Reads FILE when the first function is asked for; IsInstalled: it is the directory of the
/// installation's.
void addNotes(llvm::StringRef File, bool IsInstalled);
/// Reads the files that options named, so that what is wrong with them is told in every unit.
void readNamedNotes(clang::ASTContext &Context);
/// What notes say of this function; null: nothing.
const LibraryEffect *notedEffect(const clang::FunctionDecl *Function);
/// The functions that end an object of this type, by notes; empty: there are none.
llvm::StringRef notedClosers(const clang::RecordDecl *Type);

} // namespace acre::ast

#endif

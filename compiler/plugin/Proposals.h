/* SPDX-License-Identifier: MIT */
//===- Proposals.h - Where a missing word goes, as fix-its ------*- C++ -*-===//
//
// A word goes where its declaration was written: if a macro wrote it, into the
// macro's definition or argument; if a typedef, into the typedef.  Nothing is
// proposed for system headers, for text that is in no file, and for files that
// #line says were made of others.
//
// A header may be included where no header of Acre was: whatever is put into a
// header that does not include one itself brings the #include along.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_PROPOSALS_H
#define ACRE_PLUGIN_PROPOSALS_H

#include "plugin/Diagnostics.h"
#include "clang/AST/TypeLoc.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <string>

namespace clang {
class ASTContext;
class FileEntry;
class FunctionDecl;
class NamedDecl;
class Preprocessor;
class TypedefNameDecl;
class ValueDecl;
} // namespace clang

namespace acre::ast {

/// Which file includes which, as far as the preprocessor has come.
class Inclusions {
public:
  /// From: null for what the command line includes.
  void add(const clang::FileEntry *From, const clang::FileEntry *To, llvm::StringRef Name);
  /// Whether From includes To, itself or by what it includes.
  bool reaches(const clang::FileEntry *From, const clang::FileEntry *To) const;
  /// The header of Acre that the program includes first: "acre/rc.h"; empty if there is none.
  llvm::StringRef header() const { return Header; }

private:
  llvm::DenseMap<const clang::FileEntry *, llvm::SmallVector<const clang::FileEntry *, 4>> Files;
  std::string Header;
};

/// Makes Input tell what it includes.  The result lives as long as Input.
const Inclusions &recordInclusions(clang::Preprocessor &Input);

class Proposals {
public:
  using Hints = llvm::SmallVector<clang::FixItHint, 2>;

  Proposals(clang::ASTContext &Context, clang::Preprocessor &Input, const Diagnostics &Reports,
            const Inclusions &Included)
      : Context(Context), Input(Input), Reports(Reports), Included(Included) {}

  /// What makes this declaration of a function say deletes.  Empty if nothing can be proposed, or
  /// was before.
  Hints deletesOn(const clang::FunctionDecl *Declared);
  /// A declaration of Wanted, which says deletes, before the function that called it undeclared.
  Hints deletesBeforeCall(const clang::FunctionDecl *Wanted, clang::SourceLocation Call);
  /// The same of all declarations of the function.
  Hints deletesOnAll(const clang::FunctionDecl *Function);
  /// What makes the functions deletes that a variable, field or parameter, or the result of a
  /// function, points to, in all of its declarations.
  Hints deletesBehind(const clang::ValueDecl *Declared);
  /// The same of a type that was written in an expression.
  Hints deletesBehind(clang::TypeLoc Written);

  /// What makes the functions deletes that two declarations of one name point to, if only one of
  /// them says so.
  Hints deletesAlike(const clang::NamedDecl *One, const clang::NamedDecl *Other);
  /// What takes the annotation at At away.
  Hints without(clang::SourceLocation At) const;
  /// The function type that Written is, or points to, through the names of types; null if there is
  /// none.
  static clang::FunctionTypeLoc functionBehind(clang::TypeLoc Written);

private:
  void addWord(clang::SourceLocation At, Hints &To);
  void addDeclaration(const clang::FunctionDecl *Wanted, clang::SourceLocation At, Hints &To);
  void addBehind(clang::TypeLoc Written, Hints &To);
  void addBehind(const clang::TypedefNameDecl *Declared, Hints &To);
  void addAlike(clang::TypeLoc One, clang::TypeLoc Other, Hints &To);
  /// The spelling of deletes that is understood at At; empty if there is none.
  llvm::StringRef wordAt(clang::SourceLocation At) const;
  bool isWord(llvm::StringRef Name, clang::SourceLocation At) const;
  const clang::FileEntry *fileOfWords() const;
  clang::FixItHint includeIn(clang::SourceLocation Before) const;
  /// The place in a file that can be edited for what stands at At; invalid if there is none.
  clang::SourceLocation writtenAt(clang::SourceLocation At) const;

  clang::ASTContext &Context;
  clang::Preprocessor &Input;
  const Diagnostics &Reports;
  const Inclusions &Included;
  llvm::DenseSet<clang::SourceLocation> Offered; // each place is offered once
};

} // namespace acre::ast

#endif

/* SPDX-License-Identifier: MIT */
//===- TextFile.h - Notes and maps that the plugin reads --------*- C++ -*-===//
//
// What is wrong with a file of Acre's own is reported where it stands in it.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_TEXTFILE_H
#define ACRE_PLUGIN_TEXTFILE_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace acre::ast {

bool isNameOfC(llvm::StringRef Text);

class TextFile {
public:
  /// Kind begins each message.
  TextFile(clang::ASTContext &Context, clang::FileID File, llvm::StringLiteral Kind)
      : Context(Context), File(File), Kind(Kind) {}

  llvm::StringRef text() const;
  /// Where Part, of the text, stands.
  clang::SourceLocation placeOf(llvm::StringRef Part) const;
  void fail(llvm::StringRef Part, const llvm::Twine &Reason) const { fail(placeOf(Part), Reason); }
  void fail(clang::SourceLocation At, const llvm::Twine &Reason) const;

private:
  clang::ASTContext &Context;
  clang::FileID File;
  llvm::StringLiteral Kind;
};

} // namespace acre::ast

#endif

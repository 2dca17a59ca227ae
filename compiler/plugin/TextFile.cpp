// SPDX-License-Identifier: MIT
//===- TextFile.cpp - Notes and maps that the plugin reads ----------------===//

#include "plugin/TextFile.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace acre::ast;

bool acre::ast::isNameOfC(llvm::StringRef Text) {
  return !Text.empty() && !llvm::isDigit(Text.front()) &&
         llvm::all_of(Text, [](char C) { return llvm::isAlnum(C) || C == '_' || C == '$'; });
}

llvm::StringRef TextFile::text() const { return Context.getSourceManager().getBufferData(File); }

SourceLocation TextFile::placeOf(llvm::StringRef Part) const {
  return Context.getSourceManager().getLocForStartOfFile(File).getLocWithOffset(Part.data() -
                                                                                text().data());
}

void TextFile::fail(SourceLocation At, const llvm::Twine &Reason) const {
  DiagnosticsEngine &Engine = Context.getDiagnostics();
  Engine.Report(At, Engine.getCustomDiagID(DiagnosticsEngine::Error, "%0: %1"))
      << Kind << Reason.str();
}

/* SPDX-License-Identifier: MIT */
//===- MarkerBuilder.h - The tree of each marker ---------------*- C++ -*-===//
//
// Builds the replacements of the marker table in docs/design/compiler.md.  A
// marked lvalue has the type, value kind and source range of the one it
// replaces, so that what is built around it stays as Sema made it.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_MARKER_BUILDER_H
#define ACRE_PLUGIN_MARKER_BUILDER_H

#include "plugin/Annotations.h"
#include "clang/AST/Type.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace acre::ast {

class MarkerBuilder {
public:
  explicit MarkerBuilder(clang::ASTContext &Context) : Context(Context) {}

  /// "file;line;function" of Location, as the preprocessor presents it.
  std::string site(clang::SourceLocation Location, llvm::StringRef Function) const;

  /// Lvalue as a slot that follows SlotRule.  Site is empty if it is only read.
  clang::Expr *slot(clang::Expr *Lvalue, Rule SlotRule, llvm::StringRef Site);
  clang::Expr *record(clang::Expr *Lvalue, llvm::StringRef Layout, llvm::StringRef Site);
  clang::Expr *unionMember(clang::Expr *Lvalue);

  /// The same for an rvalue that points to the slot, record or union.
  clang::Expr *slotPointer(clang::Expr *Pointer, Rule SlotRule, llvm::StringRef Site);
  clang::Expr *recordPointer(clang::Expr *Pointer, llvm::StringRef Layout, llvm::StringRef Site);
  clang::Expr *startPointer(clang::Expr *Pointer, llvm::StringRef Layout, llvm::StringRef Site);
  clang::Expr *wordsPointer(clang::Expr *Pointer, llvm::StringRef Words);
  clang::Expr *unionPointer(clang::Expr *Pointer);
  clang::Expr *numbersPointer(clang::Expr *Pointer);
  clang::Expr *numbers(clang::Expr *Lvalue);
  clang::Expr *words(clang::Expr *Lvalue, llvm::StringRef Words);
  clang::Expr *setByDeletes(clang::Expr *Lvalue);

  clang::Expr *deletesCallee(clang::Expr *Callee, llvm::StringRef Site);
  clang::Expr *numbersCallee(clang::Expr *Callee);
  clang::Expr *poolCallee(clang::Expr *Callee, llvm::StringRef Item, llvm::StringRef Allocation);
  clang::Expr *checkedTraditional(clang::Expr *Value, llvm::StringRef Site);
  /// One item of the signature of what is called; Variable is null if another argument names the
  /// region.
  clang::Expr *signatureCallee(clang::Expr *Callee, llvm::StringRef Item, llvm::StringRef Site,
                               const clang::VarDecl *Variable);
  clang::Expr *argument(clang::Expr *Value, unsigned Index);
  clang::Expr *knownRegion(clang::Expr *Value, clang::Expr *Region, llvm::StringRef Kind);
  clang::Expr *checkedRegion(clang::Expr *Value, clang::Expr *Region, llvm::StringRef Kind,
                             llvm::StringRef Site);
  /// A reference to Function, as the callee of a call.
  clang::Expr *function(clang::FunctionDecl *Function, clang::SourceLocation Location);
  /// The value of Variable.
  clang::Expr *read(const clang::VarDecl *Variable, clang::SourceLocation Location);
  clang::Expr *string(llvm::StringRef Text, clang::SourceLocation Location);
  clang::Expr *zero(clang::SourceLocation Location);
  /// Value, a pointer, as one of Type.
  clang::Expr *cast(clang::Expr *Value, clang::QualType Type);
  void annotate(clang::VarDecl *Variable, llvm::StringRef Layout);

  /// Whether this builder made Node.
  bool isMarker(const clang::Expr *Node) const { return Made.contains(Node); }

private:
  clang::FunctionDecl *declare(llvm::StringRef Name, unsigned ParameterCount);
  clang::Expr *call(llvm::StringRef Name, clang::Expr *Pointer,
                    llvm::ArrayRef<clang::Expr *> Others);
  clang::Expr *siteOrNull(llvm::StringRef Site, clang::SourceLocation Location);
  clang::Expr *name(const clang::VarDecl *Variable, clang::SourceLocation Location);
  /// An lvalue that names Variable; marked if the variable is settled.
  clang::Expr *place(const clang::VarDecl *Variable, clang::SourceLocation Location);
  clang::Expr *addressOf(clang::Expr *Lvalue);
  clang::Expr *dereference(clang::Expr *Pointer, const clang::Expr *Replaced);

  clang::ASTContext &Context;
  llvm::StringMap<clang::FunctionDecl *> Functions;
  llvm::DenseSet<const clang::Expr *> Made;
};

} // namespace acre::ast

#endif

/* SPDX-License-Identifier: MIT */
//===- CheckedPointers.h - Calls through pointers check too ----*- C++ -*-===//
//
// The address of a function with inregion or inparent on its parameters is that
// of another one, which checks what it is passed and calls the function: the
// caller through a pointer knows no signature.  The same goes for a function
// that a map of pools names, because the caller does not know that.  There is
// one for each function of a program, however many files mention it, so that
// pointers compare as in C.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_CHECKED_POINTERS_H
#define ACRE_PLUGIN_CHECKED_POINTERS_H

#include "plugin/MarkerBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace acre::ast {

class CheckedPointers {
public:
  CheckedPointers(clang::ASTContext &Context, MarkerBuilder &Build)
      : Context(Context), Build(Build) {}

  /// The function whose address stands for that of Named, whose calls the caller of this marks.
  clang::FunctionDecl *of(clang::FunctionDecl *Named);
  /// The functions made since the last call, which are neither marked nor known to CodeGen yet.
  llvm::SmallVector<clang::FunctionDecl *, 2> takeMade() { return std::exchange(Made, {}); }

private:
  clang::FunctionDecl *declare(clang::FunctionDecl *Named);
  clang::Stmt *bodyOf(clang::FunctionDecl *Checked, clang::FunctionDecl *Named);

  clang::ASTContext &Context;
  MarkerBuilder &Build;
  llvm::DenseMap<const clang::FunctionDecl *, clang::FunctionDecl *> Known; // by first declaration
  llvm::SmallVector<clang::FunctionDecl *, 2> Made;
};

} // namespace acre::ast

#endif

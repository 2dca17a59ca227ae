//===- Library.h - What C library functions do with pointers ----*- C++ -*-===//
//
// Functions of the C library have no annotations, and no bodies to look at.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_LIBRARY_H
#define ACRE_PLUGIN_OWNERSHIP_LIBRARY_H

#include "plugin/Annotations.h"
#include <optional>

namespace clang {
class CallExpr;
class Expr;
class FunctionDecl;
class InitListExpr;
} // namespace clang

namespace acre::ast {

/// What a C library function does with ownership.
struct LibraryEffect {
  Discipline Of = Discipline::Unique; ///< what it makes or frees
  bool IsFresh =
      false; ///< its result is an object that nobody else knows, or a new reference; or null
  std::optional<unsigned> Freed;  ///< the argument that it frees
  std::optional<unsigned> Result; ///< the argument that its result points into, or is
  bool CopiesMemory = false;      ///< from one argument to another
  bool CallsBack = false;         ///< it calls functions that it is given
};
/// Whether the result of this function of region.h is in the region that its first argument names.
bool allocatesInRegion(llvm::StringRef Name);
/// Null for functions that are not known.  A known function keeps no other pointer that it is
/// given, but where Cursors.h says that it puts it.
std::optional<LibraryEffect> libraryEffect(const clang::CallExpr *Call);
/// The function of the program that Call runs: the callee, or what a function of the C library gets
/// to call back.  Null if it is not named there.
const clang::FunctionDecl *functionRunBy(const clang::CallExpr *Call);
/// Whether Call does something to memory at once that other threads might look at.
bool isAtomicBuiltin(const clang::CallExpr *Call);
/// Functions that put an object of malloc's where their first argument points.
bool fillsPlace(llvm::StringRef Name);
/// Functions that look at a number, and put where it ends into what their second argument points
/// to, if to anything.
bool readsNumber(llvm::StringRef Name);
/// If a function of the C library gets this argument in a transparent union, the list that makes
/// it; else null.
const clang::InitListExpr *transparentList(const clang::CallExpr *Call, unsigned Index);
/// That argument, or what is in such a union.
const clang::Expr *argumentOf(const clang::CallExpr *Call, unsigned Index);
/// Whether Call makes an object that ends when the function returns.
bool isAlloca(const clang::CallExpr *Call);
/// Whether this function of the C library copies pointers out of what this argument points to.
bool copiesFrom(const clang::CallExpr *Call, unsigned Index);
/// The type of what an argument points to, an array if it is one; null if it is no pointer.
clang::QualType pointedBy(const clang::Expr *Argument);
/// Whether the argument is one that a format string of Callee's says how to read.  Callee may be
/// null.
bool isFormatted(const clang::FunctionDecl *Callee, unsigned Index);

} // namespace acre::ast

#endif

/* SPDX-License-Identifier: MIT */
//===- Library.h - What C library functions do with pointers ----*- C++ -*-===//
//
// Functions of the C library have no annotations, and no bodies to look at.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_LIBRARY_H
#define ACRE_PLUGIN_OWNERSHIP_LIBRARY_H

#include "plugin/Annotations.h"
#include "llvm/ADT/StringMap.h"
#include <cstdint>
#include <optional>

namespace clang {
class CallExpr;
class Expr;
class FunctionDecl;
class InitListExpr;
class ParmVarDecl;
} // namespace clang

namespace acre::ast {

/// What a C library function does with ownership: shared/library_owners.def.
struct LibraryEffect {
  Discipline Of = Discipline::Unique; ///< what it makes or frees
  bool IsFresh =
      false; ///< its result is an object that nobody else knows, or a new reference; or null
  std::optional<unsigned> Freed; ///< the argument that it frees
  std::optional<unsigned>
      FreshUnless;         ///< its result is fresh if this argument is null, and else that argument
  uint32_t PointsInto = 0; ///< by argument: its result may point into that, or be it
  uint32_t Kept = 0;       ///< by argument: it keeps that
  uint32_t Bytes = 0;      ///< by argument: it puts bytes there that are no pointers
  bool KeepsAll = false;
  bool CopiesMemory = false;      ///< from one argument to another
  bool CallsBack = false;         ///< it calls functions that it is given
  bool Waits = false;             ///< other threads may change what they reach meanwhile
  uint32_t Taken = 0;             ///< by argument: that is given away with what it owns
  std::optional<unsigned> Filled; ///< it puts a new object where this argument points
  enum { Succeeds, Fails, Any } FillsIf = Succeeds; ///< by what its result says
  std::optional<unsigned> FilledWhenClosed;         ///< the same when what it returns is closed
  bool Grows = false;                               ///< it uses what is there
  bool IsNoted = false;     ///< a file of notes says this, and not Acre's table
  bool ReadsNumber = false; ///< it puts where a number ends where its second argument points

  llvm::StringRef EndedBy;       ///< the functions that alone end what it makes, if that is said
  std::optional<unsigned> Opens; ///< it fills the structure that this argument points to
  bool OpensResult = false;      ///< or its result is what it has opened
  bool EndsOpened = false;       ///< it ends what such a function has opened: its first argument
  bool NeedsOpen = false;        ///< which may not be what could not be opened
  bool TakesUnopened = false;    ///< it may be given what was never opened
  bool FailsWithMinusOne = false;
  std::optional<std::pair<unsigned, unsigned>>
      AddsIf;             ///< it adds to what is open if this argument has one of these flags
  llvm::StringRef Lends;  ///< the kind of its result, which is the library's
  llvm::StringRef Renews; ///< results of this kind are overwritten by it
  llvm::StringRef RenewsToo;
  std::optional<unsigned> RenewsUnless; ///< but not if this argument is null

  bool pointsInto(unsigned Argument) const { return Argument < 32 && (PointsInto >> Argument & 1); }
  bool putsBytes(unsigned Argument) const { return Argument < 32 && (Bytes >> Argument & 1); }
  /// Whether the argument is not the caller's any more.
  bool ends(unsigned Argument) const {
    return Freed == Argument || (Argument < 32 && (Taken >> Argument & 1));
  }
  bool endsAny() const { return Freed || Taken; }
  bool keeps(unsigned Argument) const {
    return KeepsAll || (Argument < 32 && (Kept >> Argument & 1));
  }
};
/// Notes of the functions that end what others open that they do.
void noteEnders(llvm::StringMap<LibraryEffect> &All);
/// Whether Acre's table of the C library has this function.
bool isInLibraryTable(const clang::FunctionDecl *Function);
/// Notes which functions end what this one makes, if an attribute names any.
void noteDeallocator(const clang::FunctionDecl *Maker);
/// Whether an attribute of Clang says that what this parameter points to is not kept.
bool isLentByAttribute(const clang::ParmVarDecl *Parameter);
/// Whether the result may point where this argument does, if an attribute says that.
std::optional<bool> mayReturnByAttribute(const clang::FunctionDecl *Function, unsigned Index);
/// Whether the result of this function of region.h is in the region that its first argument names.
bool allocatesInRegion(llvm::StringRef Name);
/// Null for functions that are not known.
std::optional<LibraryEffect> libraryEffect(const clang::CallExpr *Call);
/// The same by the callee alone, and what the arguments of one call add to that.
std::optional<LibraryEffect> effectOfCallee(const clang::CallExpr *Call);
void resolve(LibraryEffect &Effect, const clang::CallExpr *Call);
/// Whether this call of realloc, or of a function that differs from it in how the size is given,
/// asks for no bytes: it frees, and its null does not say that it has failed.
bool asksForNothing(const clang::ASTContext &Context, const clang::CallExpr *Call);
/// The function of the program that Call runs: the callee, or what a function of the C library gets
/// to call back.  Null if it is not named there.
const clang::FunctionDecl *functionRunBy(const clang::CallExpr *Call);
/// Whether Call does something to memory at once that other threads might look at.
bool isAtomicBuiltin(const clang::CallExpr *Call);
/// The functions that end an object of this type, if free does not: their names.
llvm::StringRef closersOf(clang::QualType Type);
/// Functions that look at a number, and put where it ends into what their second argument points
/// to, if to anything.
bool readsNumber(llvm::StringRef Name);
/// If a function of the C library gets this argument in a transparent union, the list that makes
/// it; else null.
const clang::InitListExpr *transparentList(const clang::CallExpr *Call, unsigned Index);
/// That argument, or what is in such a union.
const clang::Expr *argumentOf(const clang::CallExpr *Call, unsigned Index);
/// Whether Lvalue is stdin, stdout or stderr.
bool isStandardStream(const clang::Expr *Lvalue);
/// Whether Call makes an object that ends when the function returns.
bool isAlloca(const clang::CallExpr *Call);
/// Whether Call is __builtin_addressof, which makes the address of its argument as & does.
bool isAddressOf(const clang::CallExpr *Call);
/// Whether this function of the C library copies pointers out of what this argument points to.
bool copiesFrom(const clang::CallExpr *Call, unsigned Index);
/// The type of what an argument points to, an array if it is one; null if it is no pointer.
clang::QualType pointedBy(const clang::Expr *Argument);
/// Whether the argument is one that a format string of Callee's says how to read.  Callee may be
/// null.
bool isFormatted(const clang::FunctionDecl *Callee, unsigned Index);

} // namespace acre::ast

#endif

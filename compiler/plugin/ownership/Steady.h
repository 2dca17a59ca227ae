/* SPDX-License-Identifier: MIT */
//===- Steady.h - Functions that take nothing out of memory -----*- C++ -*-===//
//
// A function is steady if neither it nor anything it calls gives a unique
// pointer in memory another value, or frees.  What hangs on such a pointer stays
// there while the function runs, whoever else can reach it.  Bodies may come
// after the calls that rely on them: what each does is recorded when it is seen,
// and questions are answered at the end of the translation unit.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_STEADY_H
#define ACRE_PLUGIN_OWNERSHIP_STEADY_H

#include "plugin/Statements.h"
#include "plugin/ownership/Place.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace acre::ast {

class PlainFacts;

/// Whether the body of Function that this translation unit sees, if it does, is the one that runs
/// when it is called.
bool isOwnBody(const clang::FunctionDecl *Function);

class Steadiness {
public:
  Steadiness(clang::ASTContext &Context, PlainFacts &Facts) : Context(Context), Facts(Facts) {}

  void note(const clang::FunctionDecl *Definition, const Evaluated &Body);
  /// Whether the callee may turn out steady, for all that was seen yet.
  bool mayBe(const clang::FunctionDecl *Callee) const {
    return !Unsteady.contains(Callee) && !ChangesArguments.contains(Callee);
  }
  /// Whether its body was seen to be steady, and so were those of what it calls as far as they were
  /// seen.
  bool isSeen(const clang::FunctionDecl *Callee) const {
    return Calls.contains(Callee) && mayBe(Callee) && changedBy(Callee).empty();
  }
  /// The slots in memory that it sets or takes, or that functions do which it calls, as far as
  /// bodies were seen; but for those of the objects that its own arguments point to, and of what
  /// these functions own themselves.
  llvm::SmallVector<OwnSlot, 2> changedBy(const clang::FunctionDecl *Callee) const;
  /// Whether a slot in memory may be null when it returns that was not: all that it runs was seen
  /// otherwise, and does no more to slots than to set them to something.
  bool mayEmpty(const clang::FunctionDecl *Callee) const;
  // The following are for the end of the translation unit.

  /// AreAlone: nobody else can reach what hangs on what the callees are lent; so it does not
  /// matter what a function does that was not seen and is lent none of it.
  bool is(const clang::FunctionDecl *Function, bool AreAlone = false) const;
  /// Whether all that runs while Function does was seen, and names this global variable nowhere.
  bool leavesAlone(const clang::FunctionDecl *Function, const clang::VarDecl *Global) const;

private:
  /// Whose objects a call lends: those of the function's own owners, what its parameters point to,
  /// or any.
  enum class Lent { Own, Parameters, Any };
  struct CalledFunction {
    const clang::FunctionDecl *Callee;
    Lent Objects;
  };
  using CalledFunctions = llvm::SmallVector<CalledFunction, 4>; // canonical, as all here
  using Parameters = llvm::DenseSet<const clang::VarDecl *>;

  /// Adds to Called what Node calls; false: it is not steady itself.
  bool isSteady(const clang::Stmt *Node, CalledFunctions &Called);
  bool isSteadyCall(const clang::CallExpr *Call, CalledFunctions &Called);
  Lent objectsLent(const clang::CallExpr *Call) const;
  Lent objectLent(const clang::Expr *Pointer) const;
  /// Whether Node, which is not steady, may do anything: run what is not seen, or let other threads
  /// run.
  bool isOpaque(const clang::Stmt *Node) const;
  /// Notes the slot in memory, or the structure with slots, that Node gives another value.  Returns
  /// whether that is in an object that a parameter points to.
  bool noteChanged(const clang::FunctionDecl *Function, const clang::Stmt *Node);
  /// Whether IsSo of Function, what it calls, and what that calls, as far as bodies were seen.  The
  /// first one of which it is not ends the search.
  bool isSoOfReached(const clang::FunctionDecl *Function,
                     llvm::function_ref<bool(const clang::FunctionDecl *)> IsSo) const;
  /// The same, and whether the objects that it is lent are known: all that it is lent belong to a
  /// caller among these or, if AreKnown, are Function's arguments.
  using Reached = llvm::SetVector<std::pair<const clang::FunctionDecl *, unsigned>>;
  Reached reachedWithObjects(const clang::FunctionDecl *Function, bool AreKnown) const;

  clang::ASTContext &Context;
  PlainFacts &Facts;
  Parameters Fixed; ///< pointers that the function which is noted is given, and never changes
  llvm::DenseMap<const clang::FunctionDecl *, CalledFunctions> Calls; // of bodies that were seen
  struct ChangedSlot {
    OwnSlot Slot;
    bool IsOfArgument;
  };
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallVector<ChangedSlot, 2>> Changed;
  llvm::DenseSet<const clang::FunctionDecl *> Unsteady, Opaque, Emptying;
  /// Functions that give slots of the objects which they are lent other values, and are steady
  /// otherwise.
  llvm::DenseSet<const clang::FunctionDecl *> ChangesArguments;
  llvm::DenseMap<const clang::FunctionDecl *, llvm::DenseSet<const clang::VarDecl *>>
      Named; ///< the global variables that own something
};

} // namespace acre::ast

#endif

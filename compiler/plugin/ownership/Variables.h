/* SPDX-License-Identifier: MIT */
//===- Variables.h - The variables that ownership is followed in *- C++ -*-===//
//
// Owners are local variables and parameters of unique type.  Borrowers are the
// other pointers among them whose address is not taken, but for Cursors.h;
// whether one borrows at some point of the program is a matter of flow.
//
// A loan root, or root for short, is where a borrowed pointer's object is owned:
// an owner, a parameter (its object belongs to the caller), an arena of this
// function (a block's region), an alias (what acre_alias lends for a block), or
// Shared: memory that anyone may reach.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_VARIABLES_H
#define ACRE_PLUGIN_OWNERSHIP_VARIABLES_H

#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Place.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace clang {
class CallExpr;
class FunctionDecl;
class NamedDecl;
class ParmVarDecl;
class Stmt;
class UnaryOperator;
class VarDecl;
} // namespace clang

namespace acre::ast {

class Summaries;

/// In a function in which nothing can be owned, what order could matter to.
struct Orderly {
  llvm::DenseSet<const clang::VarDecl *>
      Pointers; ///< that may point to what parameters do, or into the frame
  llvm::DenseSet<const clang::VarDecl *> Frames; ///< whose addresses pointers may hold
};

/// A local variable in which the C library, or a function of notes, opens something (Opened.h).
struct OpenedVariable {
  Place At;        ///< the variable, or a member of it
  bool IsLibrarys; ///< pointers in it are the library's, too

  const clang::VarDecl *variable() const { return At.base(); }
  /// The variable as a whole; null: it is a member.
  const clang::VarDecl *whole() const { return At.isMember() ? nullptr : At.base(); }
  /// What a message calls it.
  const clang::NamedDecl *named() const;
};

/// Which variables are followed, and as what.
class FollowedVariables {
public:
  /// Body: what is evaluated in that of Function.  Only: what is followed; null if something may be
  /// owned. Alone: parameters without a word that are taken for the only ways to their objects.
  FollowedVariables(const clang::FunctionDecl *Function, const Evaluated &Body, const Orderly *Only,
                    const Summaries &Known, llvm::ArrayRef<const clang::ParmVarDecl *> Alone);

  unsigned ownerCount() const { return Owners.size(); }
  unsigned borrowerCount() const { return Borrowers.size(); }
  unsigned arenaCount() const { return Arenas.size(); }
  unsigned aliasCount() const { return Aliases.size(); }
  unsigned frameCount() const { return Frames.size() + Unnamed.size(); }

  std::optional<unsigned> ownerOf(const clang::VarDecl *Variable) const {
    return find(OwnerIndex, Variable);
  }
  std::optional<unsigned> borrowerOf(const clang::VarDecl *Variable) const {
    return find(BorrowerIndex, Variable);
  }
  const clang::VarDecl *owner(unsigned Index) const { return Owners[Index]; }
  /// Those in which something is opened: State has them behind the owners.
  unsigned openedCount() const { return Opened.size(); }
  const OpenedVariable &opened(unsigned Index) const { return Opened[Index]; }
  std::optional<unsigned> openedOf(const clang::VarDecl *Variable) const;
  const clang::VarDecl *borrower(unsigned Index) const { return Borrowers[Index]; }
  bool isAlone(const clang::ParmVarDecl *Parameter) const {
    return llvm::is_contained(Alone, Parameter);
  }
  /// Whether Variable may change otherwise than by assignment.
  bool isAddressTaken(const clang::VarDecl *Variable) const {
    return AddressTaken.contains(Variable);
  }
  /// Where the address of a variable is taken other than as the direct operand of a call.
  llvm::ArrayRef<const clang::UnaryOperator *> keptAddresses() const { return KeptAddresses; }

protected:
  using Index = llvm::DenseMap<const clang::VarDecl *, unsigned>;
  static std::optional<unsigned> find(const Index &In, const clang::VarDecl *Variable);

  llvm::SmallVector<const clang::VarDecl *, 8> Owners, Borrowers, Frames;
  llvm::SmallVector<const clang::VarDecl *, 2> Arenas, Aliases;
  llvm::SmallVector<const clang::ParmVarDecl *, 8> Parameters; // pointers that are no owners
  llvm::SmallVector<const clang::Expr *, 2> Unnamed;
  llvm::SmallVector<OpenedVariable, 2> Opened;
  Index OwnerIndex, BorrowerIndex, FrameIndex;
  llvm::DenseSet<const clang::VarDecl *> AddressTaken;
  llvm::DenseSet<const clang::VarDecl *> OpenFrames; // whose address is kept, or which own nothing
  llvm::SmallVector<const clang::UnaryOperator *, 4> KeptAddresses;
  const Orderly *Only;
  llvm::ArrayRef<const clang::ParmVarDecl *> Alone;
  bool HasAliases = false;

private:
  void findAddresses(const Evaluated &Body, const Summaries &Known);
  void addFrame(const clang::VarDecl *Variable);
  void add(const clang::VarDecl *Variable);
};

/// The roots of what these variables point to, numbered: the one that is shared, those of
/// parameters, of owners, of arenas, of aliases and of frames.
class Variables : public FollowedVariables {
public:
  static constexpr unsigned SharedRoot = 0;
  using FollowedVariables::FollowedVariables;

  unsigned rootCount() const { return firstFrameRoot() + frameCount(); }

  unsigned rootOfOwner(unsigned Index) const { return 1 + Parameters.size() + Index; }
  std::optional<unsigned> ownerOfRoot(unsigned Root) const;
  unsigned rootOfArena(unsigned Index) const { return firstArenaRoot() + Index; }
  /// The root of the arena whose handle Variable is; its declaration began the block.
  std::optional<unsigned> rootOfArena(const clang::VarDecl *Variable) const;
  bool isArena(unsigned Root) const { return Root >= firstArenaRoot() && Root < firstAliasRoot(); }
  unsigned rootOfAlias(unsigned Index) const { return firstAliasRoot() + Index; }
  /// The root of what Variable lends for its block, if acre_alias declares it.
  std::optional<unsigned> rootOfAlias(const clang::VarDecl *Variable) const;
  bool isAlias(unsigned Root) const { return Root >= firstAliasRoot() && Root < firstFrameRoot(); }
  unsigned aliasOfRoot(unsigned Root) const { return Root - firstAliasRoot(); }
  /// The root of a variable that is no owner itself, and whose address is made, or that is a
  /// structure with owning fields or in a function with aliases.
  std::optional<unsigned> rootOfFrame(const clang::VarDecl *Variable) const;
  bool isFrame(unsigned Root) const { return Root >= firstFrameRoot(); }
  bool isOpenFrame(unsigned Root) const { return isFrame(Root) && !isExclusive(Root); }
  /// The root of an object of the function's frame that has no name: a compound literal, or what
  /// alloca made.
  std::optional<unsigned> rootOfUnnamed(const clang::Expr *Object) const;
  /// That object; null if Root is another.
  const clang::Expr *unnamed(unsigned Root) const;
  /// What a root without a name is: 1 a compound literal, 2 memory of alloca, 0 neither.
  unsigned unnamedKind(unsigned Root) const;
  unsigned frameOfRoot(unsigned Root) const { return Root - firstFrameRoot(); }
  unsigned rootOfFrameNumber(unsigned Frame) const { return firstFrameRoot() + Frame; }
  unsigned arenaOfRoot(unsigned Root) const { return Root - firstArenaRoot(); }
  llvm::SmallBitVector arenaRoots() const;
  /// The root of a pointer parameter that is no owner.
  std::optional<unsigned> rootOfParameter(const clang::VarDecl *Variable) const;
  /// Null if Root is no parameter's.
  const clang::ParmVarDecl *parameterOfRoot(unsigned Root) const;
  /// Whether nobody but those who borrow from this root can reach its objects.
  bool isExclusive(unsigned Root) const;
  /// What a message calls it.
  const clang::VarDecl *variableOfRoot(unsigned Root) const;

private:
  unsigned firstArenaRoot() const { return 1 + Parameters.size() + Owners.size(); }
  unsigned firstAliasRoot() const { return firstArenaRoot() + Arenas.size(); }
  unsigned firstFrameRoot() const { return firstAliasRoot() + Aliases.size(); }
};

/// The call of scope.h that makes or opens the arena whose handle Variable is, or null.
const clang::CallExpr *arenaCall(const clang::VarDecl *Variable);
/// The key that it opens; null if the region is the block's own.
const clang::Expr *keyOfArena(const clang::VarDecl *Variable);

/// What Variable lends for its block, if acre_alias declares it; else null.
const clang::Expr *aliasedBy(const clang::VarDecl *Variable);

/// The variable that this lvalue is part of; null if it is behind a pointer.
const clang::VarDecl *variableAround(const clang::Expr *Lvalue);

/// The local variables that Node, which is evaluated, lets others read and set unseen: operands of
/// assembly, what a block expression captures, variables with a cleanup.
llvm::SmallVector<const clang::VarDecl *, 4> variablesGivenAway(const clang::Stmt *Node);
/// The pointers that Node, an atomic operation or assembly, may put into memory.
llvm::SmallVector<const clang::Expr *, 4> pointersGivenAway(const clang::Stmt *Node);

/// The local variable or parameter that Lvalue names, or null.
const clang::VarDecl *localVariable(const clang::Expr *Lvalue);
/// The local variable that Node gives another value, or whose address it makes; or null.
const clang::VarDecl *variableChanged(const clang::Stmt *Node);

} // namespace acre::ast

#endif

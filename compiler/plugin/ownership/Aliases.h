/* SPDX-License-Identifier: MIT */
//===- Aliases.h - What acre_alias lends for a block ------------*- C++ -*-===//
//
// Copies of an alias may be kept in variables that end before the block does.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_ALIASES_H
#define ACRE_PLUGIN_OWNERSHIP_ALIASES_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/Value.h"

namespace acre::ast {

/// Follows aliases and what holds them.
class AliasTransfer : Part {
public:
  using Part::Part;
  /// A setjmp returns again: with the state of any call that may have led there.
  void joinJumps();
  void openAlias(const clang::VarDecl *Alias);
  void closeAlias(const clang::VarDecl *Alias, const clang::Stmt *At);
  bool isEndedAlias(unsigned Root) const {
    return Vars.isAlias(Root) && !Now.Aliases[Vars.aliasOfRoot(Root)].IsOpen;
  }
  /// What is borrowed by an alias whose block is over is lost already.
  void loseEnded(BorrowerState &State, const clang::Stmt *At) const;
  /// What a variable that this lvalue may be part of holds.
  void addHeld(Loans &Into, const clang::Expr *Lvalue) const;
  /// Reports what could outlive its alias, and notes the rest in the variable that gets it. Takes
  /// the aliases out of Kept.
  void keepAliased(const Sink &Into, const clang::Expr *From, Loans &Kept);
  void lendHeld(const clang::CallExpr *Call, unsigned Index, const Value &What, bool IsKnown);
  void copyRecord(const clang::Expr *Record);
  /// The owners of what is lent as an alias get another value, or slots below these roots do.
  void changeAliased(unsigned Root, const clang::Stmt *At);
  void changeBelowAliased(const llvm::SmallBitVector &Roots, const clang::Stmt *At);
  /// Adds what an alias among Roots was lent from.
  void addAliased(llvm::SmallBitVector &Roots) const;
  void noteInitializers();

private:
  /// The aliases that these loans are of, also those in variables that they lead to.
  llvm::SmallBitVector aliasesBehind(const Loans &Of) const;
  /// These variables' addresses are now where they are not followed.
  void expose(const llvm::SmallBitVector &Frames);
};

} // namespace acre::ast

#endif

/* SPDX-License-Identifier: MIT */
//===- Ownership.h - Exclusive pointers, checked -----------------*- C++ -*-===//
//
// Unique and borrowed pointers (own.h), as in "Experience With Safe Manual
// Memory-Management in Cyclone" (2004).  A translation unit that does not say
// unique or borrowed is not looked at.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_OWNERSHIP_H
#define ACRE_PLUGIN_OWNERSHIP_OWNERSHIP_H

#include "plugin/Statements.h"
#include "plugin/ownership/Plain.h"
#include "plugin/ownership/Steady.h"
#include "plugin/ownership/Summary.h"

namespace clang {
class ParmVarDecl;
class VarDecl;
class ASTContext;
class Preprocessor;
} // namespace clang

namespace acre::ast {

struct Orderly;
struct Supposed;

class Ownership {
public:
  Ownership(clang::ASTContext &Context, clang::Preprocessor &Input, Diagnostics &Reports)
      : Context(Context), Input(Input), Reports(Reports), Known(Reports), Facts(Context),
        Steady(Context, Facts) {}

  /// For tests: what PlainBody records of a function is compared with what Flow records, and a
  /// difference is an error.
  void compareTransfers() { ComparesTransfers = true; }

  /// Checks the body of a function, before anything is rewritten in it.
  void check(const clang::FunctionDecl *Definition, const Evaluated &Body);
  /// At the end of the translation unit.
  void finish() { Known.finish(Steady); }

private:
  /// Follows Definition, of which nothing is supposed but what Only says, if not null. False, and
  /// nothing is reported: it may be right by what suppose finds.
  bool followAlone(const clang::FunctionDecl *Definition, const Evaluated &Body,
                   const Orderly *Only);
  /// What Definition would be right by, if it is not without: its parameters are the only ways to
  /// their objects, or what it calls is steady.  Alone gets those parameters.
  Supposed suppose(const clang::FunctionDecl *Definition, const Evaluated &Body,
                   llvm::SmallVectorImpl<const clang::ParmVarDecl *> &Alone);

  /// Reports if Flow does not record what Known has of Definition.  Before: what was known then.
  void compare(const clang::FunctionDecl *Definition, const Evaluated &Body,
               const Summaries &Before);

  /// Whether all who call Definition know what it lends.
  bool mayBeGetter(const clang::FunctionDecl *Definition) const;

  /// Begins local variables with zeros, since nobody knows now whether their owning slots are set
  /// before they are used.
  void clear(llvm::ArrayRef<const clang::VarDecl *> Unproven);

  clang::ASTContext &Context;
  clang::Preprocessor &Input;
  Diagnostics &Reports;
  Summaries Known;
  PlainFacts Facts;
  Steadiness Steady;
  llvm::DenseSet<const clang::FunctionDecl *> Named; ///< canonical; in the bodies that were seen
  bool ComparesTransfers = false;
};

} // namespace acre::ast

#endif

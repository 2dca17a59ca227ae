/* SPDX-License-Identifier: MIT */
//===- Reporter.h - What is said of a function that was followed -*- C++ -*-===//
//
// The transfer function tells of what it finds wrong each time that it visits a
// statement.  Until the states are known the reporter says nothing of that; then
// each statement is visited once more.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_REPORTER_H
#define ACRE_PLUGIN_OWNERSHIP_REPORTER_H

#include "plugin/Diagnostics.h"
#include "plugin/ownership/State.h"
#include "plugin/ownership/Summary.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class ASTContext;
class NamedDecl;
class ParmVarDecl;
} // namespace clang

namespace acre::ast {

/// In the place of a declaration that a message may name.
inline constexpr const clang::NamedDecl *NoName = nullptr;

/// How what is owned is lost.  The order is that of %select of Leak in diagnostics.def.
enum class Loss : unsigned {
  EndOfScope,
  Overwritten,
  SlotOverwritten,
  ResultDropped,
  ReallocFails,
  FreedWithSlot,
  SlotEndOfScope,
  AggregateDropped,
  JumpedOver
};

class Reporter {
public:
  /// Held: if not null, gets what could be right if more were granted.
  Reporter(clang::ASTContext &Context, Diagnostics &Reports, HeldReports *Held)
      : Context(Context), Reports(Reports), Held(Held) {}

  /// The states are known: from now on it speaks.
  void start() { IsSpeaking = true; }
  bool isOn() const { return IsSpeaking; }
  /// Whether there was a report, also one that was not spoken, that could be right if more were
  /// granted.
  bool couldBeSpared() const { return CouldBeSpared; }
  /// Whether nobody hears it: what is granted to the function is being tried.
  bool isQuiet() const { return Reports.isQuiet(); }
  Diagnostics &diagnostics() { return Reports; }

  template <typename... Arguments>
  void report(Diag Kind, const clang::Stmt *At, const Arguments &...Each) {
    const bool MayHold =
        Kind == Diag::SlotLent || Kind == Diag::BorrowerDangling || Kind == Diag::LentTwice;
    CouldBeSpared |= MayHold;
    if (!IsSpeaking)
      return;
    (Reports.report(Kind, placeOf(At)) << ... << Each) << At->getSourceRange();
    IsHeld = false;
    if (Held && MayHold)
      hold(later(Kind, At, Each...));
    noteOrigin(Kind, At);
  }
  /// The same when it is called, after the function was followed.
  template <typename... Arguments>
  std::function<void()> later(Diag Kind, const clang::Stmt *At, const Arguments &...Each) {
    return [To = &Reports, Kind, At, Each...] {
      (To->report(Kind, placeOf(At)) << ... << Each) << At->getSourceRange();
    };
  }
  template <typename... Arguments>
  void reportLoss(Loss How, const clang::Stmt *At, const Arguments &...Each) {
    report(Diag::Leak, At, unsigned(How), Each...);
  }
  void note(clang::SourceLocation At, llvm::StringRef Text) {
    if (IsSpeaking)
      Reports.note(At, Text);
  }
  /// Says where Named is declared, if it is.
  void noteDeclared(const clang::NamedDecl *Named, llvm::StringRef Text);
  /// Says which of the owners of Type a report speaks of.
  void noteOwner(clang::QualType Type);
  /// Variable, which has owners, is declared without a value.
  void noteUnsetRecord(const clang::VarDecl *Variable);
  void noteSites(const Sites &Places, llvm::StringRef Text);
  void reportConsumed(const clang::NamedDecl *Named, const OwnerState &Owner,
                      const clang::Stmt *At);
  /// Variable's cleanup frees what has gone.
  void reportCleanedUp(const clang::VarDecl *Variable, const OwnerState &Owner,
                       const clang::Stmt *At);
  /// Returns whether it says so, which it does once.
  bool reportLeak(const clang::NamedDecl *Variable, const OwnerState &Owner, const clang::Stmt *At);
  /// What this owner, or slot, had before realloc may be lost.
  void reportGrown(llvm::StringRef Name, const clang::Stmt *At);
  /// Variable ends with what this slot of it owns: said once.
  void reportLostWith(const clang::VarDecl *Variable, const clang::Stmt *At,
                      const std::string &Slot);
  /// The address of Owner goes where it cannot be followed.
  void reportAddress(const clang::Stmt *At, const clang::VarDecl *Owner);
  /// Owner would point into its object.
  void reportMoved(const clang::Stmt *At, const clang::VarDecl *Owner);
  void reportNotDropped(const clang::FieldDecl *Field, unsigned Why);
  void reportCopiedSlot(const clang::Expr *Slot);
  /// Says where a parameter is declared that could be 'refcounted borrowed'.
  void noteReferenceWord(const clang::ParmVarDecl *Parameter);
  /// Says that the result of Function could be 'borrowed'; IsElsewhere: that this would not do,
  /// because its callers would look for the owner behind the parameters.
  void noteBorrowedResult(const clang::FunctionDecl *Function, bool IsElsewhere);

private:
  /// Says where that is declared which At names, of the reports that have no other cause to show.
  void noteOrigin(Diag Kind, const clang::Stmt *At);
  void hold(std::function<void()> Report) {
    Held->push_back(std::move(Report));
    IsHeld = true;
  }
  static clang::SourceLocation placeOf(const clang::Stmt *At);

  clang::ASTContext &Context;
  Diagnostics &Reports;
  HeldReports *Held;
  bool IsSpeaking = false, CouldBeSpared = false;
  bool IsHeld = false; ///< the last report, so its notes are too
  llvm::DenseSet<std::pair<const clang::NamedDecl *, unsigned>>
      Lost; ///< leaks that were reported, with their places
};

} // namespace acre::ast

#endif

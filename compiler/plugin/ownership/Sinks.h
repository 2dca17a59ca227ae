/* SPDX-License-Identifier: MIT */
//===- Sinks.h - What gets a pointer, and what that does --------*- C++ -*-===//
//
// Every place that a pointer flows into - an assignment, an initializer, an
// argument, a result - is a sink.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_SINKS_H
#define ACRE_PLUGIN_OWNERSHIP_SINKS_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/Value.h"

namespace acre::ast {

/// Follows what flows into a sink.
class SinkTransfer : Part {
public:
  using Part::Part;
  void sink(const Sink &Into, const clang::Expr *From);
  /// Returns the conditions that the new owner may be in.
  unsigned char own(Discipline As, const clang::Expr *From, const Value &What);
  /// Reports if What, which is lent as a reference, is not known to be one.
  void checkCounted(const clang::Expr *From, const Value &What);
  void keep(const Sink &Into, const clang::Expr *From, const Value &What);
  /// Owner is one of those that Choice chooses from: what it may hold where it is not the one.
  void keepUnchosen(const State &Before, const clang::Expr *Choice, unsigned Owner);
  /// An object cannot be put into a slot of its own: it would hold itself.
  void checkNotBelow(const Value &Place, const clang::Expr *Slot, const Value &What,
                     const clang::Expr *From);
  /// The calls that have made What, if it is said what ends that.
  Sites makersOf(const Value &What) const;
  /// The functions that alone end what this call makes; empty: that is not said.
  llvm::StringRef endersOf(const clang::CallExpr *Maker) const;
  void assignOwner(unsigned Owner, unsigned char Conditions, const clang::Stmt *At);

private:
  /// Owner is one of those that Choice chooses from: Is gets what it may be where it is the one.
  /// False: that is on no path.
  bool choose(const State &Before, const clang::Expr *Choice, const clang::DeclRefExpr *Owner,
              OwnerState &Is) const;
  /// Reports if What is not owned as As says.
  void checkDiscipline(Discipline As, const clang::Expr *From, const Value &What);
  /// Says what is lent that a sink would keep.
  void noteLender(const Sink &Into, unsigned Root) const;
  /// The result may hang on what Lent points to, or on a global variable: wrong unless all callers
  /// know.
  void reportGetter(const clang::Expr *From, const clang::VarDecl *Lent);
  void consume(const clang::DeclRefExpr *Owner, const clang::Expr *From);
  /// A plain pointer that Owner was adopted from borrows from it.
  void tieAdopted(const clang::VarDecl *Owner, const clang::Expr *From, const Value &What);
  /// The borrower that goes to the slot with this owner (Moved.h), if it points there.
  std::optional<unsigned> followerOf(const Sink &Into, const Value &What) const;
  void follow(unsigned Borrower, const Sink &Into);
  /// Owner gets the stream that From opens: notes what that writes to.
  void noteStream(unsigned Owner, const clang::Expr *From);
  /// From may be realloc of an owner, which is not consumed if Variable turns out to be null.
  void noteRestored(const clang::VarDecl *Variable, const clang::Expr *From);
  /// Conditions: of the new value.
  void overwriteSlot(const clang::Expr *Slot, const clang::Stmt *At, unsigned char Conditions);
  /// A cast to a plain pointer that is kept gives the object to whoever has it there.
  void release(const Sink &Into, const clang::Expr *From, Value &What);
};

} // namespace acre::ast

#endif

/* SPDX-License-Identifier: MIT */
//===- Lenders.h - What the C library lends to the program ------*- C++ -*-===//
//
// Results that the library owns (getpwuid), and the insides of structures that
// it has filled (glob_t) or made (ifaddrs).  Loans have them by number: a call of
// such a function, or a variable.  What is lent so may be kept, so they are no
// roots.
//
// Invariant: a number names one call, or one variable, while the function is
// followed.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_LENDERS_H
#define ACRE_PLUGIN_OWNERSHIP_LENDERS_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace acre::ast {

/// Follows pointers to what the library owns.
class LenderTransfer : Part {
public:
  using Part::Part;
  /// Numbers the lenders of the function.
  void find();
  bool any() const { return !Lenders.empty(); }
  /// What Call returns is lent, if it is.
  void addResult(Loans &Into, const clang::CallExpr *Call) const;
  /// So is a pointer that is read from this lvalue, if it is in what is lent.
  void addInside(Loans &Into, const clang::Expr *Lvalue) const;
  /// Call may overwrite what was lent.
  void renew(const clang::CallExpr *Call);
  /// What is in this structure, or in the object of this owner, has gone.
  void end(const clang::VarDecl *Holder, const clang::Stmt *At);
  /// Reports if Freed, which Call ends, is certainly the library's.
  void checkFreed(const clang::CallExpr *Call, const clang::Expr *Freed, const Value &What);
  /// Reports if one argument of Call overwrites what another one lends.
  void checkArguments(const clang::CallExpr *Call);
  /// Reports the use of a borrower whose loan of this kind has ended, unless it is only compared;
  /// false: it is of another kind.
  bool reportLost(BorrowerState &Borrower, llvm::StringRef Name, const clang::Expr *At);

private:
  struct Lender {
    const clang::CallExpr *Call;
    const clang::VarDecl *Holder;
  };
  std::optional<unsigned> numberOf(const clang::VarDecl *Holder) const;
  /// Notes which names of pointers Node compares.
  void noteCompared(const clang::Stmt *Node);
  /// Whether Renewal overwrites what this lender has lent.
  bool isRenewed(unsigned Number, const clang::CallExpr *Renewal) const;
  void lose(unsigned Number, const clang::Stmt *At, bool IsStale);
  void noteLender(unsigned Number);

  llvm::SmallVector<Lender, 4> Lenders;
  llvm::DenseMap<const clang::CallExpr *, unsigned> Numbers;
  llvm::DenseSet<const clang::Expr *> Compared;
};

} // namespace acre::ast

#endif

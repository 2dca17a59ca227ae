/* SPDX-License-Identifier: MIT */
//===- Calls.h - What calls do to owners and borrowers ----------*- C++ -*-===//
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_CALLS_H
#define ACRE_PLUGIN_OWNERSHIP_CALLS_H

#include "plugin/ownership/Library.h"
#include "plugin/ownership/Part.h"
#include "plugin/ownership/Value.h"

namespace acre::ast {

struct SlotUse;

/// Whether the callee says that it does not set what this argument points to.
bool isReadOnly(const clang::CallExpr *Call, unsigned Index);

/// An argument that a call borrows.
struct Lending {
  Loans From;
  llvm::SmallVector<unsigned, 2> Borrowers; // passed themselves, or above that
  bool SeesSlots;                           // the callee sees unique pointers in memory behind it
  bool MayChangeSlots;                      // and does not say that it only reads them
  bool IsAlone;                             // the parameter says that the callee may rely on it
  const clang::Expr *Argument;
  unsigned Index;
  OwnSlot Part;    // of the object, which is lent
  OwnSlot Reached; // of the object, the callee can change this alone
};

/// Follows local pointers whose addresses are arguments.
class CursorTransfer : Part {
public:
  using Part::Part;
  /// The borrower whose address this argument is.
  std::optional<unsigned> cursorAt(const clang::CallExpr *Call, unsigned Index) const;
  bool isNeverNull(const clang::Expr *Argument) const;
  /// What that holds is lent, if the callee looks at it.
  void lendCursor(const clang::CallExpr *Call, unsigned Index,
                  llvm::SmallVectorImpl<Lending> &Lent);
  /// It has another value, or memory has if the argument is another address.
  void moveCursor(const clang::CallExpr *Call, unsigned Index);
  /// Adds to Result what the call may have found there.
  void addMoved(Value &Result, const clang::CallExpr *Call, unsigned Index) const;
};

/// Lends, fills and consumes arguments.
class CallTransfer : Part {
public:
  using Part::Part;
  /// The callee, if it is taken for steady.
  const clang::FunctionDecl *takenForSteady(const clang::CallExpr *Call) const;
  void call(const clang::CallExpr *Call);
  /// Block does what acre_take does.
  void takeByHand(const clang::StmtExpr *Block);
  /// Reports if this atomic operation is done to an owning slot, or with one.
  bool copyAtomically(const clang::Stmt *Operation);
  /// Index: also that of a content.
  void lend(const clang::CallExpr *Call, unsigned Index, const Value &What, bool IsKnown,
            llvm::SmallVectorImpl<Lending> &Lent);
  /// Reports that Argument and Other of one call lead to one object.
  void reportLentTwice(const clang::Expr *Argument, const clang::VarDecl *Lent, unsigned How,
                       const clang::Expr *Other);

private:
  void swap(const clang::CallExpr *Call);
  /// The slot of this value gets another owner, which may be in these conditions.  Slot: as an
  /// expression.
  void exchange(const Value &Place, unsigned char Conditions, const clang::Expr *Slot,
                const clang::Expr *Put, const clang::Stmt *At);
  /// Whether the callee's body was seen, and neither empties nor fills slots.
  bool isSeenSteady(const clang::CallExpr *Call) const;
  /// Whether the callee leaves null in Owner, whose address this argument is.
  bool isEmptied(const clang::CallExpr *Call, unsigned Index, const clang::VarDecl *Owner) const;
  /// The global variable on which all hangs that an argument of Call lends, and nothing that
  /// another one does; or null.
  const clang::VarDecl *globalLent(const clang::CallExpr *Call, const Loans &From) const;
  /// Reports if Call frees what the C library has made for another function to close.
  void checkCloser(const clang::CallExpr *Call, const clang::Expr *Freed, const Value &What);
  /// Reports if an object of another type is put into a slot of this one.
  void checkSwappedTypes(clang::QualType SlotType, const clang::Expr *NewValue);
  void argument(const clang::CallExpr *Call, unsigned Index,
                const std::optional<LibraryEffect> &Effect, llvm::SmallVectorImpl<Lending> &Lent,
                llvm::SmallVectorImpl<const clang::Expr *> &Filled);
  /// The callee may set and empty slots behind its arguments.
  void touchArguments(const clang::CallExpr *Call);
  /// An argument that is no pointer.
  void passRecord(const clang::CallExpr *Call, const clang::Expr *Argument);
  /// The address of Owner is an argument: asks whether it is kept.
  void lendAddress(const clang::CallExpr *Call, unsigned Index, const clang::VarDecl *Owner);
  /// Call opens a stream that will put a new object into Owner.
  void openInto(const clang::CallExpr *Call, const clang::VarDecl *Owner, const clang::Expr *At);
  /// The stream that From is ends.
  void closeStream(const Value &From);
  const SlotUse *slotUse(const clang::CallExpr *Call, unsigned Index) const;
  /// The callee may set what this argument, of this value, points to; or only reads that.
  void fillSlots(const clang::CallExpr *Call, unsigned Index, const Value &What, bool IsFilled);
  /// These slots were lent, which were so before: those that the callee leaves alone still are.
  void leaveSlots(const SlotRange &Lent, const SlotState &Before, const clang::CallExpr *Call,
                  unsigned Index);
  /// Notes if what a static function gets may be reached otherwise too.
  void noteOthers(const clang::CallExpr *Call, unsigned Index, const Value &What,
                  const Loans &From);
  /// What Lent lends may be kept by who gets this argument.
  void reportPassed(const clang::Expr *Argument, const clang::VarDecl *Lent);
  void reportSlotLent(const clang::Expr *Argument, const Loans &From);
  /// Notes that two arguments lend the same object.
  void noteLentTwice(const clang::CallExpr *Call, llvm::ArrayRef<Lending> Lent);
  /// The function that Call's callee, of the C library, calls back may be given what is lent.
  void lendToCallback(const clang::CallExpr *Call, const clang::Expr *Argument, const Loans &From);
  void checkOverlap(const clang::CallExpr *Call, llvm::ArrayRef<Lending> Lent);
  /// What a value that is given up was owned as.
  Discipline disciplineOfValue(const Value &What) const;
  void consumeArguments(const clang::CallExpr *Call, const std::optional<LibraryEffect> &Effect,
                        llvm::ArrayRef<Lending> Lent);
};

} // namespace acre::ast

#endif

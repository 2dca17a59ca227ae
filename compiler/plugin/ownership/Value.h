/* SPDX-License-Identifier: MIT */
//===- Value.h - Values and what gets them ----------------------*- C++ -*-===//
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_VALUE_H
#define ACRE_PLUGIN_OWNERSHIP_VALUE_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/State.h"
#include "clang/AST/Type.h"

namespace acre::ast {

/// What an expression's value may be, as far as ownership goes.
struct Value {
  bool MayBeNull = false; ///< the constant
  bool IsFresh =
      false; ///< an owner that is in no variable: the result of a call, or a cast to unique
  bool IsUnknown = false;                                  ///< a plain pointer
  bool IsStandard = false;                                 ///< stdin, stdout or stderr
  bool IsAdopted = false;                                  ///< a cast says that it is the only one
  Loans Lent;                                              ///< where a borrowed pointer comes from
  llvm::SmallVector<const clang::DeclRefExpr *, 2> Owners; ///< the values of these owners
  llvm::SmallVector<const clang::Expr *, 1> Slots; ///< the values of these unique slots in memory
  llvm::SmallVector<const clang::VarDecl *, 1> OwnerAddresses;
  llvm::SmallVector<unsigned, 2> Borrowers; ///< the borrowers that it was computed from
  llvm::SmallVector<const clang::Expr *, 1>
      Results; ///< the calls that IsFresh speaks of, and what takenByHand knows

  explicit Value(unsigned Roots) : Lent(Roots) {}
  void add(const Value &Other);
};

/// What gets a pointer.
struct Sink {
  enum Kind : unsigned {
    Variable,
    Slot,
    Argument,
    Result,
    Owner ///< of what is made unique or freed; in messages only
  }; // the order is that of %select of BorrowedEscapes in diagnostics.def
  Kind What;
  clang::QualType Type;
  const clang::VarDecl *Local = nullptr; ///< of Variable
  const clang::Expr *Place = nullptr; ///< of Slot: the lvalue, or null for a part of an initializer
  const clang::Stmt *At;              ///< what does it
};

/// The pointer that this lvalue is reached through at last, or null.
const clang::Expr *pointerOf(const clang::Expr *Lvalue);

/// Reads off an expression what its value may be, in the state that the function is in.
class ValueReader : Part {
public:
  using Part::Part;
  bool isNullConstant(const clang::Expr *Value) const;
  Value evaluate(const clang::Expr *Expression) const;
  Value addressOf(const clang::Expr *Lvalue) const;
  Value derived(Value Base) const;
  /// The roots that the object which holds this lvalue may belong to, with the borrowers it is
  /// reached through.
  Value holderOf(const clang::Expr *Lvalue) const;
  /// The holders of a slot at this address.
  Loans holdersOf(Loans Address) const;
  /// The borrowers of At, and those that the way to what Pointer, whose value At is, points to
  /// begins with, if from there on unique pointers alone lead to it; and those above them.  What
  /// hangs below that can end without them.
  llvm::SmallVector<unsigned, 2> borrowersAbove(const clang::Expr *Pointer, const Value &At) const;
  /// The borrowers that unique pointers alone lead from to where Pointer points, or that point
  /// there.
  llvm::SmallBitVector allAbove(const clang::Expr *Pointer) const;
  /// The value that this lvalue has.
  Value valueAt(const clang::Expr *Lvalue) const { return load(Lvalue); }
  /// What a copy of the value borrows.
  Loans loansOf(const Value &Of) const;

  /// Adds the borrowers that stay when the callee changes what hangs on this argument of type To,
  /// the address of a member: what they point to has another type.
  void appendOtherTypes(const clang::Expr *Argument, clang::QualType To,
                        llvm::SmallVectorImpl<unsigned> &Into) const;
  /// Adds the borrowers that surely point to nothing that hangs on this owning slot.
  void appendElsewhere(const clang::Expr *Slot, llvm::SmallVectorImpl<unsigned> &Into) const;
  /// The unique pointer in memory that has the object which Pointer points into, if only unique
  /// pointers lead there, from a variable that others cannot set; none: it is another pointer.
  std::optional<Place> slotRead(const clang::Expr *Pointer) const;
  /// The element of an array that unique pointers alone lead through to where Pointer points.
  std::optional<Place> elementOnWay(const clang::Expr *Pointer) const;

private:
  /// The borrower that the way to what Pointer points to begins with, if from there on unique
  /// pointers alone lead to it.
  std::optional<unsigned> borrowerAbove(const clang::Expr *Pointer) const;
  Value load(const clang::Expr *Lvalue) const;
  Value resultOf(const clang::CallExpr *Call) const;
  /// Whether the result of Callee, which has no word, may hang on this parameter.
  bool mayReturnPlain(const clang::FunctionDecl *Callee, unsigned Index) const;
  /// Whether the result of Callee, whose body was seen, never hangs on this parameter without a
  /// word.
  bool isKnownElsewhere(const clang::FunctionDecl *Callee, unsigned Index) const;
  Value valueOf(const clang::BinaryOperator *Operator) const;
  /// The value of a block of takenByHand.
  Value taken(const clang::StmtExpr *Block) const;
  /// A cast to Type says something of What that is not known otherwise.
  void believe(clang::QualType Type, Value &What) const;
};

/// As what the result of a call, or of a block of takenByHand, is owned; None if it is plain.
Discipline resultDiscipline(clang::ASTContext &Context, const clang::Expr *Owned);
/// Whether an object of this type has owning pointers in it.
bool hasUniqueSlots(clang::ASTContext &Context, clang::QualType Type);
/// Whether the result of this function, which may be null, may hang on what this parameter points
/// to, for all that attributes say.
bool mayHangOn(const clang::FunctionDecl *Function, unsigned Index);
/// Whether a result of such a function that is 'borrowed' may be lent by a global variable: none of
/// its parameters could lead to such an object.  Callers and the function agree on that by the type
/// and attributes alone.  Function may be null.
bool lendsGlobals(const clang::FunctionDecl *Function, clang::QualType Type);
/// The parameter type of argument Index; null for variable arguments.
clang::QualType parameterType(const clang::CallExpr *Call, unsigned Index);

} // namespace acre::ast

#endif

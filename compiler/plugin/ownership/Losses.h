/* SPDX-License-Identifier: MIT */
//===- Losses.h - Owners that are lost --------------------------*- C++ -*-===//
//
// An owner is lost where the last variable or slot that holds it is overwritten,
// ends, or is freed alone.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_LOSSES_H
#define ACRE_PLUGIN_OWNERSHIP_LOSSES_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/Value.h"

namespace acre::ast {

/// The lvalue as the source has it.
std::string textOf(clang::ASTContext &Context, const clang::Expr *Lvalue);
/// Whether this slot is an element of an array that a pointer leads to, or is in one.
bool isElement(const clang::Expr *Slot);

/// Finds what is lost.
class LossTransfer : Part {
public:
  using Part::Part;
  const clang::RecordDecl *slotsThrough(clang::QualType Pointer) const;
  /// Finds the types of which the function has arrays: of their elements nothing is known.
  void findArrays();
  /// Whether such a pointer may lead to several objects.
  bool isArray(clang::QualType Pointer) const;
  /// Whether elements of this array are moved whose numbers only the running program knows.
  bool isLoose(const clang::Decl *Array) const { return Loose.contains(Array); }
  /// Whether this slot is an element of an array that the function does not name.
  bool isMetWhole(const OwningSlots &Slots, unsigned Slot) const;
  /// The object of Owner came with what it holds.
  void noteForeign(unsigned Owner, SlotState &State) const;
  /// The number of the element that Lvalue names, of an array whose elements are met by such
  /// numbers alone.
  std::optional<uint64_t> elementAt(const SlotRange &Range, const clang::Expr *Lvalue) const;
  /// One element of an array, which Lvalue names, is set or taken.
  void setElement(const SlotRange &Range, const clang::Expr *Lvalue, bool MayBeLive);
  /// From is the address of an element behind the last that its structure counts: its slots, by way
  /// of Pointer, hold nothing.
  void noteNewElement(const clang::VarDecl *Pointer, const clang::Expr *From);
  /// Whether this is an object that others have filled.
  bool comesFilled(const Value &What) const;
  /// Slots behind parameters that are acre_out.
  void noteEmptyParameters(State &In) const;
  /// Whether these slots may hold something that an assignment to them loses.
  bool mayLose(const SlotRange &Range) const;
  void checkOverwritten(const clang::Expr *Slot, const clang::Stmt *At);
  void reportOverwritten(unsigned Owner, const clang::Stmt *At);
  /// A function puts a new object where Argument points.
  void checkFilled(const clang::Expr *Argument, const clang::Stmt *At);
  /// What a message calls this slot.
  std::string nameOfSlot(unsigned Object, unsigned Slot) const;
  /// Whether the object came to a static function, so that callers may have emptied it.
  bool isOfCallers(unsigned Object) const;
  /// An object of its own is freed alone: warns of what it owns.
  void checkEmptied(unsigned Object, const clang::Stmt *At);
  /// Taken, which was in a slot in memory, is freed alone: the same.
  void checkTakenEmptied(const clang::CallExpr *Taken, const clang::Stmt *At);
  /// What is given to this parameter, which owns it: notes what its slots may hold.
  void noteGiven(const clang::CallExpr *Call, unsigned Index, const Value &What);
  /// What, an object of this type, is dropped: warns of what it owns and no descriptor says, but
  /// for slots that are known to be null.
  void checkDropped(clang::QualType Type, const Value &What);
  /// Warns if what this owner had before realloc may be lost.
  void checkGrown(unsigned Owner);

  void appendSlotPlaces(clang::QualType Type, const Place &Whole,
                        llvm::SmallVectorImpl<Place> &Into) const;

private:
  void checkDroppedType(clang::QualType Type, llvm::DenseSet<const clang::RecordDecl *> &Seen);
  void checkDroppedField(const clang::FieldDecl *Field,
                         llvm::DenseSet<const clang::RecordDecl *> &Seen);
  /// Whether the function has put something into this structure, which it does not follow.
  bool hasFilled(const clang::Expr *Structure) const;
  /// Whether what this points to owns nothing yet when the function begins.
  bool isBegun(const clang::ParmVarDecl *Parameter) const;
  /// Whether an element is set to another one of its array, of which one was taken before: the hole
  /// moves.
  bool isShifted(const clang::Expr *Slot, const clang::Stmt *At) const;
  /// Whether From swaps an element out of this array, of which another one was taken before.
  bool fillsHole(const clang::Expr *From, const Place &Array) const;
  void findLooseArrays();

  llvm::DenseSet<const clang::RecordDecl *> Arrays;
  llvm::DenseSet<const clang::Decl *>
      Loose, ///< arrays of which elements are moved whose numbers only the running program knows
      Subscripted; ///< and all that are named here
};

} // namespace acre::ast

#endif

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

/// Finds what is lost.
class LossTransfer : Part {
public:
  using Part::Part;
  const clang::RecordDecl *slotsThrough(clang::QualType Pointer) const;
  /// Finds the types of which the function has arrays: of their elements nothing is known.
  void findArrays();
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
  /// Call sets all of what this argument points to: warns of what was there.
  void checkCleared(const clang::CallExpr *Call, const clang::Expr *Argument);
  /// What a message calls this slot.
  std::string nameOfSlot(unsigned Object, unsigned Slot) const;
  /// An object of its own is freed alone: warns of what it owns.
  void checkEmptied(unsigned Object, const clang::Stmt *At);
  /// An object of this type is dropped: warns of what it owns and no descriptor says.
  void checkDropped(clang::QualType Type, llvm::DenseSet<const clang::RecordDecl *> &Seen);
  void beginFrame(const clang::VarDecl *Variable);
  void checkFrameEnd(const clang::VarDecl *Variable, const clang::Stmt *At);
  /// Variable, a structure, is returned, with what it owns.
  void giveFrame(const clang::VarDecl *Variable, const clang::Stmt *At);
  bool makesOwners(const clang::CallExpr *Call) const;
  /// From, if it is such a call, has found a holder.
  void takeRecord(const clang::Expr *From);
  void assignRecord(const clang::BinaryOperator *Assignment);
  /// The same of a global structure. It is not followed as an object: its empty slots are known.
  void assignGlobal(const clang::Expr *Structure, const clang::Expr *From, const clang::Stmt *At);
  /// The slots of this object, from First on, get the values of a list.
  void putList(const clang::InitListExpr *List, unsigned Object, unsigned First);
  /// Whether this value was an owner that was null when a slot was set to it.
  bool wasSurelyNull(const clang::Expr *Put) const;
  /// Warns if what this owner had before realloc may be lost.
  void checkGrown(unsigned Owner);

  void appendSlotPlaces(clang::QualType Type, const Place &Whole,
                        llvm::SmallVectorImpl<Place> &Into) const;

private:
  /// A structure with owners is the result of a call.
  void fillFrame(unsigned Object);

  const clang::ArraySubscriptExpr *followedElement(const clang::Expr *Lvalue) const;
  void findLooseArrays();

  llvm::DenseSet<const clang::RecordDecl *> Arrays;
  llvm::DenseSet<const clang::Decl *>
      Loose, ///< arrays of which elements are moved whose numbers only the running program knows
      Subscripted; ///< and all that are named here
};

} // namespace acre::ast

#endif

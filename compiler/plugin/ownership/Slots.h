/* SPDX-License-Identifier: MIT */
//===- Slots.h - Owning slots of objects that are followed ------*- C++ -*-===//
//
// Which slots of an object are set, and which local pointers have the addresses
// of owners.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_SLOTS_H
#define ACRE_PLUGIN_OWNERSHIP_SLOTS_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/Value.h"
#include "clang/AST/Expr.h"

namespace acre::ast {

/// Sets and uses the owning slots of objects.
class SlotTransfer : Part {
public:
  using Part::Part;
  void findObjects();
  std::optional<unsigned> objectOfRoot(unsigned Root) const;
  /// The structure without a name that this object is, or null.
  const clang::CompoundLiteralExpr *literal(unsigned Object) const;
  /// The slots of what this pointer points to, or of this lvalue, if the object that they are in is
  /// certain.
  std::optional<SlotRange> slotsBehind(const clang::Expr *Pointer) const;
  std::optional<SlotRange> slotsAt(const clang::Expr *Lvalue) const;
  /// Reports the first of these slots that may not be set yet.
  void useSlots(const SlotRange &Range, const clang::Stmt *At);
  void useSlotsAt(const clang::Expr *Lvalue);
  /// Whether this slot is null in this state, whatever calls have done.
  bool isNull(const State &In, const clang::Expr *Lvalue) const;
  /// Whether it is one object, that nobody else can reach.
  bool isFollowedAlone(unsigned Object) const;
  /// What Taken took is dropped, if that was of an owner.
  void useTaken(const clang::Expr *Taken, const clang::Stmt *At);
  void useObject(unsigned Object, const clang::Stmt *At);
  /// The lvalue is set, and may own something from now on. IsTaken: what was there was, and null is
  /// left.
  void setSlotsAt(const clang::Expr *Lvalue, bool MayBeLive, bool IsTaken = false);
  void setSlotsBelow(const Loans &Of);
  /// The address of this slot is given to a callee, which may set it; FilledBy: the call if it
  /// does, or null.  MayFill: it is known that an owner may be there then.
  void lendSlot(const clang::Expr *Lvalue, const clang::CallExpr *FilledBy, bool MayFill);
  /// An owner has another object; a local variable begins.
  void beginObject(unsigned Owner, const clang::Expr *From, const Value &What);
  /// A callee that was given the owner's address may have put another object there.
  void replaceObject(unsigned Owner);
  /// A local pointer gets the addresses of owners: they are loans.
  void keepCells(const clang::Expr *From, const Value &What, Loans &Kept);
  /// What is at this address has another value: that of the owners that it may be the cell of.
  /// Conditions: of the new value.
  void changeCells(const Loans &Address, llvm::ArrayRef<unsigned> Except, const clang::Stmt *At,
                   unsigned char Conditions = OwnerState::Null | OwnerState::Live);
  /// Whether From is the address of an owner, or of a slot, that is null.
  bool pointsToEmpty(const clang::Expr *From) const;
  /// Whether this field of the object that the owner has, or had last, holds nothing that the
  /// function has put there, or that was there when it came.
  bool isEmptyIn(unsigned Owner, const clang::FieldDecl *Field) const;
  /// Adds the slots of From's object that are null where it is moved to Slot.
  void appendEmptied(const clang::Expr *Slot, const clang::Expr *From, const Value &What,
                     llvm::SmallVectorImpl<Place> &Into) const;

  /// Lvalue is set to Put: if it is a member of a union that shares bytes with owners, these end.
  void overlay(const clang::Expr *Lvalue, const clang::Expr *Put, const clang::Stmt *At);
  /// The same of an initializer of the object that Range is in.
  void overlayList(const clang::InitListExpr *List, const SlotRange &Range);

private:
  /// Swap takes an object of this type, with these slots, out of another one of it: in lists and
  /// trees, what it leads to is not empty unless that is known.
  void keepLinks(SlotState &State, const clang::CallExpr *Swap, clang::QualType Type) const;
  bool isEmpty(unsigned Owner, const clang::Expr *From) const;
  void noteUnset(unsigned Object);
  std::optional<SlotRange> slotsBeside(const clang::MemberExpr *Member) const;
  /// Finds what alloca makes for one object of a type with slots.
  void findMade();
  clang::QualType typeOfObject(unsigned Object) const;
};

} // namespace acre::ast

#endif

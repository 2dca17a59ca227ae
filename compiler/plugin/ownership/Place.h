/* SPDX-License-Identifier: MIT */
//===- Place.h - Slots named by the way to them -----------------*- C++ -*-===//
//
// p->part.name, *tail, table[3]: a variable, and the members, elements and
// pointers that lead from it to a slot.  Two places that are the same way are
// the same slot, as long as the variables that they name keep their values.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_PLACE_H
#define ACRE_PLUGIN_OWNERSHIP_PLACE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class Decl;
class Expr;
class FieldDecl;
class QualType;
class Stmt;
class VarDecl;
} // namespace clang

namespace acre::ast {

/// A slot of an object itself, not below it, or a part of the object with several: the type of the
/// object, or the global variable that it is, and where the part lies in it, in bits. An element
/// whose number is no constant is the whole array. Without an object it may be any slot.
struct OwnSlot {
  const clang::Decl *Object = nullptr;
  int64_t Offset = 0, Size = 0;

  bool operator==(const OwnSlot &Other) const = default;
  /// Whether it is surely another one. Another type may have another field at the same place.
  bool isApartFrom(const OwnSlot &Other) const;
  /// Whether all of Other is in it.
  bool contains(const OwnSlot &Other) const;
};

class Place {
public:
  /// A member, an element, or if neither is set what a pointer points to.
  struct Step {
    const clang::FieldDecl *Member = nullptr;
    const clang::Expr *Element = nullptr;
    long Offset = 0; ///< to be added to the number of the element
  };

  explicit Place(const clang::VarDecl *Base) : Base(Base) {}
  /// The element with this number.
  static Step element(const clang::Expr *Number);
  /// The place that Lvalue is; none if its way leads through anything else.
  static std::optional<Place> of(const clang::Expr *Lvalue);
  /// The place that this pointer points to.
  static std::optional<Place> behind(const clang::Expr *Pointer);
  /// The same of an argument, which may be converted to another type of pointer.
  static std::optional<Place> lentBy(const clang::Expr *Argument);

  Place then(Step Next) const;
  Place dereferenced() const { return then({}); }
  const clang::VarDecl *base() const { return Base; }

  bool operator==(const Place &Other) const;
  /// Null if that is not known.
  clang::QualType type() const;
  /// Whether the way names a variable of which this holds.
  bool names(llvm::function_ref<bool(const clang::VarDecl *)> IsIt) const;
  /// Counter has grown by Change.  False: that cannot be said of the place as it is written.
  bool count(const clang::VarDecl *Counter, long Change);
  /// The same place, where Other is equal to Number, by way of that; none: Number is not named.
  std::optional<Place> renamed(const Step &Number, const Step &Other) const;
  /// The same slot by way of To, which is the same place as From; none: the way does not lead
  /// through From.
  std::optional<Place> rebased(const Place &From, const Place &To) const;
  /// The numbers of elements that the way names, without what is added to them.
  llvm::SmallVector<const clang::Expr *, 2> numbers() const;
  /// The first step of the way to an element; there is one.
  Step element() const;
  /// The array, or what a pointer points to, that the way names an element of first.
  std::optional<Place> array() const;
  /// Whether it is, or lies in, an element of that array, unless numbers on the way differ.
  bool mayBeIn(const Place &Array) const;
  /// Whether what this slot has may end with what Other has, where unique pointers alone lead to
  /// both: not if the ways part at two members of a structure, or this is on the way to Other.
  bool mayHangOn(const Place &Other) const;
  /// Whether this may be another slot, or be reached by another way, when Written has a new value.
  bool mayChangeWith(const Place &Written) const;
  /// The part of the global or local variable, or of what the pointer points to, that the way leads
  /// through before it follows a pointer there.
  OwnSlot part() const;

  /// Whether it is a global variable, or a part of one that no pointer leads to.
  bool isInGlobal() const;
  bool isMember() const { return member() != nullptr; }
  /// The member that it is; null if it is none.
  const clang::FieldDecl *member() const { return Steps.empty() ? nullptr : Steps.back().Member; }
  /// Whether it is a variable, or a member of one that no pointer and no element leads to.
  bool isInVariable() const;
  /// Whether it is in the object that its pointer points to, and not below that.
  bool isInPointee() const;
  /// Whether the way leads through a plain pointer in memory.
  bool isBehindPlain() const;
  /// Whether it is an element of an array in the object that its pointer points to.
  bool isElementWithin() const;
  /// Whether the way leads through a union.
  bool isInUnion() const;
  /// What a message calls it.
  std::string text() const;

private:
  bool isApartFrom(const Place &Other) const;

  const clang::VarDecl *Base;
  llvm::SmallVector<Step, 4> Steps;
};

/// Whether both are, or lead through, elements of one array that are surely not the same one.
bool areInOtherElements(const Place &One, const Place &Other);
bool areWrittenAlike(const clang::ASTContext &Context, const clang::Expr *One,
                     const clang::Expr *Other);
/// Whether Node names a variable of which this holds.
bool doesName(const clang::Stmt *Node, llvm::function_ref<bool(const clang::VarDecl *)> IsIt);

} // namespace acre::ast

#endif

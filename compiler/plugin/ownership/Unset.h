/* SPDX-License-Identifier: MIT */
//===- Unset.h - Owning slots of objects that may not be set yet *- C++ -*-===//
//
// A local structure, and what malloc returns, have owning slots that hold
// anything until they are set.  They are numbered within each type in the order
// of its fields; the elements of an array are one slot, and so are the members
// of a union: which of them is meant, only the running program knows.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_UNSET_H
#define ACRE_PLUGIN_OWNERSHIP_UNSET_H

#include "clang/AST/Type.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FieldDecl;
} // namespace clang

namespace acre::ast {

/// The owning slots of one type.
struct OwningSlots {
  std::vector<std::string> Paths; ///< from the object: ".name", ".part.inner", ".table[...]"
  llvm::SmallBitVector
      Many; ///< by slot: it stands for several, of which one may be set and another not
  llvm::SmallBitVector Elements;                 ///< by slot: those are elements of an array
  std::vector<const clang::FieldDecl *> Holders; ///< by slot: the member that is that array
  std::vector<unsigned> Unions; ///< by slot: the number of the union that it is in, or 0

  unsigned count() const { return Paths.size(); }
};
OwningSlots owningSlots(clang::ASTContext &Context, clang::QualType Type);
/// The number of the first slot of Field within its structure.
unsigned firstSlotOf(clang::ASTContext &Context, const clang::FieldDecl *Field);

/// What is known of one slot, as bits that only grow where paths join.
struct SlotFacts {
  bool Bit = false; ///< SlotState's: what it says depends on the slot
  bool MayBeLive = false, MayBeForeign = false, MayBeOther = false; ///< MayBeOther: than null
  uint64_t Parts = 0;

  bool operator==(const SlotFacts &Other) const = default;
  SlotFacts operator|(const SlotFacts &Other) const;
  SlotFacts operator&(const SlotFacts &Other) const;
  bool isWithin(const SlotFacts &Other) const { return (*this & Other) == *this; }
};

/// What is known of the slots of one object, as bits that only grow where paths join: of a single
/// slot that it may be unset, of one that stands for several that some may be set.
class SlotState {
public:
  static SlotState unset(const OwningSlots &Slots);
  static SlotState set(const OwningSlots &Slots);
  /// Of an object that is all zeros, or of none.
  static SlotState null(const OwningSlots &Slots);

  bool join(const SlotState &Other);
  bool mayBeUnset(const OwningSlots &Slots, unsigned Slot) const {
    return Bits.test(Slot) != Slots.Many.test(Slot);
  }
  bool mayBeUnset(const OwningSlots &Slots) const { return Bits != Slots.Many; }
  /// IsSet: false if what these held has ended, and nothing that owns is there now.
  void set(const OwningSlots &Slots, unsigned First, unsigned Count, bool IsSet = true);
  /// Whether these slots may hold something that the function has put there.
  bool mayBeLive(unsigned Slot) const {
    return (Slot < Live.size() && Live.test(Slot)) || (Slot < Parts.size() && Parts[Slot]);
  }
  /// Whether this slot is null on every path.
  bool isNull(unsigned Slot) const { return Slot < Null.size() && Null.test(Slot); }
  void setNull(unsigned Slot, bool IsNull = true);
  /// These have a new value, which the function gave them.
  void setLive(unsigned First, unsigned Count, bool MayBeLive);
  /// The same of a slot of a union, whose other members have ended.
  void setMember(const OwningSlots &Slots, unsigned Slot, bool MayBeLive);
  /// The number of an element that is any.
  static constexpr uint64_t AnyElement = ~uint64_t(0);
  /// The same of one element of an array; none: which one is not known.
  void setElement(unsigned Slot, std::optional<uint64_t> Index, bool MayBeLive);
  /// Whether this element may, and which one it is, is known.
  bool mayBeLive(unsigned Slot, uint64_t Element) const {
    return Slot < Parts.size() && Element < MostParts - 1 && (Parts[Slot] >> Element & 1);
  }
  /// This call was given the address of the slot, or of this element, to put an owner there.
  void setFilledBy(unsigned Slot, const clang::CallExpr *Call,
                   std::optional<uint64_t> Element = std::nullopt);
  bool isFilledBy(const clang::CallExpr *Call) const;
  /// The call has failed: it has put nothing there.
  void emptyFilledBy(const clang::CallExpr *Call);
  /// Whether this slot may hold what it did when the function got the object.
  bool mayBeForeign(unsigned Slot) const { return Slot < Foreign.size() && Foreign.test(Slot); }
  void setForeign(const OwningSlots &Slots);
  void setForeign(unsigned Slot);
  SlotFacts facts(unsigned Slot) const;
  /// No more is so of this slot than these say.
  void restrict(unsigned Slot, const SlotFacts &To);
  unsigned count() const { return Bits.size(); }
  /// This slot is as it was before.
  void restore(const SlotState &Before, unsigned Slot);
  /// It may hold something if it might before; whether it was set is left as it is.
  void restoreLive(const SlotState &Before, unsigned Slot);

private:
  static constexpr unsigned MostParts = 64;

  llvm::SmallBitVector Bits, Live, Foreign, Null;
  /// The call that was given an address to fill, and the element that it is of, if it is of one.
  struct Filler {
    const clang::CallExpr *Call = nullptr;
    std::optional<uint64_t> Element;
    bool operator==(const Filler &Other) const = default;
  };
  llvm::SmallVector<Filler, 1> FilledBy; ///< by slot
  llvm::SmallVector<uint64_t, 1>
      Parts; ///< by slot: the elements that are live, the last for all others
};

/// Some slots of an object that is followed: that of an owner, or a local structure or array.
struct SlotRange {
  unsigned Object;
  unsigned First, Count;
};

/// Whether Call returns one new object of this type with nothing in it.
bool makesUnset(clang::ASTContext &Context, const clang::Expr *Call, clang::QualType Type);

} // namespace acre::ast

#endif

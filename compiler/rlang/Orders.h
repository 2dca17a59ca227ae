/* SPDX-License-Identifier: MIT */
//===- Orders.h - Implication between properties, decided -------*- C++ -*-===//
//
// The theory: <= is a partial order, every region is <= top, and RT is not top.
// Order is a conjunction of atoms in that theory, Orders a disjunction of such.
//
// Why this decides it.  The axioms are Horn clauses, so a conjunction of a <= b's
// has a least model: their closure.  Together with some !(a <= b)'s it can be
// satisfied exactly if the closure contains none of the a <= b's denied.
// Disjunctions are split.  Leaving a region out of a saturated conjunction is
// exact too: whatever satisfies the rest can be extended by a new region just
// above all that had to be below it.
//
// Invariant of Order: it can be satisfied, and each atom that it implies is
// present.  Invariant of Orders: no member implies another.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_ORDERS_H
#define ACRE_RLANG_ORDERS_H

#include "BitMatrix.h"
#include "Formula.h"

#include <algorithm>

namespace acre::rlang {

class Order {
public:
  explicit Order(unsigned Size);

  /// Adds an atom; false if that leaves no model, and then the object may only be destroyed or
  /// assigned to.
  [[nodiscard]] bool assume(const Formula &Atom);
  bool implies(const Formula &F) const;
  /// Whether F is true whatever the atoms are that this says nothing of: cheaper, and exact for
  /// atoms.
  bool decides(const Formula &F) const;
  void forget(RegionId Id);
  /// Keeps what Other says too.
  void weaken(const Order &Other);
  bool isWeakerThan(const Order &Other) const;
  /// Whether this holds when region number I is the one that Value(I) gives and LessEqual is the
  /// order of these.
  template <class Test> bool holds(Test &&LessEqual) const {
    for (RegionId A = 0; A < Size; ++A)
      for (RegionId B = 0; B < Size; ++B)
        if ((Below.test(A, B) && !LessEqual(A, B)) || (NotBelow.test(A, B) && LessEqual(A, B)))
          return false;
    return true;
  }

private:
  unsigned Size;
  BitMatrix Below, NotBelow; // row a, column b: a <= b, !(a <= b)
};

class Orders {
public:
  explicit Orders(unsigned Size) : Size(Size), Members{Order(Size)} {}

  bool isUnreachable() const { return Members.empty(); }
  void makeUnreachable() { Members.clear(); }
  void assume(const Formula &F);
  bool implies(const Formula &F) const;
  void forget(RegionId Id);
  /// Becomes the disjunction of both; whether that changed it.
  bool join(const Orders &Other);
  template <class Test> bool holds(Test &&LessEqual) const {
    for (const Order &Each : Members)
      if (Each.holds(LessEqual))
        return true;
    return false;
  }

private:
  /// Beyond so many members they are replaced by what all of them say: each costs memory, and
  /// splits in every later step.  The constraint sets that Knowledge keeps beside this stay as they
  /// are.
  size_t mostMembers() const {
    return std::clamp<size_t>((size_t(1) << 18) / (size_t(Size) * Size), 1, 128);
  }

  bool add(Order New);
  void limit();

  unsigned Size;
  std::vector<Order> Members;
};

} // namespace acre::rlang

#endif

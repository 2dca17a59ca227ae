/* SPDX-License-Identifier: MIT */
//===- Heap.h - The paper's heap model --------------------------*- C++ -*-===//
//
// Section 4.1: a heap is a set of regions under a partial order, each with
// objects that have named fields; a pointer is null, or points to an object, or
// to a region; the region of null is top, above every other.
//
// Invariant: a region keeps its number and its place in the order for ever, so
// an abstract region may stand for one that is deleted; but no reachable pointer
// leads there.  An object remembers the regions that its structure's parameters
// stood for, which a real heap does not store: only consistency needs them.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_HEAP_H
#define ACRE_RLANG_HEAP_H

#include "Formula.h"

#include <optional>

namespace acre::rlang {

struct Value {
  enum Kind { Null, Region, Object };
  Kind K = Null;
  unsigned Index = 0; // of the region or the object
};

struct Object {
  const Struct *Layout;
  RegionId In;
  std::vector<RegionId> Arguments; // what Layout->Parameters stand for
  std::vector<Value> Fields;
};

class Heap {
public:
  /// Without a parent only top is above it.  Numbers agree with Formula's: 0 is top, 1 the
  /// traditional region.
  RegionId newRegion(RegionId Parent = TopId);
  Value newObject(Object New);

  Object &object(Value V) { return Objects[V.Index]; }
  const Object &object(Value V) const { return Objects[V.Index]; }
  const std::vector<Object> &objects() const { return Objects; }
  RegionId regions() const { return static_cast<RegionId>(Regions.size()); }
  size_t liveRegions() const;

  RegionId regionOf(Value V) const;
  bool isDeleted(RegionId Id) const { return Regions[Id].IsDeleted; }
  bool isLessEqual(RegionId Low, RegionId High) const;
  bool holds(const Formula &F) const;
  bool holds(const Property &P, const Scope &S) const { return holds(resolve(P, S)); }

  /// Why Id may not be deleted as far as the heap is concerned; empty if it may.
  std::string whyNotDeletable(RegionId Id) const;
  void deleteRegion(RegionId Id);

  /// What T's abstract regions stand for if V is of type T, in addition to S; nothing if V cannot
  /// be.
  std::optional<Scope> instantiate(Value V, const Type &T, Scope S) const;

private:
  struct RegionState {
    RegionId Parent = TopId;
    bool IsDeleted = false;
  };

  std::optional<Scope> instantiateFrom(Value V, const Type &T, Scope S, size_t Index) const;
  bool isBase(Value V, const Type &T, const Scope &S) const;

  std::vector<RegionState> Regions = {{}, {}};
  std::vector<Object> Objects;
};

} // namespace acre::rlang

#endif

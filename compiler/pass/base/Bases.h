/* SPDX-License-Identifier: MIT */
//===- Bases.h - Which value keeps the object of a pointer ------*- C++ -*-===//
//
// A pointer is loaded, passed, returned, or computed from one that was.  The
// first kind is exact: it is what the source has in a variable, so it points
// into its object.  The second kind is derived, and its base is the exact
// pointer that it was computed from.  Address arithmetic may be regrouped at
// will, so that what a register holds of a derived pointer is outside the object.
//
// Where derived pointers of different bases meet, in a phi or a select, their
// bases are made to meet beside them, as RewriteStatepointsForGC does it.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_BASES_H
#define ACRE_PASS_BASES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"

namespace acre {

class Bases {
public:
  /// Adds to F the phis and selects in which bases meet.
  Bases(llvm::Function &F, const llvm::DominatorTree &Tree);

  /// The base of a pointer or vector of pointers, V itself if it is exact.  Null if no allocated
  /// object is behind it.
  llvm::Value *of(llvm::Value *V) const;

  /// The base of an integer that was computed from one pointer, or null.
  llvm::Value *ofInteger(llvm::Value *V) const;

  /// Whether V is Base, or lies a constant distance behind it: a register then holds one of them,
  /// or what is between.
  bool isWithin(llvm::Value *V, llvm::Value *Base) const;

  /// What V, a base that was put together (of integers, or of elements of a vector), was made of.
  llvm::SmallVector<llvm::Value *, 4> originsOf(llvm::Value *V) const;

private:
  /// What a phi or select has: not known yet, the one base of all its inputs (One), or different
  /// ones.
  struct Meeting {
    llvm::Value *One = nullptr;
    bool HasSeveral = false;
    bool IsWhole =
        true; ///< what it holds is in an object, since all inputs are: it needs no companion
  };
  llvm::Value *resolve(llvm::Value *V) const;
  Meeting meet(llvm::Instruction &Merge) const;
  bool isWhole(llvm::Value *Input) const;
  void solve();
  void findWhole();
  void addCompanions();
  void addOrigins(llvm::Value *Integer, llvm::SmallVectorImpl<llvm::Value *> &Found,
                  llvm::SmallPtrSetImpl<llvm::Value *> &Seen) const;

  const llvm::DominatorTree &Tree;
  llvm::SmallVector<llvm::Instruction *, 16> Merges;
  llvm::DenseMap<llvm::Instruction *, Meeting> Meetings;
  llvm::DenseMap<llvm::Instruction *, llvm::Value *> Companions;
  mutable llvm::DenseMap<llvm::Value *, llvm::Value *> Integers;
};

/// Whether V is a pointer, or a vector of them, in the address space of objects.
bool isObjectPointer(const llvm::Value *V);

} // namespace acre

#endif

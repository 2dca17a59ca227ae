/* SPDX-License-Identifier: MIT */
//===- PatchPoints.h - Stores that the runtime turns into barriers ---*- C++ -*-===//
//
// In a unit that names no region a store of a pointer needs its barrier only if
// some other unit makes a region.  So the store alone is emitted, and where it
// lies is written to a table: a *patch point*.  When the process makes its first
// region, the runtime puts a jump to a barrier in the place of each such store
// (runtime/counting/patch.h).  Until then a point costs nothing but the table.
//
// Invariant: a point is one instruction of at least five bytes, the length of a
// jump, that changes no register; a barrier there may change all registers that
// the point's inline assembly names as clobbered, and no other; and all points of
// a function are in one section.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_PATCHPOINTS_H
#define ACRE_PASS_PATCHPOINTS_H

#include "pass/base/RuntimeABI.h"

namespace acre {

class PatchPoints {
public:
  explicit PatchPoints(RuntimeABI &Runtime) : ABI(Runtime) {}

  /// Whether F may have points: the target has them, and nothing else is to see its stores.
  static bool mayBeIn(const llvm::Function &F);
  /// Whether I is a point.
  static bool isPoint(const llvm::Instruction &I);
  /// Bytes of the one part of a word that may be stored by a point.
  static constexpr uint64_t HalfSize = 4;
  /// Makes a point of the store that Barrier, an acre_rt_store or an acre_rt_rescan of an aligned
  /// word or half, is about.  Both are gone then; false if none can be one.
  bool replace(llvm::CallInst &Barrier);

  /// Likewise of Release, an acre_rt_release in a frame without pins.
  bool replaceRelease(llvm::CallInst &Release);

  struct Table;

private:
  void makePoint(llvm::IRBuilder<> &B, const Table &In, const llvm::Twine &Entry,
                 llvm::StringRef Instruction, llvm::StringRef Constraints, llvm::Type *Memory,
                 llvm::ArrayRef<llvm::Value *> Operands);
  void beginTable(llvm::Function &F, const Table &In);
  void emit(llvm::StoreInst &Store, const llvm::CallInst &Barrier);
  void emitPair(llvm::StoreInst &Store, uint64_t Looked);
  void registerOnce();

  RuntimeABI &ABI;
};

} // namespace acre

#endif

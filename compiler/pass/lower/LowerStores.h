/* SPDX-License-Identifier: MIT */
//===- LowerStores.h - Inline tests of single stores ------------*- C++ -*-===//
//
//   acre_rt_store   if a parameter points to the slot: the slot is not in an uncounted frame;
//                   value in a region that is not the slot's, by page or page map, or the slot's
//                   line has records
//
#ifndef ACRE_PASS_LOWERSTORES_H
#define ACRE_PASS_LOWERSTORES_H

#include "pass/lower/Guards.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace acre {

class StoreLowering {
public:
  explicit StoreLowering(Guards &Shared) : Guard(Shared) {}

  /// Adds Store, which stands behind all that were added, to the last group if it can be tested
  /// together with that.
  void add(llvm::CallInst &Store);
  void run();

private:
  using Group = llvm::SmallVector<llvm::CallInst *, 4>;

  void lowerStore(llvm::CallInst &Call);
  llvm::GlobalVariable *placeOf(const llvm::Value &Slot);
  void callGlobal(llvm::IRBuilder<> &B, const llvm::CallInst &Store, llvm::GlobalVariable &Place);
  void lowerFreshStore(llvm::CallInst &Call);
  void testValue(llvm::IRBuilder<> &B, const llvm::CallInst &Store, llvm::BasicBlock *Line,
                 llvm::BasicBlock *Far, llvm::BasicBlock *Done);
  void lowerActive(llvm::ArrayRef<llvm::CallInst *> Group);
  void lowerStores(llvm::ArrayRef<llvm::CallInst *> Group);
  void lowerCleared(llvm::ArrayRef<llvm::CallInst *> Group);
  bool belongsTo(llvm::ArrayRef<llvm::CallInst *> Group, const llvm::CallInst &Barrier) const;

  Guards &Guard;
  llvm::SmallVector<Group, 4> Groups;
  llvm::SmallPtrSet<const llvm::CallInst *, 16> Fresh; ///< barriers of slots that have no record
};

} // namespace acre

#endif

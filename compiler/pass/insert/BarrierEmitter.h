/* SPDX-License-Identifier: MIT */
//===- BarrierEmitter.h - The calls that keep records -----------*- C++ -*-===//
#ifndef ACRE_PASS_BARRIEREMITTER_H
#define ACRE_PASS_BARRIEREMITTER_H

#include "pass/base/RuntimeABI.h"

namespace acre {

class BarrierEmitter {
public:
  explicit BarrierEmitter(RuntimeABI &Runtime) : ABI(Runtime) {}

  /// V if it may point into a region, null otherwise.  The runtime does the same with both, but
  /// null costs less.
  llvm::Value *windowValue(llvm::IRBuilder<> &B, llvm::Value *V);
  /// At B: New may be stored in Slot, an annotated one of this rule.
  void check(llvm::IRBuilder<> &B, llvm::Value *Slot, llvm::Value *New, SlotRule Rule,
             llvm::Constant *Where);
  /// New is in Slot once I has completed.
  void storeAfter(llvm::Instruction &I, llvm::Value *Slot, llvm::Value *New);
  /// -facre-sites: the same, of a slot that is not counted now.
  void noteAfter(llvm::Instruction &I, llvm::Value *Slot, llvm::Value *New);
  /// What is in Slot then, only memory knows.
  void rereadAfter(llvm::Instruction &I, llvm::Value *Slot);
  /// Size bytes at Address have been overwritten then.  Known: how Address is aligned, which
  /// lowering makes use of.
  void rescanAfter(llvm::Instruction &I, llvm::Value *Address, llvm::Value *Size,
                   llvm::Align Known = llvm::Align());
  /// The same by what is no pointer.
  void releaseAfter(llvm::Instruction &I, llvm::Value *Address, llvm::Value *Size);
  /// At B: a barrier of a range.
  llvm::CallInst *range(llvm::IRBuilder<> &B, Entry E, llvm::ArrayRef<llvm::Value *> Arguments);

  /// How many barriers and checks were emitted.
  unsigned count() const { return Count; }

private:
  void notePlace(llvm::IRBuilder<> &B, llvm::Value *Slot, llvm::Value *Stored);
  void notePlaces(llvm::IRBuilder<> &B, llvm::Value *Address, llvm::Value *Size);
  /// The last argument of Call, which has just been put, becomes the place and the name of Slot.
  void setPlace(llvm::CallInst &Call, llvm::Value *Slot);

  RuntimeABI &ABI;
  unsigned Count = 0;
};

} // namespace acre

#endif

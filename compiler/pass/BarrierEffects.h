//===- BarrierEffects.h - What barriers may be moved past -------*- C++ -*-===//
//
// Records have to agree with memory only when somebody looks: a region is
// deleted or counted, a frame pinned, another thread told to go on.  Until then
// a barrier may be late, or be left out if a later one sets the same record.
// A signal handler may neither delete nor allocate, so it does not look.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_BARRIEREFFECTS_H
#define ACRE_PASS_BARRIEREFFECTS_H

#include "RuntimeABI.h"
#include "llvm/IR/Instructions.h"

namespace acre {

/// Whether I is a call of E.
bool isCallOf(const llvm::Instruction &I, Entry E);

/// Whether I can see, or let other code see, whether records agree with memory.
bool mayObserveRecords(const llvm::Instruction &I);

/// Whether I is a barrier of a range, or of what a slot holds then: it may be about any slot.
bool isRangeBarrier(const llvm::Instruction &I);

/// Base plus Offset.
struct SlotAddress {
  const llvm::Value *Base;
  int64_t Offset;

  bool operator==(const SlotAddress &Other) const { return Base == Other.Base && Offset == Other.Offset; }
};
SlotAddress slotAddress(const llvm::Value &Slot, const llvm::DataLayout &DL);

} // namespace acre

#endif

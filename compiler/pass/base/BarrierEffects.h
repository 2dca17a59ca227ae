/* SPDX-License-Identifier: MIT */
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

#include "pass/base/RuntimeABI.h"
#include "llvm/IR/Instructions.h"

namespace acre {

/// The entry point of the runtime that I calls, if it calls one.
std::optional<Entry> entryOf(const llvm::Instruction &I);
/// Whether I is a call of E.
bool isCallOf(const llvm::Instruction &I, Entry E);

/// Whether I can see, or let other code see, whether records agree with memory.
bool mayObserveRecords(const llvm::Instruction &I);

/// Whether I is the barrier of a copy whose last arguments are a type and where it stands.
bool isTypedRescan(const llvm::Instruction &I);
/// Whether I is a barrier of a range, or of what a slot holds then: it may be about any slot.
bool isRangeBarrier(const llvm::Instruction &I);

/// Base plus Offset.
struct SlotAddress {
  const llvm::Value *Base;
  int64_t Offset;

  bool operator==(const SlotAddress &Other) const {
    return Base == Other.Base && Offset == Other.Offset;
  }
};
SlotAddress slotAddress(const llvm::Value &Slot, const llvm::DataLayout &DL);

/// Whether U only gives an address to a function of the program that reads there and forgets it, as
/// strlen does.
bool isLentForReading(const llvm::Use &U);

/// Whether the slot of Store, a call of acre_rt_store, lies in an object that was allocated in the
/// function, and on no way from there anything can have been counted in that slot: it has no
/// record.
bool isFreshSlot(const llvm::CallInst &Store);

} // namespace acre

#endif

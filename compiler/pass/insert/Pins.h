/* SPDX-License-Identifier: MIT */
//===- Pins.h - Locals that are live across a deleting call -----*- C++ -*-===//
#ifndef ACRE_PASS_PINS_H
#define ACRE_PASS_PINS_H

#include "pass/base/AddressUses.h"
#include "pass/base/Markers.h"
#include "pass/insert/PinnedValues.h"

namespace acre {

/// Pins, around each call that may delete, what is live after it.  Returns how many values are
/// pinned.
unsigned insertPins(llvm::Function &F, RuntimeABI &ABI, AddressUses &Addresses,
                    const VariableNames &Names);

/// Marks the pin list before each setjmp and unwinds to the mark at each of its returns.
void insertUnwinds(llvm::Function &F, RuntimeABI &ABI);

} // namespace acre

#endif

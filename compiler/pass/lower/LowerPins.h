/* SPDX-License-Identifier: MIT */
//===- LowerPins.h - Pins in line -------------------------------*- C++ -*-===//
#ifndef ACRE_PASS_LOWERPINS_H
#define ACRE_PASS_LOWERPINS_H

#include "pass/base/RuntimeABI.h"

namespace acre {

/// Makes the pins of F in line where acre/abi.h (acre_rt_pins) allows that.
void lowerPins(llvm::Function &F, RuntimeABI &ABI);

} // namespace acre

#endif

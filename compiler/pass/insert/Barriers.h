/* SPDX-License-Identifier: MIT */
//===- Barriers.h - Records follow every pointer that reaches memory -*- C++
//-*-===//
//
// After insertBarriers, every instruction that can put a pointer in memory that
// is no private stack object is followed by the call that makes the records
// agree, or preceded by the check of its annotated slot.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_BARRIERS_H
#define ACRE_PASS_BARRIERS_H

#include "pass/base/Markers.h"
#include "pass/base/StackObjects.h"

namespace acre {

/// Returns how many barriers and checks were inserted.
unsigned insertBarriers(llvm::Function &F, RuntimeABI &ABI, const StackObjects &Stack,
                        const MarkerFacts &Facts);

} // namespace acre

#endif

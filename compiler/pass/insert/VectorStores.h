/* SPDX-License-Identifier: MIT */
//===- VectorStores.h - Barriers of vectors of numbers ----------*- C++ -*-===//
//
// Programs copy memory in vectors, whatever is in it, so a store of a vector has
// a barrier.  One that stores what was computed stores no pointer: that shows
// when intrinsics are inlined and locals are values.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_VECTORSTORES_H
#define ACRE_PASS_VECTORSTORES_H

#include "llvm/IR/Instructions.h"

namespace acre {

/// Whether a store right before Rescan filled all of its range with results of arithmetic.
bool isOfComputedNumbers(const llvm::CallInst &Rescan);

} // namespace acre

#endif

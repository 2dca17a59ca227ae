/* SPDX-License-Identifier: MIT */
//===- PoolCalls.h - Regions for the program's own pools --------*- C++ -*-===//
//
// Puts the runtime's part around the calls that a map of pools names
// (-facre-pools).  The program's function still runs where it makes or ends a
// pool, and wherever the runtime does not know the pool; else what it would
// allocate comes from the pool's region.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_POOLCALLS_H
#define ACRE_PASS_POOLCALLS_H

#include "pass/base/Markers.h"
#include "pass/base/RuntimeABI.h"

namespace acre {

/// To be done before barriers are inserted, because it makes new control flow.
void insertPoolCalls(RuntimeABI &ABI, llvm::ArrayRef<PoolCall> Calls);

} // namespace acre

#endif

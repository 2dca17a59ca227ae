/* SPDX-License-Identifier: MIT */
//===- FreshLocals.h - Parts of locals that are copied unset ----*- C++ -*-===//
//
// A structure may be copied whole before all of its members are set.  What is
// copied then is what an earlier call left in the frame, and where it looks like
// a pointer it would be counted, or fail the check of an annotated slot.  So the
// parts of a local that may hold pointers, and may be copied before they are
// set, are null at the begin of its life.  What the program sets after all is
// removed again as a dead store.  A unit that names no region does that with
// larger parts only once the process has had a region.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_FRESHLOCALS_H
#define ACRE_PASS_FRESHLOCALS_H

#include "pass/base/AddressUses.h"
#include "pass/base/RuntimeABI.h"

namespace acre {

/// Fills such parts of F's locals and of its result in memory.  Returns how many locals there were.
unsigned freshenLocals(llvm::Function &F, AddressUses &Addresses, RuntimeABI &ABI);

} // namespace acre

#endif

/* SPDX-License-Identifier: MIT */
//===- SplitCleanups.h - One cleanup for each way out -----------*- C++ -*-===//
//
// The front end makes one block for the cleanup of a scope, stores before it
// which way leads on from it, and switches on that behind it.  In that block
// all that any of the ways needs would count as needed: a return out of a
// scoped region would find locals alive that only the code behind the scope
// uses.  So each way gets a copy of the cleanups on it, of those that delete
// nothing too: behind them the ways part.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_SPLITCLEANUPS_H
#define ACRE_PASS_SPLITCLEANUPS_H

namespace llvm {
class Function;
} // namespace llvm

namespace acre {

/// Returns whether F, which may delete, changed.  To be run on what the front end made, before
/// variables become values. Cleanups that branch inside, or are too large, stay as they are.
bool splitCleanups(llvm::Function &F);

} // namespace acre

#endif

/* SPDX-License-Identifier: MIT */
//===- Stats.h - What becomes of each store, counted ------------*- C++ -*-===//
//
// With -facre-stats each barrier carries metadata that name its store, from
// insertion to lowering, so that copies made by the optimizer stay copies of one
// store.  A barrier that is removed leaves a call of acre_rt_stats_safe in its
// place.  In the end each of these calls becomes an increment, and each barrier
// that is left gets one before it and one on its way out of line; the counters
// are a table that the module registers with the runtime (include/acre/abi.h).
//
// The metadata and the calls change no decision: the calls are free for the
// inliner.  Only barriers of different stores are not merged any more.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_STATS_H
#define ACRE_PASS_STATS_H

#include "pass/base/RuntimeABI.h"
#include "llvm/IR/PassManager.h"

namespace acre {

/// Names the stores of the barriers of F, if -facre-stats is on.
void nameStores(llvm::Function &F, RuntimeABI &ABI);

/// Barrier is proved to do nothing: it goes, or only clears what the slot had.
void noteProved(const llvm::CallInst &Barrier);
/// It goes now.
void noteRemoved(llvm::CallInst &Barrier, RuntimeABI &ABI);

/// Emits the table and counts what is executed; writes what is known without running the program to
/// the file of -facre-stats=FILE.  Before lowering, which puts tests around the calls.
class StatsPass : public llvm::PassInfoMixin<StatsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

/// Counts the calls that are made.  After lowering.
class CallStatsPass : public llvm::PassInfoMixin<CallStatsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace acre

#endif

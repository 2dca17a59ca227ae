/* SPDX-License-Identifier: MIT */
//===- Infer.h - Removing the checks that cannot fail -----------*- C++ -*-===//
//
// For each barrier a proof is tried (RegionProver.h).  The check of an annotated
// store goes if its rule is proved.  A counted store whose value is proved to
// stay in its holder's region, or outside all regions, has nothing to count: its
// barrier only clears what the slot may have been counted for, or nothing at all
// if the slot is fresh.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_INFER_H
#define ACRE_PASS_INFER_H

#include "llvm/IR/PassManager.h"

namespace acre {

/// When in the pipeline.  What stays is reported after inlining; it stays for good in the last
/// phase, which with link-time optimization is in the link.
enum class InferPhase { AtStart, AfterInlining, Last };

class InferPass : public llvm::PassInfoMixin<InferPass> {
public:
  explicit InferPass(InferPhase When) : Phase(When) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

private:
  InferPhase Phase;
};

} // namespace acre

#endif

/* SPDX-License-Identifier: MIT */
//===- FrameBarriers.h - Barriers on uncounted frames -----------*- C++ -*-===//
#ifndef ACRE_PASS_FRAMEBARRIERS_H
#define ACRE_PASS_FRAMEBARRIERS_H

#include "llvm/IR/PassManager.h"

namespace acre {

/// Inlining brings a callee's stores through a parameter to locals of its caller.  A function
/// without pins is in no call that may delete, so its frame is not counted: the barriers of such
/// stores go, and the releases of locals that no other code can reach any more.  Runs while the
/// optimizer still makes values of locals.
class FrameBarriersPass : public llvm::PassInfoMixin<FrameBarriersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

/// Removes barriers of stores through parameters of functions whose calls are all in view: a
/// parameter that is given nothing but addresses of locals of functions without pins, along calls
/// in which no region of a block is there.
class FrameParametersPass : public llvm::PassInfoMixin<FrameParametersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace acre

#endif

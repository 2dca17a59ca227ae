//===- FrameBarriers.h - Barriers on a function's own frame -----*- C++ -*-===//
#ifndef ACRE_PASS_FRAMEBARRIERS_H
#define ACRE_PASS_FRAMEBARRIERS_H

#include "llvm/IR/PassManager.h"

namespace acre {

/// Inlining brings a callee's stores through a parameter to locals of its caller.  A function without pins is in no call
/// that may delete, so its frame is not counted: the barriers of such stores go, and the releases of locals that no other
/// code can reach any more.  Runs while the optimizer still makes values of locals.
class FrameBarriersPass : public llvm::PassInfoMixin<FrameBarriersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace acre

#endif

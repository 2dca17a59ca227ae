/* SPDX-License-Identifier: MIT */
//===- SinkBarriers.h - Barriers of loops, after the loop -------*- C++ -*-===//
//
// A loop that fills an array, or stores in one slot again and again, needs its
// records to be right when it is left, if nothing in it can see them before.
// Its barriers become one barrier of all that was written, behind the loop.  What
// is left is the loop without barriers: it is vectorized, or becomes a memset or
// memcpy, as if they had never been there.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_SINKBARRIERS_H
#define ACRE_PASS_SINKBARRIERS_H

#include "llvm/IR/PassManager.h"

namespace acre {

class SinkBarriersPass : public llvm::PassInfoMixin<SinkBarriersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace acre

#endif

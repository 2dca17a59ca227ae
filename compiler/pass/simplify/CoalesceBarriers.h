/* SPDX-License-Identifier: MIT */
//===- CoalesceBarriers.h - Several barriers of one object ------*- C++ -*-===//
//
// A counted store whose slot is stored again before anybody can see records has
// a barrier in vain: the later barrier sets the record that is right then.  And
// the barriers of several slots of one object, as of an initialiser, are moved
// together, so that lowering tests for all of them at once.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_COALESCEBARRIERS_H
#define ACRE_PASS_COALESCEBARRIERS_H

#include "llvm/IR/PassManager.h"

namespace acre {

/// Barriers of one object's slots within this many bytes are moved together.
constexpr int64_t GroupReach = 256;

class CoalesceBarriersPass : public llvm::PassInfoMixin<CoalesceBarriersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace acre

#endif

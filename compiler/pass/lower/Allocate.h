/* SPDX-License-Identifier: MIT */
//===- Allocate.h - Allocation in regions, in line --------------*- C++ -*-===//
#ifndef ACRE_PASS_ALLOCATE_H
#define ACRE_PASS_ALLOCATE_H

#include "llvm/IR/PassManager.h"

namespace acre {

/// Puts the code that include/acre/bump.h describes before each allocation of a small object whose
/// layout is known, and makes its call cold.  Runs last: until then the inference knows allocations
/// by the names of their functions.
class AllocatePass : public llvm::PassInfoMixin<AllocatePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace acre

#endif

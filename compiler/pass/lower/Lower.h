/* SPDX-License-Identifier: MIT */
//===- Lower.h - Inline tests for the calls that remain ---------*- C++ -*-===//
#ifndef ACRE_PASS_LOWER_H
#define ACRE_PASS_LOWER_H

#include "llvm/IR/PassManager.h"

namespace acre {

/// Removes what only the inference reads: rules of slots on accesses, and what signatures say.
class ForgetPass : public llvm::PassInfoMixin<ForgetPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

/// Puts the inline test of include/acre/abi.h before each remaining barrier and makes its call
/// cold.  Runs once the optimizer has nothing left to learn from the calls; without it they are
/// right but slower.
class LowerPass : public llvm::PassInfoMixin<LowerPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace acre

#endif

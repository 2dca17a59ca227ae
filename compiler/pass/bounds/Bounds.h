/* SPDX-License-Identifier: MIT */
//===- Bounds.h - Checks of indexing and pointer arithmetic -----*- C++ -*-===//
//
// -facre-bounds (docs/design/bounds.md).  What an address is computed from by
// indexing and arithmetic is its base.  An access, and a pointer that leaves the
// function's sight, must be inside of the object that the base points into:
//
//   %object = call {ptr, ptr} @acre_rt_bounds(base)         asked once for a base
//   call @acre_rt_check_bounds(low, high, address, size)    before each access
//
// The checks stay calls while the optimizer works, so that one of a loop can be
// moved before it as a whole; lowering puts the comparisons in line.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_BOUNDS_H
#define ACRE_PASS_BOUNDS_H

#include "llvm/IR/PassManager.h"
#include <optional>

namespace llvm {
class DataLayout;
class TargetLibraryInfo;
class Value;
} // namespace llvm

namespace acre {

/// The size of the object that begins at Pointer, if it is seen here: a variable, or an allocation
/// of constant size.
std::optional<uint64_t> sizeOfObject(const llvm::Value &Pointer, const llvm::DataLayout &Layout,
                                     const llvm::TargetLibraryInfo &Library);

/// Whether this compilation inserts checks at all.
bool checksBounds();

/// Inserts the checks.  At the start of the pipeline, where constant steps through structures and
/// arithmetic still look different.  IsComplete: locals have not become values, so every access is
/// checked.
class BoundsPass : public llvm::PassInfoMixin<BoundsPass> {
public:
  explicit BoundsPass(bool Complete) : IsComplete(Complete) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

private:
  bool IsComplete;
};

/// Inlining shows which variable or allocation a base is: its size is known here, and nothing is
/// asked.
class BoundsOfVariablesPass : public llvm::PassInfoMixin<BoundsOfVariablesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

/// Drops checks that cannot fail or are made before, and makes one check before a loop of what its
/// rounds would check.
class BoundsOfLoopsPass : public llvm::PassInfoMixin<BoundsOfLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace acre

#endif

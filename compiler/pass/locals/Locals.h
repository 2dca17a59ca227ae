/* SPDX-License-Identifier: MIT */
//===- Locals.h - Pointers to local variables that outlive them -*- C++ -*-===//
//
// -facre-locals (docs/design/ownership/locals.md, At run time).  What
// may be a pointer to a local and is stored outside of the function's own
// variables is noted, and where variables end whose address left the function,
// the runtime looks for notes about them:
//
//   call @acre_rt_keep(slot, value, where)             after the store
//   call @acre_rt_end_block(variable, size, ...)       where its block ends
//   call @acre_rt_end_frame(..., result, variables...) where the function returns
//   call @acre_rt_local_lasts(variable, size)          where a variable of main starts
//
// Which variables are the function's own is decided before anything is inlined,
// so inlining changes nothing.  Lowering puts tests in front of the calls.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_LOCALS_H
#define ACRE_PASS_LOCALS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Value;
} // namespace llvm

namespace acre {

/// Whether V certainly points to no local variable.
bool isNoLocal(const llvm::Value &V);

/// Whether this compilation inserts calls at all.
bool checksLocals();

/// Inserts the calls.  At the start of the pipeline, when locals that can be values are values.
class LocalsPass : public llvm::PassInfoMixin<LocalsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

/// Drops what inlining has made needless: nobody has the address of a variable any more, or a value
/// is seen to be none.
class KnownLocalsPass : public llvm::PassInfoMixin<KnownLocalsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace acre

#endif

/* SPDX-License-Identifier: MIT */
//===- KeepBases.h - Derived pointers keep their objects --------*- C++ -*-===//
//
// The collector of -facre-malloc=collected knows an object by a word that points
// to it.  Code generation may regroup the arithmetic of an address: of
// table[key + bias], in a loop, the register that stays holds table + 8 * bias,
// which points to nothing, and table is not needed any more.
//
//   Invariant: wherever a derived pointer, or a part of the sum that makes it,
//   may be in a register, so is its base (Bases.h), or it is on the stack.
//
// The pass is the last that sees LLVM's IR.  From then on a base may not die
// before the last use of what is derived from it: llvm.fake.use, which is no
// instruction of the machine, stands behind that use.  Why code generation keeps
// the invariant: docs/design/bases.md.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_KEEPBASES_H
#define ACRE_PASS_KEEPBASES_H

#include "llvm/IR/PassManager.h"

namespace acre {

class KeepBasesPass : public llvm::PassInfoMixin<KeepBasesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  static bool isRequired() { return true; }
};

} // namespace acre

#endif

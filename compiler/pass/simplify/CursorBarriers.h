/* SPDX-License-Identifier: MIT */
//===- CursorBarriers.h - Pointers that move within an object ---*- C++ -*-===//
//
// A parser's `*b->last++ = c` stores a pointer into the object that the slot
// pointed into before, so its record is right already.  Removes the barriers of
// stores whose value was read from the same slot and only moved, with nothing
// between that writes the slot or looks at records.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_CURSORBARRIERS_H
#define ACRE_PASS_CURSORBARRIERS_H

#include "llvm/IR/PassManager.h"

namespace acre {

class CursorBarriersPass : public llvm::PassInfoMixin<CursorBarriersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
};

} // namespace acre

#endif

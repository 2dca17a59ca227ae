/* SPDX-License-Identifier: MIT */
//===- PointsAfter.h - Where control is after an instruction ----*- C++ -*-===//
#ifndef ACRE_PASS_POINTSAFTER_H
#define ACRE_PASS_POINTSAFTER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace acre {

/// Calls Emit where control is after I has completed: the next instruction, or the start of each
/// successor that completion leads to (edges are split as needed).
void forEachPointAfter(llvm::Instruction &I, bool IncludeUnwind,
                       llvm::function_ref<void(llvm::IRBuilder<> &)> Emit);

} // namespace acre

#endif

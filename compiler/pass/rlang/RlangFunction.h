/* SPDX-License-Identifier: MIT */
//===- RlangFunction.h - A function in the region language ------*- C++ -*-===//
#ifndef ACRE_PASS_RLANGFUNCTION_H
#define ACRE_PASS_RLANGFUNCTION_H

#include "pass/rlang/RlangNames.h"
#include "llvm/IR/PassManager.h"

namespace acre {

/// F, and into Known what it needs of others. Arguments of allocations are missing still, and some
/// variables are not assigned on every way. Without a body if the control flow of F cannot be
/// rendered.
rlang::Function renderFunction(const llvm::Function &F, Declarations &Known,
                               llvm::FunctionAnalysisManager &FAM);

} // namespace acre

#endif

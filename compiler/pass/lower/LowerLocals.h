/* SPDX-License-Identifier: MIT */
//===- LowerLocals.h - Tests before notes and ends of locals ----*- C++ -*-===//
#ifndef ACRE_PASS_LOWERLOCALS_H
#define ACRE_PASS_LOWERLOCALS_H

#include "pass/base/RuntimeABI.h"

namespace acre {

/// Whether E is called by what LocalsPass inserts.
bool isOfLocals(Entry E);

/// Puts tests in front of what LocalsPass inserted in F.
void lowerLocals(llvm::Function &F, RuntimeABI &ABI);

} // namespace acre

#endif

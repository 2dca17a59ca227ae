/* SPDX-License-Identifier: MIT */
//===- Explanation.h - Decisions in words -----------------------*- C++ -*-===//
#ifndef ACRE_PASS_EXPLANATION_H
#define ACRE_PASS_EXPLANATION_H

#include "pass/prove/RegionProver.h"
#include "llvm/IR/DiagnosticInfo.h"

namespace acre {

/// The barrier of a store goes: by which facts.
llvm::OptimizationRemark explainRemoved(const llvm::CallInst &Barrier,
                                        llvm::ArrayRef<const llvm::Value *> Evidence);

/// It stays: which fact is missing, and what to write.
llvm::OptimizationRemarkMissed explainKept(const llvm::CallInst &Barrier,
                                           const MissingFact &Missing);

/// A copy of a structure with annotated slots is checked when it has been made.  None if the
/// structure has no such slots.
std::optional<llvm::OptimizationRemarkMissed> explainCopy(const llvm::CallInst &Barrier);

} // namespace acre

#endif

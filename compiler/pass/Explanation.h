//===- Explanation.h - Decisions in words -----------------------*- C++ -*-===//
#ifndef ACRE_PASS_EXPLANATION_H
#define ACRE_PASS_EXPLANATION_H

#include "RegionProver.h"
#include "llvm/IR/DiagnosticInfo.h"

namespace acre {

/// The barrier of a store goes: by which facts.
llvm::OptimizationRemark explainRemoved(const llvm::CallInst &Barrier, llvm::ArrayRef<const llvm::Value *> Evidence);

/// It stays: which fact is missing, and what to write.
llvm::OptimizationRemarkMissed explainKept(const llvm::CallInst &Barrier, const MissingFact &Missing);

} // namespace acre

#endif

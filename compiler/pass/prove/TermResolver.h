/* SPDX-License-Identifier: MIT */
//===- TermResolver.h - The simplest term for a region ----------*- C++ -*-===//
//
// Several terms name one region: that of an object, that of the handle it was
// allocated with, that of the global which holds the handle.  Proofs compare the
// simplest ones.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_TERMRESOLVER_H
#define ACRE_PASS_TERMRESOLVER_H

#include "pass/base/RegionTerm.h"
#include "pass/prove/ProgramView.h"
#include "llvm/IR/PassManager.h"

namespace acre {

class TermResolver {
public:
  TermResolver(llvm::FunctionAnalysisManager &Analyses, ProgramView &Whole)
      : FAM(Analyses), Program(Whole) {}

  /// The simplest term for the region of T.  IsHolder: what T is about is not null, which says
  /// more.
  RegionTerm resolve(RegionTerm T, bool IsHolder) const;
  /// Whether A and B certainly name one region.
  bool isEqual(const RegionTerm &A, const RegionTerm &B) const;

private:
  /// The next simpler term for T; none if there is none.
  std::optional<RegionTerm> simplify(const RegionTerm &T, bool IsHolder) const;
  std::optional<RegionTerm> ofLoad(const RegionTerm &T, const llvm::LoadInst &Load,
                                   bool IsHolder) const;
  RegionTerm ofStableGlobal(const RegionTerm &T, const llvm::GlobalVariable &G) const;
  const llvm::GlobalVariable *stableHandle(const llvm::Value *Handle) const;
  bool isSameLoad(const llvm::Value *A, const llvm::Value *B, unsigned Depth) const;

  llvm::FunctionAnalysisManager &FAM;
  ProgramView &Program;
};

/// The rule that what Load reads obeys.  Private copies of an aggregate on the stack need not obey
/// its rules, nor does one that is passed by value, or a result that is being made.
SlotRule ruleRead(const llvm::LoadInst &Load);

} // namespace acre

#endif

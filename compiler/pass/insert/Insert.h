/* SPDX-License-Identifier: MIT */
//===- Insert.h - The insertion pass ----------------------------*- C++ -*-===//
#ifndef ACRE_PASS_INSERT_H
#define ACRE_PASS_INSERT_H

#include "llvm/IR/PassManager.h"

namespace acre {

/// Makes a module as CodeGen left it keep the count invariant: removes the AST half's markers and
/// inserts barriers, releases, pins, unwinds, interceptors and the table of globals.
/// docs/design/compiler.md, "What the pass does". A module that has been through it carries a
/// module flag and is left alone.
class InsertPass : public llvm::PassInfoMixin<InsertPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace acre

#endif

/* SPDX-License-Identifier: MIT */
//===- Rlang.h - A module in the paper's region language --------*- C++ -*-===//
//
// For acre explain --rlang: the functions of a module as programs of Figure 5,
// with what has to do with regions and nothing else (docs/reference/explain.md
// lists what is left out).  Control flow becomes if and while, with tests that
// come out either way where rlang has no values for them: more paths, never
// fewer, so a property that holds of the rendering holds of the function.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_RLANG_H
#define ACRE_PASS_RLANG_H

#include "rlang/Syntax.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace acre {

/// The statements of F with its control flow made of if and while.  Block gives a block's own
/// statements, Copies what the edge between two blocks assigns, Test the variable whose being not
/// null leads to the first successor, or to the second if Negated, or nothing.  None if the control
/// flow is not reducible or the result too large.
struct BlockStatements {
  llvm::function_ref<std::vector<rlang::Statement>(const llvm::BasicBlock &)> Block;
  llvm::function_ref<std::vector<rlang::Statement>(const llvm::BasicBlock &,
                                                   const llvm::BasicBlock &)>
      Copies;
  llvm::function_ref<std::optional<std::string>(const llvm::BasicBlock &, bool &Negated)> Test;
};
std::optional<std::vector<rlang::Statement>>
structureOf(const llvm::Function &F, llvm::FunctionAnalysisManager &FAM, const BlockStatements &Of);

/// Whether this compilation writes it.
bool writesRlang();

/// Writes the module to the file of -acre-rlang=FILE, after the early SROA.
class RlangPass : public llvm::PassInfoMixin<RlangPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace acre

#endif

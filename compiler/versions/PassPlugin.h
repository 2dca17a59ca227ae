/* SPDX-License-Identifier: MIT */
//===- PassPlugin.h - How a plugin reaches LLVM's pipelines -----*- C++ -*-===//
//
// Before LLVM 20 the callbacks at the end of a compilation are not told whether a
// link optimizes again.  Then the AST half, which knows the options, says so before
// the pipeline is made.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_VERSIONS_PASSPLUGIN_H
#define ACRE_VERSIONS_PASSPLUGIN_H

#include "llvm/Config/llvm-config.h"
#include "llvm/Passes/PassBuilder.h"
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

#include <utility>

namespace acre {

/// Whether LLVM tells the callbacks the phase.
inline constexpr bool KnowsPhase = LLVM_VERSION_MAJOR >= 20;
/// What they are told where it does not.  What a link optimizes is optimized for the last time.
inline llvm::ThinOrFullLTOPhase SupposedPhase = llvm::ThinOrFullLTOPhase::None;

/// A callback for LLVM from one that takes the phase besides.
template <typename Callback> auto withPhase(Callback Run) {
#if LLVM_VERSION_MAJOR >= 20
  return Run;
#else
  return [Run = std::move(Run)](llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level) {
    Run(MPM, Level, SupposedPhase);
  };
#endif
}

} // namespace acre

#endif

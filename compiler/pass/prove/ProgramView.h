/* SPDX-License-Identifier: MIT */
//===- ProgramView.h - What is known of a whole module ----------*- C++ -*-===//
//
// Facts that hold because all of something is in view: all callers of a
// function, all stores to a global.  Under link-time optimisation the module is
// the program.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_PROGRAMVIEW_H
#define ACRE_PASS_PROGRAMVIEW_H

#include "pass/base/SetByDeletes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace acre {

class ProgramView {
public:
  using Calls = llvm::SmallVector<llvm::CallBase *, 8>;

  /// All calls of F, or null if there may be others.
  const Calls *callers(const llvm::Function &F);

  /// The values that F returns, or null if its definition may be replaced.
  const llvm::SmallVector<llvm::ReturnInst *, 2> *returns(const llvm::Function &F);

  /// Whether all values that are read from G, other than null, are one and the same: G is private
  /// to the module, and the only store to it that is not of null executes at most once.
  bool isStable(const llvm::GlobalVariable &G);
  /// What a stable global is set to; null if it never is.
  const llvm::Value *stableValue(const llvm::GlobalVariable &G) const {
    return StableValues.lookup(&G);
  }
  /// The stable global that is set to V, which is computed at most once; null if there is none.
  const llvm::GlobalVariable *stableHome(const llvm::Value &V);

  /// Whether G has one value from the entry of F to its exit, whatever F calls and whatever else
  /// runs: only functions that F does not call, and that only main can reach as it can F, store to
  /// it.  Or G is settled, and F may not set it.
  bool isUnchangedDuring(const llvm::GlobalVariable &G, const llvm::Function &F);

  /// All stores to the memory of Object, a local or a global private to the module that is written
  /// in no other way. All of them store pointers.  Null if there may be other writes.
  const llvm::SmallVector<llvm::StoreInst *, 8> *contents(const llvm::Value &Object);

private:
  using FunctionSet = llvm::SmallPtrSet<const llvm::Function *, 8>;

  bool executesAtMostOnce(const llvm::Instruction &I, unsigned Depth);
  bool isOnlyCalledFromMain(const llvm::Function &F);
  const std::optional<FunctionSet> &changers(const llvm::GlobalVariable &G);

  llvm::DenseMap<const llvm::Function *, std::optional<Calls>> Callers;
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<llvm::ReturnInst *, 2>> Returns;
  llvm::DenseMap<const llvm::GlobalVariable *, bool> Stable;
  llvm::DenseMap<const llvm::GlobalVariable *, const llvm::Value *> StableValues;
  llvm::DenseMap<const llvm::Value *, std::optional<llvm::SmallVector<llvm::StoreInst *, 8>>>
      Contents;
  /// The functions that other modules, other threads and signal handlers may enter, and all that
  /// these call.
  std::optional<FunctionSet> EnteredElsewhere;
  std::optional<SetByDeletes> FixedVariables;
  /// The functions in which a global may change; none if it may change anywhere.
  llvm::DenseMap<const llvm::GlobalVariable *, std::optional<FunctionSet>> Changers;
};

} // namespace acre

#endif

/* SPDX-License-Identifier: MIT */
//===- PinnedValues.h - Values that a call may need pinned ------*- C++ -*-===//
#ifndef ACRE_PASS_PINNEDVALUES_H
#define ACRE_PASS_PINNEDVALUES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/ValueHandle.h"
#include <string>

namespace acre {

/// Names of the variables that values belong to, collected while variables still are allocas.
using VariableNames = llvm::SmallVector<std::pair<llvm::WeakTrackingVH, std::string>, 32>;
VariableNames collectVariableNames(llvm::Function &F);
/// The source name in the IR name of an alloca or of what SROA made of it: "p", "p.addr",
/// "p.sroa.0.1".
llvm::StringRef variableName(llvm::StringRef Name);

/// Whether T is a double or a numeric vector of whole words: it may carry a union's pointer.
bool isOverlay(llvm::Type *T, const llvm::DataLayout &DL);
/// Whether a value of type T has words that may be pointers.
bool hasPinnableWord(llvm::Type *T, const llvm::DataLayout &DL);
/// Whether V may be a pointer into a region.
bool mayNeedPin(const llvm::Value &V, const llvm::DataLayout &DL);

} // namespace acre

#endif

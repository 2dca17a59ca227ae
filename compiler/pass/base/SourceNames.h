/* SPDX-License-Identifier: MIT */
//===- SourceNames.h - What the source calls a value ------------*- C++ -*-===//
//
// From debug information: the variable that has a value, or the member it is read
// from, as in list->last.next.  After inlining a value may be that of several
// variables; the one of the function in which the value is computed is meant.
// What cannot be named for certain is not named.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_SOURCENAMES_H
#define ACRE_PASS_SOURCENAMES_H

#include "llvm/IR/DebugInfoMetadata.h"
#include <optional>
#include <string>

namespace acre {

struct SourceName {
  std::string Text;
  const llvm::DIType *Type = nullptr;          ///< of the value; null if it is not known
  const llvm::DIDerivedType *Member = nullptr; ///< that it was read from last, or null
};

/// What the source calls V; none if nothing is known.
std::optional<SourceName> sourceName(const llvm::Value &V);
/// What the source calls the memory at Address.
std::optional<SourceName> sourceNameOfMemory(const llvm::Value &Address);
/// The same for a message that must not be wrong: the name ends at a union, because which of its
/// members is meant is not known.  An address that is one of several has a name if all agree.
std::optional<SourceName> sourceNameOfSlot(const llvm::Value &Address);
/// What it would call it if the pointer that Address is computed from were called Start.
std::optional<SourceName> sourceNameOfMember(const llvm::Value &Address, SourceName Start);
/// What the source calls a local or global variable, whose address Object is.
std::optional<SourceName> sourceNameOfVariable(const llvm::Value &Object);

} // namespace acre

#endif

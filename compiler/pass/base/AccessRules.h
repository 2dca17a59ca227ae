/* SPDX-License-Identifier: MIT */
//===- AccessRules.h - What is known of an access or a call -----*- C++ -*-===//
//
//   !mmra !{!"acre.slot", !"sameregion"}   on an access: the rule of the slot
//   !acre.site !{!"SITE"}                  on an access: its place in the source
//   "acre-deletes"="SITE"                  on a call: it may delete
//
// The rule is a memory model relaxation tag, which no target knows: when two
// accesses become one, the optimizer keeps tags that both have and drops all
// metadata that it does not know.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_ACCESSRULES_H
#define ACRE_PASS_ACCESSRULES_H

#include "pass/base/Layout.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace acre {

inline constexpr llvm::StringLiteral DeletesAttribute = "acre-deletes";
/// On a call of malloc or calloc: the memory holds no pointers.
inline constexpr llvm::StringLiteral NumbersAttribute = "acre-numbers";
/// On a function whose unit names no region: its barriers first ask whether one exists.
inline constexpr llvm::StringLiteral AsksActiveAttribute = "acre-asks-active";
inline constexpr llvm::StringLiteral SlotMetadata = "acre.slot";
inline constexpr llvm::StringLiteral SiteMetadata = "acre.site";
/// On a copy: what each word of each copied aggregate is (markers::WordOfSlot).
inline constexpr llvm::StringLiteral WordsMetadata = "acre.words";

/// The rule that a marker gave the slot of an access.
SlotRule slotRule(const llvm::Instruction &I);
void setSlotRule(llvm::Instruction &I, SlotRule Rule);

/// Forgets the rules of all accesses of F: what follows has no use for them.
void dropSlotRules(llvm::Function &F);

/// Whether F has a call that may delete.
bool hasDeletesCall(const llvm::Function &F);

/// The call's site if it may delete.
std::optional<Site> deletesSite(const llvm::CallBase &Call);

} // namespace acre

#endif

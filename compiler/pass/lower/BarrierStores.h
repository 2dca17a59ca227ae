/* SPDX-License-Identifier: MIT */
//===- BarrierStores.h - The store that a barrier is about ----------*- C++ -*-===//
//
// A barrier comes after its store, or later where nobody looks meanwhile.  The
// optimizer moves stores away from their barriers, makes fills and copies of
// several of them, and drops those that another store overwrites.  Here the store
// is found again, or made of a part of such a fill or copy.
//
// Invariant: between a barrier and the store that is found for it there is no
// call of the program's, nor anything else that another function may see.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_BARRIERSTORES_H
#define ACRE_PASS_BARRIERSTORES_H

#include "llvm/IR/Instructions.h"
#include <cstdint>
#include <optional>

namespace acre {

/// The store, of a word or half of one, or of two words at once, after which the runtime has to
/// look at what Barrier is about; null if there is none.  Barrier is an acre_rt_store, or an
/// acre_rt_rescan of an aligned word or half.  Short fills and copies become stores for it.
llvm::StoreInst *storeOfBarrier(llvm::CallInst &Barrier);

/// Whether a point that stands behind Barrier, an acre_rt_store, looks at its slot.
bool isBarrierOfLaterPoint(llvm::CallInst &Barrier);

/// Where the word that Barrier is about lies, in bytes, among the two that Store stores at once;
/// none if it is not one of two.
std::optional<uint64_t> wordOfPair(const llvm::CallInst &Barrier, const llvm::StoreInst &Store);

} // namespace acre

#endif

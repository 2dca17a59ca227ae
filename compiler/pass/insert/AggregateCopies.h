/* SPDX-License-Identifier: MIT */
//===- AggregateCopies.h - Copies of records, slot by slot ---------*- C++ -*-===//
//
// A copy of a small record of known layout is as many stores as it has slots:
// what each check and each barrier is given is a value of its own, about which
// facts can be proved, and words that are no slots cost nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_RECORDCOPIES_H
#define ACRE_PASS_RECORDCOPIES_H

#include "pass/base/Layout.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

namespace acre {

struct CopiedSlot {
  uint64_t Offset;
  SlotRule Rule;
};
/// Bytes that are no slots, but of which it is not known that they are numbers.
struct CopiedBytes {
  uint64_t Offset, Size;
};
struct AggregateCopy {
  llvm::SmallVector<CopiedSlot, 8> Slots;
  llvm::SmallVector<CopiedBytes, 2> Others;
};

/// The parts of Copy, of one object of layout L; none if it is not small and simple.
std::optional<AggregateCopy> splitCopy(const llvm::AnyMemTransferInst &Copy, const Layout &L);

/// Splits a copy of an aggregate without annotated slots, by !tbaa.struct or, where accesses have
/// no types, WordsMetadata.
std::optional<AggregateCopy> splitUnannotatedCopy(const llvm::AnyMemTransferInst &Copy);

/// The same as a layout of one of the records that I copies, where some words hold no pointer; none
/// if nothing says so.
std::optional<Layout> copiedShape(const llvm::Instruction &I);

/// Whether that says that the bytes [Begin, End) of what I copies are scalars other than pointers
/// and bytes.
bool copiesOnlyNumbers(const llvm::Instruction &I, uint64_t Begin, uint64_t End);

} // namespace acre

#endif

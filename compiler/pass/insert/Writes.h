/* SPDX-License-Identifier: MIT */
//===- Writes.h - What an instruction writes --------------------*- C++ -*-===//
//
// Which instructions put a pointer in memory, and where, as far as the
// instruction itself says it.  What has to happen then is for Barriers.h.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_WRITES_H
#define ACRE_PASS_WRITES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

namespace acre {

/// Whether what S stores may be a pointer, or have one in it.
bool mayCarryPointer(const llvm::StoreInst &S);

/// Whether Source is a constant: no region's address can be in it.
bool isConstantSource(const llvm::Value *Source);

/// A call of libatomic.  The generic functions take a size and addresses, the sized ones values.
struct AtomicWrite {
  unsigned Bytes = 0; ///< that are written; 0: as many as the first argument says
  llvm::SmallVector<unsigned, 2> Written; ///< the arguments that are addresses of what is written
};
/// What Call writes, if it is one.
std::optional<AtomicWrite> atomicWrite(const llvm::CallBase &Call);

/// Memory that inline assembly writes.
struct AsmOutput {
  unsigned Argument; ///< its address
  llvm::Type *T;
};
/// The outputs of Call, of inline assembly, that are in memory.
llvm::SmallVector<AsmOutput, 2> asmOutputs(const llvm::CallBase &Call);

/// Whether I stores some lanes of a vector.
bool isMaskedStore(const llvm::IntrinsicInst &I);

} // namespace acre

#endif

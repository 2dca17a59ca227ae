//===- Liveness.h - What is still needed after a call -----------*- C++ -*-===//
//
// Liveness of one SSA value or of one private stack object, found by walking
// back from its reads.  What is there for debuggers alone keeps nothing alive.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_LIVENESS_H
#define ACRE_PASS_LIVENESS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace acre {

/// Calls of llvm.fake.use, which -Og keeps variables for debuggers with, and what only these need.
using DebuggerUses = llvm::SmallPtrSet<const llvm::Instruction *, 16>;
DebuggerUses findDebuggerUses(const llvm::Function &F);

class Liveness {
public:
  /// The liveness of an argument or instruction.
  static Liveness ofValue(llvm::Value &V, const DebuggerUses &Ignored);
  /// The liveness of the memory of a private stack object.
  static Liveness ofObject(llvm::Value &Object, const llvm::DataLayout &DL,
                           const DebuggerUses &Ignored);

  /// Whether the value, or the bytes in the object, may be read after I has completed.
  bool isLiveAfter(const llvm::Instruction &I) const;

private:
  enum class Event { Read, Kill };
  void propagate();
  const Event *firstEvent(const llvm::BasicBlock *BB, const llvm::Instruction *After) const;

  /// Reads and kills in each block, in order.
  llvm::DenseMap<const llvm::BasicBlock *,
                 llvm::SmallVector<std::pair<const llvm::Instruction *, Event>, 4>>
      Events;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> LiveOut;
  llvm::SmallVector<const llvm::BasicBlock *, 16>
      Pending; // blocks in LiveOut whose own reads are not propagated yet
};

} // namespace acre

#endif

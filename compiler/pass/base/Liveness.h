/* SPDX-License-Identifier: MIT */
//===- Liveness.h - What is still needed after a call -----------*- C++ -*-===//
//
// Liveness of one SSA value, or of the parts of one stack object, found by walking
// back from its reads.  What is there for debuggers alone keeps nothing alive.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_LIVENESS_H
#define ACRE_PASS_LIVENESS_H

#include "pass/base/AddressUses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace acre {

/// What makes a value that nobody needs: (void)p, a variable that is set and not read, and what -Og
/// keeps for debuggers by calls of llvm.fake.use. What only these need is needless, too.
using NeedlessUses = llvm::SmallPtrSet<const llvm::Instruction *, 16>;
NeedlessUses findNeedlessUses(const llvm::Function &F);

class Liveness {
public:
  /// The liveness of an argument or instruction.
  static Liveness ofValue(llvm::Value &V, const NeedlessUses &Ignored);
  /// Whether the value may be read after I has completed.
  bool isLiveAfter(const llvm::Instruction &I) const;
  /// The same, if control goes on from I's block to one of Next.
  bool isLiveOver(const llvm::Instruction &I, llvm::ArrayRef<const llvm::BasicBlock *> Next) const;

private:
  enum class Event { Read, Kill };
  void propagate();
  const Event *firstEvent(const llvm::BasicBlock *BB, const llvm::Instruction *After) const;
  bool isLiveOnEdge(const llvm::BasicBlock &From, const llvm::BasicBlock &To) const;

  const llvm::Value *Of = nullptr;
  /// Reads and kills in each block, in order.
  llvm::DenseMap<const llvm::BasicBlock *,
                 llvm::SmallVector<std::pair<const llvm::Instruction *, Event>, 4>>
      Events;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> LiveOut;
  llvm::SmallVector<const llvm::BasicBlock *, 16>
      Pending; // blocks in LiveOut whose own reads are not propagated yet
};

/// A stack object is at most 64 parts of the same number of words.
class ObjectLiveness {
public:
  using Parts = uint64_t; ///< a bit for each
  /// Size: the bytes of the object, or 0 if it is dynamic: then it is one part.  At the returns of
  /// Read, if there is such a function, all is read.
  ObjectLiveness(llvm::ArrayRef<ObjectUse> Uses, uint64_t Size, const NeedlessUses &Ignored,
                 const llvm::Function *Read = nullptr);

  /// The parts that I reads once it has begun.
  Parts readBy(const llvm::Instruction &I) const;
  /// The parts that may be read before they are written.
  Parts liveAtEntry(const llvm::Function &F) const;
  /// The parts that may be read after I has completed, and from before it on.
  Parts liveAfter(const llvm::Instruction &I) const;
  Parts liveBefore(const llvm::Instruction &I) const;
  /// As liveAfter, if control goes on from I's block to one of Next.
  Parts liveOver(const llvm::Instruction &I, llvm::ArrayRef<const llvm::BasicBlock *> Next) const;
  /// The parts that some of the bytes [First, End) are in.
  Parts touched(uint64_t First, uint64_t End) const;
  /// Whether somebody may have kept the address by the time I has completed, and the object's life
  /// goes on.
  bool isKeptAt(const llvm::Instruction &I) const;
  bool isEverKept() const { return !Marks.empty(); }
  Parts all() const { return Count == 64 ? ~Parts(0) : (Parts(1) << Count) - 1; }
  /// Calls Visit(offset, size) for each run of parts.
  void forEachRun(Parts Live, llvm::function_ref<void(uint64_t, uint64_t)> Visit) const;

private:
  struct Event {
    const llvm::Instruction *At;
    Parts Read, Killed;
    bool IsCopy = false;
  };
  static Parts walkBack(llvm::ArrayRef<Event> List, Parts Live, const llvm::Instruction *After);
  void solve();
  /// The parts that are live after I, given those at the end of its block.
  Parts liveBehind(const llvm::Instruction &I, Parts Out) const;
  Parts liveIn(const llvm::BasicBlock *BB) const;
  void solveKept();
  Parts covered(uint64_t First, uint64_t End) const;

  uint64_t Size, PartSize;
  unsigned Count;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<Event, 4>> Events; ///< in order
  llvm::DenseMap<const llvm::BasicBlock *, Parts> LiveOut;
  /// Where the address is kept, and where that ends with the life of the object, in order; only if
  /// it is ever kept.
  llvm::DenseMap<const llvm::BasicBlock *,
                 llvm::SmallVector<std::pair<const llvm::Instruction *, bool>, 4>>
      Marks;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16>
      KeptIn; ///< blocks that it is kept at the begin of
};

} // namespace acre

#endif

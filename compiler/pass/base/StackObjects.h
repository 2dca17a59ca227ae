/* SPDX-License-Identifier: MIT */
//===- StackObjects.h - Which locals other code can reach -------*- C++ -*-===//
//
// A stack object is private if its address is used only where the access is in
// plain sight: loads, stores to it, memory intrinsics, lifetime markers.  Every
// other one is exposed.  A frame's own stores to its objects are not counted:
// its calls that may delete pin what is in them.  Other code that stores in
// exposed objects during such a call makes records, which are released when the
// call returns or the object's life ends.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_STACKOBJECTS_H
#define ACRE_PASS_STACKOBJECTS_H

#include "pass/base/RuntimeABI.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"

namespace acre {

/// Whether memory of type T may hold a pointer that the compiler put there: pointers, integers of
/// pointer width, bytes, and what a union may be made of.
bool mayHoldPointer(llvm::Type *T, const llvm::DataLayout &DL);

/// Whether a value of type T is or contains a pointer in the default address space.
bool containsPointer(llvm::Type *T);

/// Whether the pointer V is null or certainly points to a local, a global or code.
bool isOutsideRegions(const llvm::Value *V);

/// Where BB leaves its function: the return, or the musttail call that stands for it; null if it
/// does not.
llvm::Instruction *exitPoint(llvm::BasicBlock &BB);

/// How an instruction uses a stack object through one of its operands.
enum class StackUse { Address, Read, Write, Begin, End, Ignore, Expose };

/// Calls Visit(use, kind) for all uses of Object, through address arithmetic too.
void forEachStackUse(llvm::Value *Object, llvm::function_ref<void(llvm::Use &, StackUse)> Visit);

class StackObjects {
public:
  explicit StackObjects(llvm::Function &Fn);

  /// Whether Address points into a private stack object.
  bool isPrivate(const llvm::Value *Address) const;
  /// Whether Address points into some stack object of this function.
  bool isStack(const llvm::Value *Address) const;

  /// Releases exposed objects where their life ends.  In a function that makes no call which may
  /// delete, what ends in a loop waits for the exit: nobody asks for records before, and the memory
  /// is this frame's until then.
  void insertReleases(RuntimeABI &ABI, bool Deletes);

  /// Whether the frame has memory of dynamic size.
  bool hasDynamic() const { return HasDynamic; }
  /// Private objects that may hold pointers, in order of their definition.
  llvm::ArrayRef<llvm::Value *> privateObjects() const { return Private; }
  /// The same for exposed ones.
  llvm::ArrayRef<llvm::Value *> exposedObjects() const { return Exposed; }

private:
  struct Event {
    unsigned Object;
    bool IsEnd;
  };
  void classify(llvm::Value *Object);
  void solve();
  bool endsAt(const llvm::Instruction &End) const {
    return !Loops || !Loops->getLoopFor(End.getParent());
  }
  void releaseAtExits(RuntimeABI &ABI);
  void releaseDynamic(RuntimeABI &ABI);

  llvm::Function &F;
  const llvm::DataLayout &DL;
  llvm::DenseMap<const llvm::Value *, bool> IsPrivateObject;
  llvm::SmallVector<llvm::Value *, 8> Private, Exposed;
  bool HasDynamic = false;
  std::optional<llvm::LoopInfo> Loops; ///< if the life of what ends in a loop is taken to go on
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<Event, 1>> Events;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> DirtyIn;
};

/// Made, memory of dynamic size, is named nowhere, but part of the stack.  So nothing may be known
/// of it: neither its size, with which it would be put among the other locals, nor that nobody else
/// has its address.
void hideDynamic(llvm::AllocaInst &Made);

/// The type of a stack object's memory, and its size in bytes.
llvm::Type *stackObjectType(const llvm::Value *Object);
uint64_t stackObjectSize(const llvm::Value *Object, const llvm::DataLayout &DL);

} // namespace acre

#endif

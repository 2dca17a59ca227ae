/* SPDX-License-Identifier: MIT */
//===- AddressUses.h - What is done with a local by its address -*- C++ -*-===//
//
// Follows the address of a stack object: through arithmetic, choices, other
// locals that it is stored in, and the parameters of functions whose bodies are
// in view.  What the C library does is in shared/library.def.  So it is known
// where the object may be read or written, and from where on somebody may have
// kept its address who does not say when he reads there.
//
// An address counts as one also as an integer.  What decides which way is taken
// (comparisons, differences of addresses) is not followed: no address is made
// of it.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_ADDRESSUSES_H
#define ACRE_PASS_ADDRESSUSES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include <optional>
#include <vector>

namespace acre {

/// Something that happens to an object.
struct ObjectUse {
  enum Kind {
    Read,
    Write,
    Begin, ///< its life begins: it holds nothing
    End,
    Keep ///< somebody may keep its address
  };
  Kind What;
  const llvm::Instruction *At;
  /// The bytes of the object that a read concerns, all if not known; those that a write certainly
  /// writes, none if not.
  std::optional<std::pair<uint64_t, uint64_t>> Bytes;
  /// Where a read is a call: the parameter of a function in view that gets the address of byte
  /// LentFrom.
  const llvm::Argument *Lent = nullptr;
  uint64_t LentFrom = 0;
  /// A read by a call that is over when the callee begins.
  bool IsCopy = false;
  /// A write by a call: its result goes there, from byte LentFrom on.
  bool IsResult = false;
};

/// What a function does with the memory that a parameter leads to, by words.
struct ParameterAccess {
  static constexpr uint64_t Bytes = 512; ///< of so many; those behind may be read
  bool IsKnown = false;
  uint64_t Read = 0; ///< what is there at the begin of the call may be read
  uint64_t Set = 0;  ///< certainly written when the call returns
};

/// What a function does with a parameter.
struct ParameterFate {
  bool IsKept = false;     ///< it may be found elsewhere after the call
  bool IsReturned = false; ///< the result may be it
  bool operator==(const ParameterFate &Other) const = default;
};

class AddressUses {
public:
  /// All that its function does with Object, an alloca or an argument, by its address.
  llvm::SmallVector<ObjectUse, 16> of(llvm::Value &Object);

  /// What is asked of a parameter: about itself, or about what lies in the memory that it leads to.
  enum class Subject { Address, Contents };
  /// What a call does with an argument.
  ParameterFate fateAt(const llvm::CallBase &Call, unsigned Argument, Subject About);

private:
  const ParameterAccess &accessThrough(const llvm::Argument &Parameter);
  void refine(llvm::SmallVectorImpl<ObjectUse> &Uses);

  using Question = std::pair<const llvm::Argument *, unsigned>;
  void settle();

  llvm::DenseMap<Question, ParameterFate> Known;
  std::vector<Question> Asked;
  size_t FinalCount = 0; ///< the first answers, of this number, are final
  llvm::DenseMap<const llvm::Argument *, ParameterAccess> Accesses;
};

} // namespace acre

#endif

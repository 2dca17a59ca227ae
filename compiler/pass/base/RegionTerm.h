/* SPDX-License-Identifier: MIT */
//===- RegionTerm.h - Abstract regions of SSA values ------------*- C++ -*-===//
//
// The region expressions of rlang (RC paper, section 4.1) over SSA: each value
// that is a pointer has the region it points into, each value that is a region
// handle the region it names.  An instance of an SSA value never changes its
// region, so what is known of terms needs no kill: a fact holds wherever the
// instruction that established it dominates.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_REGIONTERM_H
#define ACRE_PASS_REGIONTERM_H

#include "pass/base/Layout.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace acre {

struct RegionTerm {
  enum Kind : unsigned {
    Address,       ///< the region V points into; top (no region) if V is null
    Handle,        ///< the region the handle V names; top if V is null
    CurrentHandle, ///< the region that the handle in global V names while the function runs; top if
                   ///< it is null
    CurrentObject, ///< the region of the object that global V points to while the function runs;
                   ///< top if it is null
    Global,        ///< the region that the handle in global V names for the whole run
    GlobalObject,  ///< the region of the object that global V points to for the whole run
    Traditional,   ///< the constant R_T
    Permanent,     ///< the region that is never deleted
  };
  Kind K = Traditional;
  const llvm::Value *V = nullptr;

  bool operator==(const RegionTerm &Other) const { return K == Other.K && V == Other.V; }
  /// One region for the whole activation of a function, or longer: no SSA value's.
  bool isConstant() const { return K >= CurrentHandle; }
  bool isForWholeRun() const { return K >= Global; }
  RegionTerm with(const llvm::Value *Other) const { return {K, Other}; }
};

/// What a function is known to return, from its name: the table in library.def.
enum class ResultMeaning {
  Unknown,
  InRegion,    ///< a pointer into the region that an argument names; never null
  Into,        ///< null, or a pointer into the object that an argument points to
  Outside,     ///< null, or a pointer outside all regions
  RegionOf,    ///< the handle of the region an argument points into
  Subregion,   ///< the handle of a new child of the region an argument names
  NewRegion,   ///< the handle of a new region
  Traditional, ///< the handle of the traditional region
  Permanent,   ///< the handle of the permanent region
};
struct KnownResult {
  ResultMeaning Meaning = ResultMeaning::Unknown;
  unsigned Argument = 0;
};
KnownResult knownResult(const llvm::CallBase &Call);

/// Whether Call is one of the runtime's functions that read and write nothing of the program's own
/// memory.
bool leavesProgramMemory(const llvm::CallBase &Call);

/// After the call that this describes, Value is null or in region In; with IsUpward, or in an
/// ancestor of it.
struct RuleCheck {
  enum Origin {
    Store,   ///< checks what is stored in an annotated slot; In is the region of the slot, which is
             ///< not null
    Outside, ///< checks what becomes a traditional value
    Signature, ///< checks an argument or a result by inregion or inparent; In may be top
    Known,     ///< checks nothing: a signature says that it has been checked
  };
  Origin From;
  const llvm::Value *Value;
  RegionTerm In;
  bool IsUpward = false;

  /// The slot that is written; null if it is not a store that is checked.
  const llvm::Value *slot() const { return From == Store ? In.V : nullptr; }
  /// The annotation: sameregion, parentptr, traditional, inregion or inparent.
  llvm::StringRef word() const;
};
std::optional<RuleCheck> ruleCheck(const llvm::Instruction &I);

/// The pointer that V is computed from by address arithmetic within an object.
const llvm::Value *objectOf(const llvm::Value *V);

} // namespace acre

#endif

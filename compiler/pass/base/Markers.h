/* SPDX-License-Identifier: MIT */
//===- Markers.h - Reading and removing what the AST half wrote -*- C++ -*-===//
//
// After stripMarkers the module has no marker any more.  What they said is on
// the instructions they guarded (AccessRules.h) and in the MarkerFacts
// returned.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_MARKERS_H
#define ACRE_PASS_MARKERS_H

#include "pass/base/AccessRules.h"
#include "pass/base/RuntimeABI.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/ValueHandle.h"
#include <memory>
#include <vector>

namespace acre {

/// A known object that an instruction overwrites.
struct RecordWrite {
  llvm::WeakTrackingVH Base;
  llvm::Constant *Type;
  const Layout *Shape; ///< one of MarkerFacts::Layouts
  bool IsStart;        ///< the object is only known to begin so
};

/// A local variable or compound literal with annotated slots, and its declaration.
struct LocalLayout {
  llvm::Constant *Type;
  Layout Shape;
  Site Declared;
};

/// A call that a map of pools names: the fields of the marker's item, and where it stands.
struct PoolCall {
  llvm::WeakTrackingVH Call;
  std::vector<std::string> Fields;
  llvm::Constant *Allocation; ///< an acre_site
  Site At;
};

/// What the markers said that does not fit in metadata.
struct MarkerFacts {
  /// Copies into, and calls that are given the address of, an object of known layout.
  llvm::DenseMap<llvm::Instruction *, llvm::SmallVector<RecordWrite, 1>> RecordWrites;
  /// Copies whose source is an object of known layout.
  llvm::DenseMap<llvm::Instruction *, const Layout *> RecordReads;
  std::vector<std::unique_ptr<const Layout>> Layouts;
  /// Locals with annotated slots.
  llvm::DenseMap<llvm::Value *, LocalLayout> LocalLayouts;
  /// Variables of static storage with members that are pointers.
  llvm::DenseMap<llvm::GlobalVariable *, Layout> GlobalLayouts;
  std::vector<PoolCall> PoolCalls;
  /// Functions the program trusts: annotate("acre.uninstrumented").
  llvm::DenseSet<llvm::Function *> Uninstrumented;
  /// The unit calls Acre, or has annotated slots or signatures.
  bool NamesRegions = false;
};

/// Removes all markers.  Malformed ones are reported as errors of the compilation.
MarkerFacts stripMarkers(RuntimeABI &ABI);

} // namespace acre

#endif

//===- Markers.h - Reading and removing what the AST half wrote -*- C++ -*-===//
//
// After stripMarkers the module has no marker any more.  What they said is on
// the instructions they guarded:
//
//   !mmra !{!"acre.slot", !"sameregion"}   on an access: the rule of the slot
//   !acre.site !{!"SITE"}                  on an access: where it stands in the source
//   "acre-deletes"="SITE"                  a call site attribute: the call may delete
//
// and in the MarkerFacts returned.  The rule is a memory model relaxation tag,
// which no target knows: when two accesses become one, the optimizer keeps tags
// that both have and drops all metadata that it does not know.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_MARKERS_H
#define ACRE_PASS_MARKERS_H

#include "pass/base/RuntimeABI.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/ValueHandle.h"
#include <memory>
#include <vector>

namespace acre {

inline constexpr llvm::StringLiteral DeletesAttribute = "acre-deletes";
/// On a call of malloc or calloc: the memory holds no pointers.
inline constexpr llvm::StringLiteral NumbersAttribute = "acre-numbers";
/// On a function whose unit names no region: its barriers first ask whether one exists.
inline constexpr llvm::StringLiteral AloofAttribute = "acre-aloof";
inline constexpr llvm::StringLiteral SlotMetadata = "acre.slot";
inline constexpr llvm::StringLiteral SiteMetadata = "acre.site";
/// On a copy: what each word of each copied aggregate is (markers::WordOfSlot).
inline constexpr llvm::StringLiteral WordsMetadata = "acre.words";

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
  /// Functions the program trusts: annotate("acre.uninstrumented").
  llvm::DenseSet<llvm::Function *> Uninstrumented;
  /// The unit calls Acre, or has annotated slots or signatures.
  bool NamesRegions = false;
};

/// Removes all markers.  Malformed ones are reported as errors of the compilation.
MarkerFacts stripMarkers(RuntimeABI &ABI);

/// The rule that a marker gave the slot of an access.
SlotRule slotRule(const llvm::Instruction &I);
void setSlotRule(llvm::Instruction &I, SlotRule Rule);

/// Forgets the rules of all accesses of F: what follows has no use for them.
void dropSlotRules(llvm::Function &F);

/// The call's site if it may delete.
std::optional<Site> deletesSite(const llvm::CallBase &Call);

} // namespace acre

#endif

/* SPDX-License-Identifier: MIT */
//===- Layout.h - The strings that markers carry ----------------*- C++ -*-===//
//
// SITE and LAYOUT, as shared/markers.h defines them, decoded.  Decoding accepts
// exactly what the AST half writes: anything else is an error, never a guess.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_LAYOUT_H
#define ACRE_PASS_LAYOUT_H

#include "acre/type.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace acre {

/// A place in the source.  Line 0: not known.
struct Site {
  std::string File;
  unsigned Line = 0;
  std::string Function;
};

/// What a slot may hold; the values are those of acre_slot_rule.
/// Numbers: no slot at all; only accesses have it.
enum class SlotRule : uint32_t {
  Plain = ACRE_SLOT_PLAIN,
  Sameregion = ACRE_SLOT_SAMEREGION,
  Parentptr = ACRE_SLOT_PARENTPTR,
  Traditional = ACRE_SLOT_TRADITIONAL,
  Union = ACRE_SLOT_UNION,
  Numbers = ACRE_SLOT_UNION + 1,
  HandleSameregion = ACRE_SLOT_HANDLE_SAMEREGION,
  HandleParentptr = ACRE_SLOT_HANDLE_PARENTPTR,
  HandleTraditional = ACRE_SLOT_HANDLE_TRADITIONAL
};
static_assert(uint32_t(SlotRule::Numbers) < ACRE_SLOT_HANDLE, "no rule of the runtime's");
/// Whether the slot holds a region handle: no pointer, of which proofs know nothing.
inline bool isHandleRule(SlotRule Rule) { return Rule >= SlotRule::HandleSameregion; }

/// Count pointers, Stride bytes apart, the first at byte Offset.
struct SlotRun {
  uint32_t Offset = 0, Count = 0, Stride = 0;
  SlotRule Rule = SlotRule::Plain;
  std::string Path;
};

/// Slots that own what they point to; Kind is an acre_owned_kind.
struct OwnedRun {
  uint32_t Offset, Count, Stride, Kind;
  int Target; ///< the number of a type in Layout::Owned; -1: what is there owns nothing
};
struct OwnedType {
  uint32_t Size = 0;
  llvm::SmallVector<OwnedRun, 4> Slots;
};

struct Layout {
  std::string Name;
  std::string Names; ///< acre_type::names
  uint32_t Size = 0, Align = 0, FlexibleFirst = 0, FlexibleStride = 0;
  llvm::SmallVector<SlotRun, 8> Slots;
  llvm::SmallVector<SlotRun, 8>
      Bytes;            ///< no slots, but to be searched where an object is copied; of rule Union
  bool IsExact = false; ///< what is in neither holds no pointer
  std::vector<OwnedType>
      Owned; ///< what its objects own, and what that owns; the type itself is the first

  /// The run with a slot at byte Offset of one object; null if there is none.
  const SlotRun *slotAt(uint64_t Offset) const;
};

llvm::Expected<Site> parseSite(llvm::StringRef Text);
/// What parseSite makes At of.
std::string siteText(const Site &At);
/// Text is LAYOUT or LAYOUT|OWNED.
llvm::Expected<Layout> parseLayout(llvm::StringRef Text);

} // namespace acre

#endif

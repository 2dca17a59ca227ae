// SPDX-License-Identifier: MIT
//===- Layout.cpp - The strings that markers carry ------------------------===//
#include "pass/base/Layout.h"
#include "shared/markers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;

namespace acre {

static Error malformed(StringRef What, StringRef Text) {
  return createStringError("malformed " + What + " '" + Text + "'");
}

/// Undoes the escapes of separators.  False if an escape is not one the AST half writes.
static bool unescape(StringRef Text, std::string &Result) {
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text[I] != '%') {
      Result += Text[I];
      continue;
    }
    if (I + 2 >= Text.size() || !isHexDigit(Text[I + 1]) || !isHexDigit(Text[I + 2]))
      return false;
    Result += static_cast<char>(hexDigitValue(Text[I + 1]) * 16 + hexDigitValue(Text[I + 2]));
    I += 2;
  }
  return true;
}

static std::string escape(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    bool NeedsNoEscape = C != '%' && C != markers::FieldSeparator && C != markers::PartSeparator &&
                         C != markers::SiteSeparator;
    Result +=
        NeedsNoEscape ? std::string(1, C) : "%" + utohexstr(static_cast<unsigned char>(C), true, 2);
  }
  return Result;
}

static bool parseRule(StringRef Text, SlotRule &Rule) {
  if (Text.size() != 1)
    return false;
  switch (Text[0]) {
  case markers::RulePlain:
    Rule = SlotRule::Plain;
    return true;
  case markers::RuleSameregion:
    Rule = SlotRule::Sameregion;
    return true;
  case markers::RuleParentptr:
    Rule = SlotRule::Parentptr;
    return true;
  case markers::RuleTraditional:
    Rule = SlotRule::Traditional;
    return true;
  case markers::RuleUnion:
    Rule = SlotRule::Union;
    return true;
  case markers::RuleHandleSameregion:
    Rule = SlotRule::HandleSameregion;
    return true;
  case markers::RuleHandleParentptr:
    Rule = SlotRule::HandleParentptr;
    return true;
  case markers::RuleHandleTraditional:
    Rule = SlotRule::HandleTraditional;
    return true;
  case markers::RuleBytes:
    Rule = SlotRule::Numbers; // until it is known to be searched
    return true;
  }
  return false;
}

static bool parseRun(StringRef Text, SlotRun &Run) {
  SmallVector<StringRef, 5> Parts;
  Text.split(Parts, markers::PartSeparator);
  return Parts.size() == 5 && !Parts[0].getAsInteger(10, Run.Offset) &&
         !Parts[1].getAsInteger(10, Run.Count) && !Parts[2].getAsInteger(10, Run.Stride) &&
         parseRule(Parts[3], Run.Rule) && unescape(Parts[4], Run.Path);
}

Expected<Site> parseSite(StringRef Text) {
  SmallVector<StringRef, 3> Fields;
  Text.split(Fields, markers::FieldSeparator);
  Site Result;
  if (Fields.size() != 3 || !unescape(Fields[0], Result.File) ||
      Fields[1].getAsInteger(10, Result.Line) || !unescape(Fields[2], Result.Function))
    return malformed("site", Text);
  return Result;
}

std::string siteText(const Site &At) {
  return escape(At.File) + markers::FieldSeparator + std::to_string(At.Line) +
         markers::FieldSeparator + escape(At.Function);
}

static std::optional<acre_owned_kind> ownedKind(char Letter) {
  switch (Letter) {
  case markers::OwnedObject:
    return ACRE_OWNS_OBJECT;
  case markers::OwnedReference:
    return ACRE_OWNS_REFERENCE;
  case markers::OwnedWeak:
    return ACRE_OWNS_WEAK;
  default:
    return std::nullopt;
  }
}

static bool parseOwnedRun(StringRef Text, OwnedRun &Run) {
  SmallVector<StringRef, 5> Parts;
  Text.split(Parts, markers::PartSeparator);
  if (Parts.size() != 5 || Parts[0].getAsInteger(10, Run.Offset) ||
      Parts[1].getAsInteger(10, Run.Count) || Parts[2].getAsInteger(10, Run.Stride) ||
      Parts[3].size() != 1)
    return false;
  const std::optional<acre_owned_kind> Kind = ownedKind(Parts[3][0]);
  Run.Kind = Kind.value_or(ACRE_OWNS_OBJECT);
  Run.Target = -1;
  return Kind && (Parts[4].empty() || !Parts[4].getAsInteger(10, Run.Target));
}

/// Appends the types of an OWNED string.
static bool parseOwned(StringRef Text, std::vector<OwnedType> &Types) {
  SmallVector<StringRef, 4> Texts;
  Text.split(Texts, markers::SiteSeparator);
  for (StringRef Each : Texts) {
    auto [Size, Runs] = Each.split(markers::FieldSeparator);
    OwnedType Type;
    if (Size.getAsInteger(10, Type.Size))
      return false;
    for (StringRef Run : split(Runs, markers::FieldSeparator))
      if (!parseOwnedRun(Run, Type.Slots.emplace_back()) ||
          Type.Slots.back().Target >= int(Texts.size()))
        return false;
    Types.push_back(std::move(Type));
  }
  return true;
}

Expected<Layout> parseLayout(StringRef Text) {
  SmallVector<StringRef, 16> Fields;
  auto [Slots, Owned] = Text.split(markers::SiteSeparator);
  Slots.split(Fields, markers::FieldSeparator);
  Layout Result;
  if (Fields.size() < 5 || !unescape(Fields[0], Result.Name) ||
      Fields[1].getAsInteger(10, Result.Size) || Fields[2].getAsInteger(10, Result.Align) ||
      Fields[3].getAsInteger(10, Result.FlexibleFirst) ||
      Fields[4].getAsInteger(10, Result.FlexibleStride) || !isPowerOf2_32(Result.Align))
    return malformed("layout", Text);
  std::tie(Result.Name, Result.Names) =
      std::pair<std::string, std::string>(StringRef(Result.Name).split(markers::NamesSeparator));
  for (StringRef Field : drop_begin(Fields, 5)) {
    SlotRun Run;
    bool IsRun = parseRun(Field, Run), IsBytes = Run.Rule == SlotRule::Numbers;
    if (!IsRun || (Run.Count == 0 && !IsBytes))
      return malformed("slot in layout", Field);
    Result.IsExact |= IsBytes;
    if (IsBytes)
      Run.Rule = SlotRule::Union;
    if (Run.Count != 0)
      (IsBytes ? Result.Bytes : Result.Slots).push_back(std::move(Run));
  }
  if (Result.FlexibleFirst > Result.Slots.size())
    return malformed("layout", Text);
  if (Result.FlexibleStride == 0)
    Result.FlexibleFirst = Result.Slots.size() + Result.Bytes.size();
  if (!Owned.empty() && !parseOwned(Owned, Result.Owned))
    return malformed("layout", Text);
  return Result;
}

const SlotRun *Layout::slotAt(uint64_t Offset) const {
  for (const SlotRun &Run : Slots) {
    if (Offset < Run.Offset)
      continue;
    uint64_t Distance = Offset - Run.Offset;
    bool IsHit = Run.Count == 1 || Run.Stride == 0
                     ? Distance == 0
                     : Distance % Run.Stride == 0 && Distance / Run.Stride < Run.Count;
    if (IsHit)
      return &Run;
  }
  return nullptr;
}

} // namespace acre

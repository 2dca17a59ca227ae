// SPDX-License-Identifier: MIT
#include "ClangOptionShapes.h"

#include "llvm/ADT/StringTable.h"

#include <algorithm>
#include <array>

namespace acre {
namespace {

#define OPTTABLE_STR_TABLE_CODE
#include "clang/Options/Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "clang/Options/Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

// Only the last of these counts here: options that the clang driver accepts.
enum Visibility {
  CLOption = 2,
  CC1Option = 4,
  CC1AsOption = 8,
  FlangOption = 16,
  FC1Option = 32,
  DXCOption = 64,
  DefaultVis = 1
};

enum class Kind {
  Group,
  Input,
  Unknown,
  Flag,
  Joined,
  Values,
  Separate,
  RemainingArgs,
  RemainingArgsJoined,
  CommaJoined,
  MultiArg,
  JoinedOrSeparate,
  JoinedAndSeparate
};

struct Entry {
  unsigned Prefixes, Name; // offsets in the tables
  Kind Form;
  unsigned Visible, Count;
};

constexpr Entry AllOptions[] = {
#define OPTION(Prefixes, Name, Id, Form, Group, Alias, AliasArgs, Flags, Visible, Count, ...) \
  {Prefixes, Name, Kind::Form, static_cast<unsigned>(Visible), Count},
#include "clang/Options/Options.inc"
#undef OPTION
};

constexpr unsigned following(const Entry &Option) {
  switch (Option.Form) {
  case Kind::Separate:
  case Kind::JoinedOrSeparate:
  case Kind::JoinedAndSeparate:
    return 1;
  case Kind::MultiArg:
    return Option.Count;
  default:
    return 0;
  }
}

constexpr bool isWanted(const Entry &Option) {
  return (Option.Visible & DefaultVis) && following(Option) > 0;
}

constexpr std::string_view textAt(unsigned Offset) {
  return std::string_view(&OptionStrTableStorage[Offset]);
}

struct Consumer {
  std::string_view Spelling;
  unsigned Count;
  bool IsJoinedToo; // consumes the next argument even when text is joined to it
};

constexpr size_t consumerCount() {
  size_t Count = 0;
  for (const Entry &Option : AllOptions)
    if (isWanted(Option))
      ++Count;
  return Count;
}

/// Spellings without prefix: a prefix is one or two dashes, and no two options
/// that take arguments differ in the prefix alone.
constexpr auto Consumers = [] {
  std::array<Consumer, consumerCount()> Result{};
  size_t Next = 0;
  for (const Entry &Option : AllOptions) {
    if (!isWanted(Option))
      continue;
    std::string_view Spelling = textAt(Option.Name);
    Spelling.remove_prefix(Spelling.starts_with("--") ? 2 : 1);
    Result[Next++] = {Spelling, following(Option), Option.Form == Kind::JoinedAndSeparate};
  }
  std::sort(Result.begin(), Result.end(),
            [](const Consumer &A, const Consumer &B) { return A.Spelling < B.Spelling; });
  return Result;
}();

} // namespace

unsigned followingArguments(std::string_view Argument) {
  std::string_view Word = Argument.substr(Argument.starts_with("--") ? 2 : 1);
  auto Found =
      std::lower_bound(Consumers.begin(), Consumers.end(), Word,
                       [](const Consumer &A, std::string_view B) { return A.Spelling < B; });
  if (Found != Consumers.end() && Found->Spelling == Word)
    return Found->Count;
  for (const Consumer &Option : Consumers)
    if (Option.IsJoinedToo && Word.starts_with(Option.Spelling))
      return Option.Count;
  return 0;
}

} // namespace acre

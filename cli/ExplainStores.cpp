// SPDX-License-Identifier: MIT
#include "ExplainStores.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

namespace acre::cli {
namespace {

constexpr std::string_view PassName = "acre";

/// The functions with barriers, as they are in the source: the pass says of each where it begins.
class Functions {
public:
  void add(const Record &R) { ByFile[R.File][R.Line] = R.Function; }
  bool isEmpty() const { return ByFile.empty(); }

  /// In C no function is inside another, so it is the last one that begins before a place.
  std::string around(const Place &At) const {
    auto File = ByFile.find(At.File);
    if (File == ByFile.end())
      return "";
    auto After = File->second.upper_bound(At.Line);
    return After == File->second.begin() ? "" : std::prev(After)->second;
  }

private:
  std::map<std::string, std::map<unsigned, std::string>> ByFile;
};

/// The parts of List, each once: two facts of one line look alike.
std::vector<std::string> split(std::string_view List, std::string_view Separator) {
  std::vector<std::string> Parts;
  while (!List.empty()) {
    size_t End = std::min(List.find(Separator), List.size());
    if (std::string_view Part = List.substr(0, End);
        std::find(Parts.begin(), Parts.end(), Part) == Parts.end())
      Parts.emplace_back(Part);
    List.remove_prefix(std::min(End + Separator.size(), List.size()));
  }
  return Parts;
}

/// "FILE:LINE", in which FILE may have colons.
std::optional<Place> readPlace(const std::string &Text) {
  size_t Colon = Text.rfind(':');
  if (Colon == std::string::npos)
    return std::nullopt;
  return Place{Text.substr(0, Colon),
               static_cast<unsigned>(std::strtoul(Text.c_str() + Colon + 1, nullptr, 10)), 0};
}

Copy readCopy(const Record &R) {
  Copy Result;
  Result.Function = R.Function;
  Result.IsKept = R.Name.ends_with("Kept");
  if (Result.IsKept) {
    auto Named = [&](const char *Key) {
      auto Found = R.Named.find(Key);
      return Found == R.Named.end() ? std::string() : Found->second;
    };
    Result.Missing = Named("Missing");
    Result.Change = Named("Change");
    Result.Where = readPlace(Named("Where"));
    return Result;
  }
  std::string_view Text = R.Message;
  Text.remove_prefix(std::min(Text.find(": "), Text.size()));
  Text.remove_prefix(std::min<size_t>(2, Text.size()));
  Text.remove_prefix(Text.starts_with("by ") ? 3 : 0);
  Result.Facts = split(Text, ", ");
  return Result;
}

/// What R says was removed or kept.
std::string subjectOf(const Record &R) {
  return R.Message.substr(0, R.Message.find(R.Name.ends_with("Kept") ? " kept" : " removed"));
}

std::optional<SlotKind> kindOf(const Record &R) {
  if (R.Name == "CountRemoved" || R.Name == "CountKept")
    return SlotKind::Counted;
  if (R.Name == "CopyKept")
    return SlotKind::Copy;
  const std::string Subject = subjectOf(R);
  for (SlotKind Kind : {SlotKind::Sameregion, SlotKind::Parentptr, SlotKind::Traditional,
                        SlotKind::Inregion, SlotKind::Inparent})
    if (Subject.find(nameOf(Kind)) != std::string::npos)
      return Kind;
  return std::nullopt;
}

bool isDecision(const Record &R) {
  return R.Name == "CheckRemoved" || R.Name == "CheckKept" || R.Name == "CountRemoved" ||
         R.Name == "CountKept" || R.Name == "CopyKept";
}

} // namespace

const char *nameOf(SlotKind Kind) {
  switch (Kind) {
  case SlotKind::Sameregion:
    return "sameregion";
  case SlotKind::Parentptr:
    return "parentptr";
  case SlotKind::Traditional:
    return "traditional";
  case SlotKind::Inregion:
    return "inregion";
  case SlotKind::Inparent:
    return "inparent";
  case SlotKind::Counted:
    return "counted";
  case SlotKind::Copy:
    return "copy";
  }
  return "";
}

bool Copy::operator==(const Copy &Other) const {
  return std::tie(Function, IsKept, Facts, Missing, Change) ==
         std::tie(Other.Function, Other.IsKept, Other.Facts, Other.Missing, Other.Change);
}

bool Store::isKept() const {
  return std::any_of(Copies.begin(), Copies.end(), [](const Copy &Each) { return Each.IsKept; });
}

Decisions decisionsOf(const std::vector<Record> &Records,
                      const std::vector<std::string> &FirstFiles, std::string &Error) {
  Functions Known;
  for (const Record &R : Records)
    if (R.Pass == PassName && R.Name == "Instrumented")
      Known.add(R);

  std::map<std::string, size_t> FileOrder;
  for (const std::string &File : FirstFiles)
    FileOrder.insert({File, FileOrder.size()});
  using Key = std::tuple<size_t, std::string, unsigned, unsigned, SlotKind, std::string>;
  std::map<Key, Store> Stores;
  for (const Record &R : Records) {
    if (R.Pass != PassName || !isDecision(R))
      continue;
    std::optional<SlotKind> Kind = kindOf(R);
    if (!Kind) {
      Error = "unknown remark '" + R.Message + "': the plugin is of another version";
      return {};
    }
    auto First = FileOrder.find(R.File);
    size_t Order = First == FileOrder.end() ? FileOrder.size() : First->second;
    // Stores without a line are not copies of each other, as far as is known.
    Store &Here =
        Stores[{Order, R.File, R.Line, R.Column, *Kind, R.Line ? "" : R.Function + R.Message}];
    Here.At = {R.File, R.Line, R.Column};
    Here.Kind = *Kind;
    Here.Subject = subjectOf(R);
    Here.Function = Known.around(Here.At);
    if (Here.Function.empty())
      Here.Function = R.Function;
    Copy New = readCopy(R);
    if (std::find(Here.Copies.begin(), Here.Copies.end(), New) == Here.Copies.end())
      Here.Copies.push_back(std::move(New));
  }

  Decisions Result;
  Result.HasBarriers = !Known.isEmpty();
  for (auto &[Ignored, Each] : Stores)
    Result.Stores.push_back(std::move(Each));
  return Result;
}

void selectFunction(Decisions &All, const std::string &Function) {
  for (Store &Each : All.Stores)
    if (Each.Function != Function)
      std::erase_if(Each.Copies, [&](const Copy &Inlined) { return Inlined.Function != Function; });
  std::erase_if(All.Stores, [](const Store &Each) { return Each.Copies.empty(); });
}

Tally tally(const std::vector<Store> &Stores, Tallied Which) {
  Tally Result;
  for (const Store &Each : Stores) {
    Tallied Own = Each.Kind == SlotKind::Counted ? Tallied::Counted
                  : Each.Kind == SlotKind::Copy  ? Tallied::Copies
                                                 : Tallied::Annotated;
    if (Own != Which)
      continue;
    ++Result.Stores;
    Result.Removed += !Each.isKept();
  }
  return Result;
}

} // namespace acre::cli

#include "explain_stores.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace acre::cli {
namespace {

constexpr std::string_view PassName = "acre";

/// The functions with barriers, as they are in the source: the pass says of each where it begins.
class Functions {
public:
  void add(const Record &R) {
    ByFile[R.File][R.Line] = R.Function;
    ByName.insert({R.Function, {R.File, R.Line, 0}});
  }
  bool isEmpty() const { return ByName.empty(); }

  /// In C no function is inside another, so it is the last one that begins before a place.
  std::string around(const Place &At) const {
    auto File = ByFile.find(At.File);
    if (File == ByFile.end())
      return "";
    auto After = File->second.upper_bound(At.Line);
    return After == File->second.begin() ? "" : std::prev(After)->second;
  }
  std::optional<Place> named(const std::string &Name) const {
    auto Found = ByName.find(Name);
    return Found == ByName.end() ? std::nullopt : std::optional(Found->second);
  }

private:
  std::map<std::string, std::map<unsigned, std::string>> ByFile;
  std::map<std::string, Place> ByName;
};

/// The parts of List, each once: two facts of one line look alike.
std::vector<std::string> split(std::string_view List, std::string_view Separator) {
  std::vector<std::string> Parts;
  while (!List.empty()) {
    size_t End = std::min(List.find(Separator), List.size());
    if (std::string_view Part = List.substr(0, End); std::find(Parts.begin(), Parts.end(), Part) == Parts.end())
      Parts.emplace_back(Part);
    List.remove_prefix(std::min(End + Separator.size(), List.size()));
  }
  return Parts;
}

/// What can be done if the pass has no advice: true of every store of the kind.
const char *generalAdvice(SlotKind Kind) {
  switch (Kind) {
  case SlotKind::Sameregion:
    return "allocate the value in the region of what holds the slot, or store only where a test has compared their "
           "regions";
  case SlotKind::Parentptr:
    return "store what is in the region of what holds the slot, or what was read from a parentptr slot of it";
  case SlotKind::Traditional:
    return "store what was read from a traditional slot, or an address outside all regions";
  case SlotKind::Counted:
    return "none, if it is to point to another region; else annotate the slot and what is stored in it";
  }
  return "";
}

/// The name in "a parameter of 'NAME'".
std::string parameterOwner(const std::string &Missing) {
  constexpr std::string_view Before = "a parameter of '";
  size_t Start = Missing.find(Before);
  if (Start == std::string::npos)
    return "";
  Start += Before.size();
  return Missing.substr(Start, Missing.find('\'', Start) - Start);
}

Copy readCopy(const Record &R, SlotKind Kind, const Functions &Known) {
  Copy Result;
  Result.Function = R.Function;
  Result.IsKept = R.Name.ends_with("Kept");
  std::string_view Text = R.Message;
  Text.remove_prefix(std::min(Text.find(": "), Text.size()));
  Text.remove_prefix(std::min<size_t>(2, Text.size()));
  if (!Result.IsKept) {
    Text.remove_prefix(Text.starts_with("by ") ? 3 : 0);
    Result.Facts = split(Text, ", ");
    return Result;
  }
  size_t Semicolon = std::min(Text.find("; "), Text.size());
  Result.Missing = Text.substr(0, Semicolon);
  Text.remove_prefix(std::min(Semicolon + 2, Text.size()));
  // The pass goes on after the semicolon with what to write, or with more about what is missing.
  if (Text.starts_with("not "))
    Result.Missing += "; " + std::string(Text);
  else
    Result.Change = Text;
  if (Result.Change.empty())
    Result.Change = generalAdvice(Kind);
  Result.Related = parameterOwner(Result.Missing);
  Result.RelatedPlace = Known.named(Result.Related);
  return Result;
}

std::optional<SlotKind> kindOf(const Record &R) {
  if (R.Name == "CountRemoved" || R.Name == "CountKept")
    return SlotKind::Counted;
  std::string_view Subject(R.Message);
  Subject = Subject.substr(0, Subject.find(R.Name.ends_with("Kept") ? " kept" : " removed"));
  for (SlotKind Kind : {SlotKind::Sameregion, SlotKind::Parentptr, SlotKind::Traditional})
    if (Subject.find(nameOf(Kind)) != std::string_view::npos)
      return Kind;
  return std::nullopt;
}

bool isDecision(const Record &R) {
  return R.Name == "CheckRemoved" || R.Name == "CheckKept" || R.Name == "CountRemoved" || R.Name == "CountKept";
}

} // namespace

const char *nameOf(SlotKind Kind) {
  switch (Kind) {
  case SlotKind::Sameregion: return "sameregion";
  case SlotKind::Parentptr: return "parentptr";
  case SlotKind::Traditional: return "traditional";
  case SlotKind::Counted: return "counted";
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

std::string Store::description() const {
  return Kind == SlotKind::Counted ? "counted store" : "check of " + std::string(nameOf(Kind)) + " store";
}

Decisions decisionsOf(const std::vector<Record> &Records, const std::vector<std::string> &FirstFiles,
                      std::string &Error) {
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
    Store &Here = Stores[{Order, R.File, R.Line, R.Column, *Kind, R.Line ? "" : R.Function + R.Message}];
    Here.At = {R.File, R.Line, R.Column};
    Here.Kind = *Kind;
    Here.Function = Known.around(Here.At);
    if (Here.Function.empty())
      Here.Function = R.Function;
    Copy New = readCopy(R, *Kind, Known);
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

Tally tally(const std::vector<Store> &Stores, bool IsCounted) {
  Tally Result;
  for (const Store &Each : Stores)
    if ((Each.Kind == SlotKind::Counted) == IsCounted) {
      ++Result.Stores;
      Result.Removed += !Each.isKept();
    }
  return Result;
}

} // namespace acre::cli

// SPDX-License-Identifier: MIT
//===- FixRound.cpp - Which proposals are applied together ----------------===//
#include "FixRound.h"

#include <algorithm>
#include <cctype>

namespace acre::cli {
namespace {

namespace fs = std::filesystem;

/// Where the line starts; npos if there is none.  Lines end as Clang counts them: by a line feed, a
/// carriage return, or both.
size_t lineStart(const std::string &Text, unsigned Line) {
  size_t At = 0;
  for (unsigned Now = 1; Now != Line; ++Now) {
    At = Text.find_first_of("\r\n", At);
    if (At == std::string::npos)
      return At;
    At += Text.compare(At, 2, "\r\n") == 0 ? 2 : 1;
  }
  return At;
}

size_t offsetOf(const std::string &Text, unsigned Line, unsigned Column) {
  size_t Start = Line == 0 || Column == 0 ? std::string::npos : lineStart(Text, Line);
  return Start == std::string::npos || Start + Column - 1 > Text.size() ? std::string::npos
                                                                        : Start + Column - 1;
}

std::string lineOf(const std::string &Text, unsigned Line) {
  size_t Start = lineStart(Text, Line);
  return Start == std::string::npos ? ""
                                    : Text.substr(Start, Text.find_first_of("\r\n", Start) - Start);
}

bool hasWord(const std::string &Text) {
  return std::any_of(Text.begin(), Text.end(), [](unsigned char C) { return std::isalpha(C); });
}

/// Text with the line ends that a file has which begins with Sample.
std::string withLineEndsOf(const std::string &Sample, const std::string &Text) {
  size_t First = Sample.find('\n');
  if (First == std::string::npos || First == 0 || Sample[First - 1] != '\r')
    return Text;
  std::string Result;
  for (char Each : Text)
    Result += Each == '\n' ? "\r\n" : std::string(1, Each);
  return Result;
}

} // namespace

/// Finds where an edit is in its file.  Returns why it cannot be made, or nothing.
std::string FixRound::place(const Edit &Wanted, Change &To) {
  if (std::string Problem = Files.problemWith(Wanted.Begin.File); !Problem.empty())
    return Problem;
  const std::string &Text = Files.text(Wanted.Begin.File);
  To.Begin = offsetOf(Text, Wanted.Begin.Line, Wanted.Begin.Column);
  To.End = offsetOf(Text, Wanted.EndLine, Wanted.EndColumn);
  To.Text = withLineEndsOf(Text, Wanted.Text);
  if (To.Begin == std::string::npos || To.End == std::string::npos || To.End < To.Begin)
    return "is not what the compiler has read";
  // A compiler that proposes again the word that it got would never come to an end.
  bool IsThere = To.Begin == To.End && hasWord(To.Text) &&
                 (Text.compare(To.Begin, To.Text.size(), To.Text) == 0 ||
                  (To.Begin >= To.Text.size() &&
                   Text.compare(To.Begin - To.Text.size(), To.Text.size(), To.Text) == 0));
  return IsThere ? "has already what is proposed" : "";
}

std::string FixRound::placeAll(const Message &From, Changes &To) {
  const std::string Key = keyOf(From);
  for (const Edit &Each : From.Edits) {
    Change Made;
    if (std::string Problem = place(Each, Made); !Problem.empty()) {
      Refused[Each.Begin.File.lexically_normal()] = Problem;
      return Problem;
    }
    Made.Keys.insert(Key);
    To[Files.realOf(Each.Begin.File)].push_back(std::move(Made));
  }
  return "";
}

bool FixRound::clashes(const Changes &Wanted) const {
  for (const auto &[Real, List] : Wanted) {
    auto Present = All.find(Real);
    for (const Change &Each : List) {
      auto IsClash = [&](const Change &Other) { return Each.clashesWith(Other); };
      if (std::any_of(List.begin(), List.end(), IsClash) ||
          (Present != All.end() &&
           std::any_of(Present->second.begin(), Present->second.end(), IsClash)))
        return true;
    }
  }
  return false;
}

/// What a message is known by from one round to the next: what it would write, and in which lines.
std::string FixRound::keyOf(const Message &From) {
  std::string Result = From.Rule;
  for (const Edit &Each : From.Edits)
    Result += "\n" + Files.realOf(Each.Begin.File).string() + "\n" + Each.Text + "\n" +
              std::to_string(Each.Begin.Column) + "\n" +
              (Files.problemWith(Each.Begin.File).empty()
                   ? lineOf(Files.text(Each.Begin.File), Each.Begin.Line)
                   : "");
  return Result;
}

void FixRound::take(const Message &From) {
  Changes Wanted;
  if (From.Edits.empty() || Banned.contains(keyOf(From)) || !placeAll(From, Wanted).empty())
    return;
  if (clashes(Wanted)) {
    Refused[From.Edits.front().Begin.File.lexically_normal()] = "has proposals that exclude others";
    return;
  }
  bool IsNew = false;
  for (auto &[Real, List] : Wanted)
    for (Change &Each : List) {
      std::vector<Change> &Present = All[Real];
      auto Alike = std::find_if(Present.begin(), Present.end(),
                                [&](const Change &Other) { return Other.isAlike(Each); });
      IsNew |= Alike == Present.end();
      if (Alike == Present.end())
        Present.push_back(std::move(Each));
      else
        Alike->Keys.merge(Each.Keys);
    }
  // A header's message comes from each unit that includes it.
  Taken[From.Rule] += IsNew;
}

/// The text with the changes made, from the first to the last; notes in which lines they are.
std::string FixRound::applyTo(const std::string &Text, std::vector<Change> &Sorted) {
  std::string Result;
  size_t Done = 0;
  unsigned Line = 1;
  auto Append = [&](const std::string &More) {
    Result += More;
    Line += static_cast<unsigned>(std::count(More.begin(), More.end(), '\n'));
  };
  for (Change &Each : Sorted) {
    Append(Text.substr(Done, Each.Begin - Done));
    Each.Line = Line;
    Append(Each.Text);
    Done = Each.End;
  }
  return Result + Text.substr(Done);
}

bool FixRound::apply() {
  for (auto &[Real, List] : All) {
    std::sort(List.begin(), List.end(),
              [](const Change &One, const Change &Other) { return One.Begin < Other.Begin; });
    Before[Real] = Files.text(Real);
    Files.change(Real, applyTo(Before[Real], List));
  }
  return !All.empty();
}

void FixRound::undo() {
  for (const auto &[Real, Text] : Before)
    Files.change(Real, Text);
}

std::set<fs::path> FixRound::changed() const {
  std::set<fs::path> Result;
  for (const auto &[Real, Ignored] : All)
    Result.insert(Real);
  return Result;
}

size_t FixRound::edits() const {
  size_t Result = 0;
  for (const auto &[Ignored, List] : All)
    Result += List.size();
  return Result;
}

std::set<std::string> FixRound::keysAt(const std::vector<Place> &Places) {
  std::set<std::string> Result;
  for (const Place &Wanted : Places) {
    auto Found = Wanted.isKnown() ? All.find(Files.realOf(Wanted.File)) : All.end();
    if (Found == All.end())
      continue;
    for (const Change &Each : Found->second)
      if (Each.Line == Wanted.Line)
        Result.insert(Each.Keys.begin(), Each.Keys.end());
  }
  return Result;
}

std::set<std::string> FixRound::keysIn(const std::set<fs::path> &Reals) const {
  std::set<std::string> Result;
  for (const auto &[Real, List] : All)
    if (Reals.contains(Real))
      for (const Change &Each : List)
        Result.insert(Each.Keys.begin(), Each.Keys.end());
  return Result;
}

} // namespace acre::cli

// SPDX-License-Identifier: MIT
//===- FixMessages.cpp - What the compiler said of a unit -----------------===//
#include "FixMessages.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

namespace acre::cli {
namespace {

namespace fs = std::filesystem;

bool isDigit(char C) { return C >= '0' && C <= '9'; }

/// Removes a number from the front of Text.
bool takeNumber(std::string_view &Text, unsigned &Value) {
  auto [End, Problem] = std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Problem != std::errc())
    return false;
  Text.remove_prefix(static_cast<size_t>(End - Text.data()));
  return true;
}

bool take(std::string_view &Text, std::string_view Start) {
  if (!Text.starts_with(Start))
    return false;
  Text.remove_prefix(Start.size());
  return true;
}

/// Removes a string in quotes, with escapes as LLVM writes them, from the front of Text.
std::optional<std::string> takeQuoted(std::string_view &Text) {
  std::string Result;
  if (!take(Text, "\""))
    return std::nullopt;
  while (!Text.empty() && Text.front() != '"') {
    char C = Text.front();
    Text.remove_prefix(1);
    if (C != '\\' || Text.empty()) {
      Result += C;
      continue;
    }
    if (Text.size() >= 3 && isDigit(Text[0]) && isDigit(Text[1]) && isDigit(Text[2])) {
      Result += static_cast<char>((Text[0] - '0') * 64 + (Text[1] - '0') * 8 + (Text[2] - '0'));
      Text.remove_prefix(3);
      continue;
    }
    C = Text.front();
    Result += C == 'n' ? '\n' : C == 't' ? '\t' : C;
    Text.remove_prefix(1);
  }
  return take(Text, "\"") ? std::optional(Result) : std::nullopt;
}

/// Reads fix-it:"FILE":{LINE:COLUMN-LINE:COLUMN}:"TEXT".
std::optional<Edit> readFixIt(std::string_view Line, const fs::path &Directory) {
  if (!take(Line, "fix-it:"))
    return std::nullopt;
  Edit Result;
  std::optional<std::string> File = takeQuoted(Line);
  bool IsRange = File && take(Line, ":{") && takeNumber(Line, Result.Begin.Line) &&
                 take(Line, ":") && takeNumber(Line, Result.Begin.Column) && take(Line, "-") &&
                 takeNumber(Line, Result.EndLine) && take(Line, ":") &&
                 takeNumber(Line, Result.EndColumn) && take(Line, "}:");
  std::optional<std::string> Text = IsRange ? takeQuoted(Line) : std::nullopt;
  if (!Text)
    return std::nullopt;
  Result.Begin.File = Directory / *File;
  Result.Text = *Text;
  return Result;
}

/// Whether the line shows source: a number of a line or blanks, then a bar.
bool isSource(std::string_view Line) {
  size_t Start = Line.find_first_not_of(" 0123456789");
  return Start != 0 && Start != std::string_view::npos && Line[Start] == '|' &&
         Line[Start - 1] == ' ';
}

/// Reads ":LINE:COLUMN" from the end of Text, the rest of which is a file.
Place readPlace(std::string_view Text, const fs::path &Directory) {
  unsigned Values[2] = {};
  for (unsigned &Value : Values) {
    size_t Colon = Text.rfind(':');
    if (Colon == std::string_view::npos)
      return {};
    std::string_view Number = Text.substr(Colon + 1);
    if (!takeNumber(Number, Value) || !Number.empty())
      return {};
    Text = Text.substr(0, Colon);
  }
  return {Directory / std::string(Text), Values[1], Values[0]};
}

/// What stands in the brackets at the end of a message of Acre.
std::string ruleOf(std::string_view Text) {
  size_t Open = Text.rfind('[');
  if (Open == std::string_view::npos || !Text.ends_with(']'))
    return "";
  std::string_view Tag = Text.substr(Open + 1, Text.size() - Open - 2);
  take(Tag, "-Werror,");
  take(Tag, "-W");
  return Tag.starts_with("ACRE-") || Tag.starts_with("acre-") ? std::string(Tag) : "";
}

enum class Level { None, Note, Warning, Error };

/// Reads the first line of a message.
Level readHeader(std::string_view Line, const fs::path &Directory, Message &To) {
  constexpr std::pair<std::string_view, Level> Words[] = {{"fatal error: ", Level::Error},
                                                          {"error: ", Level::Error},
                                                          {"warning: ", Level::Warning},
                                                          {"remark: ", Level::Warning},
                                                          {"note: ", Level::Note}};
  size_t Best = std::string_view::npos;
  Level Result = Level::None;
  for (auto [Word, Meaning] : Words) {
    size_t At = Line.starts_with(Word) ? 0 : Line.find(": " + std::string(Word));
    if (At >= Best)
      continue;
    Best = At;
    Result = Meaning;
    To.Text = Line.substr(At + Word.size() + (Line.starts_with(Word) ? 0 : 2));
  }
  if (Result == Level::None)
    return Result;
  To.At = readPlace(Line.substr(0, Best), Directory);
  To.IsError = Result == Level::Error;
  To.Rule = ruleOf(To.Text);
  return Result;
}

} // namespace

std::vector<Message> readMessages(std::string_view Output, const fs::path &Directory) {
  std::vector<Message> Result;
  while (!Output.empty()) {
    size_t End = std::min(Output.find('\n'), Output.size());
    std::string_view Line = Output.substr(0, End);
    Output.remove_prefix(std::min(End + 1, Output.size()));
    if (std::optional<Edit> Found = readFixIt(Line, Directory)) {
      if (!Result.empty())
        Result.back().Edits.push_back(std::move(*Found));
      continue;
    }
    Message Read;
    Level Found = isSource(Line) ? Level::None : readHeader(Line, Directory, Read);
    if (Found == Level::Note && !Result.empty())
      Result.back().Notes.push_back({Read.At, Read.Text});
    else if (Found == Level::Error || Found == Level::Warning)
      Result.push_back(std::move(Read));
  }
  return Result;
}

std::vector<std::string> readDependencies(std::string_view Rule) {
  std::vector<std::string> Result;
  std::string Name;
  auto Finish = [&] {
    if (!Name.empty())
      Result.push_back(std::exchange(Name, ""));
  };
  Rule.remove_prefix(std::min(Rule.find(": "), Rule.size()));
  for (take(Rule, ": "); !Rule.empty();) {
    if (take(Rule, "\\\n") || take(Rule, "\n") || take(Rule, " ")) {
      Finish();
    } else if (take(Rule, "$$")) {
      Name += '$';
    } else {
      // Clang writes a backslash before blanks and '#', and leaves those of a name alone.
      if (Rule.size() > 1 && Rule[0] == '\\' && (Rule[1] == ' ' || Rule[1] == '#'))
        Rule.remove_prefix(1);
      Name += Rule.front();
      Rule.remove_prefix(1);
    }
  }
  Finish();
  return Result;
}

} // namespace acre::cli

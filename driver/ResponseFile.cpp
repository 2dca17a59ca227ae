// SPDX-License-Identifier: MIT
#include "ResponseFile.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>

namespace acre {
namespace {

constexpr std::string_view Blanks = " \t\r\n";

bool isBlank(char C) { return Blanks.find(C) != std::string_view::npos; }

/// Reads one argument of Text from Position on, which is not blank.
std::string readArgument(std::string_view Text, size_t &Position) {
  std::string Argument;
  char Quote = 0;
  for (; Position < Text.size(); ++Position) {
    char C = Text[Position];
    if (!Quote && isBlank(C))
      break;
    if (C == '\\' && Position + 1 < Text.size())
      Argument += Text[++Position];
    else if (C == Quote)
      Quote = 0;
    else if (!Quote && (C == '"' || C == '\''))
      Quote = C;
    else
      Argument += C;
  }
  return Argument;
}

std::optional<std::string> readFile(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  if (!File)
    return std::nullopt;
  std::string Text((std::istreambuf_iterator<char>(File)), {});
  if (File.bad())
    return std::nullopt;
  return Text;
}

/// Appends Arguments to Result.  Open: the files that are being expanded.
void expand(const std::vector<std::string> &Arguments, std::vector<std::string> &Open,
            std::vector<std::string> &Result) {
  for (const std::string &Argument : Arguments) {
    std::string Path = Argument.starts_with("@") ? Argument.substr(1) : "";
    std::optional<std::string> Text;
    if (!Path.empty() && std::find(Open.begin(), Open.end(), Path) == Open.end())
      Text = readFile(Path);
    if (!Text) {
      Result.push_back(Argument);
      continue;
    }
    Open.push_back(Path);
    expand(splitArguments(*Text), Open, Result);
    Open.pop_back();
  }
}

} // namespace

std::vector<std::string> splitArguments(std::string_view Text) {
  std::vector<std::string> Arguments;
  for (size_t Position = 0;
       (Position = Text.find_first_not_of(Blanks, Position)) != std::string_view::npos;)
    Arguments.push_back(readArgument(Text, Position));
  return Arguments;
}

std::vector<std::string> expandResponseFiles(const std::vector<std::string> &Arguments) {
  std::vector<std::string> Open, Result;
  expand(Arguments, Open, Result);
  return Result;
}

std::string quoteForResponseFile(const std::vector<std::string> &Arguments) {
  std::string Text;
  for (const std::string &Argument : Arguments) {
    Text += '"';
    for (char C : Argument) {
      if (C == '"' || C == '\\')
        Text += '\\';
      Text += C;
    }
    Text += "\"\n";
  }
  return Text;
}

} // namespace acre

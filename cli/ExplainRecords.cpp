// SPDX-License-Identifier: MIT
#include "ExplainRecords.h"

#include <algorithm>
#include <charconv>

namespace acre::cli {
namespace {

void appendUtf8(std::string &To, unsigned long Point) {
  if (Point < 0x80) {
    To += static_cast<char>(Point);
    return;
  }
  constexpr unsigned long Continued = 0x3f;
  int Shift = Point < 0x800 ? 6 : Point < 0x10000 ? 12 : 18;
  const unsigned long Lead = Shift == 6 ? 0xc0 : Shift == 12 ? 0xe0 : 0xf0;
  To += static_cast<char>(Lead | Point >> Shift);
  while (Shift) {
    Shift -= 6;
    To += static_cast<char>(0x80 | ((Point >> Shift) & Continued));
  }
}

/// Reads forward in Text.  The first thing that is not as expected is the error; all that follows
/// does nothing.
class Reader {
public:
  explicit Reader(std::string_view All) : Text(All) {}

  std::vector<Record> readAll();

  std::string Error;

private:
  bool atEnd() const { return Position == Text.size(); }
  char next() const { return atEnd() ? '\0' : Text[Position]; }
  std::string_view rest() const { return Text.substr(Position); }
  void fail(const char *Expected);
  bool take(std::string_view Word);
  void expect(std::string_view Word, const char *Expected);
  void skipBlanks(std::string_view Blanks = " ");
  void endLine();

  Record readRecord();
  void readArguments(Record &To);
  void readLocation(Record &To);
  std::string_view readKey();
  unsigned readNumber();
  std::string readScalar(size_t PlainEnd);
  std::string readSingleQuoted();
  std::string readDoubleQuoted();
  void readEscape(std::string &To);
  size_t lineEnd() const { return std::min(Text.find('\n', Position), Text.size()); }
  size_t fileEnd() const;

  std::string_view Text;
  size_t Position = 0;
};

void Reader::fail(const char *Expected) {
  if (Error.empty()) {
    auto Line =
        1 + std::count(Text.begin(), Text.begin() + static_cast<std::ptrdiff_t>(Position), '\n');
    Error = "line " + std::to_string(Line) + ": " + Expected + " expected";
  }
  Position = Text.size();
}

bool Reader::take(std::string_view Word) {
  if (!rest().starts_with(Word))
    return false;
  Position += Word.size();
  return true;
}

void Reader::expect(std::string_view Word, const char *Expected) {
  if (!take(Word))
    fail(Expected);
}

void Reader::skipBlanks(std::string_view Blanks) {
  Position = std::min(Text.find_first_not_of(Blanks, Position), Text.size());
}

void Reader::endLine() {
  skipBlanks();
  expect("\n", "the end of the line");
}

/// A key and its colon, and the blanks after it.
std::string_view Reader::readKey() {
  std::string_view Line = Text.substr(Position, lineEnd() - Position);
  size_t Colon = Line.find(':');
  if (Colon == std::string_view::npos || Colon == 0) {
    fail("a key");
    return {};
  }
  Position += Colon + 1;
  skipBlanks();
  return Line.substr(0, Colon);
}

unsigned Reader::readNumber() {
  unsigned Value = 0;
  auto [End, Status] = std::from_chars(Text.data() + Position, Text.data() + Text.size(), Value);
  if (Status != std::errc()) {
    fail("a number");
    return 0;
  }
  Position = static_cast<size_t>(End - Text.data());
  return Value;
}

std::string Reader::readSingleQuoted() {
  std::string Value;
  for (;;) {
    size_t Quote = Text.find('\'', Position);
    if (Quote == std::string_view::npos) {
      fail("a closing quote");
      return Value;
    }
    Value += Text.substr(Position, Quote - Position);
    Position = Quote + 1;
    if (!take("'"))
      return Value;
    Value += '\'';
  }
}

void Reader::readEscape(std::string &To) {
  // The second of each pair is what YAML means by a backslash and the first.
  static constexpr std::pair<char, std::string_view> Known[] = {
      {'\\', "\\"},      {'"', "\""},           {'0', {"\0", 1}},     {'a', "\a"},
      {'b', "\b"},       {'t', "\t"},           {'n', "\n"},          {'v', "\v"},
      {'f', "\f"},       {'r', "\r"},           {'e', "\x1b"},        {'N', "\xc2\x85"},
      {'_', "\xc2\xa0"}, {'L', "\xe2\x80\xa8"}, {'P', "\xe2\x80\xa9"}};
  for (auto [Letter, Meaning] : Known)
    if (next() == Letter) {
      To += Meaning;
      ++Position;
      return;
    }
  size_t Digits = next() == 'x' ? 2 : next() == 'u' ? 4 : next() == 'U' ? 8 : 0;
  std::string_view Number = Digits ? rest().substr(1, Digits) : std::string_view();
  unsigned long Point = 0;
  auto [End, Status] = std::from_chars(Number.data(), Number.data() + Number.size(), Point, 16);
  if (Status != std::errc() || End != Number.data() + Digits)
    return fail("a known escape sequence");
  // LLVM writes \x for the bytes that are not UTF-8, too.
  if (Digits == 2)
    To += static_cast<char>(Point);
  else
    appendUtf8(To, Point);
  Position += 1 + Digits;
}

std::string Reader::readDoubleQuoted() {
  std::string Value;
  while (!atEnd() && !take("\"")) {
    if (take("\\"))
      readEscape(Value);
    else
      Value += Text[Position++];
  }
  if (atEnd())
    fail("a closing quote");
  return Value;
}

/// A string.  One without quotes ends at PlainEnd.
std::string Reader::readScalar(size_t PlainEnd) {
  if (take("'"))
    return readSingleQuoted();
  if (take("\""))
    return readDoubleQuoted();
  if (next() == '|' || next() == '>') {
    fail("a value of one line");
    return {};
  }
  std::string Value(Text.substr(Position, PlainEnd - Position));
  Position = PlainEnd;
  return Value;
}

/// Where a file's name without quotes ends in { File: NAME, Line: 1, Column: 1 }.  LLVM puts no
/// quotes around a comma.
size_t Reader::fileEnd() const {
  for (size_t Comma = Position; (Comma = Text.find(',', Comma)) != std::string_view::npos;
       ++Comma) {
    size_t After = Text.find_first_not_of(" \n", Comma + 1);
    if (After != std::string_view::npos && Text.substr(After).starts_with("Line:"))
      return Comma;
  }
  return Text.size();
}

/// LLVM breaks the line after the comma if it would become long.
void Reader::readLocation(Record &To) {
  auto Key = [this](const char *Word) {
    skipBlanks(" \n");
    expect(Word, Word);
    skipBlanks(" \n");
  };
  expect("{", "a location");
  Key("File:");
  To.File = readScalar(fileEnd());
  expect(",", "a comma");
  Key("Line:");
  To.Line = readNumber();
  expect(",", "a comma");
  Key("Column:");
  To.Column = readNumber();
  skipBlanks(" \n");
  expect("}", "the end of the location");
}

void Reader::readArguments(Record &To) {
  while (take("  - ")) {
    std::string Key(readKey());
    std::string Value = readScalar(lineEnd());
    To.Message += Value;
    To.Named[std::move(Key)] = std::move(Value);
    endLine();
    while (take("    ")) { // where the value of the argument is defined
      Record Ignored;
      expect("DebugLoc:", "a location");
      skipBlanks();
      readLocation(Ignored);
      endLine();
    }
  }
}

Record Reader::readRecord() {
  Record Result;
  expect("--- !", "the begin of a record");
  Position = lineEnd();
  endLine();
  while (!atEnd() && !take("...")) {
    std::string_view Key = readKey();
    if (Key == "DebugLoc") {
      readLocation(Result);
    } else if (Key == "Args") {
      if (!take("[]")) {
        endLine();
        readArguments(Result);
        continue;
      }
    } else {
      std::string Value = readScalar(lineEnd());
      if (Key == "Pass")
        Result.Pass = std::move(Value);
      else if (Key == "Name")
        Result.Name = std::move(Value);
      else if (Key == "Function")
        Result.Function = std::move(Value);
    }
    endLine();
  }
  if (atEnd())
    fail("the end of the record");
  else
    endLine();
  return Result;
}

std::vector<Record> Reader::readAll() {
  std::vector<Record> All;
  while (!atEnd())
    All.push_back(readRecord());
  return All;
}

} // namespace

std::optional<std::vector<Record>> readRecords(std::string_view Text, std::string &Error) {
  Reader From(Text);
  std::vector<Record> All = From.readAll();
  Error = From.Error;
  if (!Error.empty())
    return std::nullopt;
  return All;
}

} // namespace acre::cli

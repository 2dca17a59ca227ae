// SPDX-License-Identifier: MIT
//===- ExplainHeap.cpp - acre explain-heap: what ACRE_HEAP=report told ----===//
//
// A program tells each object by itself (runtime/foreign/freed_report.c). Here
// those with the same lines are one finding.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "SarifDocument.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>

namespace acre::cli {
namespace {

constexpr char HelpText[] =
    "usage: acre explain-heap [--sarif] [FILE]\n"
    "\n"
    "Reads what a program compiled with -facre-malloc has told on standard error, from FILE or "
    "standard input: what\n"
    "was freed twice or by mistake and, with ACRE_HEAP=report, what was freed but is still "
    "referred to. Prints each\n"
    "once, with the lines of allocation, of what freed it, and of the referrer; lines need -g.\n"
    "\n"
    "    ACRE_HEAP=report ./program 2> report; acre explain-heap report\n"
    "\n"
    "  --sarif  write SARIF 2.1.0\n"
    "\n"
    "exit status: 0 nothing was told, 1 something was, 2 wrong usage, or a file that cannot be "
    "read, or not all of it,\nor in which there is text, but no line with 'acre: '.\n";

struct Rule {
  const char *Id, *Text;
};
constexpr Rule Rules[] = {
    {"acre-freed-twice", "Memory that was freed is freed or resized again"},
    {"acre-freed-in-use", "Memory that was freed is still referred to"},
    {"acre-freed-wrongly", "What no allocator gave is freed or resized"},
};

struct HeapPlace {
  std::string What, File, Function;
  unsigned Line = 0;
};

struct Finding {
  size_t Rule = 0;
  std::string Text;
  std::string Address; ///< says where the first one lies; it tells apart what has no lines
  std::vector<HeapPlace> Places; ///< the first is where it is to be mended
  size_t Count = 1;

  std::string key() const {
    std::string Key = std::to_string(Rule) + Text + (Places.empty() ? Address : "");
    for (const HeapPlace &Each : Places)
      Key += "\n" + Each.What + Each.File + ":" + std::to_string(Each.Line) + Each.Function;
    return Key;
  }
};

/// What a report says.
struct Report {
  std::vector<Finding> All;
  size_t Lines = 0;
  std::vector<size_t> Damaged; ///< the numbers of lines that the runtime did not end
  bool IsText = true;
  bool HasOwnLine = false; ///< one with the word that all of the runtime's begin with
};

struct Request {
  bool IsSarif = false;
  std::string File;
};

int fail(const std::string &Message) {
  fprintf(stderr, "acre: error: explain-heap: %s\n", Message.c_str());
  return ExitUsage;
}

/// The place in three groups from First on, if they matched.
void addPlace(Finding &To, const std::smatch &Match, size_t First, const char *What) {
  if (Match[First].matched)
    To.Places.push_back({What, Match[First].str(), Match[First + 2].str(),
                         static_cast<unsigned>(std::stoul(Match[First + 1].str()))});
}

#define PLACE "(.+?):(\\d{1,9}) in ([^\\s,]+)"
#define CALL "acre: (?:fatal: )?(?:(.+?):(\\d{1,9}): in (\\S+): )?(\\w+): 0x[0-9a-f]+ "

bool readTwice(const std::string &Line, Finding &To) {
  static const std::regex Form(CALL "was freed before(?:, at " PLACE ")?(?:, allocated at " PLACE
                                    ")?");
  std::smatch Match;
  if (!std::regex_match(Line, Match, Form))
    return false;
  To.Text = Match[4].str() + " of what was freed before";
  addPlace(To, Match, 1, "called");
  addPlace(To, Match, 5, "freed");
  addPlace(To, Match, 8, "allocated");
  return true;
}

bool readInUse(const std::string &Line, Finding &To) {
  static const std::regex Form(
      "acre: heap \".*\": the object of (\\d+) bytes at 0x[0-9a-f]+(?:, allocated at " PLACE
      ")?,? was freed(?: at " PLACE ")? but is still referred to by (?:a root|"
      "(memory outside the heap) at 0x[0-9a-f]+|"
      "the variable at 0x[0-9a-f]+, (0x[0-9a-f]+) from the start of its program or library|"
      "(the object of \\d+ bytes) at 0x[0-9a-f]+, at offset (\\d+)(?:, allocated at " PLACE ")?)");
  std::smatch Match;
  if (!std::regex_match(Line, Match, Form))
    return false;
  To.Rule = 1;
  To.Text = "an object of " + Match[1].str() + " bytes was freed but is still referred to by ";
  if (Match[8].matched)
    To.Text += Match[8].str();
  else if (Match[9].matched)
    To.Text += "a variable", To.Address = ", at " + Match[9].str() + " of its program or library";
  else if (Match[10].matched)
    To.Text += Match[10].str() + ", at offset " + Match[11].str();
  else
    To.Text += "a root";
  addPlace(To, Match, 5, "freed");
  addPlace(To, Match, 2, "allocated");
  addPlace(To, Match, 12, "the referrer was allocated");
  return true;
}

bool readWrong(const std::string &Line, Finding &To) {
  static const std::regex Form(CALL "((?:is|was) .*)");
  std::smatch Match;
  if (!Line.starts_with("acre: fatal: ") || !std::regex_match(Line, Match, Form))
    return false;
  To.Rule = 2;
  To.Text = Match[4].str() + ": the address " + Match[5].str();
  addPlace(To, Match, 1, "called");
  return true;
}

/// Whether Line is one of those above, cut off or with other output in its midst.
bool isDamaged(const std::string &Line) {
  return Line.starts_with("acre: heap \"process\": the object of ") ||
         Line.find(" was freed before") != std::string::npos;
}

Report readAll(std::istream &From) {
  Report Result;
  std::map<std::string, size_t> Known;
  for (std::string Line; std::getline(From, Line);) {
    ++Result.Lines;
    Result.IsText &= Line.find('\0') == std::string::npos;
    // Standard error may have a line of the program's that is not ended.
    const size_t Start = Line.find("acre: ");
    Finding Each;
    if (Start == std::string::npos)
      continue;
    Result.HasOwnLine = true;
    Line.erase(0, Start);
    const bool IsEnded = !From.eof();
    if (!IsEnded || (!readTwice(Line, Each) && !readInUse(Line, Each) && !readWrong(Line, Each))) {
      if (isDamaged(Line))
        Result.Damaged.push_back(Result.Lines);
      continue;
    }
    auto [At, IsNew] = Known.emplace(Each.key(), Result.All.size());
    if (IsNew)
      Result.All.push_back(std::move(Each));
    else
      ++Result.All[At->second].Count;
  }
  return Result;
}

/// What could not be read is said, since nothing was found in it.
std::string problemOf(const Report &Of) {
  if (!Of.IsText)
    return "there are bytes of zero in it: it is no report";
  // A program that has nothing to tell leaves an empty file. Other text is hardly a report, and
  // "0 findings" would say that a program was looked at.
  if (Of.Lines && !Of.HasOwnLine)
    return "there is no line with 'acre: ' in it: it is no report";
  if (Of.Damaged.empty())
    return "";
  const size_t Count = Of.Damaged.size();
  return "line " + std::to_string(Of.Damaged.front()) +
         (Count > 1 ? " and " + std::to_string(Count - 1) + " more are" : " is") +
         " damaged: cut off, or with other output in the midst";
}

void printText(const std::vector<Finding> &All) {
  for (const Finding &Each : All) {
    printf("%s%s [%s]", Each.Text.c_str(), Each.Address.c_str(), Rules[Each.Rule].Id);
    if (Each.Count > 1)
      printf(", %zu times", Each.Count);
    puts("");
    for (const HeapPlace &At : Each.Places)
      printf("  %s at %s:%u in %s\n", At.What.c_str(), At.File.c_str(), At.Line,
             At.Function.c_str());
  }
  printf("%zu %s\n", All.size(), All.size() == 1 ? "finding" : "findings");
}

Json location(const HeapPlace &At) {
  Json Physical = {{"artifactLocation", sarifArtifact(At.File)}};
  if (At.Line)
    Physical["region"] = {{"startLine", At.Line}};
  return {{"physicalLocation", Physical},
          {"logicalLocations", Json::array({{{"name", At.Function}, {"kind", "function"}}})},
          {"message", {{"text", At.What}}}};
}

std::string asSarif(const std::vector<Finding> &All) {
  Json Descriptions = Json::array(), Results = Json::array();
  for (const Rule &Each : Rules)
    Descriptions.push_back({{"id", Each.Id}, {"shortDescription", {{"text", Each.Text}}}});
  for (const Finding &Each : All) {
    Json Result = {{"ruleId", Rules[Each.Rule].Id},
                   {"ruleIndex", Each.Rule},
                   {"kind", "fail"},
                   {"level", Each.Rule == 1 ? "warning" : "error"},
                   {"message", {{"text", Each.Text + Each.Address}}},
                   {"occurrenceCount", Each.Count},
                   {"locations", Json::array()}};
    Json Related = Json::array();
    for (const HeapPlace &At : Each.Places)
      (&At == &Each.Places.front() ? Result["locations"] : Related).push_back(location(At));
    if (!Related.empty())
      Result["relatedLocations"] = Related;
    Results.push_back(Result);
  }
  return sarifDocument(Descriptions, Results);
}

/// A message if the arguments make no sense.
std::string parseArguments(const Arguments &Given, Request &To) {
  for (const std::string &Each : Given) {
    if (Each == "--sarif")
      To.IsSarif = true;
    else if (Each.starts_with("-") && Each != "-")
      return "no option '" + Each + "'; 'acre explain-heap --help' lists them";
    else if (!To.File.empty())
      return "more than one file";
    else
      To.File = Each;
  }
  return "";
}

} // namespace

int explainHeap(const Arguments &Given) {
  if (isHelpPrinted(Given, HelpText))
    return 0;
  Request R;
  if (std::string Problem = parseArguments(Given, R); !Problem.empty())
    return fail(Problem);
  std::ifstream File;
  const bool IsFile = !R.File.empty() && R.File != "-";
  if (IsFile)
    File.open(R.File, std::ios::binary);
  if (IsFile && (!File || std::filesystem::is_directory(R.File)))
    return fail("cannot read '" + R.File + "': " + strerror(File ? EISDIR : errno));
  const Report Told = readAll(IsFile ? static_cast<std::istream &>(File) : std::cin);
  const std::string Problem = problemOf(Told);
  if (Told.All.empty() && !Problem.empty())
    return fail(Problem);
  if (R.IsSarif)
    fputs(asSarif(Told.All).c_str(), stdout);
  else
    printText(Told.All);
  if (!Problem.empty())
    return fail(Problem);
  return Told.All.empty() ? 0 : ExitFound;
}

} // namespace acre::cli

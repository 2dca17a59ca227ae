// SPDX-License-Identifier: MIT
//===- FixUnits.cpp - The compile commands of a program -------------------===//
#include "FixUnits.h"

#include "ResponseFile.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include <nlohmann/json.hpp>

namespace acre::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char *DatabaseName = "compile_commands.json";

/// Options that say where output goes or of what kind it is: alone, and with an argument behind
/// them.
constexpr std::string_view Output[] = {"-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG"};
constexpr std::string_view OutputTo[] = {
    "-o", "-MF", "-MT", "-MQ", "-MJ", "--serialize-diagnostics", "-serialize-diagnostics"};

bool isOneOf(const auto &List, std::string_view Option) {
  return std::find(std::begin(List), std::end(List), Option) != std::end(List);
}

/// Programs that are put before a compiler.
bool isLauncher(const std::string &Program) {
  constexpr std::string_view Known[] = {"ccache", "sccache", "distcc", "icecc"};
  return isOneOf(Known, fs::path(Program).filename().string());
}

Arguments withoutOutput(const Arguments &Command) {
  Arguments Result;
  for (size_t I = 0; I != Command.size(); ++I) {
    const std::string &Each = Command[I];
    if (Each == "--") {
      Result.insert(Result.end(), Command.begin() + static_cast<ptrdiff_t>(I), Command.end());
      break;
    }
    bool IsJoined = Each.starts_with("-save-temps") || Each.starts_with("--save-temps") ||
                    Each.starts_with("-MF") || Each.starts_with("-MT") || Each.starts_with("-MQ") ||
                    (Each.starts_with("-o") && Each.find('=') == std::string::npos &&
                     !Each.starts_with("-object"));
    if (isOneOf(OutputTo, Each))
      ++I;
    else if (!isOneOf(Output, Each) && !IsJoined)
      Result.push_back(Each);
  }
  return Result;
}

bool isC(const Unit &Each) {
  for (size_t I = 0; I != Each.Command.size(); ++I) {
    if (Each.Command[I] == "-x" && I + 1 != Each.Command.size())
      return Each.Command[I + 1] == "c" || Each.Command[I + 1] == "c-header";
    if (Each.Command[I].starts_with("-x"))
      return Each.Command[I] == "-xc" || Each.Command[I] == "-xc-header";
  }
  const std::string Kind = fs::path(Each.File).extension();
  return Kind == ".c" || Kind == ".h" || Kind == ".i";
}

/// The arguments of an entry, the compiler's name first.
Arguments argumentsOf(const json &Entry) {
  if (auto Found = Entry.find("arguments"); Found != Entry.end())
    return Found->get<Arguments>();
  return splitArguments(Entry.at("command").get<std::string>());
}

Unit unitOf(const json &Entry, const fs::path &Base) {
  Unit Result;
  Result.Directory = (Base / Entry.at("directory").get<std::string>()).lexically_normal();
  Result.File = Entry.at("file").get<std::string>();
  Arguments Command = argumentsOf(Entry);
  auto First = Command.begin();
  while (First != Command.end() && isLauncher(*First))
    ++First;
  if (First != Command.end())
    ++First;
  Result.Command = withoutOutput(Arguments(First, Command.end()));
  return Result;
}

} // namespace

Units readCompileCommands(const fs::path &Database, std::string &Error) {
  Units Result;
  std::ifstream From(Database, std::ios::binary);
  if (!From) {
    Error = "cannot read '" + Database.string() + "'";
    return Result;
  }
  std::set<std::pair<fs::path, Arguments>> Seen;
  try {
    const fs::path Base = fs::absolute(Database).parent_path();
    for (const json &Entry : json::parse(From)) {
      Unit Made = unitOf(Entry, Base);
      if (!isC(Made))
        ++Result.Others;
      else if (Seen.insert({Made.Directory, Made.Command}).second)
        Result.All.push_back(std::move(Made));
    }
  } catch (const json::exception &Problem) {
    Error = "'" + Database.string() + "' is no list of compile commands: " + Problem.what();
  }
  return Result;
}

Units unitsOf(const Arguments &Files, const Arguments &Options) {
  Units Result;
  for (const std::string &File : Files) {
    Unit Made{fs::current_path(), File, withoutOutput(Options)};
    // A compile command that was copied names the file too.
    std::erase(Made.Command, File);
    Made.Command.push_back(File);
    Result.All.push_back(std::move(Made));
  }
  return Result;
}

fs::path findCompileCommands(fs::path Start) {
  std::error_code Ignored;
  for (;; Start = Start.parent_path()) {
    if (fs::exists(Start / DatabaseName, Ignored))
      return Start / DatabaseName;
    if (!Start.has_relative_path())
      return {};
  }
}

} // namespace acre::cli

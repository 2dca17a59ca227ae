// SPDX-License-Identifier: MIT
//===- Fix.cpp - acre fix: applies what the compiler proposes -------------===//
#include "Commands.h"
#include "Fixer.h"

#include "Spelling.h"

#include <charconv>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <thread>

namespace acre::cli {
namespace {

namespace fs = std::filesystem;

constexpr char HelpText[] =
    "usage: acre fix [options] [FILE.c...]\n"
    "       acre fix [options] FILE.c... -- [COMPILER-OPTION...]\n"
    "\n"
    "Compiles the program and applies what Acre's messages propose, in sources and headers, round "
    "after round until\n"
    "nothing is left to apply; then writes the files, each as a whole or not at all. The compile "
    "commands are those of\n"
    "compile_commands.json in this directory or above it, all or those of the named files; or, "
    "with --, the named files\n"
    "and the options behind it. A change after which a file that was read before can no longer "
    "be parsed is left out.\n"
    "\n"
    "  -p DIR       read DIR/compile_commands.json; DIR may also be such a file\n"
    "  --root=DIR   change only what is in DIR; may be given several times; the current directory "
    "and the named files,\n"
    "               unless given\n"
    "  --only=RULE,...\n"
    "               apply only what is proposed by these rules: R007, ACRE-R007 or acre-leak\n"
    "  --diff       print a unified diff of what is changed\n"
    "  --dry-run    write nothing\n"
    "  -j N         compile N files at once; as many as there are processors, unless given\n"
    "\n"
    "exit status: 0 all is applied and no error is left; 1 something is left, and told; 2 wrong "
    "usage, or no such file.\n";

int fail(const std::string &Message) {
  fprintf(stderr, "acre: error: %s\n", Message.c_str());
  return ExitUsage;
}

struct Entry {
  std::string_view Code, Flag;
};
constexpr Entry Table[] = {
#define ACRE_DIAGNOSTIC(Name, Code, Default, Flag, Text, Why, Rejected, Accepted) {Code, Flag},
#include "diagnostics.def"
};

/// How messages name the rule that Name is; empty if there is none.
std::string ruleOf(std::string_view Name) {
  if (Name.starts_with("-W"))
    Name.remove_prefix(2);
  for (const Entry &Each : Table)
    if (Name == Each.Code || Name == Each.Code.substr(sizeof "ACRE-" - 1) ||
        (!Each.Flag.empty() && Name == Each.Flag))
      return std::string(Each.Flag.empty() ? Each.Code : Each.Flag);
  return "";
}

struct Request {
  FixRequest Fix;
  std::string Database;
  Arguments Roots, Files, Compiler;
  bool HasCompiler = false, IsHelpWanted = false;
};

std::string parseRules(std::string_view List, Request &To) {
  while (!List.empty()) {
    std::string_view Name = List.substr(0, List.find(','));
    List.remove_prefix(std::min(Name.size() + 1, List.size()));
    std::string Rule = ruleOf(Name);
    if (Rule.empty())
      return "no rule is called '" + std::string(Name) + "'; 'acre explain' lists them";
    To.Fix.Only.insert(Rule);
  }
  return To.Fix.Only.empty() ? "--only wants a rule" : "";
}

std::string parseJobs(std::string_view Number, Request &To) {
  auto [End, Problem] = std::from_chars(Number.data(), Number.data() + Number.size(), To.Fix.Jobs);
  bool IsGood = Problem == std::errc() && End == Number.data() + Number.size() && To.Fix.Jobs > 0;
  return IsGood ? "" : "-j wants a number, not '" + std::string(Number) + "'";
}

/// An option and its value, which may be behind '=', in the next argument, or joined to the option.
std::string parseOption(std::string_view Option, Arguments::const_iterator &Next,
                        Arguments::const_iterator End, Request &To) {
  auto Value = [&](std::string_view Name, std::string &Into) {
    if (!Option.starts_with(Name))
      return false;
    std::string_view Rest = Option.substr(Name.size());
    bool IsLong = Name.starts_with("--");
    if (Rest.empty() && Next != End)
      Into = *Next++;
    else if (IsLong && Rest.starts_with("="))
      Into = Rest.substr(1);
    else if (!IsLong)
      Into = Rest;
    return !Into.empty();
  };
  std::string Text;
  if (Option == "--dry-run")
    To.Fix.IsDryRun = true;
  else if (Option == "--diff")
    To.Fix.IsDiffWanted = true;
  else if (Option == "--help" || Option == "-h")
    To.IsHelpWanted = true;
  else if (Value("--only", Text))
    return parseRules(Text, To);
  else if (Value("--root", Text))
    To.Roots.push_back(Text);
  else if (Value("-p", To.Database))
    return "";
  else if (Value("-j", Text))
    return parseJobs(Text, To);
  else if (Option == "-p" || Option == "-j" || Option.starts_with("--only") ||
           Option.starts_with("--root"))
    return std::string(Option) + " wants a value";
  else
    return "fix has no option '" + std::string(Option) +
           "'; options of the compiler stand after --";
  return "";
}

std::string parseArguments(const Arguments &Given, Request &To) {
  To.Fix.Jobs = std::max(1u, std::thread::hardware_concurrency());
  for (auto Next = Given.begin(); Next != Given.end();) {
    const std::string &Each = *Next++;
    if (Each == "--") {
      To.HasCompiler = true;
      To.Compiler.assign(Next, Given.end());
      break;
    }
    if (!Each.starts_with("-"))
      To.Files.push_back(Each);
    else if (std::string Problem = parseOption(Each, Next, Given.end(), To); !Problem.empty())
      return Problem;
  }
  if (To.HasCompiler && !To.Database.empty())
    return "-p and -- exclude each other";
  if (To.HasCompiler && To.Files.empty())
    return "-- wants files before it";
  return "";
}

/// Leaves the commands of the named files.
std::string selectFiles(const Arguments &Files, Units &From) {
  std::vector<Unit> Chosen;
  for (const std::string &File : Files) {
    std::error_code Failed;
    const fs::path Wanted = fs::weakly_canonical(File, Failed);
    size_t Before = Chosen.size();
    for (const Unit &Each : From.All)
      if (fs::weakly_canonical(Each.Directory / Each.File, Failed) == Wanted)
        Chosen.push_back(Each);
    if (Chosen.size() == Before)
      return "no command compiles '" + File + "'";
  }
  if (!Files.empty())
    From.All = std::move(Chosen);
  return "";
}

std::string findUnits(const Request &Wanted, Units &To) {
  if (Wanted.HasCompiler) {
    To = unitsOf(Wanted.Files, Wanted.Compiler);
    return "";
  }
  std::error_code Ignored;
  fs::path Database = Wanted.Database;
  if (Database.empty())
    Database = findCompileCommands(fs::current_path());
  else if (fs::is_directory(Database, Ignored))
    Database /= "compile_commands.json";
  if (Database.empty())
    return "no compile_commands.json in this directory or above it; name its directory with -p, or "
           "files and the compiler's options: acre fix FILE.c -- OPTIONS";
  std::string Error;
  To = readCompileCommands(Database, Error);
  if (Error.empty())
    Error = selectFiles(Wanted.Files, To);
  if (Error.empty() && To.All.empty())
    Error = "'" + Database.string() + "' has no command that compiles C";
  return Error;
}

std::string findRoots(Request &Wanted) {
  std::error_code Failed;
  Arguments Given = Wanted.Roots;
  if (Given.empty()) {
    Given = Wanted.Files;
    Given.push_back(".");
  }
  for (const std::string &Each : Given) {
    fs::path Real = fs::canonical(Each, Failed);
    if (Failed)
      return "cannot find '" + Each + "': " + Failed.message();
    Wanted.Fix.Roots.push_back(Real);
  }
  return "";
}

} // namespace

int fix(const Arguments &Given) {
  Request Wanted;
  if (std::string Problem = parseArguments(Given, Wanted); !Problem.empty())
    return fail(Problem);
  if (Wanted.IsHelpWanted) {
    fputs(HelpText, stdout);
    return 0;
  }
  Units Program;
  std::string Problem = findRoots(Wanted);
  if (Problem.empty())
    Problem = findUnits(Wanted, Program);
  if (!Problem.empty())
    return fail(Problem);
  if (Program.Others)
    fprintf(stderr, "acre: note: commands that compile no C, left out: %zu\n", Program.Others);
  return fixProgram(std::move(Program.All), Wanted.Fix);
}

} // namespace acre::cli

// SPDX-License-Identifier: MIT
#include "ExplainFile.h"
#include "ExplainOutput.h"
#include "ExplainRlang.h"
#include "TemporaryDirectory.h"

#include "Execute.h"
#include "Installation.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include <sys/wait.h>
#include <unistd.h>

namespace acre::cli {
namespace {

namespace fs = std::filesystem;

constexpr char HelpText[] =
    "usage: acre explain [CODE...]\n"
    "       acre explain [options] FILE.c... [-- COMPILER-OPTION...]\n"
    "\n"
    "With codes or names of warnings: what these diagnostics mean. Without anything: lists all.\n"
    "\n"
    "With files: compiles each with acre-cc (-O2 -g unless told otherwise), throws the result "
    "away, and says\n"
    "of each store to an annotated slot whether its check is removed and by which facts, or kept, "
    "which fact\n"
    "is missing and what to change; of each other store of a pointer, the same about its count. A "
    "file may\n"
    "also stand among the compiler's options.\n"
    "\n"
    "  --link           explain the files as one program, linked with -flto; what else the link "
    "needs stands after --\n"
    "  --kept           show only what is kept\n"
    "  --function=NAME  show only what stands in this function or is inlined into it\n"
    "  --json           as JSON\n"
    "  --sarif          as SARIF 2.1.0, for editors and CI\n"
    "  --rlang          instead, print the functions of one file in the region language of the RC "
    "paper, with inferred\n"
    "                   properties; what it prints is input of acre rlang\n"
    "\n"
    "exit status: 0 done, 1 the program does not compile, 2 wrong usage or no such file.\n";

struct Request {
  std::string (*Write)(const Explanation &) = asText;
  bool HasOnlyKept = false, IsLinking = false, IsRlang = false, IsHelpWanted = false;
  std::string Function;
  Arguments Files, Compiler;
};

int fail(const std::string &Message, int Status) {
  fprintf(stderr, "acre: error: %s\n", Message.c_str());
  return Status;
}

std::string parseOption(const std::string &Option, Request &To) {
  constexpr std::string_view FunctionOption = "--function=";
  if (Option == "--kept") {
    To.HasOnlyKept = true;
  } else if (Option == "--link") {
    To.IsLinking = true;
  } else if (Option == "--rlang") {
    To.IsRlang = true;
  } else if (Option == "--json" || Option == "--sarif") {
    auto *Form = Option == "--json" ? asJson : asSarif;
    if (To.Write != asText && To.Write != Form)
      return "--json and --sarif exclude each other";
    To.Write = Form;
  } else if (Option == "--help" || Option == "-h") {
    To.IsHelpWanted = true;
  } else if (Option.starts_with(FunctionOption) && Option.size() > FunctionOption.size()) {
    To.Function = Option.substr(FunctionOption.size());
  } else {
    return "explain has no option '" + Option +
           "'; options of the compiler stand after --, and 'acre explain --help' "
           "lists explain's";
  }
  return "";
}

/// Fills To; a message if the arguments make no sense.
std::string parseArguments(const Arguments &Given, Request &To) {
  auto Dashes = std::find(Given.begin(), Given.end(), "--");
  for (auto Each = Given.begin(); Each != Dashes; ++Each) {
    if (!Each->starts_with("-"))
      To.Files.push_back(*Each);
    else if (std::string Problem = parseOption(*Each, To); !Problem.empty())
      return Problem;
  }
  if (Dashes != Given.end())
    To.Compiler.assign(Dashes + 1, Given.end());
  if (To.Files.empty() && To.Compiler.empty() && !To.IsHelpWanted)
    return "explain wants a file; 'acre explain --help' explains";
  if (To.IsLinking && To.Files.empty() && !To.IsHelpWanted)
    return "--link wants files before --";
  if (To.IsRlang && (To.IsLinking || To.HasOnlyKept || To.Write != asText))
    return "--rlang goes with no other option than --function";
  if (To.IsRlang && To.Files.size() != 1 && !To.IsHelpWanted)
    return "--rlang wants one file before --";
  // A compile command that was copied names the file too.
  std::erase_if(To.Compiler, [&](const std::string &Each) {
    return std::find(To.Files.begin(), To.Files.end(), Each) != To.Files.end();
  });
  return "";
}

/// Why File cannot be read, or null.
const char *problemWith(const std::string &File) {
  std::error_code Ignored;
  if (access(File.c_str(), R_OK) != 0)
    return strerror(errno);
  return fs::is_directory(File, Ignored) ? strerror(EISDIR) : nullptr;
}

/// Runs Command, with its output sent to standard error.  Returns its status; a signal that ended
/// it counts as 1.
int runCompiler(const std::vector<std::string> &Command) {
  // An interrupt ends the compiler; this process must still remove its files.
  auto *Interrupt = std::signal(SIGINT, SIG_IGN);
  fflush(nullptr);
  pid_t Child = fork();
  if (Child == 0) {
    std::signal(SIGINT, Interrupt);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    _exit(fail(execute(Command, false), ExitFound));
  }
  int Status = 0;
  pid_t Ended = Child;
  while (Child > 0 && (Ended = waitpid(Child, &Status, 0)) < 0 && errno == EINTR)
    ;
  std::signal(SIGINT, Interrupt);
  if (Ended < 0)
    return fail(std::string("cannot run acre-cc: ") + strerror(errno), ExitFound);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : ExitFound;
}

constexpr const char *RecordsName = "records", *RlangName = "rlang";
constexpr const char *LinkRecordsName =
    "records.opt.ld.yaml"; // Clang makes this of it for the linker

/// A command of acre-cc: the user's options, then Inputs, then More, then what records in Into what
/// was decided.  The last of conflicting options wins.
std::vector<std::string> command(const Request &Wanted, const Arguments &Inputs,
                                 const Arguments &More, const fs::path &Into) {
  std::vector<std::string> Command = {thisInstallation().binaries() / "acre-cc"};
  // The link does not use what the compiler needs.
  if (Wanted.IsLinking)
    Command.push_back("--start-no-unused-arguments");
  Command.insert(Command.end(), {"-O2", "-g"});
  Command.insert(Command.end(), Wanted.Compiler.begin(), Wanted.Compiler.end());
  Command.insert(Command.end(), Inputs.begin(), Inputs.end());
  if (!Wanted.IsLinking)
    Command.push_back("--start-no-unused-arguments");
  if (Wanted.IsRlang)
    Command.insert(Command.end(), {"-mllvm", "-acre-rlang=" + (Into / RlangName).string()});
  Command.insert(Command.end(), More.begin(), More.end());
  // Link-time optimization decides in the link, so there is none without a link.  A debug directory
  // of / keeps the compiler from cutting the names of files short.
  Command.insert(Command.end(),
                 {Wanted.IsLinking ? "-flto" : "-fno-lto", "-fdebug-compilation-dir=/",
                  "-fsave-optimization-record=yaml", "-foptimization-record-passes=^acre$",
                  "-foptimization-record-file=" + (Into / RecordsName).string(),
                  "--end-no-unused-arguments"});
  return Command;
}

/// Runs Command and appends the records that it leaves in File to To.  Returns the status to exit
/// with, or 0.
int collect(const std::vector<std::string> &Command, const fs::path &File,
            std::vector<Record> &To) {
  if (runCompiler(Command) != 0)
    return ExitFound;
  std::ifstream From(File, std::ios::binary);
  if (!From)
    return fail("the compiler's options ask for no compilation or link", ExitUsage);
  std::string Text((std::istreambuf_iterator<char>(From)), {}), Error;
  auto Records = readRecords(Text, Error);
  if (!Records)
    return fail("cannot read what the compiler recorded: " + Error, ExitFound);
  std::move(Records->begin(), Records->end(), std::back_inserter(To));
  return 0;
}

/// Compiles Input, or what is among the options if it is empty, to Object.
int compile(const Request &Wanted, const std::string &Input, const fs::path &Object,
            std::vector<Record> &To) {
  const fs::path Into = Object.parent_path();
  Arguments More = {"-c", "-o", Object};
  // All is decided before machine code is made of it.
  if (!Wanted.IsLinking)
    More.push_back("-emit-llvm");
  // A list of dependencies would name the output that is thrown away.
  if (std::any_of(Wanted.Compiler.begin(), Wanted.Compiler.end(), [](const std::string &Each) {
        return Each == "-MD" || Each == "-MMD" || Each.starts_with("-MF");
      }))
    More.insert(More.end(), {"-MF", Into / "dependencies"});
  return collect(command(Wanted, Input.empty() ? Arguments() : Arguments{Input}, More, Into),
                 Into / RecordsName, To);
}

/// Links Objects.  What was removed when they were compiled stays removed; all else is decided
/// again.
int link(const Request &Wanted, const Arguments &Objects, const fs::path &Into,
         std::vector<Record> &To) {
  std::erase_if(To, [](const Record &Each) { return Each.Name.ends_with("Kept"); });
  return collect(command(Wanted, Objects, {"-o", Into / "program"}, Into), Into / LinkRecordsName,
                 To);
}

/// Compiles the file and prints it in the region language.
int explainInRlang(const Request &Wanted) {
  TemporaryDirectory Into("explain");
  if (Into.Path.empty())
    return fail(std::string("cannot make a temporary directory: ") + strerror(errno), ExitFound);
  std::vector<Record> Ignored;
  if (int Status = compile(Wanted, Wanted.Files.front(), Into.Path / "0.o", Ignored))
    return Status;
  std::ifstream From(Into.Path / RlangName, std::ios::binary);
  if (!From)
    return fail("nothing was written: --rlang wants -O1 or more", ExitUsage);
  std::string Text((std::istreambuf_iterator<char>(From)), {});
  if (std::string Problem = printRlang(Text, Wanted.Function); !Problem.empty())
    return fail(Problem, ExitFound);
  return fflush(stdout) || ferror(stdout)
             ? fail(std::string("cannot write: ") + strerror(errno), ExitFound)
             : 0;
}

/// Appends what was decided in all files to To.  Returns the status to exit with, or 0.
int compileAll(const Request &Wanted, std::vector<Record> &To) {
  TemporaryDirectory Into("explain");
  if (Into.Path.empty())
    return fail(std::string("cannot make a temporary directory: ") + strerror(errno), ExitFound);
  Arguments Objects;
  for (const std::string &File : Wanted.Files.empty() ? Arguments{""} : Wanted.Files) {
    Objects.push_back(Into.Path / (std::to_string(Objects.size()) + ".o"));
    if (int Status = compile(Wanted, File, Objects.back(), To))
      return Status;
  }
  return Wanted.IsLinking ? link(Wanted, Objects, Into.Path, To) : 0;
}

int write(const Request &Wanted, Decisions Made) {
  if (!Wanted.Function.empty())
    selectFunction(Made, Wanted.Function);
  Explanation What{std::move(Made.Stores), {}, {}, {}};
  What.Annotated = tally(What.Shown, Tallied::Annotated);
  What.Counted = tally(What.Shown, Tallied::Counted);
  What.Copies = tally(What.Shown, Tallied::Copies);
  if (Wanted.HasOnlyKept)
    std::erase_if(What.Shown, [](const Store &Each) { return !Each.isKept(); });
  std::string Text = Wanted.Write(What);
  bool IsWritten =
      fwrite(Text.data(), 1, Text.size(), stdout) == Text.size() && fflush(stdout) == 0;
  return !IsWritten ? fail(std::string("cannot write: ") + strerror(errno), ExitFound) : 0;
}

} // namespace

bool isAboutProgram(const Arguments &Given) {
  return std::any_of(Given.begin(), Given.end(), [](const std::string &Each) {
    return Each == "-h" || Each.starts_with("--") || Each.find_first_of("./") != std::string::npos;
  });
}

int explainProgram(const Arguments &Given) {
  Request Wanted;
  if (std::string Problem = parseArguments(Given, Wanted); !Problem.empty())
    return fail(Problem, ExitUsage);
  if (Wanted.IsHelpWanted) {
    fputs(HelpText, stdout);
    return 0;
  }
  for (const std::string &File : Wanted.Files)
    if (const char *Problem = problemWith(File))
      return fail("cannot read '" + File + "': " + Problem, ExitUsage);
  if (Wanted.IsRlang)
    return explainInRlang(Wanted);
  std::vector<Record> Records;
  if (int Status = compileAll(Wanted, Records))
    return Status;
  std::string Error;
  Decisions Made = decisionsOf(Records, Wanted.Files, Error);
  if (!Error.empty())
    return fail(Error, ExitFound);
  if (Made.Stores.empty() && Made.HasBarriers)
    fprintf(stderr,
            "acre: note: no store was decided on; at -O0 and with -facre-checks=all none is\n");
  return write(Wanted, std::move(Made));
}

} // namespace acre::cli

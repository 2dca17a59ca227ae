// SPDX-License-Identifier: MIT
//===- Main.cpp - acre-cc: Clang with Acre's plugin -----------------------===//
//
// One process: the arguments are read, Acre's are added, and the process becomes
// Clang; by the name acre-c++, Clang as a C++ compiler; by the names acre-llvm-ar
// and acre-llvm-ranlib, under which CMake looks for the tools of a compiler of the
// name acre-cc, those of the LLVM that Clang is of.  Exit status: that of what it
// became, or 1 if that could not be run.
//
//===----------------------------------------------------------------------===//
#include "ClangCommand.h"
#include "CommandLine.h"
#include "Execute.h"
#include "Installation.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sstream>

#include <sys/stat.h>

using namespace acre;

namespace {

int fail(const std::string &Message) {
  std::fprintf(stderr, "acre-cc: error: %s\n", Message.c_str());
  return 1;
}

/// A text that is another one after File was replaced: its size and times, for ccache.
std::string identityOf(const std::filesystem::path &File) {
  struct stat Status = {};
  std::error_code Ignored;
  if (stat(std::filesystem::canonical(File, Ignored).c_str(), &Status))
    return "missing";
  char Text[96];
  std::snprintf(Text, sizeof Text, "%lld/%lld.%09ld", static_cast<long long>(Status.st_size),
                static_cast<long long>(Status.st_mtim.tv_sec),
                static_cast<long>(Status.st_mtim.tv_nsec));
  return Text;
}

void printIdentity(const Installation &Acre, const ClangChoice &Clang) {
  std::printf("acre " ACRE_VERSION " plugin %s clang %s\n",
              identityOf(Acre.plugin(Clang.Major)).c_str(), identityOf(Clang.Path).c_str());
}

void printVersion(const Installation &Acre, const ClangChoice &Clang) {
  std::string Others;
  for (int Each : Acre.pluginVersions())
    if (Each != Clang.Major)
      Others += (Others.empty() ? "; there are others for " : ", ") + std::to_string(Each);
  std::printf("acre-cc (Acre) " ACRE_VERSION "\nPlugin for Clang %d%s\n", Clang.Major,
              Others.c_str());
}

/// The words of ACRE_FLAGS, which stand before those of the command line.
std::vector<std::string> environmentFlags() {
  const char *Value = std::getenv("ACRE_FLAGS");
  std::istringstream Words(Value ? Value : "");
  return {std::istream_iterator<std::string>(Words), {}};
}

std::string nameOf(const char *Program) {
  return std::filesystem::path(Program).filename().string();
}

bool isCxxName(const char *Program) { return nameOf(Program).find("++") != std::string::npos; }

/// Whether this program stands for a tool of LLVM.
bool isToolName(const char *Program) { return nameOf(Program).rfind("acre-llvm-", 0) == 0; }

/// Becomes that tool, which lies beside the compiler.
std::string becomeTool(char **Values) {
  std::string Missing;
  const std::optional<ClangChoice> Clang = findClang(thisInstallation(), "", Missing);
  if (!Clang)
    return Missing;
  const std::string Tool = nameOf(Values[0]).substr(std::strlen("acre-"));
  std::error_code Ignored;
  std::filesystem::path Compiler = std::filesystem::canonical(Clang->Path, Ignored);
  std::vector<std::string> Run{Compiler.replace_filename(Tool)};
  for (char **Each = Values + 1; *Each; ++Each)
    Run.push_back(*Each);
  return execute(Run, /*IsInFile=*/false);
}

bool isVerboseEnvironment() {
  const char *Value = std::getenv("ACRE_VERBOSE");
  return Value && *Value && std::string_view(Value) != "0";
}

} // namespace

int main(int Count, char **Values) {
  if (Count > 0 && isToolName(Values[0]))
    return fail(becomeTool(Values));
  std::vector<std::string> Arguments = environmentFlags();
  Arguments.insert(Arguments.end(), Values + (Count > 0), Values + Count);
  std::optional<std::string> Error;
  CommandLine Command = readCommandLine(Arguments, Error);
  if (Error)
    return fail(*Error);
  Command.IsCxx = Count > 0 && isCxxName(Values[0]);
  if (Command.Acre.IsHelpWanted) {
    std::fputs(helpText().c_str(), stdout);
    return std::fflush(stdout) ? fail("cannot write to standard output") : 0;
  }

  Installation Acre = thisInstallation();
  Acre.Target = normalizedTarget(Command.Target.value_or(ACRE_MACHINE));
  std::string Missing;
  const std::optional<ClangChoice> Clang = findClang(Acre, Command.Acre.Clang, Missing);
  if (!Clang)
    return fail(Missing);
  if (Command.Acre.IsIdentityWanted) {
    printIdentity(Acre, *Clang);
    return 0;
  }
  const std::vector<std::string> Run = clangCommand(Command, Acre, *Clang, Error);
  if (Error)
    return fail(*Error);
  if (Command.IsVersionWanted)
    printVersion(Acre, *Clang);
  if (Command.Acre.IsVerbose || isVerboseEnvironment())
    std::fprintf(stderr, "%s\n", quoteForShell(Run).c_str());
  std::fflush(nullptr);
  return fail(execute(Run, Command.HasAcreOptionInFile));
}

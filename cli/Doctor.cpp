// SPDX-License-Identifier: MIT
//===- Doctor.cpp - acre doctor: does this installation work? -------------===//
//
// Goes the way of a user: finds clang, loads the plugin, compiles and runs one
// program that must succeed and one that must be refused.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "TemporaryDirectory.h"

#include "Execute.h"
#include "Installation.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

namespace acre::cli {
namespace {

constexpr const char *Program = "#include <acre/acre.h>\n"
                                "static int *kept;\n"
                                "int main(int argc, char **argv) {\n"
                                "  region r = newregion();\n"
                                "  int *p = ralloc(r, int);\n"
                                "  (void)argv;\n"
                                "  if (argc > 1) kept = p;\n"
                                "  return deleteregion(r) ? 0 : 1;\n"
                                "}\n";

struct Outcome {
  int Status;
  std::string Output;
};

Outcome run(const std::string &Command) {
  Outcome Result{-1, ""};
  FILE *Pipe = popen((Command + " 2>&1").c_str(), "r");
  if (!Pipe)
    return Result;
  char Buffer[4096];
  for (size_t Size; (Size = fread(Buffer, 1, sizeof Buffer, Pipe)) > 0;)
    Result.Output.append(Buffer, Size);
  int Status = pclose(Pipe);
  Result.Status = WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
  return Result;
}

bool report(bool IsGood, const std::string &What, const std::string &Detail, const char *Remedy) {
  printf("%s  %s\n", IsGood ? "ok  " : "FAIL", What.c_str());
  if (IsGood)
    return true;
  std::istringstream Lines(Detail);
  for (std::string Line; std::getline(Lines, Line);)
    printf("      %s\n", Line.c_str());
  printf("      %s\n", Remedy);
  return false;
}

bool checkPrograms(const Installation &Where, const std::filesystem::path &Folder) {
  std::string Source = Folder / "doctor.c", Binary = Folder / "doctor";
  std::ofstream(Source) << Program;
  Outcome Built = run(quoteForShell({Where.binaries() / "acre-cc", "-O1", Source, "-o", Binary}));
  if (!report(Built.Status == 0, "acre-cc compiles and links a program with regions", Built.Output,
              "the output above says what is missing"))
    return false;
  Outcome Good = run(quoteForShell({Binary})),
          Bad = run("ACRE_DELETE=abort " + quoteForShell({Binary}) + " keep");
  bool Runs = report(Good.Status == 0, "the program runs and deletes its region", Good.Output,
                     "the kernel may refuse the address space: see ulimit -v");
  bool Refused = Bad.Status != 0 && Bad.Output.find("kept") != std::string::npos;
  return report(Refused, "a delete that leaves a pointer behind is refused, and names it",
                Bad.Output, "the program was not instrumented: is the plugin of this version?") &&
         Runs;
}

} // namespace

int doctor(const Arguments &Given) {
  if (!Given.empty()) {
    fprintf(stderr, "acre: error: doctor takes no arguments\n");
    return ExitUsage;
  }
  std::string Error;
  const Installation Where = thisInstallation();
  const std::optional<ClangChoice> Clang = findClang(Where, "", Error);
  const std::string Name =
      Clang ? "clang " + std::to_string(Clang->Major) + ": " + Clang->Path.string()
            : "clang: not found";
  if (!report(Clang.has_value(), Name, Error, "acre-cc runs it"))
    return ExitFound;
  const std::filesystem::path Plugin = Where.plugin(Clang->Major);
  if (!report(access(Plugin.c_str(), R_OK) == 0, "plugin: " + Plugin.string(),
              missingPlugin(Where, Clang->Major), "without it nothing is counted or checked"))
    return ExitFound;
  TemporaryDirectory Folder("doctor");
  if (Folder.Path.empty()) {
    perror("acre: error: cannot make a temporary directory");
    return ExitFound;
  }
  return checkPrograms(Where, Folder.Path) ? 0 : ExitFound;
}

} // namespace acre::cli

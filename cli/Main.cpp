// SPDX-License-Identifier: MIT
//===- Main.cpp - acre: the command-line tool -----------------------------===//
#include "Commands.h"

#include "Installation.h"
#include "Spelling.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

using namespace acre;
using namespace acre::cli;

namespace {

int config(const Arguments &Given) {
  const Installation Here = thisInstallation();
  std::string Ignored;
  const std::optional<ClangChoice> Clang = findClang(Here, "", Ignored);
  const int Major = Clang ? Clang->Major : 0;
  const std::pair<std::string_view, std::string> Known[] = {
      {"--cflags", "-I" + Here.headers().string()},
      {"--libs", Here.staticRuntime().string() + " -lpthread"},
      {"--plugin", Here.plugin(Major).string()},
      {"--prefix", Here.Prefix.string()},
  };
  std::string Line;
  for (const std::string &Each : Given) {
    auto Found = std::find_if(std::begin(Known), std::end(Known),
                              [&](auto &Entry) { return Entry.first == Each; });
    if (Found == std::end(Known)) {
      fprintf(stderr, "acre: error: config does not know '%s'\n", Each.c_str());
      return ExitUsage;
    }
    Line += (Line.empty() ? "" : " ") + Found->second;
  }
  if (Given.empty()) {
    fprintf(stderr, "usage: acre config --cflags | --libs | --plugin | --prefix ...\n");
    return ExitUsage;
  }
  puts(Line.c_str());
  return 0;
}

struct Command {
  const char *Name, *Text;
  int (*Run)(const Arguments &);
};

constexpr Command Commands[] = {
    {"doctor", "check that this installation works", doctor},
    {"explain",
     "what a diagnostic means, or which checks of FILE.c stay and why: acre explain --help",
     explain},
    {"explain-heap", "what a program's heap told, as text or SARIF: acre explain-heap --help",
     explainHeap},
    {"fix", "apply what the compiler proposes to a whole program: acre fix --help", fix},
    {"plot",
     "figures and numbers of a collected heap, from a trace of ACRE_TRACE: acre plot --help", plot},
    {"pools", "maps of a program's pools: acre pools --help", pools},
    {"rlang", "check, run or infer programs of the paper's region language: acre rlang --help",
     rlang},
    {"sarif", "clang's SARIF with names and help of Acre's rules: acre sarif --help", sarif},
    {"sizes", "cell sizes of a collected heap, from its profile: acre sizes --help", sizes},
    {"stats", "what became of the stores of programs, compiled or run: acre stats --help", stats},
    {"top", "the regions of a running process: acre top --help", top},
    {"view", "snapshots of a program's regions as a page, or for pprof: acre view --help", view},
    {"config", "where things are: --cflags --libs --plugin --prefix", config},
};

void help(FILE *To) {
  fprintf(To, "usage: acre <command> [arguments]\n\n");
  for (const Command &Each : Commands)
    fprintf(To, "  %-10s%s\n", Each.Name, Each.Text);
  fprintf(To, "  %-10s%s\n  %-10s%s\n\nacre-cc is the compiler: acre-cc --acre-help.\n", "help",
          "print this", "--version", "print the version");
}

} // namespace

int main(int Count, char **Values) {
  if (Count < 2) {
    help(stderr);
    return ExitUsage;
  }
  std::string Name = Values[1];
  if (Name == "help" || Name == "--help" || Name == "-h") {
    help(stdout);
    return 0;
  }
  if (Name == "--version" || Name == "version") {
    puts("acre " ACRE_VERSION);
    return 0;
  }
  for (const Command &Each : Commands)
    if (Name == Each.Name)
      return Each.Run(Arguments(Values + 2, Values + Count));
  std::vector<std::string_view> Known = {"help"};
  for (const Command &Each : Commands)
    Known.push_back(Each.Name);
  std::string_view Best = closest(Name, Known);
  fprintf(stderr, "acre: error: unknown command '%s'; ", Name.c_str());
  if (Best.empty())
    fprintf(stderr, "'acre help' lists them\n");
  else
    fprintf(stderr, "did you mean '%.*s'?\n", static_cast<int>(Best.size()), Best.data());
  return ExitUsage;
}

// SPDX-License-Identifier: MIT
//===- Pools.cpp - acre pools: maps of a program's pools ------------------===//
//
// The plugin reads maps; so a map is checked by compiling with it.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "Execute.h"
#include "Installation.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace fs = std::filesystem;

namespace acre::cli {
namespace {

constexpr char HelpText[] =
    "usage: acre pools list\n"
    "       acre pools check MAP [FILE.c ...] [-- COMPILER-OPTION ...]\n"
    "\n"
    "Maps say which functions make, use and end a program's pools: acre-cc -facre-pools=MAP.\n"
    "\n"
    "  list   the maps of this installation: names and files\n"
    "  check  what is wrong with MAP, a file or a name; and with files what it does not cover: "
    "functions that\n"
    "         they see, which take a pool and are declared beside functions of the map, but are "
    "not in it.  One\n"
    "         that needs nothing gets a line 'other NAME'\n"
    "\n"
    "exit status: 0 nothing is wrong, 1 something is, 2 wrong usage.\n";

int usage(const char *Message) {
  fprintf(stderr, "acre pools: error: %s\n%s", Message, HelpText);
  return ExitUsage;
}

int list(const Arguments &Given) {
  if (Given.size() != 1)
    return usage("'list' takes no arguments");
  std::error_code Failed;
  std::vector<fs::path> Files;
  for (const fs::directory_entry &Each : fs::directory_iterator(thisInstallation().pools(), Failed))
    if (Each.path().extension() == ".map")
      Files.push_back(Each.path());
  if (Failed) {
    fprintf(stderr, "acre pools: error: cannot read '%s': %s\n", thisInstallation().pools().c_str(),
            Failed.message().c_str());
    return ExitFound;
  }
  std::sort(Files.begin(), Files.end());
  for (const fs::path &Each : Files)
    printf("%-12s%s\n", Each.stem().c_str(), Each.c_str());
  return 0;
}

/// Replaces this process by the compiler, whose messages and status are what is wanted.
int check(const Arguments &Given) {
  const auto End = std::find(Given.begin(), Given.end(), "--");
  if (Given.begin() + 1 >= End)
    return usage("'check' needs a map");
  std::vector<std::string> Command = {thisInstallation().binaries() / "acre-cc", "-fsyntax-only",
                                      "-w", "-facre-pools=" + Given[1],
                                      "-fplugin-arg-acre-pools-check"};
  if (End != Given.end())
    Command.insert(Command.end(), End + 1, Given.end());
  if (Given.begin() + 2 == End)
    Command.insert(Command.end(), {"-x", "c", "/dev/null"});
  else
    Command.insert(Command.end(), Given.begin() + 2, End);
  fprintf(stderr, "acre pools: error: %s\n", execute(Command, false).c_str());
  return ExitFound;
}

} // namespace

int pools(const Arguments &Given) {
  if (isHelpPrinted(Given, HelpText))
    return 0;
  if (Given.empty())
    return usage("which: list or check?");
  if (Given[0] == "list")
    return list(Given);
  if (Given[0] == "check")
    return check(Given);
  return usage(("there is no 'pools " + Given[0] + "'").c_str());
}

} // namespace acre::cli

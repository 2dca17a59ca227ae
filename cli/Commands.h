/* SPDX-License-Identifier: MIT */
//===- Commands.h - The subcommands of acre -------------------------------===//
//
// Each takes the arguments after its name and returns the exit status: 0 done,
// 1 it found something wrong, 2 wrong usage.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_CLI_COMMANDS_H
#define ACRE_CLI_COMMANDS_H

#include <cstdio>
#include <string>
#include <vector>

namespace acre::cli {

using Arguments = std::vector<std::string>;

constexpr int ExitFound = 1;
constexpr int ExitUsage = 2;

/// Prints Help if one of the arguments asks for it; returns whether one does.
inline bool isHelpPrinted(const Arguments &Given, const char *Help) {
  for (const std::string &Each : Given)
    if (Each == "--help" || Each == "-h" || Each == "help") {
      fputs(Help, stdout);
      return true;
    }
  return false;
}

int doctor(const Arguments &Given);
int explain(const Arguments &Given);
int explainHeap(const Arguments &Given);
int fix(const Arguments &Given);
int plot(const Arguments &Given);
int pools(const Arguments &Given);
int rlang(const Arguments &Given); // may also return 3 to 5: see its --help
int sarif(const Arguments &Given);
int sizes(const Arguments &Given);
int stats(const Arguments &Given);
int top(const Arguments &Given);
int view(const Arguments &Given);

} // namespace acre::cli

#endif

/* SPDX-License-Identifier: MIT */
//===- Fixer.h - Round after round of proposals -----------------*- C++ -*-===//
#ifndef ACRE_CLI_FIXER_H
#define ACRE_CLI_FIXER_H

#include "FixUnits.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace acre::cli {

struct FixRequest {
  std::vector<std::filesystem::path> Roots; // real paths
  std::set<std::string> Only;               // rules; all if empty
  bool IsDryRun = false, IsDiffWanted = false;
  unsigned Jobs = 1;
};

/// Applies what is proposed for the units and says what was done.  Returns the status to exit with.
int fixProgram(std::vector<Unit> Program, const FixRequest &Wanted);

} // namespace acre::cli

#endif

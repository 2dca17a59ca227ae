/* SPDX-License-Identifier: MIT */
//===- FixUnits.h - The compile commands of a program -----------*- C++ -*-===//
#ifndef ACRE_CLI_FIXUNITS_H
#define ACRE_CLI_FIXUNITS_H

#include "Commands.h"

#include <filesystem>
#include <string>
#include <vector>

namespace acre::cli {

/// One compilation: what stands behind the compiler's name, without what says where its output
/// goes.
struct Unit {
  std::filesystem::path Directory;
  std::string File; // as the command names it
  Arguments Command;
};

struct Units {
  std::vector<Unit> All;
  size_t Others = 0; // commands that compile no C
};

/// Reads a compile_commands.json.  Commands that are given twice are taken once.  On failure sets
/// Error.
Units readCompileCommands(const std::filesystem::path &Database, std::string &Error);

/// Files, each compiled in the current directory with the same options.
Units unitsOf(const Arguments &Files, const Arguments &Options);

/// The database in Start or in the nearest directory above it; empty if there is none.
std::filesystem::path findCompileCommands(std::filesystem::path Start);

} // namespace acre::cli

#endif

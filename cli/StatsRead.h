/* SPDX-License-Identifier: MIT */
//===- StatsRead.h - Reading what -facre-stats has written -----*- C++ -*-===//
//
// A file is a sequence of lines, each an object: of a compilation (or a link with
// -flto) what was decided, of a process also what it executed.  A line of the same
// sources, or of the same program, that comes later replaces what was decided;
// what was executed is added.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_CLI_STATS_READ_H
#define ACRE_CLI_STATS_READ_H

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace acre::cli {

/// A store of the source, as include/acre/abi.h describes it.
struct StoreStats {
  std::string File, Function, Type, Slot;
  unsigned Line = 0, Column = 0;
  unsigned Removed = 0, Cleared = 0, Kept = 0;
  std::uint64_t Safe = 0, Executed = 0, Called = 0, Changed = 0;

  bool isCopy() const { return Slot == "copy"; }
  bool isAnnotated() const { return !isCopy() && !isCounted() && Slot != "cleared"; }
  bool isCounted() const { return Slot == "counted"; }
};

class StatsReader {
public:
  /// Reads all lines of From.  A message with the line's number if one is no statistics.
  std::string read(std::istream &From);
  /// All stores, by place.
  std::vector<StoreStats> merged() const;
  /// Whether a process has written anything.
  bool hasRuns() const { return HasRuns; }

private:
  /// Column 0: the place is not known, and Number tells the stores of a line apart.
  using Key =
      std::tuple<std::string, unsigned, unsigned, std::string, std::string, std::string, unsigned>;
  using Table = std::map<Key, StoreStats>;

  std::map<std::string, Table> Compilations,
      Programs; // what was decided, by sources and by program
  Table Executed;
  bool HasRuns = false;
};

} // namespace acre::cli

#endif

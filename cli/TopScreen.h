/* SPDX-License-Identifier: MIT */
//===- TopScreen.h - What acre top shows, as lines of text ----------------===//
#ifndef ACRE_CLI_TOP_SCREEN_H
#define ACRE_CLI_TOP_SCREEN_H

#include "SnapshotRead.h"

#include <string>
#include <vector>

namespace acre::cli {

enum class TopOrder { Bytes, Growth, Objects, Count, Name };

struct TopRow {
  const SnapshotRegion *Region;
  size_t Depth;        ///< in the tree; 0 where it is not shown as one
  std::uint64_t Whole; ///< bytes with those below
  double Growth;       ///< bytes a second, of Whole
};

/// Regions in order, each before those below it if they are shown as a tree. Before: the snapshot
/// before of the same process, or null.
std::vector<TopRow> topRows(const Snapshot &Now, const Snapshot *Before, TopOrder By, bool IsTree);

/// The first line: the program and its sums.
std::string topHead(const Snapshot &Now, const Snapshot *Before);
std::string topTitles();
std::string topLine(const TopRow &Of);
/// What keeps the region alive and what is in it, most first.
std::vector<std::string> topDetails(const Snapshot &Of, const SnapshotRegion &Region);

/// Text with '?' for what would control a terminal, and cut off or filled up to Width characters.
std::string fitted(const std::string &Text, size_t Width);
/// The first of the two.
std::string printable(const std::string &Text);

} // namespace acre::cli

#endif

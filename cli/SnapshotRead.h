/* SPDX-License-Identifier: MIT */
//===- SnapshotRead.h - Reading what acre_snapshot wrote ------------------===//
//
// The format is in docs/reference/snapshot.md. A region that another line names
// has a line of its own, but for the traditional one (0): whoever reads a
// snapshot may follow indices and parents without a further look.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_CLI_SNAPSHOT_READ_H
#define ACRE_CLI_SNAPSHOT_READ_H

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace acre::cli {

/// Where objects of a type were allocated, as far as that is known.
struct SnapshotSite {
  std::string Type, File, Function;
  std::uint64_t Line = 0;

  auto operator<=>(const SnapshotSite &) const = default;
  std::string place() const; ///< "file.c:12", or empty
};

struct SnapshotObjects {
  SnapshotSite Site;
  std::uint64_t Count = 0, Bytes = 0;
};

/// Slots that point into a region.
struct SnapshotReferrers {
  std::string What;                  ///< in words
  std::uint64_t From = 0, Count = 0; ///< From: the region that they are in, or 0
};

struct SnapshotRegion {
  std::uint64_t Index = 0, Generation = 0, Parent = 0, Thread = 0;
  std::string Name, CreatedAt, State, Policy;
  std::uint64_t Objects = 0, Bytes = 0, Reserved = 0, Count = 0, Stale = 0;
  std::vector<SnapshotObjects> Parts;
  std::vector<SnapshotReferrers> Referrers;

  std::string label() const; ///< its name, or where it was created
};

struct Snapshot {
  std::string Program;
  std::uint64_t Process = 0, Milliseconds = 0, StoppedMicroseconds = 0, Created = 0;
  std::map<std::uint64_t, SnapshotRegion> Regions; ///< by index
  bool HasCollected = false;
  std::uint64_t CollectedUseful = 0;
  std::vector<SnapshotObjects> Collected;

  std::uint64_t bytes() const;
  std::uint64_t objects() const;
  /// Each region before those below it.
  std::vector<const SnapshotRegion *> parentsFirst() const;
};

/// Reads a snapshot. Returns "LINE: what is wrong", or nothing.
std::string readSnapshot(std::istream &From, Snapshot &To);

} // namespace acre::cli

#endif

/* SPDX-License-Identifier: MIT */
//===- ViewExport.h - Snapshots for other viewers -------------------------===//
//
// A heap profile: the stack of an object is the regions that it lies in, from
// the root on, then the function that allocated it, then its type.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_CLI_VIEW_EXPORT_H
#define ACRE_CLI_VIEW_EXPORT_H

#include "SnapshotRead.h"

#include <string>

namespace acre::cli {

/// A profile.proto of pprof, not compressed.
std::string asPprof(const Snapshot &Of);
/// A file of speedscope, with a profile of bytes and one of objects.
std::string asSpeedscope(const Snapshot &Of);

} // namespace acre::cli

#endif

/* SPDX-License-Identifier: MIT */
//===- ViewPage.h - Snapshots as a page of HTML ---------------------------===//
#ifndef ACRE_CLI_VIEW_PAGE_H
#define ACRE_CLI_VIEW_PAGE_H

#include "SnapshotRead.h"

#include <string>
#include <vector>

namespace acre::cli {

/// One page that needs no other file: the last snapshot, what has grown since the first, and all of
/// them over time.
std::string viewPage(const std::vector<Snapshot> &Snapshots);

} // namespace acre::cli

#endif

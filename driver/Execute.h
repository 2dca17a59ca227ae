/* SPDX-License-Identifier: MIT */
//===- Execute.h - Becoming another program ---------------------*- C++ -*-===//
#ifndef ACRE_DRIVER_EXECUTE_H
#define ACRE_DRIVER_EXECUTE_H

#include <string>
#include <vector>

namespace acre {

/// The command as a shell would read it.
std::string quoteForShell(const std::vector<std::string> &Command);

/// Writes Text to an open file.  On failure errno is set.
bool writeAll(int File, const std::string &Text);

/// Replaces this process by Command, so that signals and the exit status are the compiler's.  With
/// IsInFile all arguments but the name go by a response file in memory, which has no limit of
/// length.  Returns only if that fails, with the reason.
std::string execute(const std::vector<std::string> &Command, bool IsInFile);

} // namespace acre

#endif

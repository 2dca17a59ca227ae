/* SPDX-License-Identifier: MIT */
//===- ResponseFile.h - Arguments kept in files -----------------*- C++ -*-===//
#ifndef ACRE_DRIVER_RESPONSEFILE_H
#define ACRE_DRIVER_RESPONSEFILE_H

#include <string>
#include <string_view>
#include <vector>

namespace acre {

/// Arguments with each @file replaced by what the file holds, by GNU's rules of quoting, as Clang
/// does.  An @file that cannot be read, or that includes itself, is left as it is: Clang reports
/// it.
std::vector<std::string> expandResponseFiles(const std::vector<std::string> &Arguments);

/// The arguments of a command that is one string, by the same rules.
std::vector<std::string> splitArguments(std::string_view Text);

/// Text that a response file holds for Arguments.
std::string quoteForResponseFile(const std::vector<std::string> &Arguments);

} // namespace acre

#endif

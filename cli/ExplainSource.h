/* SPDX-License-Identifier: MIT */
//===- ExplainSource.h - Lines of the program that is explained -*- C++ -*-===//
#ifndef ACRE_CLI_EXPLAIN_SOURCE_H
#define ACRE_CLI_EXPLAIN_SOURCE_H

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acre::cli {

class SourceFiles {
public:
  /// A line without its end, counted from 1, if there is one.
  std::optional<std::string> line(const std::string &File, unsigned Number);

private:
  std::map<std::string, std::vector<std::string>> Read;
};

/// How many code points the first Bytes bytes of a line are.  Clang counts columns in bytes,
/// editors do not.
size_t codePoints(std::string_view Line, size_t Bytes);

} // namespace acre::cli

#endif

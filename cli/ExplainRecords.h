/* SPDX-License-Identifier: MIT */
//===- ExplainRecords.h - Reading LLVM's optimization records -*- C++ -*-===//
//
// Clang says in several forms what an optimization did.  Only the YAML records of
// -fsave-optimization-record name the function, keep the remark apart from the
// program's own warnings whatever -w, -Werror or -fdiagnostics-format say, and go
// to a file of their own.  (The text of -Rpass has no function; Clang's SARIF has
// neither function nor pass, and is declared unstable.)  So these are read.
//
// The reader knows exactly the YAML that LLVM writes for a record, and reports
// anything else instead of passing over it: a store left out would be a lie.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_CLI_EXPLAIN_RECORDS_H
#define ACRE_CLI_EXPLAIN_RECORDS_H

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acre::cli {

struct Record {
  std::string Pass, Name, Function;
  std::string File; // empty if the location is not known
  unsigned Line = 0, Column = 0;
  std::string Message;                      // all arguments, one after the other
  std::map<std::string, std::string> Named; // those that have names of their own, as Missing
};

/// All records of Text.  If it does not have the form, none, and Error says where.
std::optional<std::vector<Record>> readRecords(std::string_view Text, std::string &Error);

} // namespace acre::cli

#endif

/* SPDX-License-Identifier: MIT */
//===- ExplainRlang.h - acre explain --rlang -------------------*- C++ -*-===//
#ifndef ACRE_CLI_EXPLAIN_RLANG_H
#define ACRE_CLI_EXPLAIN_RLANG_H

#include <string>

namespace acre::cli {

/// Prints Text, which the pass has written of a file, with inferred properties.  With Function: it
/// alone, and of the others what it refers to.  A message if that is impossible.
std::string printRlang(const std::string &Text, const std::string &Function);

} // namespace acre::cli

#endif

/* SPDX-License-Identifier: MIT */
//===- Parse.h - rlang from text --------------------------------*- C++ -*-===//
//
// The grammar is in docs/reference/rlang.md.  Reading stops at the first error:
// what follows a missing token is guesswork.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_PARSE_H
#define ACRE_RLANG_PARSE_H

#include "Syntax.h"

#include <optional>

namespace acre::rlang {

/// The deepest nesting of blocks, and of properties: far below what would use up the stack.
constexpr unsigned DeepestNesting = 256;

struct Parsed {
  rlang::Program Program;
  std::optional<Diagnostic> Error; // then Program is what had been read before it
};

Parsed parse(std::string_view Text);

} // namespace acre::rlang

#endif

/* SPDX-License-Identifier: MIT */
//===- Pragma.h - #pragma acre diagnostic -----------------------*- C++ -*-===//
//
// Clang's own #pragma clang diagnostic knows only Clang's flags, so the flags
// of Acre have a pragma of the same form.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_PRAGMA_H
#define ACRE_PLUGIN_PRAGMA_H

#include <memory>

namespace clang {
class Preprocessor;
}

namespace acre::ast {
class Diagnostics;

/// Makes Input understand #pragma acre diagnostic push, pop, ignored, warning and error.
void addPragmas(clang::Preprocessor &Input, std::shared_ptr<Diagnostics> Reports);

} // namespace acre::ast

#endif

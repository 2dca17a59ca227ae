/* SPDX-License-Identifier: MIT */
//===- ExplainFile.h - acre explain FILE.c ---------------------*- C++ -*-===//
#ifndef ACRE_CLI_EXPLAIN_FILE_H
#define ACRE_CLI_EXPLAIN_FILE_H

#include "Commands.h"

namespace acre::cli {

/// Whether the arguments of explain are about a program and not about diagnostics, whose names have
/// no dot or slash.
bool isAboutProgram(const Arguments &Given);

/// Compiles a program and says what was decided of each store.
int explainProgram(const Arguments &Given);

} // namespace acre::cli

#endif

/* SPDX-License-Identifier: MIT */
//===- ClangCommand.h - The command that runs Clang -------------*- C++ -*-===//
#ifndef ACRE_DRIVER_CLANGCOMMAND_H
#define ACRE_DRIVER_CLANGCOMMAND_H

#include "CommandLine.h"
#include "Installation.h"

namespace acre {

/// The arguments for Clang, its name first: Acre's own before the user's, so that the user's win
/// where they conflict.  If the command cannot be carried out, sets Error.
std::vector<std::string> clangCommand(const CommandLine &Command, const Installation &Acre,
                                      const ClangChoice &Clang, std::optional<std::string> &Error);

} // namespace acre

#endif

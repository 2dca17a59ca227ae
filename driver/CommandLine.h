/* SPDX-License-Identifier: MIT */
//===- CommandLine.h - What a compiler command asks for ---------*- C++ -*-===//
//
// The driver adds arguments and changes none, so it needs to know little of a
// command: whether it compiles, whether it links, and what it links with.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_DRIVER_COMMANDLINE_H
#define ACRE_DRIVER_COMMANDLINE_H

#include "Options.h"

#include <optional>
#include <string>
#include <vector>

namespace acre {

struct CommandLine {
  Options Acre;
  /// All arguments but Acre's.  With HasAcreOptionInFile they are those of the files, otherwise as
  /// given.
  std::vector<std::string> ClangArguments;

  bool IsInternal = false;        ///< -cc1 and the like: not a compiler command
  bool IsCxx = false;             ///< by the program's name: inputs are C++, as clang++ takes them
  bool HasInput = false;          ///< anything to compile, assemble or link
  bool HasInputsToTheEnd = false; ///< has "--": what follows are no options
  bool IsPreprocessing = false;   ///< stops after preprocessing: -E, -M, -MM
  bool IsLinking = false;         ///< runs the linker, if there is an input
  bool IsVersionWanted = false;
  bool HasAcreOptionInFile = false; ///< a response file must not be passed on as it is
  bool IsShared = false;
  bool IsStatic = false;         ///< -static, -static-pie
  bool IsWithoutRuntime = false; ///< -nostdlib, -nodefaultlibs, -r
  bool HasLTO = false;
  std::optional<std::string> Linker; ///< of -fuse-ld= or --ld-path=
  std::optional<std::string> Target; ///< of --target=
  bool Is32Bit = false;              ///< -m32, -mx32
  std::vector<std::string> Wrapped;  ///< of the linker's --wrap=
};

/// Reads the arguments after the program's name.  On a wrong option of Acre's sets Error.
CommandLine readCommandLine(const std::vector<std::string> &Arguments,
                            std::optional<std::string> &Error);

} // namespace acre

#endif

/* SPDX-License-Identifier: MIT */
//===- Options.h - Acre's own options ---------------------------*- C++ -*-===//
//
// Acre's options begin with -facre, -fno-acre, -Wacre, -Wno-acre, -Werror=acre,
// -Wno-error=acre or --acre.  Every argument that begins so is Acre's and never
// reaches Clang; every other argument is Clang's and reaches it unchanged.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_DRIVER_OPTIONS_H
#define ACRE_DRIVER_OPTIONS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acre {

enum class OptionId {
#define ACRE_OPTION(Id, Shape, Spelling, Argument, Help) Id,
#include "options.def"
};

enum class RuntimeKind { Automatic, Static, Shared, None };

/// What Acre's options on one command line ask for.
struct Options {
  bool IsInstrumenting = true;
  bool IsVerifying = false;
  bool HasRemarks = false;
  bool WantsLines = false; ///< in messages
  bool HasSites = false;
  bool SearchesFrames = false; ///< -facre-frames=conservative
  bool HasStats = false;
  bool HasNoChecks = false; ///< -facre-checks=none
  bool IsVerbose = false;
  bool HasCollectedMalloc = false;
  bool HasQuarantine = false; ///< besides
  bool HasRpath = true;
  bool IsHelpWanted = false;
  bool IsIdentityWanted = false;
  RuntimeKind Runtime = RuntimeKind::Automatic;
  std::string Clang;              ///< the version or path of --acre-clang=
  std::vector<std::string> Pools; ///< the names and files of -facre-pools=
  /// In the order given: what the plugin is told, as in -fplugin-arg-acre-<word>.
  std::vector<std::string> PluginWords;
  /// The pass's options, each given to Clang after -mllvm.
  std::vector<std::string> PassWords;
};

/// Whether Argument has the form of one of Acre's options, known or not.
bool isAcreOption(std::string_view Argument);

/// Applies one option.  Returns the message to report if it is unknown or wrong.
std::optional<std::string> applyOption(std::string_view Argument, Options &Result);

/// The text of --acre-help.
std::string helpText();

} // namespace acre

#endif

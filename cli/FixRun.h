/* SPDX-License-Identifier: MIT */
//===- FixRun.h - Compiling many units at once ------------------*- C++ -*-===//
#ifndef ACRE_CLI_FIXRUN_H
#define ACRE_CLI_FIXRUN_H

#include "FixMessages.h"
#include "FixUnits.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace acre::cli {

/// What came of compiling a unit.
struct Outcome {
  bool IsGood = false;
  std::vector<Message> Messages;
  bool HasReads = false;                    // whether it is known what was read
  std::vector<std::filesystem::path> Reads; // absolute
};

class FixRun {
public:
  /// Scratch: a directory for output.  Progress is told of each unit that is done.
  FixRun(std::filesystem::path Scratch, unsigned Jobs, std::function<void(size_t Done)> Progress)
      : Scratch(std::move(Scratch)), Jobs(Jobs), Progress(std::move(Progress)) {}

  /// Checks each of the units with the overlay, if there is one.  False if a signal came, which
  /// ended the compilers too.
  bool compile(const std::vector<const Unit *> &Wanted, const std::filesystem::path &Overlay,
               std::vector<Outcome> &Made);

  /// Makes signals that would end this process be noticed instead, so that it can remove its files.
  static void catchSignals();
  /// The signal that came, or 0.
  static int signal();

private:
  int start(const Unit &Wanted, size_t Number, const std::filesystem::path &Overlay) const;
  Outcome read(const Unit &Wanted, size_t Number, int Status) const;
  std::filesystem::path file(size_t Number, const char *Kind) const {
    return Scratch / (std::to_string(Number) + Kind);
  }

  std::filesystem::path Scratch;
  unsigned Jobs;
  std::function<void(size_t)> Progress;
};

} // namespace acre::cli

#endif

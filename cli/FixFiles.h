/* SPDX-License-Identifier: MIT */
//===- FixFiles.h - The files of a program while they are fixed -*- C++ -*-===//
//
// Nothing is written to the program's files until all is decided: the compiler
// sees the new text through an overlay of the file system.  A file is known by
// what its names come to, so it is one file by whatever path it is included.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_CLI_FIXFILES_H
#define ACRE_CLI_FIXFILES_H

#include "FixMessages.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <ctime>

namespace acre::cli {

class FixFiles {
public:
  /// Roots: only what is below one of them, or is one, may be changed.  Scratch: a directory for
  /// copies.
  FixFiles(std::vector<std::filesystem::path> Roots, std::filesystem::path Scratch)
      : Roots(std::move(Roots)), Scratch(std::move(Scratch)) {}

  /// What the file is without links in its name; empty if it cannot be found.  Each name that the
  /// compiler opens has to be asked for: the overlay has them all.
  const std::filesystem::path &realOf(const std::filesystem::path &Name);

  /// Why the file may not be changed; empty if it may.
  std::string problemWith(const std::filesystem::path &Name);

  /// The text of a file as it is now; needs that there is no problem with it.
  const std::string &text(const std::filesystem::path &Name) { return open(Name).Now; }
  void change(const std::filesystem::path &Name, std::string Text);
  bool isChanged() const;
  /// The changed files, in order.
  std::vector<std::filesystem::path> changed() const;

  /// Writes the overlay.  Empty if no file is changed; without a value, and errno set, if it cannot
  /// be written.
  std::optional<std::filesystem::path> writeOverlay();

  /// A unified diff of all that is changed.  False, and errno set, if it cannot be made.
  bool printDiff();
  /// Writes what is changed to the program's files: each as a whole or not at all.  What went wrong
  /// goes to Problems.  Returns how many were written.
  size_t writeBack(std::vector<std::string> &Problems);

private:
  struct File {
    std::string Problem;
    std::string Original, Now;
  };

  File &open(const std::filesystem::path &Name);
  static timespec now();
  bool isInProject(const std::filesystem::path &Real) const;
  std::string problemOf(const std::filesystem::path &Real) const;

  std::vector<std::filesystem::path> Roots;
  std::filesystem::path Scratch;
  timespec Start = now();
  std::map<std::filesystem::path, std::filesystem::path> Names; // as opened, and what it is
  std::set<std::filesystem::path> Unspeakable; // what a name that is not UTF-8 leads to
  std::map<std::filesystem::path, File> Files; // by what they are
};

} // namespace acre::cli

#endif

/* SPDX-License-Identifier: MIT */
//===- ReplaceFile.h - A new text for a file, whole or not at all -*- C++ -*-===//
#ifndef ACRE_CLI_REPLACEFILE_H
#define ACRE_CLI_REPLACEFILE_H

#include <filesystem>
#include <string>
#include <utility>

namespace acre::cli {

/// A text that is put beside a file, and then in its place.
class ReplaceFile {
public:
  explicit ReplaceFile(std::filesystem::path Path) : Path(std::move(Path)) {}
  ReplaceFile(ReplaceFile &&Other) noexcept
      : Path(Other.Path), Beside(std::exchange(Other.Beside, "")) {}
  ReplaceFile &operator=(ReplaceFile &&) = delete;
  ~ReplaceFile();

  const std::filesystem::path &path() const { return Path; }
  /// Writes Text beside the file, with its mode and owner.  Returns what went wrong, or nothing.
  std::string prepare(const std::string &Text);
  /// Puts it in the file's place.  Returns what went wrong, or nothing.
  std::string commit();

private:
  std::filesystem::path Path;
  std::string Beside; // empty if nothing is there
};

} // namespace acre::cli

#endif

/* SPDX-License-Identifier: MIT */
//===- TemporaryDirectory.h - A directory that goes with an object --------===//
#ifndef ACRE_CLI_TEMPORARYDIRECTORY_H
#define ACRE_CLI_TEMPORARYDIRECTORY_H

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace acre::cli {

class TemporaryDirectory {
public:
  /// Purpose: part of its name.
  explicit TemporaryDirectory(const std::string &Purpose) {
    std::error_code Failed;
    std::string Template =
        std::filesystem::temp_directory_path(Failed) / ("acre-" + Purpose + "-XXXXXX");
    if (Failed)
      errno = Failed.value();
    else if (mkdtemp(Template.data()))
      Path = Template;
  }
  ~TemporaryDirectory() {
    std::error_code Ignored;
    if (!Path.empty())
      std::filesystem::remove_all(Path, Ignored);
  }
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;

  std::filesystem::path Path; // empty, and errno set, if it could not be made
};

} // namespace acre::cli

#endif

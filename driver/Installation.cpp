// SPDX-License-Identifier: MIT
#include "Installation.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace acre {
namespace {

namespace fs = std::filesystem;

bool isExecutable(const fs::path &Path) {
  std::error_code Ignored;
  return access(Path.c_str(), X_OK) == 0 && fs::is_regular_file(Path, Ignored);
}

bool isThisProgram(const fs::path &Path) {
  std::error_code Ignored;
  return fs::equivalent(Path, "/proc/self/exe", Ignored);
}

std::optional<fs::path> findInPath(const std::string &Name) {
  const char *Value = std::getenv("PATH");
  std::string_view Rest = Value ? Value : "";
  while (!Rest.empty()) {
    size_t End = std::min(Rest.find(':'), Rest.size());
    fs::path Candidate = fs::path(End ? Rest.substr(0, End) : ".") / Name;
    if (isExecutable(Candidate) && !isThisProgram(Candidate))
      return Candidate;
    Rest.remove_prefix(std::min(End + 1, Rest.size()));
  }
  return std::nullopt;
}

/// The major version that Clang prints, or 0.
int majorVersion(const fs::path &Clang) {
  std::string Quoted;
  for (char C : Clang.string())
    Quoted += C == '\'' ? "'\\''" : std::string(1, C);
  FILE *Output = popen(("'" + Quoted + "' -dumpversion 2>/dev/null").c_str(), "r");
  if (!Output)
    return 0;
  int Major = 0;
  if (fscanf(Output, "%d", &Major) != 1)
    Major = 0;
  pclose(Output);
  return Major;
}

} // namespace

Installation thisInstallation() {
  std::error_code Failed;
  fs::path Program = fs::read_symlink("/proc/self/exe", Failed);
  return {Program.parent_path().parent_path()};
}

fs::path findClang(std::string &Error) {
  const std::string Versioned = "clang-" + std::to_string(ClangMajor);
  if (const char *Chosen = std::getenv("ACRE_CLANG"); Chosen && *Chosen) {
    fs::path Path = Chosen;
    std::optional<fs::path> Found =
        Path.has_parent_path() ? std::optional(Path) : findInPath(Chosen);
    if (Found && isExecutable(*Found) && !isThisProgram(*Found))
      return *Found;
    Error = "ACRE_CLANG is '" + Path.string() + "', which is not a compiler that can be run";
    return {};
  }
  if (fs::path Built = ACRE_CLANG_PATH; isExecutable(Built))
    return Built;
  if (auto Found = findInPath(Versioned))
    return *Found;
  auto Plain = findInPath("clang");
  if (Plain && majorVersion(*Plain) == ClangMajor)
    return *Plain;
  Error = "cannot find Clang " + std::to_string(ClangMajor) +
          ". Install it (on Debian: apt-get install " + Versioned + " lld-" +
          std::to_string(ClangMajor) + ") or set ACRE_CLANG to its path";
  return {};
}

} // namespace acre

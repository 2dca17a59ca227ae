// SPDX-License-Identifier: MIT
#include "Installation.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <functional>
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

/// The number that Text is behind Prefix, or 0.
int numberBehind(std::string_view Text, std::string_view Prefix) {
  int Number = 0;
  if (!Text.starts_with(Prefix))
    return 0;
  Text.remove_prefix(Prefix.size());
  auto [End, Failed] = std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  return Failed == std::errc() && End == Text.data() + Text.size() && Number > 0 ? Number : 0;
}

/// The same as majorVersion, without running a clang that has the version in its name.
int versionOf(const fs::path &Clang) {
  if (int Named = numberBehind(Clang.filename().string(), "clang-"))
    return Named;
  return majorVersion(Clang);
}

struct BuiltClang {
  int Major;
  const char *Path;
};
/// The clangs of the machine that Acre was built on, newest first.
constexpr BuiltClang BuiltClangs[] = {
#include "BuiltClangs.inc"
};

std::string_view canonicalMachine(std::string_view Name) {
  return Name == "amd64" ? "x86_64" : Name == "arm64" ? "aarch64" : Name;
}

/// The clang of version Major: the one that Acre was built with, or clang-<Major> in PATH.
std::optional<fs::path> findVersion(int Major) {
  for (const BuiltClang &Each : BuiltClangs)
    if (Each.Major == Major && isExecutable(Each.Path))
      return Each.Path;
  return findInPath("clang-" + std::to_string(Major));
}

std::string howToInstall(int Major) {
  const std::string Version = std::to_string(Major);
  return "cannot find Clang " + Version + ". Install it (on Debian: apt-get install clang-" +
         Version + " lld-" + Version + ") or set ACRE_CLANG to its path";
}

} // namespace

/// A vendor may stand between the machine and the system, and the environment may be missing.
std::string normalizedTarget(std::string_view Triple) {
  const size_t End = std::min(Triple.find('-'), Triple.size());
  const std::string Machine(canonicalMachine(Triple.substr(0, End)));
  if (Machine == canonicalMachine(ACRE_MACHINE))
    return "";
  const std::string_view Rest = Triple.substr(End), System = "-linux";
  const size_t Found = Rest.find(System);
  if (Found == Rest.npos)
    return Machine + std::string(Rest);
  const std::string_view Environment = Rest.substr(Found + System.size());
  return Machine + std::string(System) + std::string(Environment.empty() ? "-gnu" : Environment);
}

std::vector<std::string> Installation::targets() const {
  std::vector<std::string> Result;
  std::error_code Failed;
  for (const fs::directory_entry &Each : fs::directory_iterator(libraries() / "acre", Failed))
    if (fs::exists(Each.path() / "libacre.a", Failed))
      Result.push_back(Each.path().filename().string());
  std::sort(Result.begin(), Result.end());
  return Result;
}

std::string missingRuntime(const Installation &Acre) {
  std::string Known = ACRE_MACHINE;
  for (const std::string &Each : Acre.targets())
    Known += ", " + Each;
  return "there is no runtime for the target '" + Acre.Target + "', only for " + Known +
         ". Build Acre with -DACRE_TARGETS=" + Acre.Target +
         " for one, or link without it by -facre-runtime=none";
}

Installation thisInstallation() {
  std::error_code Failed;
  fs::path Program = fs::read_symlink("/proc/self/exe", Failed);
  return {.Prefix = Program.parent_path().parent_path()};
}

std::vector<int> Installation::pluginVersions() const {
  std::vector<int> Result;
  std::error_code Failed;
  for (const fs::directory_entry &Each : fs::directory_iterator(libraries() / "acre", Failed)) {
    int Major = numberBehind(Each.path().stem().string(), "AcrePlugin-");
    if (Major && Each.path().extension() == ".so")
      Result.push_back(Major);
  }
  std::sort(Result.begin(), Result.end(), std::greater<>());
  return Result;
}

std::string missingPlugin(const Installation &Acre, int Major) {
  std::string Known;
  for (int Each : Acre.pluginVersions())
    Known += (Known.empty() ? "" : ", ") + std::to_string(Each);
  if (Known.empty())
    return "cannot find the plugin '" + Acre.plugin(Major).string() +
           "': the installation is incomplete";
  return "there is no plugin for Clang " + std::to_string(Major) + ", only for " + Known +
         ". Choose one of these with --acre-clang=, build Acre where the development files of "
         "LLVM " +
         std::to_string(Major) + " are installed, or leave the plugin out with -fno-acre";
}

std::optional<ClangChoice> findClang(const Installation &Acre, std::string Wanted,
                                     std::string &Error) {
  std::string Source = "--acre-clang";
  if (const char *Chosen = std::getenv("ACRE_CLANG"); Wanted.empty() && Chosen) {
    Wanted = Chosen;
    Source = "ACRE_CLANG";
  }
  if (int Major = numberBehind(Wanted, "")) {
    if (auto Found = findVersion(Major))
      return ClangChoice{*Found, Major};
    Error = howToInstall(Major);
    return std::nullopt;
  }
  if (!Wanted.empty()) {
    fs::path Path = Wanted;
    std::optional<fs::path> Found =
        Path.has_parent_path() ? std::optional(Path) : findInPath(Wanted);
    if (Found && isExecutable(*Found) && !isThisProgram(*Found))
      return ClangChoice{*Found, versionOf(*Found)};
    Error = Source + " is '" + Wanted + "', which is not a compiler that can be run";
    return std::nullopt;
  }
  std::vector<int> Known = Acre.pluginVersions();
  if (Known.empty())
    Known = {BuiltClangs[0].Major};
  for (int Major : Known)
    if (auto Found = findVersion(Major))
      return ClangChoice{*Found, Major};
  if (auto Plain = findInPath("clang"))
    if (int Major = majorVersion(*Plain);
        std::find(Known.begin(), Known.end(), Major) != Known.end())
      return ClangChoice{*Plain, Major};
  Error = howToInstall(Known.front());
  return std::nullopt;
}

} // namespace acre

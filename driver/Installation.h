/* SPDX-License-Identifier: MIT */
//===- Installation.h - Where Acre's files and Clang are --------*- C++ -*-===//
//
// Acre's files are found from the place of the running program, so an installed
// tree may be moved; the build tree has the same shape.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_DRIVER_INSTALLATION_H
#define ACRE_DRIVER_INSTALLATION_H

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acre {

struct Installation {
  std::filesystem::path Prefix;
  /// The triple of the machine that programs are for, machine-system-environment; empty if it is
  /// this one.
  std::string Target = {};

  std::filesystem::path binaries() const { return Prefix / "bin"; }
  std::filesystem::path libraries() const { return Prefix / ACRE_LIBRARY_DIRECTORY; }
  std::filesystem::path headers() const { return Prefix / "include"; }
  /// Whether compilers and the loader look into its directories unasked.
  bool isOfSystem() const { return Prefix == "/usr"; }
  /// The plugin for Clang of this major version.
  std::filesystem::path plugin(int Major) const {
    return libraries() / "acre" / ("AcrePlugin-" + std::to_string(Major) + ".so");
  }
  /// The versions of Clang that there are plugins for, newest first.
  std::vector<int> pluginVersions() const;
  /// The triples of other machines that there are runtimes for.
  std::vector<std::string> targets() const;
  /// Where the runtime is, and where what is linked besides.
  std::filesystem::path runtimes() const { return Target.empty() ? libraries() : objects(); }
  std::filesystem::path objects() const { return libraries() / "acre" / Target; }
  std::filesystem::path staticRuntime() const { return runtimes() / "libacre.a"; }
  std::filesystem::path sharedRuntime() const { return runtimes() / "libacre.so"; }
  /// What functions of common libraries do with owners.
  std::filesystem::path notes() const { return Prefix / "share" / "acre" / "notes"; }
  /// Maps of APIs of pools.
  std::filesystem::path pools() const { return Prefix / "share" / "acre" / "pools"; }
  /// An object that turns verification on in the program that it is linked into.
  std::filesystem::path verifyObject() const { return objects() / "verify.o"; }
  /// The object whose functions wait on after a stop of their thread, and let it be stopped.  The
  /// next one has it too.
  std::filesystem::path waitsObject() const { return objects() / "waits.o"; }
  /// The object that a program with collected memory is linked with; and an archive of it, from
  /// which a linker takes it only if one of the inputs names its symbol.
  std::filesystem::path collectedObject() const { return objects() / "collected.o"; }
  /// The one that is linked besides if that heap has a quarantine.  The archive has it too.
  std::filesystem::path quarantineObject() const { return objects() / "quarantine.o"; }
  std::filesystem::path collectedArchive() const { return objects() / "libcollected.a"; }
  /// Stands in where a program that is linked with --wrap has nothing.
  std::filesystem::path wrappedArchive() const { return objects() / "libwrapped.a"; }
};

/// How Installation::Target is written of what --target= says; empty for this machine.
std::string normalizedTarget(std::string_view Triple);

/// What to say if there is no runtime for the target.
std::string missingRuntime(const Installation &Acre);

/// The installation that the running program belongs to.
Installation thisInstallation();

struct ClangChoice {
  std::filesystem::path Path;
  int Major = 0; ///< the version, which the plugin has to fit
};

/// The clang to run.  Wanted, or else $ACRE_CLANG, is the major version or the path of one; if both
/// are empty, it is of the newest version that has a plugin and is found: the one that Acre was
/// built with, clang-22 or the like in PATH, or a clang of that version there.  If there is none,
/// sets Error to what to do about it.
std::optional<ClangChoice> findClang(const Installation &Acre, std::string Wanted,
                                     std::string &Error);

/// What to say if there is no plugin for Major.
std::string missingPlugin(const Installation &Acre, int Major);

} // namespace acre

#endif

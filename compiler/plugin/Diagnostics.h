/* SPDX-License-Identifier: MIT */
//===- Diagnostics.h - Reporting through Clang's engine ---------*- C++ -*-===//
//
// Decides for each diagnostic of diagnostics.def whether it is reported where
// it stands, and as what: flags given to the plugin first, then #pragma acre
// diagnostic, then Clang's own -w and -Werror.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_DIAGNOSTICS_H
#define ACRE_PLUGIN_DIAGNOSTICS_H

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>
#include <vector>

namespace acre::ast {

enum class Diag : unsigned {
#define ACRE_DIAGNOSTIC(Name, Code, Default, Flag, Text, Why, Rejected, Accepted) Name,
#include "plugin/diagnostics.def"
};
inline constexpr unsigned DiagCount = 0
#define ACRE_DIAGNOSTIC(Name, Code, Default, Flag, Text, Why, Rejected, Accepted) +1
#include "plugin/diagnostics.def"
    ;
enum class Severity : unsigned char { Ignored, Warning, Error };

/// The severity of each diagnostic as the plugin's arguments left it.
class Severities {
public:
  Severities();

  /// Takes one argument: Wname, Wno-name, Werror=name, Wno-error=name, Wall,
  /// Werror or strict, where name may begin with "acre-".  Returns whether it is known.
  bool parse(llvm::StringRef Argument);

  Severity get(Diag Kind) const { return Values[unsigned(Kind)]; }
  void set(Diag Kind, Severity Wanted) { Values[unsigned(Kind)] = Wanted; }
  /// Whether an argument named this diagnostic.
  bool isNamed(Diag Kind) const { return Named[unsigned(Kind)]; }

  /// The warning controlled by -WFlag.
  static std::optional<Diag> findFlag(llvm::StringRef Flag);

private:
  /// At least that for all whose code begins so.
  void setAll(Severity Least, llvm::StringRef Codes = "");

  std::array<Severity, DiagCount> Values;
  std::array<bool, DiagCount> Named = {};
};

class Diagnostics {
public:
  Diagnostics(clang::DiagnosticsEngine &Engine, const Severities &Options)
      : Engine(Engine), Options(Options) {}

  /// Whether a report of Kind at Location would be shown.
  bool isEnabled(Diag Kind, clang::SourceLocation Location) const;
  /// Reports Kind at Location; if that is inside a macro of a system header,
  /// where the macro is used.  The result takes arguments and fix-its.
  clang::DiagnosticBuilder report(Diag Kind, clang::SourceLocation Location);
  clang::DiagnosticBuilder note(clang::SourceLocation Location, llvm::StringRef Format);
  /// The insertion of Text at Location, as a fix-it; none in a system header, and if #line
  /// says that the file was made of another one, which the edit would be applied to.
  clang::FixItHint insertion(clang::SourceLocation Location, llvm::StringRef Text) const;

  /// Records what #pragma acre diagnostic says from Location on.
  void pragmaSet(clang::SourceLocation Location, Diag Kind, Severity Wanted);
  void pragmaPush();
  /// Returns false if there is nothing to pop.
  bool pragmaPop(clang::SourceLocation Location);

  /// Until endQuiet, which returns how many errors that no flag turns off there were, nothing is
  /// shown.
  void beginQuiet();
  unsigned endQuiet();
  bool isQuiet() const { return IsQuiet; }

  clang::DiagnosticsEngine &engine() { return Engine; }

private:
  struct Change {
    clang::SourceLocation From;
    Diag Kind;
    Severity Wanted;
  };

  Severity severityAt(Diag Kind, clang::SourceLocation Location) const;
  clang::SourceLocation userLocation(clang::SourceLocation Location) const;

  bool IsQuiet = false, WasSuppressing = false;
  unsigned HardErrors = 0;
  clang::DiagnosticsEngine &Engine;
  Severities Options;
  std::optional<Severities> Current; // at the last pragma
  std::vector<Severities> Pushed;
  std::vector<Change> Changes; // in source order
};

} // namespace acre::ast

#endif

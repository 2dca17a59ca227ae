// SPDX-License-Identifier: MIT
//===- Diagnostics.cpp - Reporting through Clang's engine -----------------===//

#include "plugin/Diagnostics.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace acre;
using namespace acre::ast;

namespace {
struct Row {
  llvm::StringLiteral Code;
  Severity Default;
  llvm::StringLiteral Flag;
  llvm::StringLiteral Text;
};
constexpr Row Table[] = {
#define ACRE_DIAGNOSTIC(Name, Code, Default, Flag, Text, Why, Rejected, Accepted) \
  {Code, Severity::Default, Flag, Text},
#include "plugin/diagnostics.def"
};
static_assert(std::size(Table) == DiagCount);

const Row &row(Diag Kind) { return Table[unsigned(Kind)]; }
bool isHardError(Diag Kind) { return row(Kind).Flag.empty(); }
Diag kindOf(unsigned Index) { return Diag(Index); }
} // namespace

ast::Severities::Severities() {
  for (unsigned I = 0; I != DiagCount; ++I)
    Values[I] = Table[I].Default;
}

std::optional<Diag> ast::Severities::findFlag(llvm::StringRef Flag) {
  Flag.consume_front("acre-");
  for (unsigned I = 0; I != DiagCount; ++I)
    if (!isHardError(kindOf(I)) && Table[I].Flag.substr(strlen("acre-")) == Flag)
      return kindOf(I);
  return std::nullopt;
}

void ast::Severities::setAll(Severity Least, llvm::StringRef Codes) {
  for (unsigned I = 0; I != DiagCount; ++I)
    if (Table[I].Code.starts_with(Codes))
      Values[I] = std::max(Values[I], Least);
}

bool ast::Severities::parse(llvm::StringRef Argument) {
  if (Argument == "strict")
    return setAll(Severity::Error), true;
  if (Argument == "strict=own")
    return setAll(Severity::Error, "ACRE-W2"), true;
  if (Argument == "strict=regions")
    return setAll(Severity::Error, "ACRE-W1"), true;
  if (!Argument.consume_front("W"))
    return false;
  if (Argument == "all")
    return setAll(Severity::Warning), true;
  if (Argument == "error") {
    for (Severity &Each : Values)
      if (Each == Severity::Warning)
        Each = Severity::Error;
    return true;
  }
  Severity Wanted = Severity::Warning;
  if (Argument.consume_front("error="))
    Wanted = Severity::Error;
  bool IsNoError = Argument.consume_front("no-error=");
  if (!IsNoError && Argument.consume_front("no-"))
    Wanted = Severity::Ignored;
  std::optional<Diag> Kind = findFlag(Argument);
  if (!Kind)
    return false;
  if (!IsNoError || get(*Kind) == Severity::Error)
    set(*Kind, Wanted);
  Named[unsigned(*Kind)] = true;
  return true;
}

SourceLocation Diagnostics::userLocation(SourceLocation Location) const {
  // The words of Annotations.h and the calls of region.h are macros of system headers; the report
  // belongs to their use.
  SourceManager &Sources = Engine.getSourceManager();
  while (Location.isMacroID() && Sources.isInSystemHeader(Sources.getSpellingLoc(Location)))
    Location = Sources.getImmediateExpansionRange(Location).getBegin();
  return Location;
}

/// Whether the last word about all of Clang's warnings is that there are to be none.
static bool wantsNoWarnings(const DiagnosticsEngine &Engine) {
  bool Result = Engine.getIgnoreAllWarnings();
  for (const std::string &Each : Engine.getDiagnosticOptions().Warnings)
    if (Each == "everything" || Each == "no-everything")
      Result = Each != "everything";
  return Result;
}

Severity Diagnostics::severityAt(Diag Kind, SourceLocation Location) const {
  Severity Result = Options.get(Kind);
  if (isHardError(Kind))
    return Result;
  // Clang applies -Wno-everything to its own diagnostics only.
  if (Result == Severity::Warning && !Options.isNamed(Kind) && wantsNoWarnings(Engine))
    Result = Severity::Ignored;
  SourceManager &Sources = Engine.getSourceManager();
  if (Location.isValid()) {
    for (const Change &Each : Changes)
      if (Each.Kind == Kind && Sources.isBeforeInTranslationUnit(Each.From, Location))
        Result = Each.Wanted;
    if (Engine.getSuppressSystemWarnings() && Sources.isInSystemHeader(Location))
      return Severity::Ignored;
  }
  // Clang applies -w and -Werror to its own diagnostics only.
  if (Result == Severity::Warning && Engine.getIgnoreAllWarnings())
    return Severity::Ignored;
  if (Result == Severity::Warning && Engine.getWarningsAsErrors())
    return Severity::Error;
  return Result;
}

bool Diagnostics::isEnabled(Diag Kind, SourceLocation Location) const {
  bool MayBeEnabled = Options.get(Kind) != Severity::Ignored || !Changes.empty();
  return MayBeEnabled && severityAt(Kind, userLocation(Location)) != Severity::Ignored;
}

/// Clang reports what has no number of its own in system headers too.
static DiagnosticIDs::Level clangLevel(Severity Wanted) {
  switch (Wanted) {
  case Severity::Ignored:
    return DiagnosticIDs::Ignored;
  case Severity::Warning:
    return DiagnosticIDs::Warning;
  case Severity::Error:
    return DiagnosticIDs::Error;
  }
  llvm_unreachable("all severities are covered");
}

DiagnosticBuilder Diagnostics::report(Diag Kind, SourceLocation Location) {
  Location = userLocation(Location);
  Severity Wanted = severityAt(Kind, Location);
  // In brackets what acre explain is asked for.
  std::string Text = row(Kind).Text.str() + " [";
  HardErrors += isHardError(Kind);
  if (isHardError(Kind))
    Text += row(Kind).Code.str();
  else
    Text += (Wanted == Severity::Error ? "-Werror,-W" : "-W") + row(Kind).Flag.str();
  Text += "]";
  unsigned Identifier = Engine.getDiagnosticIDs()->getCustomDiagID(clangLevel(Wanted), Text);
  return Engine.Report(Location, Identifier);
}

FixItHint Diagnostics::insertion(SourceLocation Location, llvm::StringRef Text) const {
  SourceManager &Sources = Engine.getSourceManager();
  PresumedLoc Said = Sources.getPresumedLoc(Location),
              Real = Sources.getPresumedLoc(Location, false);
  bool IsThere = !Sources.isInSystemHeader(Location) && Said.isValid() && Real.isValid() &&
                 Said.getLine() == Real.getLine() &&
                 llvm::StringRef(Said.getFilename()) == Real.getFilename();
  return IsThere ? FixItHint::CreateInsertion(Location, Text) : FixItHint();
}

void Diagnostics::beginQuiet() {
  IsQuiet = true;
  HardErrors = 0;
  WasSuppressing = Engine.getSuppressAllDiagnostics();
  Engine.setSuppressAllDiagnostics(true);
}

unsigned Diagnostics::endQuiet() {
  IsQuiet = false;
  Engine.setSuppressAllDiagnostics(WasSuppressing);
  return HardErrors;
}

DiagnosticBuilder Diagnostics::note(SourceLocation Location, llvm::StringRef Format) {
  unsigned Identifier = Engine.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Note, Format);
  return Engine.Report(userLocation(Location), Identifier);
}

void Diagnostics::pragmaSet(SourceLocation Location, Diag Kind, Severity Wanted) {
  if (!Current)
    Current = Options;
  Current->set(Kind, Wanted);
  Changes.push_back({Location, Kind, Wanted});
}

void Diagnostics::pragmaPush() { Pushed.push_back(Current.value_or(Options)); }

bool Diagnostics::pragmaPop(SourceLocation Location) {
  if (Pushed.empty())
    return false;
  for (unsigned I = 0; I != DiagCount; ++I)
    if (Current && Pushed.back().get(kindOf(I)) != Current->get(kindOf(I)))
      Changes.push_back({Location, kindOf(I), Pushed.back().get(kindOf(I))});
  Current = Pushed.back();
  Pushed.pop_back();
  return true;
}

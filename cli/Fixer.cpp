// SPDX-License-Identifier: MIT
//===- Fixer.cpp - Round after round of proposals -------------------------===//
//
// A round takes what the latest compilation of each unit proposed.  Then the
// units that read a changed file are compiled again.  If one of them can no
// longer be parsed, which only a word at a wrong place does, the round is
// undone, and done again without the proposals that are to blame.
//
//===----------------------------------------------------------------------===//
#include "Fixer.h"

#include "FixFiles.h"
#include "FixRound.h"
#include "FixRun.h"
#include "TemporaryDirectory.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>

#include <unistd.h>

namespace acre::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

void say(const std::string &Text) { fprintf(stderr, "acre: %s\n", Text.c_str()); }

std::string counted(size_t Number, const char *Noun) {
  return std::to_string(Number) + " " + Noun + (Number == 1 ? "" : "s");
}

class Fixer {
public:
  Fixer(std::vector<Unit> Program, const FixRequest &Wanted, const fs::path &Scratch)
      : Program(std::move(Program)), Wanted(Wanted), Files(Wanted.Roots, Scratch),
        Run(Scratch, Wanted.Jobs, [this](size_t Done) { progress(Done); }),
        Outcomes(this->Program.size()) {}

  int run();

private:
  bool compile(const std::vector<size_t> &Which);
  bool doRounds();
  std::vector<size_t> readersOf(const std::set<fs::path> &Changed);
  std::set<std::string> guilty(FixRound &Round, const std::vector<Outcome> &Before);
  int finish();
  bool reportLeft();
  void progress(size_t Done);
  std::string shown(const Place &At) const;

  std::vector<Unit> Program;
  const FixRequest &Wanted;
  FixFiles Files;
  FixRun Run;
  std::vector<Outcome> Outcomes;
  std::set<std::string> Banned;               // keys of messages
  std::vector<std::string> Broken;            // what these did
  std::map<std::string, std::string> Refused; // of the last round
  std::map<std::string, size_t> Applied;      // messages, by rule
  size_t Edits = 0, Round = 0, Compiling = 0;
  Clock::time_point Told = Clock::now();
  bool IsLineOpen = false;
};

void Fixer::progress(size_t Done) {
  constexpr std::chrono::seconds Patience(10);
  const bool IsTerminal = isatty(STDERR_FILENO);
  const std::string Text = "round " + std::to_string(Round + 1) + ": " + std::to_string(Done) +
                           " of " + counted(Compiling, "file") + " compiled";
  if (IsTerminal)
    fprintf(stderr, "\racre: %s%s", Text.c_str(), Done == Compiling ? "\r\033[K" : "");
  else if (Clock::now() - Told > Patience)
    say(Text), Told = Clock::now();
}

bool Fixer::compile(const std::vector<size_t> &Which) {
  std::optional<fs::path> Overlay = Files.writeOverlay();
  if (!Overlay) {
    say(std::string("error: cannot write temporary files: ") + std::strerror(errno));
    return false;
  }
  std::vector<const Unit *> Chosen;
  for (size_t Each : Which)
    Chosen.push_back(&Program[Each]);
  Compiling = Which.size();
  std::vector<Outcome> Made;
  if (!Run.compile(Chosen, *Overlay, Made))
    return false;
  for (size_t I = 0; I != Which.size(); ++I) {
    // A rule of make cannot say every name: what is not found may be anything.
    for (const fs::path &Read : Made[I].Reads)
      Made[I].HasReads &= !Files.realOf(Read).empty();
    Outcomes[Which[I]] = std::move(Made[I]);
  }
  return true;
}

std::vector<size_t> Fixer::readersOf(const std::set<fs::path> &Changed) {
  std::vector<size_t> Result;
  for (size_t I = 0; I != Outcomes.size(); ++I) {
    const Outcome &Each = Outcomes[I];
    if (!Each.HasReads || std::any_of(Each.Reads.begin(), Each.Reads.end(), [&](const fs::path &R) {
          return Changed.contains(Files.realOf(R));
        }))
      Result.push_back(I);
  }
  return Result;
}

/// The errors that are not Acre's.
std::vector<const Message *> foreignErrors(const Outcome &Of) {
  std::vector<const Message *> Result;
  for (const Message &Each : Of.Messages)
    if (Each.IsError && Each.Rule.empty())
      Result.push_back(&Each);
  return Result;
}

/// The keys of the messages whose edits keep a unit from being parsed that could be before.
std::set<std::string> Fixer::guilty(FixRound &Round, const std::vector<Outcome> &Before) {
  std::set<std::string> Result;
  for (size_t I = 0; I != Outcomes.size(); ++I) {
    std::vector<const Message *> Errors = foreignErrors(Outcomes[I]);
    if (Errors.size() <= foreignErrors(Before[I]).size())
      continue;
    std::set<std::string> Keys;
    for (const Message *Each : Errors) {
      std::vector<Place> Places = {Each->At};
      for (const Note &Of : Each->Notes)
        Places.push_back(Of.At);
      Keys.merge(Round.keysAt(Places));
    }
    if (Keys.empty()) {
      std::set<fs::path> Reals;
      for (const fs::path &Read : Outcomes[I].Reads)
        Reals.insert(Files.realOf(Read));
      Keys = Outcomes[I].HasReads ? Round.keysIn(Reals) : Round.keysIn(Round.changed());
    }
    Broken.push_back("a change was left out, because " + Program[I].File +
                     " would no longer be read: " + shown(Errors.back()->At) + ": " +
                     Errors.back()->Text);
    Result.merge(Keys);
  }
  return Result;
}

/// Returns whether it came to an end.
bool Fixer::doRounds() {
  std::vector<size_t> Next(Program.size());
  for (size_t I = 0; I != Next.size(); ++I)
    Next[I] = I;
  if (!compile(Next))
    return false;
  for (;; ++Round) {
    FixRound Now(Files, Banned);
    for (const Outcome &Each : Outcomes)
      for (const Message &One : Each.Messages)
        if (!One.Rule.empty() && (Wanted.Only.empty() || Wanted.Only.contains(One.Rule)))
          Now.take(One);
    Refused = Now.refused();
    if (!Now.apply())
      return true;
    std::vector<Outcome> Before = Outcomes;
    Next = readersOf(Now.changed());
    if (!compile(Next))
      return false;
    if (std::set<std::string> Found = guilty(Now, Before); !Found.empty()) {
      Now.undo();
      Outcomes = std::move(Before);
      Banned.merge(Found);
      continue;
    }
    say("round " + std::to_string(Round + 1) + ": " + counted(Now.edits(), "edit") + " in " +
        counted(Now.changed().size(), "file") + ", " + counted(Next.size(), "file") +
        " compiled again");
    Edits += Now.edits();
    for (const auto &[Rule, Count] : Now.taken())
      Applied[Rule] += Count;
  }
}

std::string Fixer::shown(const Place &At) const {
  std::error_code Ignored;
  fs::path File = At.File.lexically_normal(),
           Near = File.lexically_relative(fs::current_path(Ignored));
  if (!Near.empty() && *Near.begin() != "..")
    File = Near;
  return File.string() + ":" + std::to_string(At.Line) + ":" + std::to_string(At.Column);
}

/// Says what could not be done.  Returns whether there was anything.
bool Fixer::reportLeft() {
  std::set<std::string> Errors;
  for (size_t I = 0; I != Outcomes.size(); ++I)
    for (const Message &One : Outcomes[I].Messages) {
      std::string Where = One.At.isKnown() ? shown(One.At) : Program[I].File;
      if (!One.IsError || !Errors.insert(Where + One.Text).second)
        continue;
      fprintf(stderr, "%s: error: %s\n", Where.c_str(), One.Text.c_str());
      // What to do instead stands there, where no edit can do it.
      for (const Note &Of : One.Notes)
        if (!One.Rule.empty() && Of.At.isKnown())
          fprintf(stderr, "%s: note: %s\n", shown(Of.At).c_str(), Of.Text.c_str());
    }
  for (const std::string &Each : Broken)
    say("warning: " + Each);
  for (const auto &[File, Problem] : Refused)
    say("warning: a change was proposed, but " + File + " " + Problem);
  if (!Errors.empty())
    say("left: " + counted(Errors.size(), "error"));
  return !Errors.empty() || !Refused.empty();
}

int Fixer::finish() {
  std::vector<std::string> Problems;
  const size_t Changed = Files.changed().size();
  bool IsDiffGood = !Wanted.IsDiffWanted || Files.printDiff();
  if (!IsDiffGood)
    say("error: cannot make the diff");
  const size_t Written = Wanted.IsDryRun ? 0 : Files.writeBack(Problems);
  bool IsLeft = reportLeft();
  for (const std::string &Each : Problems)
    say("error: " + Each);
  std::string Rules;
  for (const auto &[Rule, Count] : Applied)
    Rules += (Rules.empty() ? " (" : ", ") + Rule + ": " + std::to_string(Count);
  say(counted(Edits, "edit") + " in " + counted(Changed, "file") + Rules +
      (Rules.empty() ? "" : ")") + ", " + counted(Program.size(), "compilation") +
      (Wanted.IsDryRun      ? "; nothing was written (--dry-run)"
       : Written != Changed ? "; " + counted(Written, "file") + " written"
                            : ""));
  return IsLeft || !Problems.empty() || !IsDiffGood ? ExitFound : 0;
}

int Fixer::run() {
  FixRun::catchSignals();
  if (doRounds())
    return finish();
  if (FixRun::signal())
    say("interrupted; nothing was written");
  return FixRun::signal() ? 128 + FixRun::signal() : ExitFound;
}

} // namespace

int fixProgram(std::vector<Unit> Program, const FixRequest &Wanted) {
  TemporaryDirectory Scratch("fix");
  if (Scratch.Path.empty()) {
    say(std::string("error: cannot make a temporary directory: ") + std::strerror(errno));
    return ExitFound;
  }
  return Fixer(std::move(Program), Wanted, Scratch.Path).run();
}

} // namespace acre::cli

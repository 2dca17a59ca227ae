/* SPDX-License-Identifier: MIT */
//===- FixRound.h - Which proposals are applied together --------*- C++ -*-===//
//
// All edits of a message are applied or none.  Messages are taken in the order
// of the units, so the same program comes out the same, by however many
// compilers at once: whoever comes later and would change the same place
// differently waits for the next round, where the compiler has seen the first.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_CLI_FIXROUND_H
#define ACRE_CLI_FIXROUND_H

#include "FixFiles.h"
#include "FixMessages.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace acre::cli {

class FixRound {
public:
  /// Banned: keys of messages that are passed over.
  FixRound(FixFiles &Files, const std::set<std::string> &Banned) : Files(Files), Banned(Banned) {}

  /// Takes the edits of a message, if it can.
  void take(const Message &From);
  /// Changes the files.  Returns whether there was anything to change.
  bool apply();
  /// Makes the files what they were before.
  void undo();

  /// The files that apply changed, without links in their names.
  std::set<std::filesystem::path> changed() const;
  /// How many edits apply made.
  size_t edits() const;
  /// How many messages of each rule were taken.
  const std::map<std::string, size_t> &taken() const { return Taken; }
  /// Why messages were not taken, by their files or places.
  const std::map<std::string, std::string> &refused() const { return Refused; }

  /// The keys of messages that changed the line of one of these places.
  std::set<std::string> keysAt(const std::vector<Place> &Places);
  /// The keys of messages that changed one of these files.
  std::set<std::string> keysIn(const std::set<std::filesystem::path> &Reals) const;

private:
  struct Change {
    size_t Begin, End;
    std::string Text;
    std::set<std::string> Keys; // of the messages that want it
    unsigned Line = 0;          // where it is when it has been made

    bool isAlike(const Change &Other) const {
      return Begin == Other.Begin && End == Other.End && Text == Other.Text;
    }
    bool clashesWith(const Change &Other) const {
      return Begin <= Other.End && Other.Begin <= End && !isAlike(Other);
    }
  };
  using Changes = std::map<std::filesystem::path, std::vector<Change>>;

  std::string place(const Edit &Wanted, Change &To);
  std::string placeAll(const Message &From, Changes &To);
  bool clashes(const Changes &Wanted) const;
  std::string keyOf(const Message &From);
  std::string applyTo(const std::string &Text, std::vector<Change> &Sorted);

  FixFiles &Files;
  const std::set<std::string> &Banned;
  Changes All;
  std::map<std::filesystem::path, std::string> Before;
  std::map<std::string, size_t> Taken;
  std::map<std::string, std::string> Refused;
};

} // namespace acre::cli

#endif

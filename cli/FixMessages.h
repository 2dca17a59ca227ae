/* SPDX-License-Identifier: MIT */
//===- FixMessages.h - What the compiler said of a unit ---------*- C++ -*-===//
//
// Clang writes each message in a line, then the source, then its fix-its in a
// form for tools (-fdiagnostics-parseable-fixits).  Notes follow the message
// that they belong to.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_CLI_FIXMESSAGES_H
#define ACRE_CLI_FIXMESSAGES_H

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace acre::cli {

/// A place as Clang writes it: lines and columns (of bytes) count from 1.
struct Place {
  std::filesystem::path File; // absolute
  unsigned Line = 0, Column = 0;

  bool isKnown() const { return Line != 0; }
};

/// Puts Text in the place of what is from Begin to EndLine:EndColumn, which is in the same file.
struct Edit {
  Place Begin;
  unsigned EndLine = 0, EndColumn = 0;
  std::string Text;
};

struct Note {
  Place At;
  std::string Text;
};

struct Message {
  bool IsError = false;
  Place At;
  std::string Text; // without the place
  std::string Rule; // "ACRE-R007" or "acre-leak"; empty if it is one of Clang's
  std::vector<Note> Notes;
  std::vector<Edit> Edits; // its own and those of its notes: all of them or none
};

/// Reads the messages of one compilation, done in Directory.
std::vector<Message> readMessages(std::string_view Output, const std::filesystem::path &Directory);

/// The files that a rule of make depends on, as it names them.
std::vector<std::string> readDependencies(std::string_view Rule);

} // namespace acre::cli

#endif

// SPDX-License-Identifier: MIT
//===- Sarif.cpp - acre sarif: clang's SARIF with the names of rules -------===//
//
// Clang numbers the rules of plugins anew in each run and gives them no names,
// and a plugin has no say in that.  The code or flag stands at the end of each
// message, so what belongs to it is put in here.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace acre::cli {
namespace {

using nlohmann::json;

struct Rule {
  std::string_view Name, Code, Flag, Why;
};
constexpr Rule Rules[] = {
#define ACRE_DIAGNOSTIC(Name, Code, Default, Flag, Text, Why, Rejected, Accepted) \
  {#Name, Code, Flag, Why},
#include "diagnostics.def"
};

constexpr char Help[] =
    "usage: acre sarif [FILE]\n\n"
    "Reads what acre-cc -fdiagnostics-format=sarif has written, from FILE or the standard input, "
    "and\n"
    "writes it with Acre's rules under their codes (ACRE-U001), with name and help text.  What is\n"
    "not SARIF in it, as the count of errors, is left out.\n";

/// The rule of a message that ends in its code or flag, or null.
const Rule *ruleOf(std::string_view Message) {
  const size_t Open = Message.rfind('[');
  if (Open == Message.npos || Message.back() != ']')
    return nullptr;
  const std::string_view Tag = Message.substr(Open + 1, Message.size() - Open - 2);
  for (const Rule &Each : Rules)
    if (Tag == Each.Code || (!Each.Flag.empty() && Tag.ends_with("-W" + std::string(Each.Flag))))
      return &Each;
  return nullptr;
}

/// The old rule under the code, name and help of this one.
json named(json Old, const Rule &As) {
  Old["id"] = As.Code;
  Old["name"] = As.Name;
  Old["fullDescription"]["text"] = As.Why;
  Old["help"]["text"] = As.Why;
  return Old;
}

void nameRules(json &Run) {
  json &Old = Run.at("tool").at("driver").at("rules");
  json New = json::array();
  std::map<std::string, size_t> Places; // in New, by identifier
  for (json &Result : Run.at("results")) {
    const size_t Number = Result.value("ruleIndex", size_t(0));
    if (Number >= Old.size())
      continue;
    const Rule *Known = ruleOf(Result.at("message").at("text").get_ref<const std::string &>());
    json Found = Known ? named(Old[Number], *Known) : Old[Number];
    const std::string Id = Found.at("id").get<std::string>();
    const auto [Place, IsNew] = Places.try_emplace(Id, New.size());
    if (IsNew)
      New.push_back(std::move(Found));
    Result["ruleId"] = Id;
    Result["ruleIndex"] = Place->second;
  }
  Old = std::move(New);
}

/// Writes the document with names, on one line.  False: it is none.
bool convert(const std::string &Text) {
  json Document = json::parse(Text, nullptr, false);
  if (!Document.is_object() || !Document.contains("runs"))
    return false;
  try {
    for (json &Run : Document.at("runs"))
      nameRules(Run);
  } catch (const json::exception &) {
    return false;
  }
  puts(Document.dump().c_str());
  return true;
}

} // namespace

int sarif(const Arguments &Given) {
  if (isHelpPrinted(Given, Help))
    return 0;
  if (Given.size() > 1) {
    fputs(Help, stderr);
    return ExitUsage;
  }
  std::ifstream File;
  if (!Given.empty()) {
    File.open(Given.front());
    if (!File) {
      fprintf(stderr, "acre: error: cannot read '%s'\n", Given.front().c_str());
      return ExitUsage;
    }
  }
  std::istream &From = Given.empty() ? std::cin : File;
  bool IsFound = false;
  // Clang writes a document on one line, since version 23 on many, and indents all of these but the
  // first and the last.
  for (std::string Line, Document; std::getline(From, Line);) {
    const bool IsFirst = Line.starts_with('{');
    if (IsFirst)
      Document.clear();
    if (IsFirst || !Document.empty())
      Document += Line;
    if (Line.starts_with('}') || (IsFirst && Line.size() > 1))
      IsFound |= convert(std::exchange(Document, {}));
  }
  if (!IsFound)
    fprintf(stderr, "acre: error: there is no SARIF of clang in the input\n");
  return IsFound ? 0 : ExitFound;
}

} // namespace acre::cli

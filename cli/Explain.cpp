// SPDX-License-Identifier: MIT
//===- Explain.cpp - acre explain: what a diagnostic means ----------------===//
#include "Commands.h"
#include "ExplainFile.h"

#include "Spelling.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string_view>

#include <strings.h>

namespace acre::cli {
namespace {

enum Default { Error, Warning, Ignored };

struct Entry {
  const char *Code;
  Default Level;
  const char *Flag, *Text, *Why, *Rejected, *Accepted;
};

constexpr Entry Table[] = {
#define ACRE_DIAGNOSTIC(Name, Code, Default, Flag, Text, Why, Rejected, Accepted) \
  {Code, Default, Flag, Text, Why, Rejected, Accepted},
#include "diagnostics.def"
};

/// The text with Clang's placeholders made readable: %0 is "...", of %select{a|b}0 the first choice
/// stands for all. A choice may hold placeholders of its own.
std::string plainText(std::string_view Text) {
  constexpr std::string_view Select = "%select{";
  std::string Result;
  while (!Text.empty()) {
    size_t Plain = std::min(Text.find('%'), Text.size());
    Result += Text.substr(0, Plain);
    Text.remove_prefix(Plain);
    if (Text.starts_with(Select)) {
      std::string_view Choices = Text.substr(Select.size(), Text.find('}') - Select.size());
      Result += plainText(Choices.substr(0, Choices.find('|')));
      Text.remove_prefix(Text.find('}') + 2); // and the number
    } else if (!Text.empty()) {
      Result += "...";
      Text.remove_prefix(2);
    }
  }
  return Result;
}

/// Reports that no diagnostic is called Code, and which one is nearest.
int unknownCode(const std::string &Code) {
  std::vector<std::string_view> Known;
  for (const Entry &E : Table) {
    Known.push_back(E.Code);
    if (*E.Flag)
      Known.push_back(E.Flag);
  }
  std::string Upper = Code;
  std::transform(Upper.begin(), Upper.end(), Upper.begin(),
                 [](unsigned char C) { return std::toupper(C); });
  std::string_view Best = closest(Upper, Known);
  if (Best.empty())
    Best = closest(Code, Known);
  fprintf(stderr, "acre: error: no diagnostic is called '%s'; ", Code.c_str());
  if (Best.empty())
    fprintf(stderr, "'acre explain' lists them\n");
  else
    fprintf(stderr, "did you mean '%.*s'?\n", static_cast<int>(Best.size()), Best.data());
  return ExitUsage;
}

void printIndented(const char *Program) {
  for (const char *Line = Program; *Line;) {
    size_t Length = strcspn(Line, "\n");
    printf("    %.*s\n", static_cast<int>(Length), Line);
    Line += Length + (Line[Length] == '\n');
  }
}

void printWrapped(const char *Text) {
  constexpr size_t Width = 80;
  size_t Column = 0;
  for (const char *Word = Text; *Word;) {
    size_t Length = strcspn(Word, " ");
    if (Column && Column + 1 + Length > Width)
      Column = static_cast<size_t>(printf("\n")) - 1;
    Column +=
        static_cast<size_t>(printf(Column ? " %.*s" : "%.*s", static_cast<int>(Length), Word));
    Word += Length + strspn(Word + Length, " ");
  }
  printf("\n");
}

void print(const Entry &E) {
  printf("%s: %s\n", E.Code, plainText(E.Text).c_str());
  if (*E.Flag)
    printf("%s by default; -W%s, -Wno-%s, -Werror=%s\n", E.Level == Ignored ? "off" : "a warning",
           E.Flag, E.Flag, E.Flag);
  printf("\n");
  printWrapped(E.Why);
  if (*E.Rejected) {
    printf("\nReported:\n\n");
    printIndented(E.Rejected);
  }
  if (*E.Accepted) {
    printf("\nNot reported:\n\n");
    printIndented(E.Accepted);
  }
}

} // namespace

int explain(const Arguments &Given) {
  if (isAboutProgram(Given))
    return explainProgram(Given);
  if (Given.empty()) {
    for (const Entry &E : Table)
      printf("%s  %s%s%s%s\n", E.Code, plainText(E.Text).c_str(), *E.Flag ? " [-W" : "", E.Flag,
             *E.Flag ? "]" : "");
    return 0;
  }
  for (const std::string &Code : Given) {
    auto Found = std::find_if(std::begin(Table), std::end(Table), [&](const Entry &E) {
      return strcasecmp(Code.c_str(), E.Code) == 0 ||
             (*E.Flag && (Code == E.Flag || Code == std::string("-W") + E.Flag));
    });
    if (Found == std::end(Table))
      return unknownCode(Code);
    print(*Found);
  }
  return 0;
}

} // namespace acre::cli

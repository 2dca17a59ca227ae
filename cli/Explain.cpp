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

constexpr std::string_view Select = "%select{";

/// The choices of a select whose braces begin Text, which goes on behind them with its number.
std::vector<std::string_view> takeChoices(std::string_view &Text) {
  std::vector<std::string_view> Choices;
  size_t Depth = 1, Begin = 0, At = 0;
  for (; At != Text.size(); ++At) {
    Depth += Text[At] == '{';
    Depth -= Text[At] == '}';
    if (Depth == 0 || (Depth == 1 && Text[At] == '|')) {
      Choices.push_back(Text.substr(Begin, At - Begin));
      Begin = At + 1;
    }
    if (Depth == 0)
      break;
  }
  Text.remove_prefix(std::min(At + 1, Text.size()));
  return Choices;
}

/// The text with Clang's placeholders made readable: %0 is "...", and %select{a|b}0 the choice of
/// that number where it is about Argument, else the first.
std::string plainText(std::string_view Text, size_t Number = 0, char Argument = '0') {
  std::string Result;
  while (!Text.empty()) {
    const size_t Plain = std::min(Text.find('%'), Text.size());
    Result += Text.substr(0, Plain);
    Text.remove_prefix(Plain);
    if (Text.starts_with(Select)) {
      Text.remove_prefix(Select.size());
      const std::vector<std::string_view> Choices = takeChoices(Text);
      const size_t Chosen = Text.starts_with(Argument) && Number < Choices.size() ? Number : 0;
      Result += plainText(Choices[Chosen], Number, Argument);
      Text.remove_prefix(1);
    } else if (!Text.empty()) {
      Result += "...";
      Text.remove_prefix(2);
    }
  }
  return Result;
}

/// All that a diagnostic whose text begins with a choice may say.
std::vector<std::string> variants(std::string_view Text) {
  std::vector<std::string> Result;
  if (!Text.starts_with(Select))
    return Result;
  std::string_view Rest = Text.substr(Select.size());
  const size_t Count = takeChoices(Rest).size();
  for (size_t I = 0; I != Count; ++I)
    Result.push_back(plainText(Text, I, Rest.front()));
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
  if (const std::vector<std::string> Said = variants(E.Text); Said.size() > 1) {
    printf("Also:\n");
    for (size_t I = 1; I != Said.size(); ++I)
      printf("    %s\n", Said[I].c_str());
    printf("\n");
  }
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

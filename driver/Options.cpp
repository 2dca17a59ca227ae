// SPDX-License-Identifier: MIT
#include "Options.h"

#include "Spelling.h"

#include <algorithm>
#include <array>
#include <span>

namespace acre {
namespace {

enum class Shape { Flag, Joined };

struct OptionInfo {
  OptionId Id;
  Shape Form;
  std::string_view Spelling, Argument, Help;
};

constexpr OptionInfo Table[] = {
#define ACRE_OPTION(Id, Form, Spelling, Argument, Help) \
  {OptionId::Id, Shape::Form, Spelling, Argument, Help},
#include "options.def"
};

constexpr std::string_view Prefixes[] = {"-facre",       "-fno-acre",       "-Wacre", "-Wno-acre",
                                         "-Werror=acre", "-Wno-error=acre", "--acre"};

struct WarningFlag {
  enum class Default { Error, Warning, Ignored } Severity;
  std::string_view Name;
};

constexpr WarningFlag WarningFlags[] = {
#define ACRE_DIAGNOSTIC(Name, Code, Severity, Flag, Text, Why, Rejected, Accepted) \
  {WarningFlag::Default::Severity, Flag},
#include "diagnostics.def"
};

constexpr std::string_view FlagPrefix = "acre-";

/// Without "acre-".
std::vector<std::string_view> warningNames() {
  std::vector<std::string_view> Names;
  for (const WarningFlag &Flag : WarningFlags)
    if (Flag.Severity != WarningFlag::Default::Error)
      Names.push_back(Flag.Name.substr(FlagPrefix.size()));
  return Names;
}

std::optional<std::string> checkWarning(std::string_view Spelling, std::string_view Name) {
  const std::vector<std::string_view> Known = warningNames();
  for (std::string_view Candidate : Known)
    if (Candidate == Name)
      return std::nullopt;
  std::string Message = "unknown warning '" + std::string(Spelling) + std::string(Name) + "'";
  if (std::string_view Best = closest(Name, Known); !Best.empty())
    return Message + "; did you mean '" + std::string(Spelling) + std::string(Best) + "'?";
  return Message + "; 'acre explain' lists the names";
}

std::optional<std::string> unknownOption(std::string_view Argument) {
  std::vector<std::string_view> Known;
  for (const OptionInfo &Info : Table) {
    if (Info.Spelling == Argument)
      return "'" + std::string(Argument) + "' needs a value: " + std::string(Info.Argument);
    Known.push_back(Info.Spelling);
  }
  std::string Message = "unknown option '" + std::string(Argument) + "'";
  if (std::string_view Best = closest(Argument, Known); !Best.empty())
    return Message + "; did you mean '" + std::string(Best) + "'?";
  return Message + "; 'acre-cc --acre-help' lists Acre's options";
}

std::optional<std::string> applyRuntime(std::string_view Value, Options &Result) {
  if (Value == "static")
    Result.Runtime = RuntimeKind::Static;
  else if (Value == "shared")
    Result.Runtime = RuntimeKind::Shared;
  else if (Value == "none")
    Result.Runtime = RuntimeKind::None;
  else
    return "'-facre-runtime=" + std::string(Value) + "': the choices are static, shared and none";
  return std::nullopt;
}

std::optional<std::string> applyMalloc(std::string_view Value, Options &Result) {
  if (Value != "plain" && Value != "collected" && Value != "quarantine")
    return "'-facre-malloc=" + std::string(Value) +
           "': the choices are plain, collected and quarantine";
  Result.HasQuarantine = Value == "quarantine";
  Result.HasCollectedMalloc = Result.HasQuarantine || Value == "collected";
  return std::nullopt;
}

/// The pass takes a flag once.
void addPassFlag(std::string_view Flag, Options &Result) {
  if (std::find(Result.PassWords.begin(), Result.PassWords.end(), Flag) == Result.PassWords.end())
    Result.PassWords.emplace_back(Flag);
}

void applyLocals(Options &Result) {
  addPassFlag("-acre-locals", Result);
  Result.WantsLines = true;
}

std::optional<std::string> applyFrames(std::string_view Value, Options &Result) {
  if (Value != "pinned" && Value != "conservative")
    return "'-facre-frames=" + std::string(Value) + "': the choices are pinned and conservative";
  Result.SearchesFrames = Value == "conservative";
  return std::nullopt;
}

std::optional<std::string> applyPools(std::string_view Names, Options &Result) {
  while (true) {
    const size_t Comma = Names.find(',');
    if (Names.substr(0, Comma).empty())
      return "'-facre-pools=': the name or file of a map is empty";
    Result.Pools.emplace_back(Names.substr(0, Comma));
    if (Comma == Names.npos)
      break;
    Names.remove_prefix(Comma + 1);
  }
  Result.SearchesFrames = true;
  return std::nullopt;
}

std::optional<std::string> applyChecks(std::string_view Value, Options &Result) {
  for (std::string_view Mode : {"inferred", "all", "verified", "none"})
    if (Value == Mode) {
      Result.PassWords.push_back("-acre-checks=" + std::string(Value));
      Result.HasNoChecks = Value == "none";
      return std::nullopt;
    }
  return "'-facre-checks=" + std::string(Value) +
         "': the choices are inferred, all, verified and none";
}

std::optional<std::string> applyBarriers(std::string_view Value, Options &Result) {
  if (Value != "patched" && Value != "inline")
    return "'-facre-barriers=" + std::string(Value) + "': the choices are patched and inline";
  Result.PassWords.push_back("-acre-barriers=" + std::string(Value));
  return std::nullopt;
}

std::optional<std::string> applyStrict(std::string_view Part, Options &Result) {
  if (Part != "own" && Part != "regions" && Part != "all")
    return "'-facre-strict=" + std::string(Part) + "': the choices are own, regions and all";
  Result.PluginWords.push_back(Part == "all" ? "strict" : "strict=" + std::string(Part));
  if (Part == "own")
    return std::nullopt;
  Result.PassWords.push_back("-acre-strict");
  Result.WantsLines = true;
  return std::nullopt;
}

std::optional<std::string> applyWarning(std::string_view PluginPrefix, const OptionInfo &Info,
                                        std::string_view Name, Options &Result) {
  Result.PluginWords.push_back(std::string(PluginPrefix) + std::string(Name));
  return checkWarning(Info.Spelling, Name);
}

std::optional<std::string> apply(const OptionInfo &Info, std::string_view Value, Options &Result) {
  switch (Info.Id) {
  case OptionId::On:
    Result.IsInstrumenting = true;
    break;
  case OptionId::Off:
    Result.IsInstrumenting = false;
    break;
  case OptionId::Strict:
    return applyStrict("all", Result);
  case OptionId::StrictOf:
    return applyStrict(Value, Result);
  case OptionId::Notes:
    Result.PluginWords.push_back("notes=" + std::string(Value));
    break;
  case OptionId::Checks:
    return applyChecks(Value, Result);
  case OptionId::Barriers:
    return applyBarriers(Value, Result);
  case OptionId::IgnoreAnnotations:
    Result.PassWords.push_back("-acre-ignore-annotations");
    break;
  case OptionId::Bounds:
    addPassFlag("-acre-bounds", Result);
    break;
  case OptionId::Locals:
    applyLocals(Result);
    break;
  case OptionId::Safe:
    addPassFlag("-acre-bounds", Result);
    applyLocals(Result);
    return applyMalloc("quarantine", Result);
  case OptionId::Frames:
    return applyFrames(Value, Result);
  case OptionId::Pools:
    return applyPools(Value, Result);
  case OptionId::Sites:
    Result.PassWords.push_back("-acre-sites");
    Result.HasSites = true;
    Result.WantsLines = true;
    break;
  case OptionId::Remarks:
    Result.HasRemarks = true;
    break;
  case OptionId::Stats:
    Result.HasStats = true;
    break;
  case OptionId::StatsFile:
    Result.HasStats = true;
    Result.PassWords.push_back("-acre-stats-file=" + std::string(Value));
    break;
  case OptionId::Verify:
    Result.IsVerifying = true;
    break;
  case OptionId::Malloc:
    return applyMalloc(Value, Result);
  case OptionId::Runtime:
    return applyRuntime(Value, Result);
  case OptionId::Rpath:
    Result.HasRpath = true;
    break;
  case OptionId::NoRpath:
    Result.HasRpath = false;
    break;
  case OptionId::Verbose:
    Result.IsVerbose = true;
    break;
  case OptionId::WarnAll:
    Result.PluginWords.push_back("Wall");
    break;
  case OptionId::WarnNone:
    for (std::string_view Name : warningNames())
      Result.PluginWords.push_back("Wno-" + std::string(Name));
    break;
  case OptionId::Warn:
    return applyWarning("W", Info, Value, Result);
  case OptionId::NoWarn:
    return applyWarning("Wno-", Info, Value, Result);
  case OptionId::WarnError:
    return applyWarning("Werror=", Info, Value, Result);
  case OptionId::NoWarnError:
    return applyWarning("Wno-error=", Info, Value, Result);
  case OptionId::Clang:
    Result.Clang = Value;
    break;
  case OptionId::Help:
    Result.IsHelpWanted = true;
    break;
  case OptionId::Identity:
    Result.IsIdentityWanted = true;
    break;
  }
  return std::nullopt;
}

/// Help wrapped at 80 columns, all lines but the first indented by Indent.
std::string wrapped(std::string_view Help, size_t Indent) {
  constexpr size_t Width = 80;
  std::string Text, Line;
  for (size_t Start = 0; Start <= Help.size();) {
    size_t End = std::min(Help.find(' ', Start), Help.size());
    std::string_view Word = Help.substr(Start, End - Start);
    if (!Line.empty() && Indent + Line.size() + 1 + Word.size() > Width) {
      Text += Line + "\n" + std::string(Indent, ' ');
      Line.clear();
    }
    Line += (Line.empty() ? "" : " ") + std::string(Word);
    Start = End + 1;
  }
  return Text + Line;
}

} // namespace

bool isAcreOption(std::string_view Argument) {
  for (std::string_view Prefix : Prefixes) {
    if (!Argument.starts_with(Prefix))
      continue;
    // "-facres" is Clang's to reject.
    std::string_view Rest = Argument.substr(Prefix.size());
    if (Rest.empty() || Rest[0] == '-' || Rest[0] == '=')
      return true;
  }
  return false;
}

std::optional<std::string> applyOption(std::string_view Argument, Options &Result) {
  for (const OptionInfo &Info : Table) {
    if (Info.Form == Shape::Flag && Argument == Info.Spelling)
      return apply(Info, {}, Result);
    if (Info.Form == Shape::Joined && Argument.starts_with(Info.Spelling) &&
        Argument.size() > Info.Spelling.size())
      return apply(Info, Argument.substr(Info.Spelling.size()), Result);
  }
  return unknownOption(Argument);
}

std::string helpText() {
  constexpr size_t Indent = 32;
  std::string Text =
      "acre-cc runs Clang with Acre's plugin. It takes all of Clang's options, and these:\n\n";
  for (const OptionInfo &Info : Table) {
    std::string Left = "  " + std::string(Info.Spelling);
    if (!Info.Argument.empty())
      Left += "<" + std::string(Info.Argument) + ">";
    Left += Left.size() + 1 < Indent ? std::string(Indent - Left.size(), ' ')
                                     : "\n" + std::string(Indent, ' ');
    Text += Left + wrapped(Info.Help, Indent) + ".\n";
  }
  Text += "\nEnvironment: ACRE_CLANG is as --acre-clang=, ACRE_FLAGS holds options to put first.\n"
          "'acre explain' says what each diagnostic means.\n";
  return Text;
}

} // namespace acre

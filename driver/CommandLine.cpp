// SPDX-License-Identifier: MIT
#include "CommandLine.h"

#include "ClangOptionShapes.h"
#include "ResponseFile.h"

#include <algorithm>
#include <initializer_list>
#include <sstream>

namespace acre {
namespace {

bool isOneOf(std::string_view Word, std::initializer_list<std::string_view> Words) {
  return std::find(Words.begin(), Words.end(), Word) != Words.end();
}

/// The value of a joined option, if Argument is that option.
std::optional<std::string> valueOf(std::string_view Argument, std::string_view Spelling) {
  if (!Argument.starts_with(Spelling))
    return std::nullopt;
  return std::string(Argument.substr(Spelling.size()));
}

void readTarget(std::string_view Argument, const std::string &Next, CommandLine &Command) {
  if (auto Target = valueOf(Argument, "--target="))
    Command.Target = Target;
  else if (isOneOf(Argument, {"-target", "--target"}))
    Command.Target = Next;
  else if (isOneOf(Argument, {"-m32", "-mx32", "-m64"}))
    Command.Is32Bit = Argument != "-m64";
}

void readLinkOption(std::string_view Argument, CommandLine &Command) {
  if (isOneOf(Argument, {"-shared", "--shared"}))
    Command.IsShared = true;
  else if (isOneOf(Argument, {"-static", "--static", "-static-pie"}))
    Command.IsStatic = true;
  else if (isOneOf(Argument, {"-nostdlib", "--no-standard-libraries", "-nodefaultlibs", "-nolibc",
                              "-r", "--relocatable", "-Wl,-r"}))
    Command.IsWithoutRuntime = true;
  else if (auto Linker = valueOf(Argument, "-fuse-ld="))
    Command.Linker = Linker;
  else if (auto Path = valueOf(Argument, "--ld-path="))
    Command.Linker = Path;
  else if (Argument == "-flto" || Argument.starts_with("-flto="))
    Command.HasLTO = true;
  else if (Argument == "-fno-lto")
    Command.HasLTO = false;
  else if (Argument.starts_with("-l") || Argument.starts_with("-Wl,") ||
           isOneOf(Argument, {"-Xlinker", "--for-linker"}) || Argument.starts_with("--for-linker="))
    Command.HasInput = true;
}

/// What Argument, with what follows it, passes to the linker.
std::string wordsForLinker(std::string_view Argument, const std::string &Next) {
  if (isOneOf(Argument, {"-Xlinker", "--for-linker"}))
    return Next;
  if (auto Words = valueOf(Argument, "-Wl,"))
    return *Words;
  return valueOf(Argument, "--for-linker=").value_or("");
}

/// The names of the linker's --wrap.  Its argument may be in the next word, which the next option
/// may pass.
std::vector<std::string> readWrapped(const std::vector<std::string> &Arguments) {
  std::vector<std::string> Names;
  bool IsNext = false;
  for (size_t I = 0; I < Arguments.size() && Arguments[I] != "--"; ++I) {
    std::istringstream Words(
        wordsForLinker(Arguments[I], I + 1 < Arguments.size() ? Arguments[I + 1] : ""));
    for (std::string Word; std::getline(Words, Word, ',');) {
      std::string_view Option = std::string_view(Word).starts_with("--")
                                    ? std::string_view(Word).substr(1)
                                    : std::string_view(Word);
      if (IsNext)
        Names.push_back(Word);
      else if (auto Name = valueOf(Option, "-wrap="))
        Names.push_back(*Name);
      IsNext = !IsNext && Option == "-wrap";
    }
    I += followingArguments(Arguments[I]);
  }
  return Names;
}

void readPhaseOption(std::string_view Argument, CommandLine &Command) {
  if (isOneOf(Argument,
              {"-E", "--preprocess", "-M", "--dependencies", "-MM", "--user-dependencies"}))
    Command.IsPreprocessing = true;
  if (Command.IsPreprocessing ||
      isOneOf(Argument,
              {"-c", "--compile", "-S", "--assemble", "-fsyntax-only", "--analyze", "-emit-ast",
               "--precompile", "-emit-interface-stubs", "-verify-pch", "-fdriver-only"}))
    Command.IsLinking = false;
  // The last is configure scripts' name for it.
  if (isOneOf(Argument, {"--version", "-version"}))
    Command.IsVersionWanted = Argument == "--version";
}

/// Whether an input is a header: it is precompiled, and then nothing is linked.
bool isHeader(std::string_view Path, std::string_view Language) {
  if (!Language.empty() && Language != "none")
    return Language.ends_with("-header") || Language.ends_with("-header-cpp-output");
  size_t Dot = Path.find_last_of("./");
  return Dot != std::string_view::npos && Path[Dot] == '.' &&
         isOneOf(Path.substr(Dot + 1), {"h", "H", "hh", "hp", "hpp", "hxx", "h++"});
}

void readInput(std::string_view Path, std::string_view Language, CommandLine &Command) {
  Command.HasInput = true;
  if (isHeader(Path, Language))
    Command.IsLinking = false;
}

void classify(const std::vector<std::string> &Arguments, CommandLine &Command) {
  Command.IsLinking = true;
  std::string Language;
  bool IsPastOptions = false;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    const std::string &Argument = Arguments[I];
    if (IsPastOptions || !Argument.starts_with("-") || Argument == "-") {
      readInput(Argument, Language, Command);
      continue;
    }
    const std::string Next = I + 1 < Arguments.size() ? Arguments[I + 1] : "";
    IsPastOptions = Command.HasInputsToTheEnd = Argument == "--";
    if (Argument.starts_with("-x"))
      Language = Argument == "-x" ? Next : Argument.substr(2);
    readPhaseOption(Argument, Command);
    readLinkOption(Argument, Command);
    readTarget(Argument, Next, Command);
    I += followingArguments(Argument);
  }
}

/// The arguments that are Clang's; Acre's go to Result.  The argument of an option of Clang's is
/// Clang's.
std::vector<std::string> takeAcreOptions(const std::vector<std::string> &Arguments, Options &Result,
                                         std::optional<std::string> &Error) {
  std::vector<std::string> Rest;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    if (Arguments[I] == "--")
      return Rest.insert(Rest.end(), Arguments.begin() + I, Arguments.end()), Rest;
    if (isAcreOption(Arguments[I])) {
      if (auto Message = applyOption(Arguments[I], Result); Message && !Error)
        Error = Message;
      continue;
    }
    Rest.push_back(Arguments[I]);
    if (Arguments[I].starts_with("-"))
      for (unsigned Following = followingArguments(Arguments[I]);
           Following && I + 1 < Arguments.size(); --Following)
        Rest.push_back(Arguments[++I]);
  }
  return Rest;
}

} // namespace

CommandLine readCommandLine(const std::vector<std::string> &Arguments,
                            std::optional<std::string> &Error) {
  CommandLine Command;
  if (!Arguments.empty() && Arguments[0].starts_with("-cc1")) {
    Command.IsInternal = true;
    Command.ClangArguments = Arguments;
    return Command;
  }
  std::vector<std::string> Expanded = expandResponseFiles(Arguments);
  std::vector<std::string> ExpandedRest = takeAcreOptions(Expanded, Command.Acre, Error);
  Options Direct;
  std::optional<std::string> SameError;
  std::vector<std::string> DirectRest = takeAcreOptions(Arguments, Direct, SameError);
  size_t InExpanded = Expanded.size() - ExpandedRest.size(),
         InDirect = Arguments.size() - DirectRest.size();
  Command.HasAcreOptionInFile = InExpanded != InDirect;
  classify(ExpandedRest, Command);
  if (Command.IsLinking)
    Command.Wrapped = readWrapped(ExpandedRest);
  Command.ClangArguments =
      Command.HasAcreOptionInFile ? std::move(ExpandedRest) : std::move(DirectRest);
  return Command;
}

} // namespace acre

// SPDX-License-Identifier: MIT
#include "Execute.h"

#include "ResponseFile.h"

#include <cerrno>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

namespace acre {
namespace {

bool isPlain(char C) {
  return std::isalnum(static_cast<unsigned char>(C)) || std::strchr("%+,-./:=@_", C);
}

} // namespace

bool writeAll(int File, const std::string &Text) {
  for (size_t Done = 0; Done < Text.size();) {
    ssize_t Written = write(File, Text.data() + Done, Text.size() - Done);
    if (Written < 0 && errno != EINTR)
      return false;
    Done += Written > 0 ? static_cast<size_t>(Written) : 0;
  }
  return true;
}

std::string quoteForShell(const std::vector<std::string> &Command) {
  std::string Text;
  for (const std::string &Argument : Command) {
    bool IsQuoted = Argument.empty();
    for (char C : Argument)
      IsQuoted |= C == 0 || !isPlain(C);
    Text += Text.empty() ? "" : " ";
    if (!IsQuoted) {
      Text += Argument;
      continue;
    }
    Text += '\'';
    for (char C : Argument)
      Text += C == '\'' ? "'\\''" : std::string(1, C);
    Text += '\'';
  }
  return Text;
}

std::string execute(const std::vector<std::string> &Command, bool IsInFile) {
  std::vector<std::string> Short;
  const std::vector<std::string> *Run = &Command;
  if (IsInFile) {
    // Without MFD_CLOEXEC, because the compiler reads it after exec; it ends with that process.
    int File = memfd_create("acre-cc-arguments", 0);
    if (File < 0 || !writeAll(File, quoteForResponseFile({Command.begin() + 1, Command.end()})))
      return std::string("cannot pass the arguments on: ") + std::strerror(errno);
    Short = {Command[0], "@/proc/self/fd/" + std::to_string(File)};
    Run = &Short;
  }
  std::vector<char *> Argv;
  for (const std::string &Argument : *Run)
    Argv.push_back(const_cast<char *>(Argument.c_str()));
  Argv.push_back(nullptr);
  execv(Argv[0], Argv.data());
  return "cannot run '" + Command[0] + "': " + std::strerror(errno);
}

} // namespace acre

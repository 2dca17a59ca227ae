// SPDX-License-Identifier: MIT
//===- FixRun.cpp - Compiling many units at once --------------------------===//
#include "FixRun.h"

#include "Execute.h"
#include "Installation.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace acre::cli {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t Caught = 0;
constexpr int Signals[] = {SIGINT, SIGTERM, SIGHUP};

std::string readFile(const fs::path &Path) {
  std::ifstream From(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(From), {}};
}

/// The last of conflicting options wins, so these stand behind the unit's own.
Arguments command(const Unit &Wanted, const fs::path &Dependencies, const fs::path &Overlay) {
  Arguments Result = {thisInstallation().binaries() / "acre-cc", "--start-no-unused-arguments"};
  auto Inputs = std::find(Wanted.Command.begin(), Wanted.Command.end(), "--");
  Result.insert(Result.end(), Wanted.Command.begin(), Inputs);
  Result.insert(Result.end(),
                {"-fsyntax-only", "-ferror-limit=0", "-fno-color-diagnostics",
                 "-fdiagnostics-format=clang", "-fmessage-length=0", "-fcaret-diagnostics",
                 "-fdiagnostics-show-line-numbers", "-fdiagnostics-parseable-fixits", "-MD", "-MF",
                 Dependencies, "-MT", "x"});
  if (!Overlay.empty())
    Result.insert(Result.end(), {"-ivfsoverlay", Overlay});
  Result.push_back("--end-no-unused-arguments");
  Result.insert(Result.end(), Inputs, Wanted.Command.end());
  return Result;
}

[[noreturn]] void become(const Unit &Wanted, const Arguments &Command, const fs::path &Output) {
  for (int Each : Signals)
    std::signal(Each, SIG_DFL);
  int To = open(Output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
      From = open("/dev/null", O_RDONLY);
  dup2(From, STDIN_FILENO);
  dup2(To, STDOUT_FILENO);
  dup2(To, STDERR_FILENO);
  std::string Problem =
      chdir(Wanted.Directory.c_str()) == 0
          ? execute(Command, false)
          : "cannot enter '" + Wanted.Directory.string() + "': " + std::strerror(errno);
  fprintf(stderr, "acre: error: %s\n", Problem.c_str());
  fflush(stderr);
  _exit(127);
}

} // namespace

void FixRun::catchSignals() {
  for (int Each : Signals) {
    struct sigaction Action = {};
    Action.sa_handler = [](int Number) { Caught = Number; };
    sigaction(Each, &Action, nullptr);
  }
}

int FixRun::signal() { return Caught; }

int FixRun::start(const Unit &Wanted, size_t Number, const fs::path &Overlay) const {
  const Arguments Command = command(Wanted, file(Number, ".d"), Overlay);
  std::error_code Ignored;
  fs::remove(file(Number, ".d"), Ignored);
  fflush(nullptr);
  pid_t Child = fork();
  if (Child == 0)
    become(Wanted, Command, file(Number, ".out"));
  return Child;
}

Outcome FixRun::read(const Unit &Wanted, size_t Number, int Status) const {
  Outcome Result;
  const std::string Output = readFile(file(Number, ".out"));
  Result.IsGood = WIFEXITED(Status) && WEXITSTATUS(Status) == 0;
  Result.Messages = readMessages(Output, Wanted.Directory);
  bool IsErrorSeen = std::any_of(Result.Messages.begin(), Result.Messages.end(),
                                 [](const Message &Each) { return Each.IsError; });
  if (!Result.IsGood && !IsErrorSeen) {
    Message Failed;
    Failed.IsError = true;
    Failed.Text = WIFSIGNALED(Status)
                      ? std::string("the compiler was ended: ") + strsignal(WTERMSIG(Status))
                      : "the compiler failed: " + Output.substr(0, Output.find('\n'));
    Result.Messages.push_back(Failed);
  }
  std::error_code Ignored;
  Result.HasReads = fs::exists(file(Number, ".d"), Ignored);
  for (const std::string &Each : readDependencies(readFile(file(Number, ".d"))))
    Result.Reads.push_back(Wanted.Directory / Each);
  return Result;
}

bool FixRun::compile(const std::vector<const Unit *> &Wanted, const fs::path &Overlay,
                     std::vector<Outcome> &Made) {
  Made.assign(Wanted.size(), {});
  std::map<pid_t, size_t> Running;
  for (size_t Next = 0, Done = 0; Done != Wanted.size();) {
    while (Next != Wanted.size() && Running.size() < Jobs && !Caught) {
      pid_t Child = start(*Wanted[Next], Next, Overlay);
      if (Child < 0 && Running.empty())
        return perror("acre: error: cannot start the compiler"), false;
      if (Child < 0)
        break;
      Running[Child] = Next++;
    }
    int Status = 0;
    pid_t Ended = Running.empty() ? -1 : waitpid(-1, &Status, 0);
    if (Caught)
      for (auto [Child, Ignored] : Running)
        kill(Child, Caught);
    if (auto Found = Running.find(Ended); Found != Running.end()) {
      if (!Caught)
        Made[Found->second] = read(*Wanted[Found->second], Found->second, Status);
      Running.erase(Found);
      Progress(++Done);
    }
    if (Caught && Running.empty())
      return false;
  }
  return true;
}

} // namespace acre::cli

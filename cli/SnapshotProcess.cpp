// SPDX-License-Identifier: MIT
#include "SnapshotProcess.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include <sys/stat.h>

namespace acre::cli {
namespace {

std::string contents(const std::string &File) {
  std::ifstream From(File, std::ios::binary);
  return {std::istreambuf_iterator<char>(From), std::istreambuf_iterator<char>()};
}

/// The value of a variable of an environment, in which each ends with a byte of zero.
std::string valueIn(const std::string &Environment, const std::string &Name) {
  for (size_t At = 0; At < Environment.size(); At += strlen(Environment.c_str() + At) + 1)
    if (std::string_view(Environment.c_str() + At).starts_with(Name + "="))
      return Environment.c_str() + At + Name.size() + 1;
  return "";
}

/// 0 if there is no such signal.
int signalOf(const std::string &Name) {
  static const std::map<std::string, int> Known = {
      {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"HUP", SIGHUP}, {"WINCH", SIGWINCH}};
  auto Found = Known.find(Name);
  if (Found != Known.end())
    return Found->second;
  const bool IsNumber =
      !Name.empty() && Name.size() < 4 && Name.find_first_not_of("0123456789") == std::string::npos;
  return IsNumber ? std::stoi(Name) : 0;
}

std::string replaced(std::string Text, const std::string &What, const std::string &By) {
  for (size_t At = 0; (At = Text.find(What, At)) != std::string::npos; At += By.size())
    Text.replace(At, What.size(), By);
  return Text;
}

} // namespace

std::string SnapshotProcess::find() {
  const std::string Number = std::to_string(Process), Folder = "/proc/" + Number;
  std::error_code Error;
  if (!std::filesystem::exists(Folder, Error))
    return "there is no process " + Number;
  const std::string Environment = contents(Folder + "/environ");
  if (Environment.empty())
    return "cannot read the environment of process " + Number;
  const std::string Setting = valueIn(Environment, "ACRE_SNAPSHOT"), Word = ",signal=";
  const size_t Comma = Setting.find(Word);
  if (Comma == std::string::npos)
    return "process " + Number + " was not started with ACRE_SNAPSHOT=FILE,signal=USR2";
  Signal = signalOf(Setting.substr(Comma + Word.size()));
  File = std::filesystem::path(Folder + "/cwd") / replaced(Setting.substr(0, Comma), "%p", Number);
  return handlesSignal() ? ""
                         : "process " + Number +
                               " does not handle the signal: it is no program "
                               "of Acre, or has not begun yet";
}

bool SnapshotProcess::handlesSignal() const {
  const std::string Status = contents("/proc/" + std::to_string(Process) + "/status"),
                    Word = "SigCgt:";
  const size_t At = Status.find(Word);
  if (At == std::string::npos || Signal < 1 || Signal > 64)
    return false;
  return strtoull(Status.c_str() + At + Word.size(), nullptr, 16) >> (Signal - 1) & 1;
}

SnapshotProcess::Identity SnapshotProcess::identity() const {
  struct stat What;
  if (stat(File.c_str(), &What) != 0)
    return {};
  return {What.st_ino, What.st_mtim.tv_sec, What.st_mtim.tv_nsec};
}

std::string SnapshotProcess::ask() {
  if (IsAsked)
    return "";
  Former = identity();
  if (!handlesSignal() || kill(Process, Signal) != 0)
    return "process " + std::to_string(Process) + " is gone, or cannot be sent a signal";
  IsAsked = true;
  return "";
}

bool SnapshotProcess::waitFor(double Seconds) {
  using Clock = std::chrono::steady_clock;
  const auto End = Clock::now() + std::chrono::duration<double>(Seconds);
  for (;;) {
    const Identity Now = identity();
    if (Now != Former && Now != Identity()) {
      IsAsked = false;
      return true;
    }
    if (Clock::now() >= End)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

std::string SnapshotProcess::read(Snapshot &To) const {
  std::ifstream From(File, std::ios::binary);
  if (!From)
    return "cannot read '" + File.string() + "': " + strerror(errno);
  const std::string Problem = readSnapshot(From, To);
  return Problem.empty() ? "" : File.string() + ":" + Problem;
}

} // namespace acre::cli

// SPDX-License-Identifier: MIT
//===- FixFiles.cpp - The files of a program while they are fixed ---------===//
#include "FixFiles.h"

#include "Execute.h"
#include "ReplaceFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace acre::cli {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> readFile(const fs::path &Path) {
  std::ifstream From(Path, std::ios::binary);
  std::string Text((std::istreambuf_iterator<char>(From)), {});
  return From.bad() || !From.is_open() ? std::nullopt : std::optional(Text);
}

/// Whether an overlay can name the file.
bool isUtf8(const fs::path &Name) {
  using nlohmann::json;
  return json(Name.string()).dump(-1, ' ', false, json::error_handler_t::ignore) ==
         json(Name.string()).dump(-1, ' ', false, json::error_handler_t::replace);
}

bool writeFile(const fs::path &Path, const std::string &Text) {
  std::ofstream To(Path, std::ios::binary);
  return bool(To << Text << std::flush);
}

} // namespace

const fs::path &FixFiles::realOf(const fs::path &Name) {
  auto [Found, IsNew] = Names.try_emplace(Name);
  std::error_code Failed;
  if (IsNew) {
    Found->second = fs::canonical(Name, Failed);
    if (!isUtf8(Name) || !isUtf8(Found->second))
      Unspeakable.insert(Found->second);
  }
  return Found->second;
}

bool FixFiles::isInProject(const fs::path &Real) const {
  return std::any_of(Roots.begin(), Roots.end(), [&](const fs::path &Root) {
    auto [End, Ignored] = std::mismatch(Root.begin(), Root.end(), Real.begin(), Real.end());
    return End == Root.end();
  });
}

/// The time, which is not before that of any file that was changed until now.
timespec FixFiles::now() {
  timespec Result;
  clock_gettime(CLOCK_REALTIME, &Result);
  return Result;
}

std::string FixFiles::problemOf(const fs::path &Real) const {
  struct stat Status;
  if (stat(Real.c_str(), &Status) != 0)
    return std::strerror(errno);
  if (!S_ISREG(Status.st_mode))
    return "is no regular file";
  if (!isInProject(Real))
    return "is outside the project (see --root)";
  // The superuser may write to everything.
  if ((Status.st_mode & 0222) == 0 || access(Real.c_str(), W_OK) != 0)
    return "is read-only";
  if (access(Real.parent_path().c_str(), W_OK) != 0)
    return "is in a directory that cannot be written to";
  // The compiler may have read it before that.
  bool IsNewer = Status.st_ctim.tv_sec != Start.tv_sec ? Status.st_ctim.tv_sec > Start.tv_sec
                                                       : Status.st_ctim.tv_nsec > Start.tv_nsec;
  return IsNewer ? "was changed by somebody else meanwhile" : "";
}

FixFiles::File &FixFiles::open(const fs::path &Name) {
  const fs::path &Real = realOf(Name);
  auto [Found, IsNew] = Files.try_emplace(Real);
  File &Result = Found->second;
  if (!IsNew)
    return Result;
  Result.Problem = Real.empty() ? "cannot be found" : problemOf(Real);
  if (!Result.Problem.empty())
    return Result;
  if (std::optional<std::string> Text = readFile(Real))
    Result.Original = Result.Now = *Text;
  else
    Result.Problem = "cannot be read";
  return Result;
}

std::string FixFiles::problemWith(const fs::path &Name) {
  const File &Found = open(Name);
  if (Found.Problem.empty() && Unspeakable.contains(realOf(Name)))
    return "has a name that is not UTF-8";
  return Found.Problem;
}

void FixFiles::change(const fs::path &Name, std::string Text) { open(Name).Now = std::move(Text); }

std::vector<fs::path> FixFiles::changed() const {
  std::vector<fs::path> Result;
  for (const auto &[Real, Each] : Files)
    if (Each.Now != Each.Original)
      Result.push_back(Real);
  return Result;
}

bool FixFiles::isChanged() const { return !changed().empty(); }

std::optional<fs::path> FixFiles::writeOverlay() {
  using nlohmann::json;
  if (!isChanged())
    return fs::path();
  json Entries = json::array();
  size_t Number = 0;
  for (const fs::path &Real : changed()) {
    const fs::path Copy = Scratch / ("text-" + std::to_string(Number++));
    if (!writeFile(Copy, Files[Real].Now))
      return std::nullopt;
    std::set<std::string> Spelled = {Real};
    for (const auto &[Name, What] : Names)
      if (What == Real)
        Spelled.insert(Name.lexically_normal());
    for (const std::string &Name : Spelled)
      Entries.push_back({{"type", "file"}, {"name", Name}, {"external-contents", Copy.string()}});
  }
  // Messages name the program's files, not the copies.
  json Overlay = {{"version", 0}, {"use-external-names", false}, {"roots", Entries}};
  const fs::path Result = Scratch / "overlay.json";
  return writeFile(Result, Overlay.dump(1)) ? std::optional(Result) : std::nullopt;
}

bool FixFiles::printDiff() {
  std::error_code Ignored;
  const fs::path Here = fs::canonical(fs::current_path(), Ignored);
  const fs::path Old = Scratch / "old", New = Scratch / "new";
  fflush(stdout);
  for (const fs::path &Real : changed()) {
    const File &Each = Files[Real];
    fs::path Shown = Real.lexically_relative(Here);
    if (Shown.empty() || *Shown.begin() == "..")
      Shown = Real.relative_path();
    if (!writeFile(Old, Each.Original) || !writeFile(New, Each.Now))
      return false;
    int Status =
        std::system(quoteForShell({"diff", "-u", "-a", "--label", ("a" / Shown).string(), "--label",
                                   ("b" / Shown).string(), Old.string(), New.string()})
                        .c_str());
    if (!WIFEXITED(Status) || WEXITSTATUS(Status) > 1)
      return false;
  }
  return true;
}

size_t FixFiles::writeBack(std::vector<std::string> &Problems) {
  size_t Written = 0;
  std::vector<ReplaceFile> Ready;
  for (const fs::path &Real : changed()) {
    File &Each = Files[Real];
    ReplaceFile Next(Real);
    std::optional<std::string> Present = readFile(Real);
    std::string Problem = Present == Each.Original ? Next.prepare(Each.Now)
                                                   : "was changed by somebody else meanwhile";
    if (Problem.empty())
      Ready.push_back(std::move(Next));
    else
      Problems.push_back(Real.string() + " " + Problem);
  }
  // All new texts are on the disk: what is left for each file is one change of a name.
  for (ReplaceFile &Each : Ready) {
    std::string Problem = Each.commit();
    Written += Problem.empty();
    if (!Problem.empty())
      Problems.push_back(Each.path().string() + " " + Problem);
  }
  return Written;
}

} // namespace acre::cli

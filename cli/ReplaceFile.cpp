// SPDX-License-Identifier: MIT
//===- ReplaceFile.cpp - A new text for a file, whole or not at all -------===//
#include "ReplaceFile.h"

#include "Execute.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace acre::cli {
namespace {

std::string failure(const char *What) {
  return std::string("is left as it was: ") + What + ": " + std::strerror(errno);
}

} // namespace

ReplaceFile::~ReplaceFile() {
  if (!Beside.empty())
    unlink(Beside.c_str());
}

std::string ReplaceFile::prepare(const std::string &Text) {
  struct stat Old;
  if (stat(Path.c_str(), &Old) != 0)
    return failure("it cannot be found");
  std::string Template = Path.parent_path() / ("." + Path.filename().string() + ".acre-XXXXXX");
  int File = mkostemp(Template.data(), O_CLOEXEC);
  if (File < 0)
    return failure("no file can be made beside it");
  Beside = Template;
  std::string Problem;
  struct stat New;
  if (!writeAll(File, Text) || fstat(File, &New) != 0)
    Problem = failure("it cannot be written");
  else if ((New.st_uid != Old.st_uid || New.st_gid != Old.st_gid) &&
           fchown(File, Old.st_uid, Old.st_gid) != 0)
    Problem = failure("it would change its owner");
  else if (fchmod(File, Old.st_mode & 07777) != 0)
    Problem = failure("it would change its mode");
  else if (fsync(File) != 0)
    Problem = failure("it cannot be written");
  if (close(File) != 0 && Problem.empty())
    Problem = failure("it cannot be written");
  return Problem;
}

std::string ReplaceFile::commit() {
  if (rename(Beside.c_str(), Path.c_str()) != 0)
    return failure("it cannot be replaced");
  Beside.clear();
  return "";
}

} // namespace acre::cli

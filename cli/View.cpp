// SPDX-License-Identifier: MIT
//===- View.cpp - acre view: snapshots as a page, or for other viewers ----===//
#include "Commands.h"
#include "ViewExport.h"
#include "ViewPage.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace acre::cli {
namespace {

constexpr char HelpText[] =
    "usage: acre view [options] FILE...\n"
    "\n"
    "Writes a page of HTML from snapshots, which a program with ACRE_SNAPSHOT=FILE in its "
    "environment, or that\n"
    "calls acre_snapshot, has written: a map of its regions, why each is alive, types and "
    "allocation sites. Of\n"
    "several snapshots the last is shown, with what has grown since the first, and all of them "
    "over time. The\n"
    "page is one file, which any browser opens.\n"
    "\n"
    "  --export=pprof       write a profile for pprof instead, of the last snapshot\n"
    "  --export=speedscope  the same for speedscope\n"
    "  --out=FILE           write FILE instead of the last snapshot's name with .html, .pb or "
    ".speedscope.json\n"
    "                       instead of its ending; - is standard output\n"
    "\n"
    "exit status: 0 done, 1 a file that is no whole snapshot, 2 wrong usage, or what cannot be "
    "read or written.\n";

struct Request {
  std::vector<std::string> Files;
  std::string Export, Out;
};

int fail(const std::string &Message) {
  fprintf(stderr, "acre: error: view: %s\n", Message.c_str());
  return ExitUsage;
}

const char *endingOf(const Request &R) {
  return R.Export.empty() ? ".html" : R.Export == "pprof" ? ".pb" : ".speedscope.json";
}

/// Fills To; a message if the arguments make no sense.
std::string parseArguments(const Arguments &Given, Request &To) {
  for (const std::string &Each : Given) {
    if (Each.starts_with("--out="))
      To.Out = Each.substr(6);
    else if (Each == "--export=pprof" || Each == "--export=speedscope")
      To.Export = Each.substr(9);
    else if (Each.starts_with("--export="))
      return "'" + Each + "': the choices are pprof and speedscope";
    else if (Each.starts_with("-"))
      return "no option '" + Each + "'; 'acre view --help' lists them";
    else
      To.Files.push_back(Each);
  }
  if (To.Files.empty())
    return "which snapshot? 'acre view --help' explains";
  if (To.Out.empty())
    To.Out = std::filesystem::path(To.Files.back()).replace_extension(endingOf(To)).string();
  const bool IsInput = std::find(To.Files.begin(), To.Files.end(), To.Out) != To.Files.end();
  return IsInput ? "'" + To.Out + "' would be replaced; --out=FILE names another" : "";
}

/// What went wrong, or nothing.
std::string writeFile(const std::string &File, const std::string &Text) {
  if (File == "-") {
    fwrite(Text.data(), 1, Text.size(), stdout);
    return fflush(stdout) == 0 && !ferror(stdout) ? "" : strerror(errno);
  }
  std::ofstream To(File, std::ios::binary);
  To << Text;
  To.close();
  return To ? "" : strerror(errno);
}

} // namespace

int view(const Arguments &Given) {
  if (isHelpPrinted(Given, HelpText))
    return 0;
  Request R;
  if (std::string Problem = parseArguments(Given, R); !Problem.empty())
    return fail(Problem);
  std::vector<Snapshot> Snapshots;
  for (const std::string &File : R.Files) {
    std::ifstream From(File, std::ios::binary);
    if (!From || std::filesystem::is_directory(File))
      return fail("cannot read '" + File + "': " + strerror(From ? EISDIR : errno));
    if (std::string Problem = readSnapshot(From, Snapshots.emplace_back()); !Problem.empty()) {
      fprintf(stderr, "acre view: %s:%s\n", File.c_str(), Problem.c_str());
      return ExitFound;
    }
  }
  const std::string Text = R.Export.empty()      ? viewPage(Snapshots)
                           : R.Export == "pprof" ? asPprof(Snapshots.back())
                                                 : asSpeedscope(Snapshots.back());
  if (std::string Problem = writeFile(R.Out, Text); !Problem.empty())
    return fail("cannot write '" + R.Out + "': " + Problem);
  if (R.Out != "-")
    fprintf(stderr, "written to %s\n", R.Out.c_str());
  return 0;
}

} // namespace acre::cli

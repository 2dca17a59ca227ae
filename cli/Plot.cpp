// SPDX-License-Identifier: MIT
//===- Plot.cpp - acre plot: a heap's trace as figures and numbers --------===//
#include "Commands.h"
#include "PlotDraw.h"
#include "TraceRead.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace acre::cli {
namespace {

constexpr char HelpText[] =
    "usage: acre plot [options] TRACE\n"
    "\n"
    "Draws a collected heap from TRACE, which a program with ACRE_TRACE=TRACE in its environment "
    "has written: what\n"
    "the heap held over the bytes allocated, its pauses by length and by time, each with what it "
    "was for, and the\n"
    "minimum mutator utilisation. Prints the longest pauses and the utilisation of 1, 10 and 50 "
    "ms. Perfetto and\n"
    "Chrome open the trace itself.\n"
    "\n"
    "  --heap=NAME     the heap of this name, or this number ('acre plot --list'); otherwise the "
    "one that allocated\n"
    "                  most\n"
    "  --process=ID    only heaps of this process\n"
    "  --out=FILE      write the figure to FILE instead of TRACE with .svg instead of its ending\n"
    "  --list          only list the heaps\n"
    "\n"
    "exit status: 0 done, 2 wrong usage, or a file that cannot be read or written or is no "
    "trace.\n";

struct Request {
  std::string File, Heap, Process, Out;
  bool IsList = false;
};

int fail(const std::string &Message) {
  fprintf(stderr, "acre: error: plot: %s\n", Message.c_str());
  return ExitUsage;
}

/// Fills To; a message if the arguments make no sense.
std::string parseArguments(const Arguments &Given, Request &To) {
  for (const std::string &Each : Given) {
    if (Each.starts_with("--heap="))
      To.Heap = Each.substr(7);
    else if (Each.starts_with("--process="))
      To.Process = Each.substr(10);
    else if (Each.starts_with("--out="))
      To.Out = Each.substr(6);
    else if (Each == "--list")
      To.IsList = true;
    else if (Each.starts_with("-"))
      return "no option '" + Each + "'; 'acre plot --help' lists them";
    else if (!To.File.empty())
      return "more than one trace";
    else
      To.File = Each;
  }
  if (To.File.empty())
    return "which trace? 'acre plot --help' explains";
  if (To.Out.empty())
    To.Out = std::filesystem::path(To.File).replace_extension(".svg").string();
  return To.Out == To.File ? "the figure would replace the trace; --out=FILE names another" : "";
}

bool isWanted(const HeapTrace &Heap, const Request &R) {
  return (R.Process.empty() || std::to_string(Heap.ProcessId) == R.Process) &&
         (R.Heap.empty() || Heap.Name == R.Heap || std::to_string(Heap.Number) == R.Heap);
}

double megabytes(std::uint64_t Bytes) { return static_cast<double>(Bytes) / 1e6; }

std::uint64_t countOf(const HeapTrace &Heap, const char *Name) {
  auto Found = Heap.Counts.find(Name);
  return Found == Heap.Counts.end() ? 0 : Found->second;
}

void printLine(const HeapTrace &Heap) {
  printf("heap %s (number %ld) of %s (process %ld): %.1f MB allocated in %.3f s, %llu collections, "
         "%zu pauses\n",
         Heap.Name.c_str(), Heap.Number, Heap.Process.c_str(), Heap.ProcessId,
         megabytes(Heap.allocated()), (Heap.Last - Heap.First) / 1e6,
         static_cast<unsigned long long>(countOf(Heap, "collection")), Heap.Pauses.size());
}

void printNumbers(const HeapTrace &Heap) {
  std::vector<double> Lengths;
  double Sum = 0;
  for (const Pause &Each : Heap.Pauses) {
    Lengths.push_back(Each.Length);
    Sum += Each.Length;
  }
  if (Lengths.empty()) {
    printf("no pauses\n");
    return;
  }
  std::sort(Lengths.begin(), Lengths.end());
  auto Within = [&](double Share) {
    return Lengths[static_cast<size_t>(Share * static_cast<double>(Lengths.size() - 1))];
  };
  printf("pauses, µs: longest %.1f, 99.9 %% within %.1f, 99 %% within %.1f, mean %.1f\n",
         Lengths.back(), Within(0.999), Within(0.99), Sum / static_cast<double>(Lengths.size()));
  const MutatorUtilisation Utilisation(Heap);
  printf(
      "minimum mutator utilisation, %%: %.1f of 1 ms, %.1f of 10 ms, %.1f of 50 ms; %.1f of all\n",
      100 * Utilisation.least(1e3), 100 * Utilisation.least(1e4), 100 * Utilisation.least(5e4),
      100 * (1 - Sum / std::max(Heap.Last - Heap.First, Sum)));
}

constexpr size_t LongestPrinted = 5;

/// The longest first.
void printLongest(const HeapTrace &Heap) {
  std::vector<const Pause *> Longest;
  for (const Pause &Each : Heap.Pauses)
    Longest.push_back(&Each);
  const size_t Count = std::min(LongestPrinted, Longest.size());
  std::partial_sort(Longest.begin(), Longest.begin() + static_cast<long>(Count), Longest.end(),
                    [](auto *A, auto *B) { return A->Length > B->Length; });
  for (size_t I = 0; I < Count; ++I)
    printf("  %.1f µs at %.3f s: %s\n", Longest[I]->Length, (Longest[I]->Begin - Heap.First) / 1e6,
           purposeOf(Longest[I]->Event));
}

/// A message if the file cannot be written.
std::string write(const std::string &File, const std::string &Text) {
  std::ofstream To(File, std::ios::binary);
  To << Text;
  To.close();
  return To ? "" : "cannot write '" + File + "': " + strerror(errno);
}

} // namespace

int plot(const Arguments &Given) {
  if (isHelpPrinted(Given, HelpText))
    return 0;
  Request R;
  if (std::string Problem = parseArguments(Given, R); !Problem.empty())
    return fail(Problem);
  std::ifstream From(R.File, std::ios::binary);
  if (!From || std::filesystem::is_directory(R.File))
    return fail("cannot read '" + R.File + "': " + strerror(From ? EISDIR : errno));
  TraceReader Reader;
  if (std::string Problem = Reader.read(From); !Problem.empty())
    return fail("'" + R.File + "': " + Problem);
  if (Reader.isCutOff())
    fprintf(stderr, "acre: note: the last event of '%s' is cut off and left out\n", R.File.c_str());
  const HeapTrace *Chosen = nullptr;
  for (const HeapTrace &Each : Reader.heaps()) {
    if (!isWanted(Each, R))
      continue;
    if (R.IsList)
      printLine(Each);
    if (!Chosen || Each.allocated() > Chosen->allocated())
      Chosen = &Each;
  }
  if (!Chosen)
    return fail("no such heap in '" + R.File + "'; 'acre plot --list " + R.File +
                "' shows those there are");
  if (R.IsList)
    return 0;
  printLine(*Chosen);
  printNumbers(*Chosen);
  printLongest(*Chosen);
  if (std::string Problem = write(R.Out, drawHeap(*Chosen)); !Problem.empty())
    return fail(Problem);
  printf("drawn in %s\n", R.Out.c_str());
  return 0;
}

} // namespace acre::cli

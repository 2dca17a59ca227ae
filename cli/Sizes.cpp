// SPDX-License-Identifier: MIT
//===- Sizes.cpp - acre sizes: cell sizes for a collected heap ------------===//
//
// Reads what acre_heap_write_profile wrote and chooses the sizes that waste
// least. A page of 8192 bytes holds floor(8192 / size) cells, so a cell costs
// its share of a page, and of all sizes with the same number of cells only the
// largest is worth having. Which of these to take is a partition of the objects,
// ordered by size, into runs that share a size: a dynamic program, exact. Of
// objects that are alive together whole pages count, and of the choices with as
// few pages the one with the fewest sizes is taken: each has a page that fills.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

namespace acre::cli {
namespace {

constexpr char HelpText[] =
    "usage: acre sizes [options] PROFILE\n"
    "\n"
    "Chooses the cell sizes of a collected heap for the objects in PROFILE, which "
    "acre_heap_write_profile has\n"
    "written, and prints them as C for acre_heap_config.cell_sizes.\n"
    "\n"
    "  --count=N            at most N sizes, 1 to 128 (24)\n"
    "  --by=live|allocated  for the objects that were alive when the profile was written, the "
    "sizes with which they\n"
    "                       need the fewest pages (live); or weigh all that were ever allocated\n"
    "  --header=WORDS       for headers of 1, 2 or 3 words instead of the profile's\n"
    "  --plain              only the sizes, with commas between them\n"
    "\n"
    "exit status: 0 done, 2 wrong usage, or a file that cannot be read or is no profile.\n";

constexpr uint64_t PageSize = 8192;
constexpr size_t SizesMax = 128; // ACRE_HEAP_CLASS_MAX

struct Request {
  size_t Count = 24, HeaderWords = 0;
  bool IsByAllocated = false, IsPlain = false;
  std::string File;
};

struct Profile {
  uint64_t Header = 0;
  struct Line {
    uint64_t Size, Allocated, Live;
  };
  std::vector<Line> Lines;
};

/// Objects that need a cell of one size.
struct Need {
  uint64_t Size, Weight;
};

int fail(const std::string &Message) {
  fprintf(stderr, "acre: error: sizes: %s\n", Message.c_str());
  return ExitUsage;
}

bool parseNumber(std::string_view Text, size_t Least, size_t Most, size_t &To) {
  auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), To);
  return Error == std::errc() && End == Text.data() + Text.size() && To >= Least && To <= Most;
}

/// Fills To; a message if the arguments make no sense.
std::string parseArguments(const Arguments &Given, Request &To) {
  for (const std::string &Each : Given) {
    if (Each.starts_with("--count=")) {
      if (!parseNumber(std::string_view(Each).substr(8), 1, SizesMax, To.Count))
        return "--count wants a number from 1 to 128";
    } else if (Each.starts_with("--header=")) {
      if (!parseNumber(std::string_view(Each).substr(9), 1, 3, To.HeaderWords))
        return "--header wants 1, 2 or 3";
    } else if (Each == "--by=live" || Each == "--by=allocated") {
      To.IsByAllocated = Each == "--by=allocated";
    } else if (Each == "--plain") {
      To.IsPlain = true;
    } else if (Each.starts_with("-")) {
      return "no option '" + Each + "'; 'acre sizes --help' lists them";
    } else if (!To.File.empty()) {
      return "more than one profile";
    } else {
      To.File = Each;
    }
  }
  return To.File.empty() ? "which profile? 'acre sizes --help' explains" : "";
}

/// Fills To; a message if the file is no profile.
std::string readProfile(const std::string &File, Profile &To) {
  std::ifstream From(File);
  if (!From)
    return "cannot read '" + File + "': " + strerror(errno);
  std::string Line, Word;
  if (!std::getline(From, Line) || Line != "acre heap profile 1")
    return "'" + File + "' is no profile: its first line is not 'acre heap profile 1'";
  for (size_t Number = 2; std::getline(From, Line); ++Number) {
    std::istringstream Words(Line);
    Profile::Line Each{};
    if (Line.empty() || Line[0] == '#')
      continue;
    if (Line.starts_with("header ") && Words >> Word >> To.Header)
      continue;
    if (!(Words >> Each.Size >> Each.Allocated >> Each.Live) || Each.Live > Each.Allocated)
      return "'" + File + "' line " + std::to_string(Number) +
             ": not a size with two counts: " + Line;
    To.Lines.push_back(Each);
  }
  if (To.Header != 8 && To.Header != 16 && To.Header != 24)
    return "'" + File + "' does not say how large headers are";
  return "";
}

uint64_t roundUp(uint64_t Size, uint64_t Align) { return (Size + Align - 1) / Align * Align; }

/// Bytes of a page that a cell takes, in 1/1000.
uint64_t cost(uint64_t Size) { return PageSize * 1000 / (PageSize / Size); }

/// The largest cell of which as many fit on a page.
uint64_t widen(uint64_t Size, uint64_t Align) {
  return PageSize / (PageSize / Size) / Align * Align;
}

std::vector<Need> needsOf(const Profile &P, const Request &R, uint64_t Header, uint64_t Align) {
  std::vector<Need> Needs;
  for (const Profile::Line &Each : P.Lines) {
    uint64_t Size = roundUp(Header + std::max<uint64_t>(Each.Size, 1), Align);
    if (Each.Size < PageSize && Size <= PageSize)
      Needs.push_back({Size, R.IsByAllocated ? Each.Allocated : Each.Live});
  }
  // The largest cell is a page, so that every smaller object has a class.
  Needs.push_back({PageSize, 0});
  std::sort(Needs.begin(), Needs.end(),
            [](const Need &A, const Need &B) { return A.Size < B.Size; });
  return Needs;
}

/// Whole pages, if they count, and then 1/1000 bytes.
struct Cost {
  uint64_t Pages = std::numeric_limits<uint64_t>::max(), Bytes = 0;
  auto operator<=>(const Cost &) const = default;
};

/// The cost of Weight objects of one size.
Cost costOf(uint64_t Weight, uint64_t Size, bool IsByAllocated) {
  uint64_t OnPage = PageSize / Size;
  return {IsByAllocated ? 0 : (Weight + OnPage - 1) / OnPage, Weight * cost(Size)};
}

/// Best[k][j]: the least that the first j needs cost with k sizes, the last of which fits need j
/// - 1.
std::vector<uint64_t> choose(const std::vector<Need> &Needs, size_t Count, uint64_t Align,
                             bool IsByAllocated) {
  constexpr Cost None;
  size_t N = Needs.size();
  Count = std::min(Count, N);
  std::vector<std::vector<Cost>> Best(Count + 1, std::vector<Cost>(N + 1));
  std::vector<std::vector<size_t>> From(Count + 1, std::vector<size_t>(N + 1, 0));
  Best[0][0] = {0, 0};
  for (size_t K = 1; K <= Count; ++K)
    for (size_t J = 1; J <= N; ++J) {
      uint64_t Weight = 0;
      for (size_t I = J; I-- > 0;) {
        Weight += Needs[I].Weight;
        if (Best[K - 1][I] == None)
          continue;
        Cost Each = costOf(Weight, Needs[J - 1].Size, IsByAllocated);
        Cost Sum = {Best[K - 1][I].Pages + Each.Pages, Best[K - 1][I].Bytes + Each.Bytes};
        if (Sum < Best[K][J]) {
          Best[K][J] = Sum;
          From[K][J] = I;
        }
      }
    }
  size_t K = 1;
  for (size_t Each = 1; Each <= Count; ++Each)
    if (IsByAllocated ? Best[Each][N] < Best[K][N] : Best[Each][N].Pages < Best[K][N].Pages)
      K = Each;
  std::vector<uint64_t> Sizes;
  for (size_t J = N; K > 0; J = From[K--][J])
    Sizes.push_back(widen(Needs[J - 1].Size, Align));
  std::reverse(Sizes.begin(), Sizes.end());
  Sizes.erase(std::unique(Sizes.begin(), Sizes.end()), Sizes.end());
  return Sizes;
}

std::vector<uint64_t> powersOfTwo(uint64_t Header) {
  std::vector<uint64_t> Sizes;
  for (uint64_t Size = 16; Size <= PageSize; Size *= 2)
    if (Size >= Header + 8)
      Sizes.push_back(Size);
  return Sizes;
}

/// Which part of the memory of cells the objects with their headers do not need, in per cent.
double waste(const std::vector<Need> &Needs, const std::vector<uint64_t> &Sizes) {
  uint64_t Needed = 0, Taken = 0;
  for (const Need &Each : Needs) {
    Needed += Each.Weight * Each.Size * 1000;
    Taken += Each.Weight * cost(*std::lower_bound(Sizes.begin(), Sizes.end(), Each.Size));
  }
  return Taken ? 100.0 * static_cast<double>(Taken - Needed) / static_cast<double>(Taken) : 0;
}

void print(const Request &R, const std::vector<Need> &Needs, const std::vector<uint64_t> &Sizes,
           uint64_t Header) {
  std::string List;
  for (uint64_t Each : Sizes)
    List += (List.empty() ? "" : R.IsPlain ? "," : ", ") + std::to_string(Each);
  if (R.IsPlain) {
    puts(List.c_str());
    return;
  }
  printf("/* For headers of %llu words: %.1f %% of the cells' memory is padding; with powers of "
         "two %.1f %%. */\n"
         "static const uint32_t cell_sizes[] = {%s};\n",
         static_cast<unsigned long long>(Header / 8), waste(Needs, Sizes),
         waste(Needs, powersOfTwo(Header)), List.c_str());
}

} // namespace

int sizes(const Arguments &Given) {
  if (isHelpPrinted(Given, HelpText))
    return 0;
  Request R;
  Profile P;
  if (std::string Problem = parseArguments(Given, R); !Problem.empty())
    return fail(Problem);
  if (std::string Problem = readProfile(R.File, P); !Problem.empty())
    return fail(Problem);
  uint64_t Header = R.HeaderWords ? R.HeaderWords * 8 : P.Header;
  // Headers of two words keep objects aligned to 16 if all sizes are multiples of it.
  uint64_t Align = Header == 16 ? 16 : 8;
  std::vector<Need> Needs = needsOf(P, R, Header, Align);
  print(R, Needs, choose(Needs, R.Count, Align, R.IsByAllocated), Header);
  return 0;
}

} // namespace acre::cli
